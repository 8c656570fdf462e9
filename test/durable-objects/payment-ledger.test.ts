import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { TRUST_OBJECT } from '../../src/payment/facilitator/trust.ts';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { computeSha256Hex } from '../../src/lib/digest.ts';
import type { ClaimRequest } from '../../src/payment/ledger/protocol.ts';
import { computeShardName } from '../../src/payment/ledger/payment-key.ts';
import { PaymentLedger } from '../../durable-objects/payment-ledger.ts';
import { serveFakeRpc } from './fake-rpc.ts';
import { DAY_MS, PAYER, SETTLEMENT, freshWord, movableClock, shard, signed, transfer } from './ledger-shard.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

const isSale = { key: expect.any(String), reportId: expect.any(String) };

async function claimAttempt(request: ClaimRequest, ledger = shard()): Promise<number> {
  const result = await ledger.claim(request);
  if (result.outcome !== 'claimed') throw new Error(`the claim was ${result.outcome}`);
  return result.attempt;
}

/** A signed payment whose settlement has begun with `reportId`. */
async function beginSale(request: ClaimRequest, reportId: string, ledger = shard()): Promise<number> {
  const attempt = await claimAttempt(request, ledger);
  expect(await ledger.beginSettle(request.key, attempt, reportId)).toBe(true);
  return attempt;
}

async function failureOf(call: () => Promise<unknown>): Promise<string> {
  try {
    await call();
  } catch (error) {
    return String(error);
  }
  throw new Error('the call did not fail');
}

/** A log names a row by a digest: its key holds the payer and the nonce. */
async function logKey(key: string): Promise<string> {
  return (await computeSha256Hex(key)).slice(0, 12);
}

async function alarmAtMs(ledger = shard()): Promise<number | null> {
  return runInDurableObject(ledger, (_, state) => state.storage.getAlarm());
}

