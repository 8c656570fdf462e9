import { expect, test } from 'vitest';
import { callWithTimeout } from '../../../src/notifications/worker/with-timeout.ts';

test('a call that answers in time is its answer', async () => {
  expect(await callWithTimeout(async () => 7, 1_000)).toEqual({ ok: true, value: 7 });
});

class WithSecret extends Error {
  override name = 'WithSecret';
}

test.each([
  ['rejects', () => Promise.reject(new WithSecret('token=abc')), 'WithSecret'],
  [
    'throws before it returns',
    () => {
      throw new TypeError('token=abc');
    },
    'TypeError',
  ],
  ['rejects with a text', () => Promise.reject('token=abc'), 'string'], // oxlint-disable-line prefer-promise-reject-errors
  ['never settles', () => new Promise<never>(() => undefined), 'Late'],
])('of a call that %s only the name of the failure is kept', async (_how, call, name) => {
  expect(await callWithTimeout(call, 20)).toEqual({ ok: false, name });
});
