import { describe, expect, test } from 'vitest';
import {
  buildClientRow,
  formatClientRowKey,
  formatGrantRowKey,
  createKvFacade,
} from '../../../src/authorization/oauth/kv-facade.ts';
import { memoryStore } from '../../support/management/memory-rows.ts';

function world() {
  const store = memoryStore();
  return { ...store, kv: createKvFacade(store.rows, store.now) };
}

test('what is put is read by the next call, as text or as JSON', async () => {
  const { kv } = world();
  await kv.put('a', '{"x":1}');
  expect([
    await kv.get('a'),
    await kv.get('a', 'json'),
    await kv.get('a', { type: 'json' }),
    await kv.get('a', 'text'),
  ]).toEqual(['{"x":1}', { x: 1 }, { x: 1 }, '{"x":1}']);
});

test('what is not there is null, and what is deleted is gone at once', async () => {
  const { kv } = world();
  expect(await kv.get('a')).toBeNull();
  await kv.put('a', '1');
  await kv.delete('a');
  expect(await kv.get('a', 'json')).toBeNull();
});

describe('an entry ends', () => {
  test('after its time to live, to the millisecond', async () => {
    const { kv, advance } = world();
    await kv.put('a', '1', { expirationTtl: 60 });
    advance(59_999);
    expect(await kv.get('a')).toBe('1');
    advance(1);
    expect(await kv.get('a')).toBeNull();
  });

  test('at its Unix time', async () => {
    const { kv, advance, now } = world();
    await kv.put('a', '1', { expiration: now() / 1000 + 10 });
    advance(9_999);
    expect(await kv.get('a')).toBe('1');
    advance(1);
    expect(await kv.get('a')).toBeNull();
  });
});

describe('a list', () => {
  test('has names, metadata and ends of what starts with the prefix', async () => {
    const { kv, now } = world();
    await kv.put('g:1', '1', { metadata: { clientId: 'c' }, expirationTtl: 60 });
    await kv.put('g:2', '2');
    await kv.put('h:1', '3');
    expect(await kv.list({ prefix: 'g:' })).toEqual({
      keys: [{ name: 'g:1', metadata: { clientId: 'c' }, expiration: now() / 1000 + 60 }, { name: 'g:2' }],
      list_complete: true,
      cacheStatus: null,
    });
  });

  test('comes in pages of at most 1,000, without a gap or a repetition', async () => {
    const { kv } = world();
    for (let n = 0; n < 2_001; n += 1) await kv.put(`g:${String(n).padStart(5, '0')}`, '');
    const sizes: number[] = [];
    const names = new Set<string>();
    for (let page = await kv.list({ prefix: 'g:', limit: 5_000 }); ;) {
      sizes.push(page.keys.length);
      for (const { name } of page.keys) names.add(name);
      if (page.list_complete) break;
      page = await kv.list({ prefix: 'g:', limit: 5_000, cursor: page.cursor });
    }
    expect([sizes, names.size]).toEqual([[1_000, 1_000, 1], 2_001]);
  });

  test('a full last page is known to be the last', async () => {
    const { kv } = world();
    await kv.put('g:1', '');
    await kv.put('g:2', '');
    expect((await kv.list({ prefix: 'g:', limit: 2 })).list_complete).toBe(true);
    expect((await kv.list({ prefix: 'g:', limit: 1 })).list_complete).toBe(false);
  });

  test('does not show rows of our own', async () => {
    const { kv, rows } = world();
    rows.put('own:client:class:x', 'operator');
    expect((await kv.list()).keys).toEqual([]);
  });
});

test('rows that we write ourselves are read by the library, and the other way round', async () => {
  const { kv, rows } = world();
  rows.put(formatClientRowKey('https://app.example/c'), buildClientRow({ clientId: 'x' }));
  expect(await kv.get('client:https://app.example/c', 'json')).toEqual({ clientId: 'x' });
  await kv.put('grant:u:g', '{}');
  expect(rows.get(formatGrantRowKey('u', 'g'))).toEqual({ value: '{}' });
});