describe('a claim', () => {
  test.each([
    ['a signed payment', () => signed()],
    ['a bare transfer', () => transfer()],
    ['a proven transfer', () => transfer({ proven: true })],
  ])('of %s is won once by 200 that come together', async (_, make) => {
    const request = make();
    const results = await Promise.all(Array.from({ length: 200 }, () => shard().claim(request)));
    const outcomes = results.map((result) => result.outcome);
    expect(outcomes.filter((outcome) => outcome === 'claimed')).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === 'in_progress')).toHaveLength(199);
  });

  test('P9: of a transfer is taken over once by 200 proofs that come together', async () => {
    const request = transfer();
    const bare = await claimAttempt(request);
    const results = await Promise.all(Array.from({ length: 200 }, () => shard().claim({ ...request, proven: true })));
    expect(results.filter((result) => result.outcome === 'claimed')).toEqual([
      { outcome: 'claimed', attempt: bare + 1, othersInFlightMicroUsdc: 0 },
    ]);
    expect(await shard().sell(request.key, bare, 'report-1')).toBe(false);
    expect(await shard().sell(request.key, bare + 1, 'report-2')).toMatchObject({ reportId: 'report-2' });
  });

  test('P5: finds four places for a payer, and one of its own for the answer engine', async () => {
    const others = [signed(), signed(), signed(), signed()];
    for (const [index, request] of others.entries()) {
      expect(await shard().claim(request)).toMatchObject({
        outcome: 'claimed',
        othersInFlightMicroUsdc: index * 60_000,
      });
    }
    expect(await shard().claim(signed())).toMatchObject({ outcome: 'too_many_in_flight' });
    expect(await shard().claim(signed({ engineBacked: true }))).toMatchObject({ outcome: 'claimed' });
    expect(await shard().claim(signed({ engineBacked: true }))).toMatchObject({ outcome: 'too_many_in_flight' });
    expect(await shard().claim(signed({ payer: '0xb0b' }))).toMatchObject({
      outcome: 'claimed',
      othersInFlightMicroUsdc: 0,
    });
    expect(await shard().discard(others[0]?.key ?? '', 1)).toBe(true);
    expect(await shard().claim(signed())).toMatchObject({ outcome: 'claimed' });
  });

  test('P27: is refused to a payer after twenty uncharged failures within the hour', async () => {
    const clock = movableClock();
    for (let failure = 0; failure < 20; failure += 1) {
      const request = signed();
      expect(await shard().release(request.key, await claimAttempt(request), true)).toBe(true);
    }
    expect(await shard().claim(signed())).toMatchObject({ outcome: 'too_many_failures' });
    expect(await shard().claim(signed({ payer: '0xb0b' }))).toMatchObject({ outcome: 'claimed' });
    clock.advance(3_600_000);
    expect(await shard().claim(signed())).toMatchObject({ outcome: 'claimed' });
  });

  test('P9: of a credential whose work failed 3 times waits 60 s', async () => {
    const clock = movableClock();
    const request = signed();
    for (let failure = 0; failure < 3; failure += 1) {
      expect(await shard().release(request.key, await claimAttempt(request), true)).toBe(true);
    }
    expect(await shard().claim(request)).toEqual({ outcome: 'too_many_failures', retryAfterS: 60 });
    clock.advance(60_000);
    expect(await shard().claim(request)).toMatchObject({ outcome: 'claimed' });
  });

  test('P27: an onlooker`s failures with a bare hash are not the payer`s', async () => {
    const clock = movableClock();
    const request = transfer();
    for (let failure = 0; failure < 25; failure += 1) {
      expect(await shard().release(request.key, await claimAttempt(request), true)).toBe(true);
      clock.advance(60_000);
    }
    expect(await shard().claim({ ...request, proven: true })).toMatchObject({ outcome: 'claimed' });
  });

  test('P22: an identifier counts from the moment its payment is found good', async () => {
    const first = signed({ identifier: 'order-1' });
    const second = signed({ identifier: 'order-1' });
    const attempt = await claimAttempt(first);
    const rival = await claimAttempt(second);
    expect(await shard().beginSettle(first.key, attempt, 'report-1')).toBe(true);
    expect(await shard().beginSettle(second.key, rival, 'report-2')).toBe(false);
    expect(await shard().claim(signed({ identifier: 'order-1' }))).toEqual({ outcome: 'identifier_reused' });
    expect(await shard().claim(signed({ identifier: 'order-1', payer: '0xb0b' }))).toMatchObject({
      outcome: 'claimed',
    });
  });

  test('P31: without its instrument fails, and leaves nothing behind', async () => {
    const { authorization: _, ...broken } = signed();
    expect(await failureOf(async () => shard().claim(broken))).toContain('lacks its instrument');
    expect(await shard().resultState(broken.key)).toBe('absent');
  });
});

