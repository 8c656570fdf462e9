import { afterEach, expect, test } from 'vitest';
import { completeOlderNode } from '../../../src/cli/core/older-node.ts';

const own = [
  [Map, 'groupBy', Object.getOwnPropertyDescriptor(Map, 'groupBy')],
  [URL, 'parse', Object.getOwnPropertyDescriptor(URL, 'parse')],
] as const;
afterEach(() => {
  for (const [holder, name, descriptor] of own) Object.defineProperty(holder, name, descriptor ?? {});
});

test('a Node without them gets Map.groupBy and URL.parse', () => {
  for (const [holder, name] of own) Reflect.deleteProperty(holder, name);
  completeOlderNode();
  expect([...Map.groupBy(['a', 'bb', 'c'], ({ length }) => length)]).toEqual([
    [1, ['a', 'c']],
    [2, ['bb']],
  ]);
  expect(URL.parse('/b', 'https://a.test/')?.href).toBe('https://a.test/b');
  expect(URL.parse('no address')).toBeNull();
});

test('what Node has itself stays', () => {
  completeOlderNode();
  for (const [holder, name, descriptor] of own)
    expect(Object.getOwnPropertyDescriptor(holder, name)?.value).toBe(descriptor?.value);
});
