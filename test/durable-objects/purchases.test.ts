import { runDurableObjectAlarm } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { ClaimRequest } from '../../src/payment/ledger/protocol.ts';
import { computeShardName } from '../../src/payment/ledger/payment-key.ts';
import { serveFakeRpc } from './fake-rpc.ts';
import { DAY_MS, movableClock, PAYER, SETTLEMENT, shard, signed, transfer } from './ledger-shard.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

const payers = async () => shard(await computeShardName(env.LEDGER_SECRET, PAYER));
const list = async () => (await payers()).purchases({ payer: PAYER, sinceMs: 0, limit: 100 });

async function sellTransfer(change: Partial<ClaimRequest>): Promise<string> {
  const request = transfer(change);
  const its = shard(await computeShardName(env.LEDGER_SECRET, request.transfer.hash));
  const claimed = await its.claim(request);
  if (claimed.outcome !== 'claimed') throw new Error(claimed.outcome);
  const reportId = request.transfer.hash.slice(-32);
  expect(await its.sell(request.key, claimed.attempt, reportId)).toMatchObject({ reportId });
  return reportId;
}

describe('the list of what a payer bought', () => {
  test('has a signed payment at once, and survives the row of the payment', async () => {
    const clock = movableClock();
    const its = await payers();
    expect(await list()).toEqual([]);
    const request = signed();
    const claimed = await its.claim(request);
    if (claimed.outcome !== 'claimed') throw new Error(claimed.outcome);
    await its.beginSettle(request.key, claimed.attempt, 'report-1');
    expect(await list()).toEqual([]);
    await its.settled(request.key, claimed.attempt, SETTLEMENT);
    const line = { payer: PAYER, reportId: 'report-1', capability: 'check_health', method: 'x402' };
    expect(await list()).toEqual([expect.objectContaining(line)]);
    clock.advance(3 * DAY_MS);
    await runDurableObjectAlarm(its);
    expect(await its.soldAs(request.key)).toEqual({ state: 'absent' });
    expect(await its.hasPurchase(PAYER, 'report-1')).toBe(true);
    await its.forgetPurchases(PAYER);
    expect(await list()).toEqual([]);
  });

  test('says MPP of what was bought by it, also after x402 has shown the same authorization', async () => {
    const its = await payers();
    const request = signed({ rail: 'mpp', repeatsByProof: true, capability: 'check_schema' });
    const claimed = await its.claim(request);
    if (claimed.outcome !== 'claimed') throw new Error(claimed.outcome);
    await its.beginSettle(request.key, claimed.attempt, 'report-mpp');
    await its.settled(request.key, claimed.attempt, `0x${'78'.repeat(32)}`);
    const line = (await list()).find(({ reportId }) => reportId === 'report-mpp');
    expect(line).toMatchObject({ method: 'mpp', capability: 'check_schema' });
    const { repeatsByProof: _of, ...shown } = request;
    const byX402 = await its.claim({ ...shown, rail: 'x402-evm', credentialSha256: 'credential-of-x402' });
    expect(byX402).toEqual({ outcome: 'already_used' });
    const proven = await its.claim({ ...shown, rail: 'x402-evm', credentialSha256: 'another', payerProven: true });
    expect(proven).toMatchObject({ outcome: 'served', sale: { rail: 'mpp', reportId: 'report-mpp' } });
    expect((await list()).find(({ reportId }) => reportId === 'report-mpp')).toEqual(line);
    await its.report();
    const { payments } = await env.OPERATIONS_REGISTER.getByName('ledger-books').readPayments({
      payer: PAYER,
      capability: 'check_schema',
      limit: 10,
    });
    expect(payments).toEqual([expect.objectContaining({ key: request.key, method: 'mpp', state: 'settled' })]);
    await its.forgetPurchases(PAYER);
  });

  test('gets a proven transfer from the shard of its hash; a bare hash is on no list (rule P9)', async () => {
    const proven = await sellTransfer({ proven: true });
    await sellTransfer({});
    await expect.poll(async () => (await list()).map(({ reportId }) => reportId)).toEqual([proven]);
  });

  test('gets it from the later look at the chain where the shard of the payer did not hear of the sale', async () => {
    const clock = movableClock();
    serveFakeRpc(env.RPC_URL);
    const proven = await sellTransfer({ proven: true });
    await expect.poll(async () => (await list()).length).toBe(1);
    await (await payers()).forgetPurchases(PAYER);
    clock.advance(400_000);
    const request = await computeShardName(env.LEDGER_SECRET, `0x${proven.padStart(64, '0')}`);
    expect(await runDurableObjectAlarm(shard(request))).toBe(true);
    expect((await list()).map(({ reportId }) => reportId)).toEqual([proven]);
  });

  test('is dropped when its reports are gone, also in a shard that sells nothing any more', async () => {
    const clock = movableClock();
    const quiet = shard('5c');
    const payer = `0x${'5c'.repeat(20)}`;
    const about = { payer, capability: 'check_health', amountMicroUsdc: 60_000, method: 'transfer' as const };
    await quiet.listPurchase({ ...about, reportId: 'report-1', settledAtMs: Date.now() });
    for (let day = 0; day < 31; day += 1) {
      expect(await quiet.hasPurchase(payer, 'report-1')).toBe(true);
      clock.advance(DAY_MS);
      expect(await runDurableObjectAlarm(quiet)).toBe(true);
    }
    expect(await quiet.hasPurchase(payer, 'report-1')).toBe(false);
    expect(await runDurableObjectAlarm(quiet)).toBe(false);
  });

  test('makes no tables in a shard that was never used', async () => {
    const unused = shard('77');
    expect(await unused.purchases({ payer: PAYER, sinceMs: 0, limit: 1 })).toEqual([]);
    expect(await unused.hasPurchase(PAYER, 'report-1')).toBe(false);
    await unused.forgetPurchases(PAYER);
  });
});