describe('P2: a Worker that stalls past its lease', () => {
  const ofSigned = [
    ['renew', (key: string, attempt: number) => shard().renew(key, attempt)],
    ['discard', (key: string, attempt: number) => shard().discard(key, attempt)],
    ['release', (key: string, attempt: number) => shard().release(key, attempt, true)],
    ['beginSettle', (key: string, attempt: number) => shard().beginSettle(key, attempt, 'report-late')],
    ['settled', (key: string, attempt: number) => shard().settled(key, attempt, SETTLEMENT)],
    ['refuse', (key: string, attempt: number) => shard().refuse(key, attempt, 'insufficient_funds')],
    ['doubt', (key: string, attempt: number) => shard().doubt(key, attempt)],
  ] as const;

  test.each(ofSigned)('%s does nothing once another attempt has claimed', async (_, late) => {
    const clock = movableClock();
    const request = signed();
    const stalled = await claimAttempt(request);
    clock.advance(31_000);
    const attempt = await claimAttempt({ ...request, fingerprint: 'fingerprint-2' });
    expect(await late(request.key, stalled)).toBe(false);
    expect(await shard().beginSettle(request.key, attempt, 'report-2')).toBe(true);
    expect(await late(request.key, stalled)).toBe(false);
    expect(await shard().settled(request.key, attempt, SETTLEMENT)).toMatchObject({ reportId: 'report-2' });
    expect(await late(request.key, stalled)).toBe(false);
  });

  test.each(ofSigned)('%s does nothing once the alarm has freed the claim', async (_, late) => {
    const clock = movableClock();
    const request = signed();
    const stalled = await claimAttempt(request);
    clock.advance(31_000);
    expect(await runDurableObjectAlarm(shard())).toBe(true);
    expect(await late(request.key, stalled)).toBe(false);
    const attempt = await claimAttempt(request);
    expect(attempt).toBeGreaterThan(stalled);
    expect(await late(request.key, stalled)).toBe(false);
    expect(await shard().beginSettle(request.key, attempt, 'report-2')).toBe(true);
  });

  test.each(ofSigned)('%s does nothing once its settlement is resumed by another attempt', async (_, late) => {
    const clock = movableClock();
    const request = signed();
    const stalled = await beginSale(request, 'report-1');
    clock.advance(36_000);
    const resumed = await shard().claim(request);
    expect(resumed).toEqual({ outcome: 'resume_settlement', attempt: stalled + 1, reportId: 'report-1' });
    expect(await shard().claim(request)).toMatchObject({ outcome: 'in_progress' });
    expect(await late(request.key, stalled)).toBe(false);
    expect(await shard().settled(request.key, stalled + 1, SETTLEMENT)).toMatchObject({ reportId: 'report-1' });
  });

  test('sell does nothing once another attempt has claimed, or sold', async () => {
    const clock = movableClock();
    const request = transfer();
    const stalled = await claimAttempt(request);
    clock.advance(31_000);
    const attempt = await claimAttempt(request);
    expect(await shard().sell(request.key, stalled, 'report-late')).toBe(false);
    expect(await shard().sell(request.key, attempt, 'report-2')).toMatchObject({
      reportId: 'report-2',
      transaction: request.transfer.hash,
    });
    expect(await shard().sell(request.key, stalled, 'report-late')).toBe(false);
  });

  test('keeps its claim while it renews, for 300 s at most', async () => {
    const clock = movableClock();
    const request = signed();
    const attempt = await claimAttempt(request);
    for (let heldS = 20; heldS < 300; heldS += 20) {
      clock.advance(20_000);
      expect(await shard().renew(request.key, attempt)).toBe(true);
      expect(await shard().claim(request)).toMatchObject({ outcome: 'in_progress' });
    }
    clock.advance(20_000);
    expect(await shard().renew(request.key, attempt)).toBe(false);
    expect(await shard().claim(request)).toMatchObject({ outcome: 'claimed', attempt: attempt + 1 });
  });

  test('loses nothing when it calls again after a lost answer', async () => {
    const request = signed();
    const attempt = await beginSale(request, 'report-1');
    expect(await shard().beginSettle(request.key, attempt, 'report-1')).toBe(true);
    const sale = await shard().settled(request.key, attempt, SETTLEMENT);
    expect(await shard().settled(request.key, attempt, SETTLEMENT)).toEqual(sale);
  });
});

