import { expect, test } from 'vitest';
import { createRunningCalls } from '../../../src/cli/mcp/command.ts';

const NEVER_MS = 600_000;

test('without a running call nothing is waited for', async () => {
  const calls = createRunningCalls();
  expect(await calls.track(async () => 7)).toBe(7);
  await calls.ended(NEVER_MS);
});

test('P6: a running paid call is waited for, whether it ends well or badly', async () => {
  const calls = createRunningCalls();
  const order: string[] = [];
  const [good, bad] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const first = calls.track(() => good.promise).then(() => order.push('good'));
  const second = calls.track(() => bad.promise).catch(() => order.push('bad'));
  const waited = calls.ended(NEVER_MS).then(() => order.push('over'));
  good.resolve();
  await first;
  bad.reject(new Error('it failed'));
  await second;
  await waited;
  expect(order).toEqual(['good', 'bad', 'over']);
});

test('one that does not end is waited for no longer than the limit', async () => {
  const calls = createRunningCalls();
  void calls.track(() => new Promise(() => undefined));
  await calls.ended(1);
});
