import { expect, test } from 'vitest';
import { loadOnce } from '../../src/lib/load-once.ts';

test('what is loaded is kept; a failure is not', async () => {
  let loads = 0;
  const load = loadOnce(async () => {
    loads += 1;
    if (loads === 1) throw new Error('not yet');
    return { loads };
  });
  await expect(load()).rejects.toThrow('not yet');
  expect([await load(), await load(), loads]).toEqual([{ loads: 2 }, { loads: 2 }, 2]);
});

test('a use does not wait for the load that another one began', async () => {
  const pending = [Promise.withResolvers<object>(), Promise.withResolvers<object>()];
  let loads = 0;
  const load = loadOnce(() => pending[loads++]?.promise ?? Promise.reject(new Error('loaded too often')));
  void load();
  const second = load();
  pending[1]?.resolve({ from: 'its own' });
  expect(await second).toEqual({ from: 'its own' });
});