describe('the alarm', () => {
  test('is set to the end of a claim`s lease, and to the first look at a settlement', async () => {
    const request = signed();
    const startedAtMs = Date.now();
    const attempt = await claimAttempt(request);
    expect(await alarmAtMs()).toBeGreaterThanOrEqual(startedAtMs + 30_000);
    await shard().beginSettle(request.key, attempt, 'report-1');
    expect(await alarmAtMs()).toBeLessThan(startedAtMs + 30_000);
    expect(await alarmAtMs()).toBeGreaterThanOrEqual(startedAtMs + 5_000);
  });

  test('is set once for many payments, and never after the look of one of them', async () => {
    const clock = movableClock();
    clock.advance(10_000 - (Date.now() % 10_000));
    await runInDurableObject(shard(), async (instance, state) => {
      const setAlarm = vi.spyOn(state.storage, 'setAlarm');
      const startedAtMs = Date.now();
      for (let count = 0; count < 20; count += 1) {
        const request = signed({ payer: `0x${count.toString(16)}` });
        await instance.claim(request);
        await instance.beginSettle(request.key, 1, `report-${count}`);
        await instance.settled(request.key, 1, freshWord());
        clock.advance(200);
      }
      expect(setAlarm).toHaveBeenCalledTimes(2); // For the first lease, and for the first look.
      expect(await state.storage.getAlarm()).toBeLessThanOrEqual(startedAtMs + 15_000);
    });
    expect(await runDurableObjectAlarm(shard())).toBe(true);
    await runInDurableObject(shard(), async (instance, state) => {
      const setAlarm = vi.spyOn(state.storage, 'setAlarm').mockClear();
      await instance.claim(signed());
      expect(setAlarm).not.toHaveBeenCalled(); // The alarm after a busy time is early enough for the next lease.
      expect(await state.storage.getAlarm()).toBeLessThanOrEqual(Date.now() + 90_000);
    });
  });

  test('P12: deletes an abandoned claim that was never verified', async () => {
    const clock = movableClock();
    const request = signed();
    await claimAttempt(request);
    clock.advance(30_000);
    expect(await runDurableObjectAlarm(shard())).toBe(true);
    expect(await shard().resultState(request.key)).toBe('absent');
  });

  test('P15: releases an abandoned claim that was verified before', async () => {
    const clock = movableClock();
    const request = transfer();
    await shard().release(request.key, await claimAttempt(request), false);
    await claimAttempt(request);
    clock.advance(30_000);
    expect(await runDurableObjectAlarm(shard())).toBe(true);
    expect(await shard().resultState(request.key)).toBe('unsettled');
    clock.advance(29 * DAY_MS);
    const stale = { ...request, transfer: { ...request.transfer, stale: true } };
    expect(await shard().claim(stale)).toMatchObject({ outcome: 'claimed', attempt: 3 });
  });

  test.each(['settling', 'unknown'] as const)(
    'P3: finds a settlement (%s) on chain, and the repeat is served',
    async (state) => {
      const rpc = serveFakeRpc(env.RPC_URL);
      const clock = movableClock();
      const request = signed();
      const attempt = await beginSale(request, 'report-1');
      expect(state === 'settling' || (await shard().doubt(request.key, attempt))).toBe(true);
      expect(await shard().resultState(request.key)).toBe('unsettled');
      rpc.mined.push({
        transaction: SETTLEMENT,
        from: PAYER,
        to: env.PAY_TO,
        value: 60_000,
        nonce: request.authorization.nonce,
      });
      clock.advance(6_000);
      expect(await runDurableObjectAlarm(shard())).toBe(true);
      expect(await shard().resultState(request.key)).toBe('settled');
      expect(await shard().claim(request)).toMatchObject({
        outcome: 'served',
        sale: {
          key: request.key,
          reportId: 'report-1',
          transaction: SETTLEMENT,
          payer: PAYER,
          amountMicroUsdc: 60_000,
        },
      });
      expect(await shard().claim({ ...request, credentialSha256: 'rebuilt' })).toEqual({ outcome: 'already_used' });
      expect(await shard().settled(request.key, attempt, SETTLEMENT)).toMatchObject({ reportId: 'report-1' });
    },
  );

  test('P4: finds that a refused settlement moved the money after all, and the repeat is served', async () => {
    const rpc = serveFakeRpc(env.RPC_URL);
    const clock = movableClock();
    const request = signed();
    const attempt = await beginSale(request, 'report-1');
    expect(await shard().refuse(request.key, attempt, 'invalid_transaction_state')).toBe(true);
    expect(await shard().claim(request)).toEqual({ outcome: 'refused', reason: 'invalid_transaction_state' });
    expect(await shard().claim({ ...request, credentialSha256: 'other' })).toEqual({ outcome: 'already_used' });
    rpc.mined.push({
      transaction: SETTLEMENT,
      from: PAYER,
      to: env.PAY_TO,
      value: 60_000,
      nonce: request.authorization.nonce,
    });
    clock.advance(6_000);
    await runDurableObjectAlarm(shard());
    expect(await shard().claim(request)).toMatchObject({ outcome: 'served', sale: isSale });
  });

  test('P18: deletes a refused settlement and its result when a safe block past validBefore shows it unused', async () => {
    serveFakeRpc(env.RPC_URL);
    const clock = movableClock();
    const request = signed();
    const attempt = await beginSale(request, 'report-1');
    await env.REPORTS.put('reports/report-1.json', '{}');
    await shard().refuse(request.key, attempt, 'insufficient_funds');
    clock.advance(310_000);
    await runDurableObjectAlarm(shard());
    expect(await shard().resultState(request.key)).toBe('unsettled');
    expect(await env.REPORTS.head('reports/report-1.json')).not.toBeNull();
    clock.advance(200_000);
    await runDurableObjectAlarm(shard());
    expect(await shard().resultState(request.key)).toBe('absent');
    expect(await env.REPORTS.head('reports/report-1.json')).toBeNull();
    expect(await shard().settled(request.key, attempt, SETTLEMENT)).toBe(false);
  });

  test('P31: keeps everything while the chain cannot be read, and comes again', async () => {
    const rpc = serveFakeRpc(env.RPC_URL);
    rpc.isDown = true;
    const clock = movableClock();
    const request = signed();
    await beginSale(request, 'report-1');
    clock.advance(100_000);
    await runDurableObjectAlarm(shard());
    expect(await shard().resultState(request.key)).toBe('unsettled');
    expect(await alarmAtMs()).toBeGreaterThan(Date.now());
    rpc.isDown = false;
    rpc.mined.push({
      transaction: SETTLEMENT,
      from: PAYER,
      to: env.PAY_TO,
      value: 60_000,
      nonce: request.authorization.nonce,
    });
    clock.advance(61_000);
    await runDurableObjectAlarm(shard());
    expect(await shard().resultState(request.key)).toBe('settled');
  });

  test.each([
    ['says so when the receipt does not carry the transfer', 59_999, 1],
    ['is silent when it does', 60_000, 0],
  ])('P30: spot-checks a settlement and %s', async (_, value, lines) => {
    const rpc = serveFakeRpc(env.RPC_URL);
    const clock = movableClock();
    vi.spyOn(Math, 'random').mockReturnValue(0);
    const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const request = signed();
    const attempt = await beginSale(request, 'report-1');
    rpc.mined.push({ transaction: SETTLEMENT, from: PAYER, to: env.PAY_TO, value, nonce: request.authorization.nonce });
    await shard().settled(request.key, attempt, SETTLEMENT);
    clock.advance(61_000);
    await runDurableObjectAlarm(shard());
    const line = JSON.stringify({ event: 'settlement_mismatch', key: await logKey(request.key) });
    expect(logged.mock.calls.filter(([first]) => first === line)).toHaveLength(lines);
    expect(await shard().resultState(request.key)).toBe('settled');
  });

  test('B11.8: tells the keeper of trust of each settlement that is not on chain, and three are too many', async () => {
    const rpc = serveFakeRpc(env.RPC_URL);
    const clock = movableClock();
    vi.spyOn(Math, 'random').mockReturnValue(0);
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const keeper = env.PAYMENT_LEDGER.getByName(TRUST_OBJECT);
    for (const isLast of [false, false, true]) {
      const request = signed();
      const { nonce } = request.authorization;
      const attempt = await beginSale(request, 'report-1');
      const transaction = freshWord();
      rpc.mined.push({ transaction, from: PAYER, to: env.PAY_TO, value: 59_999, nonce });
      await shard().settled(request.key, attempt, transaction);
      clock.advance(61_000);
      await runDurableObjectAlarm(shard());
      expect(await keeper.isDistrusted()).toBe(isLast);
    }
  });

  test('P25: reads a sold transfer once more at safe, and a reorged one stays consumed', async () => {
    const rpc = serveFakeRpc(env.RPC_URL);
    const clock = movableClock();
    const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const request = transfer({ proven: true });
    rpc.mined.push({ transaction: request.transfer.hash, from: PAYER, to: PAYER, value: 60_000 });
    await shard().sell(request.key, await claimAttempt(request), 'report-1');
    clock.advance(301_000);
    await runDurableObjectAlarm(shard());
    expect(logged.mock.calls).toEqual([[JSON.stringify({ event: 'payment_reorged', key: await logKey(request.key) })]]);
    expect(await shard().claim({ ...request, proven: false })).toEqual({ outcome: 'already_used' });
    clock.advance(301_000);
    await runDurableObjectAlarm(shard());
    expect(logged).toHaveBeenCalledTimes(1);
  });

  test('P16: prunes a sold transfer, and refuses everything mined no later', async () => {
    const rpc = serveFakeRpc(env.RPC_URL);
    const clock = movableClock();
    const request = transfer();
    rpc.mined.push({ transaction: request.transfer.hash, from: PAYER, to: env.PAY_TO, value: 60_000 });
    await shard().sell(request.key, await claimAttempt(request), 'report-1');
    clock.advance(2 * DAY_MS);
    await runDurableObjectAlarm(shard());
    expect(await shard().resultState(request.key)).toBe('absent');
    expect(await shard().claim(request)).toEqual({ outcome: 'transfer_too_old' });
    const sameBlock = transfer();
    expect(await shard().claim({ ...sameBlock, transfer: request.transfer })).toEqual({ outcome: 'transfer_too_old' });
    expect(await shard().claim(transfer())).toMatchObject({ outcome: 'claimed' });
  });
});

