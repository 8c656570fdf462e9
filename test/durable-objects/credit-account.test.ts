import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { env } from 'cloudflare:workers';
import { DAY_MS, movableClock, PAYER, shard, SETTLEMENT, signed } from './ledger-shard.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

const account = () => env.CREDIT_ACCOUNT.getByName('0'.repeat(32));
const call = (id: string) => ({
  id,
  fingerprint: 'f',
  capability: 'check_health',
  clientId: 'client-1',
  amountMicroUsdc: 1_000_000,
  capMicroUsdc: 100_000_000,
  authorizedAtMs: 1_800_000_000_000,
});
const alarmAtMs = () => runInDurableObject(account(), (_, state) => state.storage.getAlarm());

/** A payment as the ledger has it while its pack is being sold, and the promise of the pack. */
async function promised() {
  const payment = signed({ capability: 'credits_5', amountMicroUsdc: 5_000_000 });
  const claim = await shard().claim(payment);
  if (claim.outcome !== 'claimed') throw new Error(claim.outcome);
  const pledge = { paymentKey: payment.key, shard: 'a1', capability: 'credits_5', amountMicroUsdc: 5_000_000 };
  expect(await account().pledge(pledge)).toBe(true);
  return { key: payment.key, attempt: claim.attempt, pledge };
}

async function topUp() {
  const made = await promised();
  await shard().beginSettle(made.key, made.attempt, 'report');
  expect(await shard().settled(made.key, made.attempt, SETTLEMENT)).toMatchObject({ payer: PAYER });
  return made;
}

