import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createCreditBook } from '../../../src/payment/credits/account.ts';
import { memoryCreditRows } from '../../support/workers/credit-rows.ts';
import { budgetFor } from '../../support/runner/budget.ts';

/** What one of three Workers does next with one of three calls of two clients, whatever it was told before. */
const step = fc.record({
  act: fc.oneof(
    { weight: 5, arbitrary: fc.constant('reserve' as const) },
    { weight: 5, arbitrary: fc.constant('capture' as const) },
    { weight: 2, arbitrary: fc.constantFrom('renew' as const, 'release' as const, 'wait' as const) },
    { weight: 2, arbitrary: fc.constantFrom('pledge' as const, 'resolve' as const) },
    { weight: 1, arbitrary: fc.constantFrom('revoke' as const, 'clock-back' as const, 'prune' as const) },
  ),
  worker: fc.nat(2),
  call: fc.nat(2),
  amount: fc.constantFrom(60_000, 350_000, 3_500_000),
  waitMs: fc.constantFrom(1_000, 11_000, 31_000, 200_000, 7_300_000),
  settled: fc.constantFrom('settled' as const, 'unsettled' as const, 'absent' as const),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const CAP = 4_000_000;
const PACK = 5_000_000;

function trial() {
  let nowMs = 1_800_000_000_000;
  const book = createCreditBook(memoryCreditRows(), () => nowMs);
  /** What each Worker was last let in for. */
  const holds: { id: string; attempt: number; amount: number; client: string }[] = [];
  const none = { id: 'none', attempt: 0, amount: 0, client: 'none' };
  const held = ({ worker }: Step) => holds[worker] ?? none;
  const captured = new Map<string, { amount: number; atMs: number; client: string }>();
  const credited = new Set<string>();
  let reserves = 0;
  const about = (one: Step) => ({ id: `call-${one.call}-${one.amount}`, client: `client-${one.call % 2}` });
  const acts: Record<Step['act'], (one: Step) => void> = {
    reserve: (one) => {
      const { id, client } = about(one);
      const result = book.reserve({
        id,
        fingerprint: 'f',
        capability: 'check_health',
        clientId: client,
        amountMicroUsdc: one.amount,
        capMicroUsdc: CAP,
        authorizedAtMs: Number.POSITIVE_INFINITY,
      });
      if (result.outcome === 'reserved') {
        reserves += 1;
        expect(captured.has(id)).toBe(false); // What was paid is never worked on again.
        holds[one.worker] = { id, attempt: result.attempt, amount: one.amount, client };
      }
      if (result.outcome === 'done') expect(captured.has(id)).toBe(true);
    },
    capture: (one) => {
      const { id, attempt, amount, client } = held(one);
      const paid = book.capture(id, attempt, `report-${id}-${attempt}`);
      if (!paid) return;
      if (!captured.has(id)) captured.set(id, { amount, atMs: nowMs, client });
      expect(paid).toMatchObject({ reportId: `report-${id}-${attempt}`, amountMicroUsdc: amount });
    },
    renew: (one) => void book.renew(held(one).id, held(one).attempt),
    release: (one) => void book.release(held(one).id, held(one).attempt, false),
    wait: ({ waitMs }) => {
      nowMs += waitMs;
    },
    'clock-back': () => {
      nowMs -= 5_000;
    },
    pledge: ({ call }) =>
      void book.pledge({ paymentKey: `payment-${call}`, shard: 'a1', capability: 'credits_5', amountMicroUsdc: PACK }),
    resolve: ({ settled: state }) => {
      for (const pledge of book.openPledges()) {
        const word = state === 'settled' ? { state, capability: 'credits_5', amountMicroUsdc: PACK } : { state };
        if (book.resolve(pledge, word) !== 'credit') continue;
        expect(credited.has(pledge.paymentKey)).toBe(false);
        credited.add(pledge.paymentKey);
      }
    },
    revoke: ({ call }) => void book.releaseClient(`client-${call % 2}`),
    prune: () => book.prune(),
  };
  const check = (): void => {
    const spent = [...captured.values()].reduce((sum, { amount }) => sum + amount, 0);
    const { balanceMicroUsdc, reservedMicroUsdc } = book.view();
    expect(balanceMicroUsdc + reservedMicroUsdc).toBe(credited.size * PACK - spent);
    expect(balanceMicroUsdc).toBeGreaterThanOrEqual(0);
    expect(reservedMicroUsdc).toBeGreaterThanOrEqual(0);
    for (const client of ['client-0', 'client-1']) {
      const lately = [...captured.values()].filter((one) => one.client === client && one.atMs > nowMs - 86_400_000);
      expect(lately.reduce((sum, { amount }) => sum + amount, 0)).toBeLessThanOrEqual(CAP);
    }
  };
  return {
    run: (steps: readonly Step[]): { captured: number; credited: number; reserves: number } => {
      for (const one of steps) {
        acts[one.act](one);
        check();
      }
      return { captured: captured.size, credited: credited.size, reserves };
    },
  };
}

test('P6, A5: whatever Workers do in any order, the balance is top-ups less captures, never below 0, each call is captured once and no client passes its cap', () => {
  const total = { captured: 0, credited: 0, reserves: 0 };
  fc.assert(
    fc.property(fc.array(step, { minLength: 20, maxLength: 120, size: 'max' }), (steps) => {
      const seen = trial().run(steps);
      total.captured += seen.captured;
      total.credited += seen.credited;
      total.reserves += seen.reserves;
    }),
    { numRuns: budgetFor(60, 300) },
  );
  // The walk got somewhere: it is not a test of empty accounts.
  expect(total.credited).toBeGreaterThan(budgetFor(10, 50));
  expect(total.reserves).toBeGreaterThan(budgetFor(20, 100));
  expect(total.captured).toBeGreaterThan(budgetFor(8, 40));
});