describe('a settlement`s own transfer', () => {
  test('is spent in the shard of its hash from the moment the settlement is reported', async () => {
    const request = signed();
    const payers = shard(await computeShardName(env.LEDGER_SECRET, PAYER));
    const attempt = await beginSale(request, 'report-1', payers);
    const itsShard = shard(await computeShardName(env.LEDGER_SECRET, SETTLEMENT));
    expect(await itsShard.claim(transfer({}, SETTLEMENT))).toMatchObject({ outcome: 'claimed' });
    await itsShard.discard(transfer({}, SETTLEMENT).key, 1);
    expect(await payers.settled(request.key, attempt, SETTLEMENT.toUpperCase().replace('0X', '0x'))).toMatchObject({
      transaction: SETTLEMENT,
    });
    expect(await itsShard.claim(transfer({}, SETTLEMENT))).toEqual({ outcome: 'already_used' });
    expect(await itsShard.claim(transfer({ proven: true }, SETTLEMENT))).toEqual({ outcome: 'already_used' });
    expect(await itsShard.peek(transfer({}, SETTLEMENT))).toEqual({ outcome: 'already_used' });
    await evictDurableObject(payers);
    await evictDurableObject(itsShard);
    expect(await itsShard.claim(transfer({}, SETTLEMENT))).toEqual({ outcome: 'already_used' });
    expect(await itsShard.claim(transfer())).toMatchObject({ outcome: 'claimed' });
  });

  test('B7: leaves what another payer moved in the same transaction to that payer', async () => {
    const request = signed();
    const attempt = await beginSale(request, 'report-1');
    expect(await shard().settled(request.key, attempt, SETTLEMENT)).toMatchObject({ transaction: SETTLEMENT });
    const itsShard = shard(await computeShardName(env.LEDGER_SECRET, SETTLEMENT));
    const payer = `0x${'b2'.repeat(20)}`;
    expect(await itsShard.claim(transfer({ payer }, SETTLEMENT))).toMatchObject({ outcome: 'claimed' });
    expect(await itsShard.claim(transfer({ payer, proven: true }, SETTLEMENT))).toMatchObject({ outcome: 'claimed' });
  });

  test('B7: marked by an earlier version keeps the whole transaction spent', async () => {
    const itsShard = shard(await computeShardName(env.LEDGER_SECRET, SETTLEMENT));
    await itsShard.spend(SETTLEMENT, Date.now() + DAY_MS);
    const payer = `0x${'b2'.repeat(20)}`;
    expect(await itsShard.claim(transfer({ payer }, SETTLEMENT))).toEqual({ outcome: 'already_used' });
    expect(await itsShard.claim(transfer({}, SETTLEMENT))).toEqual({ outcome: 'already_used' });
  });

  test('B8: refused payloads of a payer count in its shard, and are forgotten after a minute', async () => {
    const clock = movableClock();
    for (let count = 0; count < 10; count += 1) {
      const request = signed();
      const claimed = await shard().claim(request);
      await shard().discard(request.key, claimed.outcome === 'claimed' ? claimed.attempt : 0, true);
    }
    expect(await shard().claim(signed())).toMatchObject({ outcome: 'too_many_refusals', retryAfterS: 60 });
    expect(await shard().claim(transfer())).toMatchObject({ outcome: 'claimed' });
    clock.advance(60_000);
    expect(await shard().claim(signed())).toMatchObject({ outcome: 'claimed' });
  });

  test('is spent without a call when payer and hash share a shard', async () => {
    const name = await computeShardName(env.LEDGER_SECRET, SETTLEMENT);
    const request = signed();
    const attempt = await beginSale(request, 'report-1', shard(name));
    expect(await shard(name).settled(request.key, attempt, SETTLEMENT)).toMatchObject({ reportId: 'report-1' });
    expect(await shard(name).claim(transfer({}, SETTLEMENT))).toEqual({ outcome: 'already_used' });
  });

  test('P31: is not sold while the shard of its payer cannot be asked', async () => {
    const itsShard = shard(await computeShardName(env.LEDGER_SECRET, SETTLEMENT));
    const payers = shard(await computeShardName(env.LEDGER_SECRET, PAYER));
    await payers.settled(...(await beginOwn(payers)), SETTLEMENT);
    const request = transfer({}, SETTLEMENT);
    const ask = vi.spyOn(PaymentLedger.prototype, 'hasSettled').mockRejectedValue(new Error('the shard is away'));
    expect(await failureOf(async () => itsShard.claim(request))).toContain('the shard is away');
    expect(await failureOf(async () => itsShard.peek(request))).toContain('the shard is away');
    ask.mockRestore();
    expect(await itsShard.resultState(request.key)).toBe('absent');
    expect(await itsShard.claim(request)).toEqual({ outcome: 'already_used' });
  });

  test('P2: stays with the attempt that resumes it, whichever attempt reports it first', async () => {
    const clock = movableClock();
    const request = signed();
    const attempt = await beginSale(request, 'report-1');
    clock.advance(36_000);
    expect(await shard().claim(request)).toMatchObject({ outcome: 'resume_settlement', attempt: attempt + 1 });
    expect(await shard().settled(request.key, attempt, SETTLEMENT)).toBe(false);
    expect(await shard().resultState(request.key)).toBe('unsettled');
    expect(await shard().settled(request.key, attempt + 1, SETTLEMENT)).toMatchObject({ reportId: 'report-1' });
  });
});

