import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { createRecentMap } from '../../src/traffic/recent-map.ts';

const LIMIT = 500;
const CHUNK_BYTES = 65_536;
const MIB = 1024 ** 2;

const keyOf = (at: number): string => `/pages/a-path-of-a-page-${String(at).padStart(6, '0')}`;
/** The key as a line has it: a part of a larger text. */
const cutKey = (at: number): string =>
  Buffer.from(keyOf(at).padEnd(CHUNK_BYTES, '.')).toString('latin1').slice(0, keyOf(at).length);

function measureHeap(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed / MIB;
}

it('forgets what was not asked for since a generation', () => {
  const map = createRecentMap<number>(2);
  map.set('one', 1);
  map.set('two', 2);
  map.set('three', 3);
  expect(map.get('one')).toBe(1);
  map.set('four', 4);
  expect([map.get('one'), map.get('two'), map.get('three'), map.get('four')]).toEqual([1, undefined, 3, 4]);
});

it('keeps no text alive that a key was cut from, when it was set and when it was asked for', () => {
  const map = createRecentMap<number>(LIMIT);
  const before = measureHeap();
  for (let at = 0; at < LIMIT + 1; at += 1) map.set(cutKey(at), at);
  for (let at = 0; at < LIMIT; at += 1) expect(map.get(cutKey(at))).toBe(at);
  // As many texts as that would be 31 MiB.
  expect(measureHeap() - before).toBeLessThan(8);
  expect(map.get(keyOf(0))).toBe(0);
});
