import {
  createExecutionContext,
  listDurableObjectIds,
  runDurableObjectAlarm,
  runInDurableObject,
} from 'cloudflare:test';
import { env, exports } from 'cloudflare:workers';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { buildPrompts, loadPromptSet } from '../../../../src/visibility/run/prompts.ts';
import type { OperationsPort } from '../../../../src/console-api/operations.ts';
import { Operations } from '../../../../routes/api/bindings/operations-entrypoint.ts';
import { registerCreditCall, registerDeadLetters } from '../../../../routes/api/bindings/console/console-counters.ts';
import { TRUST_OBJECT } from '../../../../src/payment/facilitator/trust.ts';
import { formatDay, computeFirstDay } from '../../../../src/payment/ledger/totals.ts';
import { movableClock, shard, signed, transfer, freshWord } from '../../../durable-objects/ledger-shard.ts';

const operations = (): OperationsPort => exports.Operations;

afterEach(() => {
  vi.restoreAllMocks();
});

async function failureOf(call: () => Promise<unknown>): Promise<string> {
  try {
    await call();
  } catch (error) {
    return String(error);
  }
  throw new Error('the call did not fail');
}

async function sell(name: string, change: { capability?: string; amountMicroUsdc?: number } = {}): Promise<string> {
  const request = transfer(change);
  const claimed = await shard(name).claim(request);
  if (claimed.outcome !== 'claimed') throw new Error(claimed.outcome);
  expect(await shard(name).sell(request.key, claimed.attempt, 'report')).toBeTruthy();
  return request.key;
}

/** Lines of the books of one shard. */
const bookedIn = (name?: string, sinceDay = '') =>
  runInDurableObject(shard(name), (_, { storage }) =>
    storage.sql.exec('SELECT * FROM day_totals WHERE day >= ? ORDER BY day', sinceDay).toArray(),
  );

/** The answer once the books have what was done so far: shards report a moment later. */
const whenReported = <T>(ask: () => Promise<T>, judge: (answer: T) => void): Promise<T> =>
  vi.waitFor(
    async () => {
      const answer = await ask();
      judge(answer);
      return answer;
    },
    { timeout: 10_000, interval: 100 },
  );

async function refuse(name: string, reason: string): Promise<void> {
  const request = signed();
  const claimed = await shard(name).claim(request);
  if (claimed.outcome !== 'claimed') throw new Error(claimed.outcome);
  await shard(name).beginSettle(request.key, claimed.attempt, 'report');
  expect(await shard(name).refuse(request.key, claimed.attempt, reason)).toBe(true);
}