async function beginOwn(ledger: ReturnType<typeof shard>): Promise<[key: string, attempt: number]> {
  const request = signed();
  return [request.key, await beginSale(request, 'report-1', ledger)];
}

describe('what a shard remembers of payments under way', () => {
  test('P31: is forgotten when a step fails, and what is stored counts', async () => {
    await runInDurableObject(shard(), async (instance, state) => {
      const request = signed();
      await instance.claim(request);
      await instance.beginSettle(request.key, 1, 'report-1');
      state.storage.sql.exec('ALTER TABLE day_totals RENAME TO books_away');
      await expect(instance.settled(request.key, 1, SETTLEMENT)).rejects.toThrow('day_totals');
      expect(await instance.resultState(request.key)).toBe('unsettled');
      state.storage.sql.exec('ALTER TABLE books_away RENAME TO day_totals');
      expect(await instance.settled(request.key, 1, SETTLEMENT)).toMatchObject({ reportId: 'report-1' });
    });
  });

  test('is what is stored, at every step', async () => {
    const request = signed();
    const stored = () =>
      runInDurableObject(shard(), (_, state) =>
        state.storage.sql
          .exec('SELECT row, in_flight, due_at_ms FROM payments WHERE key = ?', request.key)
          .toArray()
          .map(({ row, in_flight: mark }) => [JSON.parse(String(row)).phase.state, mark]),
      );
    const attempt = await claimAttempt(request);
    expect(await stored()).toEqual([['claimed', 1]]);
    await shard().beginSettle(request.key, attempt, 'report-1');
    expect(await stored()).toEqual([['settling', 2]]);
    await shard().doubt(request.key, attempt);
    expect(await stored()).toEqual([['unknown', 2]]);
    await shard().settled(request.key, attempt, SETTLEMENT);
    expect(await stored()).toEqual([['settled', 0]]);
  });
});

