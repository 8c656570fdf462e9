import { expect, test } from 'vitest';
import { admit, idleTarget, leave, TARGET_LIMITS, targetName, type TargetState } from '../../src/net/target-gate.ts';

const NOW = 1_800_000_000_000;
const MINUTE = 60_000;

/** Starts and ends `count` audits, a second apart. */
function after(count: number): TargetState {
  let state = idleTarget;
  for (let run = 0; run < count; run += 1)
    state = leave(admit(state, `run-${run}`, NOW + run * 1000).state, `run-${run}`, NOW + run * 1000);
  return state;
}

test('F6: two audits of one host run at once, a third waits until one is done', () => {
  const one = admit(idleTarget, 'a', NOW);
  const two = admit(one.state, 'b', NOW);
  const three = admit(two.state, 'c', NOW);
  expect([one, two, three].map(({ admission }) => admission.admitted)).toEqual([true, true, false]);
  expect(admit(leave(three.state, 'a', NOW), 'c', NOW).admission).toEqual({ admitted: true });
});

test('F6: sixty paid audits of one host may start in an hour; the sixty-first is told when', () => {
  const state = after(TARGET_LIMITS.paidPerHour);
  const refused = admit(state, 'more', NOW + 10 * MINUTE);
  expect(refused.admission).toEqual({ admitted: false, retryAfterS: 50 * 60 });
  expect(admit(state, 'more', NOW + 60 * MINUTE).admission).toEqual({ admitted: true });
});

test('F6: twelve free previews of one host may start in an hour; paid audits have a count of their own', () => {
  let state = idleTarget;
  for (let run = 0; run < TARGET_LIMITS.unpaidPerHour; run += 1) {
    const { admission, state: entered } = admit(state, `run-${run}`, NOW + run * 1000, 'unpaid');
    expect(admission.admitted).toBe(true);
    state = leave(entered, `run-${run}`, NOW + run * 1000);
  }
  const later = NOW + 10 * MINUTE;
  expect(admit(state, 'more', later, 'unpaid').admission).toEqual({ admitted: false, retryAfterS: 50 * 60 });
  expect(admit(state, 'paid', later).admission).toEqual({ admitted: true });
  expect(admit(state, 'more', NOW + 60 * MINUTE, 'unpaid').admission).toEqual({ admitted: true });
});

test('F6: free previews and paid audits of one host take the same two places', () => {
  const free = admit(idleTarget, 'free', NOW, 'unpaid');
  const paid = admit(free.state, 'paid', NOW);
  expect(paid.admission.admitted).toBe(true);
  expect(admit(paid.state, 'third', NOW, 'unpaid').admission).toEqual({ admitted: false, retryAfterS: 10 });
  expect(admit(paid.state, 'third', NOW).admission).toEqual({ admitted: false, retryAfterS: 10 });
});

test('F6: sixty paid audits leave the free previews of the hour as they are', () => {
  const state = after(TARGET_LIMITS.paidPerHour);
  expect(admit(state, 'free', NOW + 10 * MINUTE, 'unpaid').admission).toEqual({ admitted: true });
});

test('an audit that never said it was done does not hold its place for ever', () => {
  const full = admit(admit(idleTarget, 'a', NOW).state, 'b', NOW).state;
  expect(admit(full, 'c', NOW + MINUTE).admission.admitted).toBe(false);
  expect(admit(full, 'c', NOW + 2 * MINUTE).admission.admitted).toBe(true);
});

test('leaving twice, or without having entered, changes nothing', () => {
  const { state } = admit(idleTarget, 'a', NOW);
  expect(leave(leave(state, 'x', NOW), 'x', NOW)).toEqual(state);
});

test.each(['example.com', 'example.com.', 'EXAMPLE.com', 'Example.Com.'])(
  'F6: %s has the gate of example.com',
  (host) => {
    expect(targetName(host)).toBe('example.com');
  },
);
