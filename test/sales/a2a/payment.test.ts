import { expect, test } from 'vitest';
import { catalog } from '../../../src/capabilities/catalog.ts';
import { canAnswerAtOnce, MAX_UNWATCHED_WORK_S } from '../../../src/sales/a2a/payment.ts';

test('only work that ends soon is answered before it is done', () => {
  expect(canAnswerAtOnce({ worstCaseS: MAX_UNWATCHED_WORK_S })).toBe(true);
  expect(canAnswerAtOnce({ worstCaseS: MAX_UNWATCHED_WORK_S + 1 })).toBe(false);
  const atOnce = catalog.filter(canAnswerAtOnce).map(({ name }) => name);
  expect(atOnce).toEqual([]);
});