describe('revenue', () => {
  test('is the sum over all shards by day, capability and method, with failures by reason', async () => {
    await sell('00');
    await sell('00');
    await sell('ff', { capability: 'full_audit', amountMicroUsdc: 250_000 });
    await refuse('7a', 'insufficient_funds');
    const told: object[] = [];
    await registerCreditCall(env, (line) => told.push(line), 'check_health', 60_000);
    await registerCreditCall(env, (line) => told.push(line), 'check_health', 60_000);
    const { lines, creditUses, unread, shards } = await whenReported(
      () => operations().revenue({ days: 1 }),
      (answer) => expect([answer.lines.length, answer.unread]).toEqual([3, 0]),
    );
    const day = formatDay(Date.now());
    expect({ unread, shards, told }).toEqual({ unread: 0, shards: 256, told: [] });
    // Use, and no revenue: the pack was that when it was sold.
    expect(creditUses).toEqual({
      read: true,
      uses: [{ day, capability: 'check_health', count: 2, microUsdc: 120_000 }],
    });
    const line = { day, method: 'transfer', reason: '' };
    expect(lines).toEqual([
      {
        ...line,
        kind: 'failure',
        capability: 'check_health',
        method: 'x402',
        reason: 'insufficient_funds',
        count: 1,
        microUsdc: 60_000,
      },
      { ...line, kind: 'sale', capability: 'check_health', count: 2, microUsdc: 120_000 },
      { ...line, kind: 'sale', capability: 'full_audit', count: 1, microUsdc: 250_000 },
    ]);
  });

  test('comes with the word that the facilitator is not trusted any more', async () => {
    const believed = await operations().revenue({ days: 1 });
    expect(believed.facilitator).toEqual({ read: true, distrustedAtMs: null });
    for (const key of ['a', 'b', 'c']) await shard(TRUST_OBJECT).noteMismatch(key);
    const { facilitator } = await operations().revenue({ days: 1 });
    expect(facilitator).toEqual({ read: true, distrustedAtMs: expect.any(Number) });
  });

  test('a settlement that is told twice is counted once, in the transaction of the sale', async () => {
    const request = signed();
    const claimed = await shard().claim(request);
    if (claimed.outcome !== 'claimed') throw new Error(claimed.outcome);
    await shard().beginSettle(request.key, claimed.attempt, 'report');
    const hash = freshWord();
    await shard().settled(request.key, claimed.attempt, hash);
    await shard().settled(request.key, claimed.attempt, hash);
    expect(await bookedIn()).toMatchObject([{ kind: 'sale', count: 1, micro_usdc: 60_000 }]);
  });

  test('a sale whose books cannot be written is no sale: both are one transaction', async () => {
    const request = transfer();
    const claimed = await shard().claim(request);
    if (claimed.outcome !== 'claimed') throw new Error(claimed.outcome);
    await runInDurableObject(shard(), (_, state) => {
      state.storage.sql.exec('ALTER TABLE day_totals RENAME TO away');
    });
    const failure = await failureOf(() => shard().sell(request.key, claimed.attempt, 'report'));
    expect(failure).toContain('day_totals');
    expect(await shard().resultState(request.key)).toBe('unsettled');
    await runInDurableObject(shard(), (_, state) => {
      state.storage.sql.exec('ALTER TABLE away RENAME TO day_totals');
    });
    expect(await shard().sell(request.key, claimed.attempt, 'report')).toBeTruthy();
    expect(await bookedIn()).toMatchObject([{ count: 1 }]);
  });

  test('outlives the payments, and yesterday stays yesterday', async () => {
    const clock = movableClock();
    const day = formatDay(Date.now());
    const key = await sell('01');
    clock.advance(3 * 86_400_000);
    await runDurableObjectAlarm(shard('01'));
    expect(await shard('01').resultState(key)).toBe('absent');
    expect(await bookedIn('01', computeFirstDay(2, Date.now()))).toEqual([]);
    expect(await bookedIn('01', computeFirstDay(4, Date.now()))).toMatchObject([{ day, count: 1 }]);
  });

  test('a shard that cannot report is told, and is no zero', async () => {
    await sell('01');
    await runInDurableObject(shard('02'), (_, state) => {
      // A shard of which the books know nothing, and that cannot say anything.
      state.storage.sql.exec('CREATE TABLE payments (broken TEXT)');
    });
    const { lines } = await whenReported(
      () => operations().revenue({ days: 1 }),
      (answer) => expect([answer.unread, answer.lines.length]).toEqual([1, 1]),
    );
    expect(lines).toMatchObject([{ count: 1 }]);
  });

  test('looking makes no tables in shards that were never used', async () => {
    await sell('01');
    const before = await listDurableObjectIds(env.PAYMENT_LEDGER); // Those of other tests are there still, empty.
    await operations().revenue({ days: 400 });
    await operations().payments({ limit: 10 });
    const tables = await runInDurableObject(shard('02'), (_, state) =>
      state.storage.sql.exec("SELECT name FROM sqlite_master WHERE name = 'payments'").toArray(),
    );
    expect(tables).toEqual([]);
    const shards = Array.from({ length: 256 }, (_, number) => number.toString(16).padStart(2, '0'));
    const known = new Set([...before, ...shards.map((name) => env.PAYMENT_LEDGER.idFromName(name))].map(String));
    const after = await listDurableObjectIds(env.PAYMENT_LEDGER);
    expect(after.filter((id) => !known.has(String(id)))).toEqual([]);
  });

  test.each([0, 401, 1.5])('%s days are refused', async (days) => {
    // Called here and not over RPC, where workerd prints what is thrown.
    const here = new Operations(createExecutionContext(), { ...env });
    await expect(here.revenue({ days })).rejects.toMatchObject({ name: 'ZodError' });
  });
});

