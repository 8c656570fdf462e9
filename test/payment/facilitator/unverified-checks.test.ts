import { expect, test } from 'vitest';
import { CHECK_LIFE_MS, createUnverifiedChecks } from '../../../src/payment/facilitator/unverified-checks.ts';

test('a caller has few under way at once, and takes none from others', () => {
  const checks = createUnverifiedChecks(2);
  const [first] = [checks.begin('a', '1'), checks.begin('a', '2')];
  expect(checks.begin('a', '3')).toEqual({ ok: false, reason: 'too_many' });
  expect(checks.begin('b', '1')).toEqual({ ok: false, reason: 'in_progress' });
  expect(checks.begin('b', '4').ok).toBe(true);
  if (first.ok) first.end();
  if (first.ok) first.end(); // Twice is once.
  expect([checks.begin('a', '5').ok, checks.begin('a', '6').ok]).toEqual([true, false]);
});

test('checks whose request was cancelled are over after a while, and end no later one', () => {
  let nowMs = 0;
  const checks = createUnverifiedChecks(2, () => nowMs);
  const lost = checks.begin('a', '1');
  checks.begin('a', '2');
  nowMs = CHECK_LIFE_MS - 1;
  expect(checks.begin('a', '3').ok).toBe(false);
  nowMs = CHECK_LIFE_MS;
  expect(checks.begin('a', '1').ok).toBe(true);
  if (lost.ok) lost.end(); // It went on after all.
  expect(checks.begin('b', '1')).toEqual({ ok: false, reason: 'in_progress' });
});
