import { expect, test } from 'vitest';
import { createSerialQueue } from '../../../src/search/jobs/parts.ts';

test('what fails is for whoever began it: the next has its turn', async () => {
  const { turn } = createSerialQueue();
  const first = turn(async () => Promise.reject(new Error('gone')));
  const second = turn(async () => Promise.resolve('done'));
  await expect(first).rejects.toThrow('gone');
  expect(await second).toBe('done');
});
