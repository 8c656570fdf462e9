import { runDurableObjectAlarm } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import * as fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { ClaimRequest, PaymentMethod, Sale } from '../../src/payment/ledger/protocol.ts';
import { type FakeRpc, serveFakeRpc } from './fake-rpc.ts';
import { PAYER, freshWord, movableClock, shard, signed, transfer } from './ledger-shard.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

/** What one of two Workers does next with the payment, whatever it did before and whatever it was told. */
const step = fc.record({
  worker: fc.constantFrom<0 | 1>(0, 1),
  act: fc.oneof(
    { weight: 4, arbitrary: fc.constant('claim' as const) },
    { weight: 7, arbitrary: fc.constant('begin' as const) },
    { weight: 7, arbitrary: fc.constant('end' as const) },
    { weight: 3, arbitrary: fc.constantFrom('wait' as const, 'alarm' as const) },
    { weight: 3, arbitrary: fc.constantFrom('renew', 'discard', 'release', 'refuse', 'doubt', 'broadcast') },
  ),
  /** For claims: which of the payer's two requests it is, and whether it proves the payer. */
  request: fc.constantFrom('1', '2'),
  proven: fc.boolean(),
  waitMs: fc.constantFrom(6_000, 31_000, 36_000, 400_000),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** The payment under test, the attempt that each Worker holds, and what has been seen so far. */
type Trial = {
  request: ClaimRequest;
  transaction: string;
  attempts: [number, number];
  /** The newest attempt that was told `claimed`: only its result may be sold. */
  owner: number;
  sale: Sale | undefined;
  clock: { advance(ms: number): void };
  rpc: FakeRpc;
};

function startTrial(method: PaymentMethod, clock: Trial['clock'], rpc: FakeRpc): Trial {
  const request = method === 'x402' ? signed() : transfer();
  const transaction = request.transfer?.hash ?? freshWord();
  return { request, transaction, attempts: [0, 0], owner: 0, sale: undefined, clock, rpc };
}

function must(holds: boolean, law: string): void {
  if (!holds) throw new Error(`broken: ${law}`);
}

function reportOf(trial: Trial, attempt: number): string {
  return `${trial.request.key}-report-${attempt}`;
}

function noteClaim(trial: Trial, worker: 0 | 1, attempt: number): void {
  must(trial.sale === undefined, 'a sold payment is never claimed again');
  must(attempt > trial.owner && attempt > Math.max(...trial.attempts), 'attempts grow');
  trial.owner = attempt;
  trial.attempts[worker] = attempt;
}

function noteSale(trial: Trial, sale: Sale | false, attempt: number): void {
  if (!sale) return;
  must(attempt >= trial.owner, 'no stale attempt sells');
  must(sale.reportId === reportOf(trial, trial.owner), 'what is sold is the result of the newest claim');
  must(trial.sale === undefined || JSON.stringify(trial.sale) === JSON.stringify(sale), 'a key has one sale');
  trial.sale = sale;
}

async function claim(trial: Trial, { worker, request, proven }: Step): Promise<void> {
  const result = await shard().claim({
    ...trial.request,
    fingerprint: `fingerprint-${request}`,
    credentialSha256: `credential-${request}`,
    proven: proven && trial.request.method === 'transfer',
  });
  if (result.outcome === 'claimed') noteClaim(trial, worker, result.attempt);
  if (result.outcome === 'served') noteSale(trial, result.sale, trial.owner);
  if (result.outcome !== 'resume_settlement') return;
  must(result.reportId === reportOf(trial, trial.owner), 'what is resumed is the settlement of the newest claim');
  trial.attempts[worker] = result.attempt;
}

/** The authorization reaches the chain, through whoever. */
function broadcast({ request, transaction, rpc }: Trial): void {
  const nonce = request.authorization?.nonce;
  if (nonce === undefined || rpc.mined.some((mined) => mined.transaction === transaction)) return;
  rpc.mined.push({ transaction, from: PAYER, to: env.PAY_TO, value: request.amountMicroUsdc, nonce });
}

const acts: Record<Step['act'], (trial: Trial, attempt: number, now: Step) => unknown> = {
  claim: (trial, _, now) => claim(trial, now),
  begin: (trial, attempt) => shard().beginSettle(trial.request.key, attempt, reportOf(trial, attempt)),
  end: async (trial, attempt) => {
    const { key, method } = trial.request;
    const sale =
      method === 'x402'
        ? await shard().settled(key, attempt, trial.transaction)
        : await shard().sell(key, attempt, reportOf(trial, attempt));
    noteSale(trial, sale, attempt);
  },
  wait: (trial, _, now) => trial.clock.advance(now.waitMs),
  alarm: () => runDurableObjectAlarm(shard()),
  renew: (trial, attempt) => shard().renew(trial.request.key, attempt),
  discard: (trial, attempt) => shard().discard(trial.request.key, attempt),
  release: (trial, attempt) => shard().release(trial.request.key, attempt, false),
  refuse: (trial, attempt) => shard().refuse(trial.request.key, attempt, 'insufficient_funds'),
  doubt: (trial, attempt) => shard().doubt(trial.request.key, attempt),
  broadcast: (trial) => broadcast(trial),
};

describe('P2: whatever two Workers do with one payment, in any order, past leases and alarms', () => {
  test.each(['x402', 'transfer'] as const)('a key of %s sells once, and never by a stale attempt', async (method) => {
    const rpc = serveFakeRpc(env.RPC_URL);
    const clock = movableClock();
    // Transfers of this test are on no chain, which the re-reading at `safe` rightly reports.
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    let sales = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 32, size: 'max' }), async (steps) => {
        const trial = startTrial(method, clock, rpc);
        for (const now of steps) await acts[now.act](trial, trial.attempts[now.worker], now);
        const state = await shard().resultState(trial.request.key);
        must(trial.sale === undefined || state === 'settled', 'a sale stays');
        sales += trial.sale === undefined ? 0 : 1;
        // Frees the payer's places for the next trial.
        clock.advance(600_000);
        await runDurableObjectAlarm(shard());
      }),
      { numRuns: 60 },
    );
    // About half of the trials sell; a handful already shows that the laws were put to the test.
    expect(sales).toBeGreaterThan(5);
  });
});