describe('payments', () => {
  test('come newest first from all shards, in pages without gaps or repeats', async () => {
    const clock = movableClock();
    const keys = [];
    for (const name of ['00', '31', '31', 'c4', 'ff', '31', '00']) {
      keys.push(await sell(name));
      if (keys.length % 2 === 0) clock.advance(1_000);
    }
    await whenReported(
      () => operations().payments({ limit: 10, state: 'settled' }),
      (page) => expect(page?.payments).toHaveLength(7),
    );
    const seen: string[] = [];
    let cursor: string | undefined;
    for (let pages = 0; pages < 10; pages += 1) {
      const page = await operations().payments({ limit: 2, ...(cursor === undefined ? {} : { cursor }) });
      seen.push(...(page?.payments ?? []).map(({ transaction }) => transaction ?? ''));
      cursor = page?.next;
      if (cursor === undefined) break;
    }
    expect(seen).toHaveLength(7);
    expect(new Set(seen)).toEqual(new Set(keys.map((key) => key.split(':')[3])));
  });

  test('payments of one time are told apart by pages', async () => {
    vi.spyOn(Date, 'now').mockReturnValue(Date.now());
    for (let index = 0; index < 5; index += 1) await sell(index < 3 ? '10' : '20');
    await whenReported(
      () => operations().payments({ limit: 10, state: 'settled' }),
      (page) => expect(page?.payments).toHaveLength(5),
    );
    const first = await operations().payments({ limit: 2 });
    const second = await operations().payments({ limit: 2, cursor: first?.next ?? '' });
    const third = await operations().payments({ limit: 2, cursor: second?.next ?? '' });
    const all = [first, second, third].flatMap((page) => page?.payments ?? []).map(({ id }) => id);
    expect(new Set(all).size).toBe(5);
    expect(third?.next).toBeUndefined();
  });

  test('say what proves them, and nothing that opens a report or names the nonce', async () => {
    await sell('00');
    await refuse('01', 'invalid_signature');
    await whenReported(
      () => operations().payments({ limit: 5 }),
      (page) => expect(page?.payments.map(({ state }) => state).toSorted()).toEqual(['refused', 'settled']),
    );
    const sold = await operations().payments({ limit: 5, state: 'settled' });
    expect(sold?.payments).toEqual([
      expect.objectContaining({
        state: 'settled',
        payer: expect.stringMatching(/^0x/),
        proof: { by: 'transfer', verified: true, provenPayer: false, blockTimeS: expect.any(Number), seen: 'due' },
      }),
    ]);
    expect(Object.keys(sold?.payments[0] ?? {})).not.toContain('key');
    expect(JSON.stringify(sold?.payments)).not.toContain('report');
    const failed = await operations().payments({ limit: 5, state: 'refused' });
    expect(failed?.payments).toMatchObject([
      { reason: 'invalid_signature', proof: { by: 'signature', verified: true } },
    ]);
  });

  test.each(['x', '1.256.0', '1', '-1.0', '1.0.0.0'])('a cursor that is none of ours (%s) is told', async (cursor) => {
    expect(await operations().payments({ limit: 5, cursor })).toBeNull();
  });
});

describe('runs and queues', () => {
  const request = async () => ({
    niche: 'bakeries',
    promptSet: await loadPromptSet(),
    prompts: buildPrompts('bakeries'),
    engine: { kind: 'simulated' as const, model: 'simulated-1' },
    capability: 'visibility_check',
    runMs: 60_000,
    callMs: 5_000,
  });

  test('a run is listed while it runs and when it ended, without the name of its object', async () => {
    const clock = movableClock();
    const run = env.VISIBILITY_RUN.getByName('object-of-a-payment');
    const runId = await run.start('object-of-a-payment', await request());
    await run.record(runId, { index: 0, status: 'failed', reason: 'refused' });
    await vi.waitFor(async () => {
      expect(await operations().runs({ limit: 5 })).toMatchObject({
        runs: [
          { runId, state: 'running', failed: expect.any(Number), capability: 'visibility_check', endedAtMs: null },
        ],
      });
    });
    clock.advance(61_000);
    await run.next(runId, 30);
    const listed = await vi.waitFor(async () => {
      const answer = await operations().runs({ limit: 5 });
      expect(answer).toMatchObject({ read: true, runs: [{ runId, endedAtMs: expect.any(Number) }] });
      return answer;
    });
    expect(JSON.stringify(listed)).not.toContain('object-of-a-payment');
  });

  test('a run whose object is gone is said to be gone, and not to run', async () => {
    const { engine, capability } = await request();
    await env.OPERATIONS_REGISTER.getByName('operations').run({
      runId: '0'.repeat(32),
      object: 'nobody',
      capability,
      engine: engine.kind,
      model: engine.model,
      startedAtMs: Date.now(),
      deadlineMs: Date.now() + 1_000,
      endedAtMs: null,
      answered: 0,
      failed: 0,
      total: 30,
      state: 'running',
    });
    expect(await operations().runs({ limit: 5 })).toMatchObject({ runs: [{ state: 'lost' }] });
  });

  test('queues tell how much waits, and how many prompts came to be undeliverable', async () => {
    await registerDeadLetters(env, () => undefined, 3);
    await registerDeadLetters(env, () => undefined, 2);
    const { queues, deadLetters } = await operations().queues();
    expect(queues.map(({ name }) => name)).toEqual([
      'prompts',
      'prompts, engine 2 of a panel',
      'prompts, engine 3 of a panel',
      'prompts, engine 4 of a panel',
      'prompts, undeliverable',
      'monitors',
      'monitors, undeliverable',
    ]);
    expect(queues.every((queue) => !queue.read || queue.messages >= 0)).toBe(true);
    expect(deadLetters).toEqual({ read: true, days: [{ day: formatDay(Date.now()), count: 5 }] });
  });

  test('a register that is away costs nobody an answer', async () => {
    const told: Record<string, unknown>[] = [];
    const away = {
      OPERATIONS_REGISTER: {
        getByName: () => {
          throw new Error('away');
        },
      },
    } as unknown as Pick<Env, 'OPERATIONS_REGISTER'>;
    await registerCreditCall(away, (line) => told.push(line), 'check_health', 1);
    expect(told).toEqual([{ event: 'register_unavailable', name: 'Error' }]);
  });
});

type Env = Parameters<typeof registerCreditCall>[0];