describe('a shard that is evicted', () => {
  test('keeps claims, sales, spent hashes and attempts', async () => {
    const [running, sold, dropped] = [signed(), signed(), signed()];
    const attempt = await claimAttempt(running);
    const sale = await shard().settled(sold.key, await beginSale(sold, 'report-1'), freshWord());
    await shard().spend(SETTLEMENT, Date.now() + DAY_MS);
    const droppedAttempt = await claimAttempt(dropped);
    await shard().discard(dropped.key, droppedAttempt);
    await evictDurableObject(shard());
    expect(await shard().claim(running)).toMatchObject({ outcome: 'in_progress' });
    expect(await shard().claim(sold)).toEqual({ outcome: 'served', sale });
    expect(await claimAttempt(dropped)).toBeGreaterThan(droppedAttempt);
    expect(await shard().claim(transfer({}, SETTLEMENT))).toEqual({ outcome: 'already_used' });
    expect(await shard().beginSettle(running.key, attempt, 'report-2')).toBe(true);
  });

  test('P3: sets its alarm again when rows are due and none is set', async () => {
    await beginSale(signed(), 'report-1');
    await runInDurableObject(shard(), (_, state) => state.storage.deleteAlarm());
    await evictDurableObject(shard());
    expect(await alarmAtMs()).toBeGreaterThan(0);
  });

  test('P3: does not take an alarm for set that could not be set', async () => {
    const ledger = shard();
    await runInDurableObject(ledger, async (instance, state) => {
      vi.spyOn(state.storage, 'setAlarm').mockRejectedValueOnce(new Error('the storage is away'));
      await expect(instance.claim(signed())).rejects.toThrow('the storage is away');
      expect(await state.storage.getAlarm()).toBeNull();
      await instance.claim(signed());
      expect(await state.storage.getAlarm()).toBeGreaterThan(0);
    });
  });

  test('P3: keeps the earlier of two alarms that are set at once', async () => {
    await runInDurableObject(shard(), async (instance, state) => {
      const soonMs = Date.now() + DAY_MS;
      await Promise.all([instance.spend(freshWord(), soonMs), instance.spend(freshWord(), soonMs + DAY_MS)]);
      expect(await state.storage.getAlarm()).toBeLessThan(soonMs + DAY_MS);
    });
  });

  test('sets no alarm when nothing is due', async () => {
    expect(await shard().resultState('eip3009:none')).toBe('absent');
    expect(await alarmAtMs()).toBeNull();
  });
});