describe('P6: the object of a prepaid account', () => {
  test('asks the ledger what a payment bought before it credits it', async () => {
    const { key, attempt } = await promised();
    const pending = { balanceMicroUsdc: 0, pendingMicroUsdc: 5_000_000 };
    expect(await account().view()).toMatchObject(pending);
    await shard().beginSettle(key, attempt, 'report');
    expect(await account().view()).toMatchObject(pending);
    await shard().settled(key, attempt, SETTLEMENT);
    expect(await account().view()).toMatchObject({ balanceMicroUsdc: 5_000_000, pendingMicroUsdc: 0 });
  });

  test('credits by its own alarm, a minute after the promise', async () => {
    const before = Date.now();
    await topUp();
    const at = await alarmAtMs();
    expect(at).toBeGreaterThanOrEqual(before + 60_000);
    expect(at).toBeLessThanOrEqual(Date.now() + 60_000);
    expect(await runDurableObjectAlarm(account())).toBe(true);
    expect(await account().reserve(call('a'))).toEqual({ outcome: 'reserved', attempt: 1 });
  });

  test('keeps balance, reserves and what it credited when it is restarted', async () => {
    const { pledge } = await topUp();
    expect((await account().view()).balanceMicroUsdc).toBe(5_000_000);
    await account().reserve(call('a'));
    await evictDurableObject(account());
    await account().pledge(pledge);
    expect(await account().view()).toMatchObject({ balanceMicroUsdc: 4_000_000, reservedMicroUsdc: 1_000_000 });
    expect(await account().capture('a', 1, 'report-a')).toMatchObject({ balanceMicroUsdc: 4_000_000 });
    await evictDurableObject(account());
    expect(await account().standing('a')).toEqual({
      state: 'captured',
      fingerprint: 'f',
      reportId: 'report-a',
      amountMicroUsdc: 1_000_000,
    });
  });

  test('lets no more in than fits when many come together', async () => {
    await topUp();
    await account().view();
    const results = await Promise.all(Array.from({ length: 15 }, (_, at) => account().reserve(call(`call-${at}`))));
    expect(results.filter(({ outcome }) => outcome === 'reserved')).toHaveLength(5);
    expect(results.filter(({ outcome }) => outcome === 'insufficient_credits')).toHaveLength(10);
  });

  test('refuses no call for want of credits while its top-up is settled, though another call credits it meanwhile', async () => {
    await topUp();
    const results = await Promise.all(Array.from({ length: 5 }, (_, at) => account().reserve(call(`call-${at}`))));
    expect(results.map(({ outcome }) => outcome)).toEqual(Array.from({ length: 5 }, () => 'reserved'));
  });

  test('A5: knows a revocation after its restart, and by the clock of the account', async () => {
    await topUp();
    await account().view();
    const authorizedAtMs = Date.now();
    await account().releaseClient('client-1');
    await evictDurableObject(account());
    const old = { ...call('a'), authorizedAtMs };
    expect(await account().reserve(old)).toEqual({ outcome: 'client_revoked' });
    expect(await account().reserve({ ...old, authorizedAtMs: Date.now() + 1 })).toMatchObject({ outcome: 'reserved' });
  });

  test('credits a top-up that it comes to ask about 30 days late', async () => {
    const clock = movableClock();
    const { key } = await topUp();
    clock.advance(30 * DAY_MS);
    expect(await runDurableObjectAlarm(shard())).toBe(true);
    expect(await shard().soldAs(key)).toMatchObject({ state: 'settled', capability: 'credits_5' });
    expect((await account().view()).balanceMicroUsdc).toBe(5_000_000);
  });

  test('keeps and reports a top-up that the ledger knew and forgot, without asking for ever', async () => {
    const clock = movableClock();
    const delivered = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const { key, attempt } = await promised();
    expect(await account().view()).toMatchObject({ pendingMicroUsdc: 5_000_000 }); // The ledger knows the payment.
    await shard().discard(key, attempt);
    clock.advance(3 * 3_600_000);
    expect(await runDurableObjectAlarm(account())).toBe(true);
    expect(delivered.mock.calls.map(([line]) => JSON.parse(String(line)) as unknown)).toEqual([
      { event: 'top_up_lost', capability: 'credits_5', shard: 'a1' },
    ]);
    const kept = await runInDurableObject(account(), (_, state) =>
      state.storage.sql.exec('SELECT pledge FROM pledges').toArray(),
    );
    expect(kept).toEqual([{ pledge: expect.stringContaining('"phase":"lost"') as string }]);
    expect(await alarmAtMs()).toBe(null);
  });

  test('credits once when many look together', async () => {
    await topUp();
    const views = await Promise.all(Array.from({ length: 10 }, () => account().view()));
    expect(views.map(({ balanceMicroUsdc }) => balanceMicroUsdc)).toContain(5_000_000);
    expect((await account().view()).balanceMicroUsdc).toBe(5_000_000);
  });

  test('drops a promise that the ledger knows nothing of, hours later, and is asked no more', async () => {
    const clock = movableClock();
    const { key, attempt } = await promised();
    await shard().discard(key, attempt);
    clock.advance(3 * 3_600_000);
    expect(await runDurableObjectAlarm(account())).toBe(true);
    expect(await account().view()).toMatchObject({ balanceMicroUsdc: 0, pendingMicroUsdc: 0 });
    expect(await alarmAtMs()).toBe(null);
  });

  test('forgets calls after 31 days by its alarm, and never its balance', async () => {
    const clock = movableClock();
    await topUp();
    await account().view();
    await account().reserve(call('a'));
    await account().capture('a', 1, 'report-a');
    clock.advance(31 * DAY_MS + 1);
    expect(await runDurableObjectAlarm(account())).toBe(true);
    expect(await account().standing('a')).toEqual({ state: 'absent' });
    expect(await account().reports()).toEqual([]);
    expect((await account().view()).balanceMicroUsdc).toBe(4_000_000);
  });

  test('keeps its alarm while the ledger cannot be asked', async () => {
    await topUp();
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const ledger = await import('../../durable-objects/payment-ledger.ts');
    const lost = vi.spyOn(ledger.PaymentLedger.prototype, 'soldAs').mockRejectedValue(new Error('gone'));
    expect(await runDurableObjectAlarm(account())).toBe(true);
    expect(await alarmAtMs()).toBeGreaterThan(Date.now());
    lost.mockRestore();
    expect((await account().view()).balanceMicroUsdc).toBe(5_000_000);
  });
});
