import { createHash } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { type ChainBlock, type ChainReader, ChainUnreachable, type Receipt } from '../../../src/payment/chain/chain.ts';
import { ALARM_CHAIN_ROWS, runLedgerAlarm } from '../../../src/payment/ledger/alarm.ts';
import { decideClaim } from '../../../src/payment/ledger/claim.ts';
import type { LedgerRow, LedgerPhase, UndecidedPhase } from '../../../src/payment/ledger/row.ts';
import { readKeyNetwork } from '../../../src/payment/ledger/payment-key.ts';
import { BASE, PAYMENT_NETWORKS, type PaymentNetwork } from '../../../src/payment/terms/networks-data.ts';
import { openLedgerRows } from '../../../src/payment/ledger/rows.ts';
import { railLooks } from '../../../src/payment/rails/looks.ts';
import { openSql } from '../../support/management/sqlite.ts';
import { UNSEEN_WAITS_MS, beginSettlement } from '../../../src/payment/ledger/ledger.ts';
import {
  DAY_MS,
  HASH,
  HOUR_MS,
  NOW,
  NOW_S,
  PAYER,
  PAY_TO,
  SETTLEMENT,
  TRANSFER_KEY,
  X402_KEY,
  deadClaim,
  liveClaim,
  refused,
  released,
  settledPhase,
  settling,
  signed,
  signedRow,
  transfer,
  transferRow,
  unknown,
} from './cases.ts';

/**
 * What the chain of a test holds. `usedBy`: the transaction that used the nonce; `cancelled`: the payer cancelled it, as a
 * log tells; `logless`: it is gone, and the node lacks the log that tells how.
 */
type World = {
  nowMs: number;
  usedBy?: string;
  cancelled?: boolean;
  logless?: boolean;
  safeS: number;
  receipts: Map<string, Receipt>;
  isDown: boolean;
  /** The network of a deployment that was set to another one. */
  network?: PaymentNetwork;
  calls: number;
};

function openShard(change: Partial<World> = {}) {
  const world: World = { nowMs: NOW, safeS: NOW_S, receipts: new Map(), isDown: false, calls: 0, ...change };
  const database = new DatabaseSync(':memory:');
  const rows = openLedgerRows(openSql(database), 86_400);
  const seen = { spent: [] as [string, number][], deleted: [] as string[], logged: [] as object[] };
  const trouble = { spend: false, deleteResult: false };
  const chain = chainOf(world);
  const run = () =>
    runLedgerAlarm({
      rows,
      transact: (step) => step(),
      looks: railLooks,
      paidOn: (key) => (readKeyNetwork(key) === (world.network ?? BASE).id ? { chain, payTo: PAY_TO } : undefined),
      spend: async (hash, pruneAtMs) => {
        if (trouble.spend) throw new Error('the other shard is away');
        seen.spent.push([hash, pruneAtMs]);
      },
      deleteResult: async (reportId) => {
        if (trouble.deleteResult) throw new Error('the bucket is away');
        seen.deleted.push(reportId);
      },
      nowMs: () => world.nowMs,
      log: (line) => seen.logged.push(line),
    });
  return { world, rows, seen, trouble, run, database };
}

function chainOf(world: World): ChainReader {
  const answer = async <T>(value: T): Promise<T> => {
    world.calls += 1;
    if (world.isDown) throw new ChainUnreachable('the RPC is away');
    return value;
  };
  const isUsed = () => world.usedBy !== undefined || world.cancelled === true || world.logless === true;
  const safe: ChainBlock = { number: 1_000n, hash: '0xb10c', timestampS: world.safeS };
  return {
    receipt: (hash) => answer(world.receipts.get(hash) ?? 'not_found'),
    block: () => answer({ ...safe, timestampS: world.safeS }),
    authorizationState: () => answer(isUsed()),
    authorizationTransaction: () => answer(world.usedBy),
    authorizationCancelled: () => answer(world.cancelled === true),
    balanceOf: () => answer(0n),
    hasCode: () => answer(false),
    isContractSignatureValid: () => answer(false),
    isWrappedSignatureValid: () => answer(false),
  };
}

function receiptOf(hash: string, change: Partial<Receipt> = {}, value = 60_000n, nonce = '0x01'): Receipt {
  const events: Receipt['events'] = [
    { name: 'AuthorizationUsed', logIndex: 2, removed: false, authorizer: PAYER, nonce },
    { name: 'Transfer', logIndex: 3, removed: false, from: PAYER, to: PAY_TO, value },
  ];
  return { hash, status: 'success', blockNumber: 990n, blockHash: '0xb10c', events, ...change };
}

/** A log names a row by a digest: its key holds the payer and the nonce. */
const logKey = (key: string) => createHash('sha256').update(key).digest('hex').slice(0, 12);
const receipts = (receipt: Receipt) => new Map([[receipt.hash, receipt]]);
const due = (phase: UndecidedPhase): LedgerPhase => ({ ...phase, lookAtMs: NOW });
const toCheck: LedgerPhase = { ...settledPhase, checkAtMs: NOW };

describe('abandoned claims', () => {
  test('P12: go when their payment was never found good', async () => {
    const shard = openShard();
    shard.rows.write(signedRow(deadClaim, { verified: false }));
    await shard.run();
    expect(shard.rows.read(X402_KEY)).toBeUndefined();
  });

  test('P15: are released when it once was', async () => {
    const shard = openShard();
    shard.rows.write(transferRow(deadClaim));
    await shard.run();
    expect(shard.rows.read(TRANSFER_KEY)).toMatchObject({ attempt: 4, phase: { state: 'released' } });
  });

  test('are left alone while their lease lives', async () => {
    const shard = openShard();
    shard.rows.write(signedRow(liveClaim, { verified: false }));
    await shard.run();
    expect(shard.rows.read(X402_KEY)?.phase).toEqual(liveClaim);
  });

  test('P2: leave a floor, so that the next claim of the key is no attempt of the last', async () => {
    const shard = openShard();
    shard.rows.write(signedRow(deadClaim, { verified: false }));
    await shard.run();
    const { write } = decideClaim(undefined, signed, shard.rows.claimContext(signed, NOW), NOW);
    expect(write?.attempt).toBe(5);
    expect(write && beginSettlement(write, 4, 'report-9', NOW)).toBeUndefined();
  });
});

describe('settlements that no Worker ended', () => {
  test.each([
    ['P3: settling', settling],
    ['P3: unknown', unknown],
    ['P4: refused', refused],
  ])('%s and found on chain are settled, their transfer spent', async (_, phase) => {
    const shard = openShard({ usedBy: SETTLEMENT, receipts: receipts(receiptOf(SETTLEMENT)) });
    shard.rows.write(signedRow(due(phase)));
    await shard.run();
    expect(shard.rows.read(X402_KEY)).toMatchObject({
      attempt: 4,
      phase: { state: 'settled', reportId: 'report-1', transaction: SETTLEMENT, settledAtMs: NOW },
    });
    expect(shard.seen.spent).toEqual([[SETTLEMENT, NOW + 25 * HOUR_MS]]);
    expect(shard.seen.deleted).toEqual([]);
  });

  test('P3: stay open when their transfer cannot be marked as spent', async () => {
    const shard = openShard({ usedBy: SETTLEMENT, receipts: receipts(receiptOf(SETTLEMENT)) });
    shard.trouble.spend = true;
    shard.rows.write(signedRow(due(unknown)));
    await shard.run();
    expect(shard.rows.read(X402_KEY)?.phase).toMatchObject({ state: 'unknown', lookAtMs: NOW + 10_000 });
    expect(shard.seen.logged).toMatchObject([{ event: 'ledger_alarm_row_failed', key: logKey(X402_KEY) }]);
  });

  test.each([
    ['P18: past validBefore with the nonce unused', { safeS: NOW_S + 400, nowMs: NOW + 900_000 }],
    ['cancelled by the payer', { cancelled: true, safeS: NOW_S + 400, nowMs: NOW + 900_000 }],
  ])('%s go, with their result', async (_, change) => {
    for (const phase of [settling, unknown, refused]) {
      const shard = openShard(change);
      shard.rows.write(signedRow(due(phase)));
      await shard.run();
      expect(shard.rows.read(X402_KEY)).toBeUndefined();
      expect(shard.seen.deleted).toEqual(['report-1']);
    }
  });

  test('P18: stay, paid or not, when their nonce is gone and the node lacks the log of it', async () => {
    const shard = openShard({ logless: true, safeS: NOW_S + 400, nowMs: NOW + 900_000 });
    shard.rows.write(signedRow(due(unknown)));
    await shard.run();
    expect(shard.rows.read(X402_KEY)?.phase).toMatchObject({ state: 'unknown', reportId: 'report-1' });
    expect(shard.seen.deleted).toEqual([]);
  });

  test('P18: stay while the safe block is not past validBefore, whatever our clock says', async () => {
    const shard = openShard({ safeS: NOW_S + 299, nowMs: NOW + DAY_MS });
    shard.rows.write(signedRow(due(unknown)));
    await shard.run();
    expect(shard.rows.read(X402_KEY)?.phase).toMatchObject({ state: 'unknown', lookAtMs: NOW + DAY_MS + 60_000 });
    expect(shard.seen.deleted).toEqual([]);
  });

  test('keep their row when their result cannot be deleted', async () => {
    const shard = openShard({ safeS: NOW_S + 400 });
    shard.trouble.deleteResult = true;
    shard.rows.write(signedRow(due(refused)));
    await shard.run();
    expect(shard.rows.read(X402_KEY)?.phase).toMatchObject({ state: 'refused', lookAtMs: NOW + 10_000 });
  });

  test('P31: wait when the chain cannot be read, and it is asked once for all of them', async () => {
    const shard = openShard({ isDown: true });
    for (let index = 0; index < 20; index += 1)
      shard.rows.write(signedRow(due(unknown), { key: `${X402_KEY}${index}` }));
    await shard.run();
    expect(shard.world.calls).toBeLessThanOrEqual(8);
    expect(shard.rows.due(NOW, 100)).toEqual([]);
    expect(shard.rows.due(NOW + 10_000, 100)).toHaveLength(20);
    expect(shard.seen.logged).toEqual([]);
  });

  test('are a bounded batch a run, and the rest is still due', async () => {
    const shard = openShard({ safeS: NOW_S });
    const count = ALARM_CHAIN_ROWS + 8;
    for (let index = 0; index < count; index += 1)
      shard.rows.write(signedRow(due(unknown), { key: `${X402_KEY}${index}` }));
    await shard.run();
    expect(shard.rows.due(NOW, 100)).toHaveLength(8);
    expect(shard.rows.nextDueAtMs(NOW)).toBe(NOW);
    await shard.run();
    expect(shard.rows.due(NOW, 100)).toEqual([]);
  });
});

describe('checks of sales', () => {
  const mismatch = { event: 'settlement_mismatch', key: logKey(X402_KEY) };
  test.each<[string, Receipt, object[]]>([
    ['carries the transfer', receiptOf(SETTLEMENT), []],
    ['is reverted', receiptOf(SETTLEMENT, { status: 'reverted' }), [mismatch]],
    ['carries another amount', receiptOf(SETTLEMENT, {}, 59_999n), [mismatch]],
    ['carries nothing', receiptOf(SETTLEMENT, { events: [] }), [mismatch]],
    ['carries the use of another authorization of the payer', receiptOf(SETTLEMENT, {}, 60_000n, '0x02'), [mismatch]],
  ])('P30: a settlement whose receipt %s', async (_, receipt, logged) => {
    const shard = openShard({ receipts: receipts(receipt) });
    shard.rows.write(signedRow(toCheck));
    await shard.run();
    expect(shard.seen.logged).toEqual(logged);
    const isLost = logged.length > 0;
    expect(shard.rows.read(X402_KEY)?.phase).toEqual({ ...settledPhase, seen: isLost ? 'missing' : 'found' });
    const lost = { kind: 'lost', reason: 'settlement_mismatch', count: 1, microUsdc: 60_000 };
    expect(shard.rows.totals('2000-01-01')).toMatchObject(isLost ? [lost] : []);
  });

  test('P30: a payment that came by another transaction is no mismatch, and buys nothing again', async () => {
    const other = `0x${'0e'.repeat(32)}`;
    const known = [receiptOf(SETTLEMENT, { status: 'reverted' }), receiptOf(other)];
    const shard = openShard({ usedBy: other, receipts: new Map(known.map((receipt) => [receipt.hash, receipt])) });
    shard.rows.write(signedRow(toCheck));
    await shard.run();
    expect(shard.seen.logged).toEqual([]);
    expect(shard.seen.spent.map(([hash]) => hash)).toEqual([other]);
    expect(shard.rows.read(X402_KEY)?.phase).toEqual({ ...settledPhase, seen: 'found' });
    expect(shard.rows.totals('2000-01-01')).toEqual([]);
  });

  test('P30: where the authorization is used by a transaction that no node shows now, nobody is accused yet', async () => {
    const known = [receiptOf(SETTLEMENT, { status: 'reverted' })];
    const other = `0x${'0e'.repeat(32)}`;
    const shard = openShard({ usedBy: other, receipts: new Map(known.map((receipt) => [receipt.hash, receipt])) });
    shard.rows.write(signedRow(toCheck));
    await shard.run();
    expect(shard.seen.logged).toEqual([]);
    expect(shard.rows.read(X402_KEY)?.phase).toMatchObject({
      unseenLooks: 1,
      checkAtMs: NOW + (UNSEEN_WAITS_MS[0] ?? 0),
    });
  });

  test('P30: a receipt that cannot be read is read later, and accuses nobody', async () => {
    const shard = openShard({ isDown: true });
    shard.rows.write(signedRow(toCheck));
    await shard.run();
    expect(shard.seen.logged).toEqual([]);
    expect(shard.rows.read(X402_KEY)?.phase).toMatchObject({ state: 'settled', checkAtMs: NOW + 60_000 });
  });

  const reorged = { event: 'payment_reorged', key: logKey(TRANSFER_KEY) };
  test.each<[string, Receipt, object[]]>([
    ['is still there', receiptOf(HASH), []],
    ['is reverted now', receiptOf(HASH, { status: 'reverted' }), [reorged]],
    ['pays somebody else now', receiptOf(HASH, { events: [] }), [reorged]],
  ])('P25: a transfer that at safe %s stays consumed', async (_, receipt, logged) => {
    const shard = openShard({ receipts: receipts(receipt) });
    shard.rows.write(transferRow(toCheck));
    await shard.run();
    expect(shard.seen.logged).toEqual(logged);
    const isLost = logged.length > 0;
    expect(shard.rows.read(TRANSFER_KEY)?.phase).toEqual({ ...settledPhase, seen: isLost ? 'missing' : 'found' });
    const lost = { kind: 'lost', method: 'transfer', reason: 'payment_reorged', count: 1, microUsdc: 60_000 };
    expect(shard.rows.totals('2000-01-01')).toMatchObject(isLost ? [lost] : []);
  });

  const unseenSales = [
    ['P30: a settlement', signedRow(toCheck), SETTLEMENT, mismatch],
    ['P25: a transfer', transferRow(toCheck), HASH, reorged],
  ] as const;

  test.each(unseenSales)('%s that no node has a receipt of is lost only after the last look', async (...sale) => {
    const [, row, , line] = sale;
    const shard = openShard();
    shard.rows.write(row);
    for (const waitMs of UNSEEN_WAITS_MS) {
      await shard.run();
      expect(shard.seen.logged).toEqual([]);
      expect(shard.rows.totals('2000-01-01')).toEqual([]);
      expect(shard.rows.nextDueAtMs(shard.world.nowMs)).toBe(shard.world.nowMs + waitMs);
      shard.world.nowMs += waitMs;
    }
    await shard.run();
    expect(shard.seen.logged).toEqual([line]);
    expect(shard.rows.read(row.key)?.phase).toEqual({ ...settledPhase, seen: 'missing' });
    expect(shard.rows.totals('2000-01-01')).toMatchObject([{ kind: 'lost', reason: line.event, count: 1 }]);
  });

  test.each(unseenSales)('%s whose receipt another node has later is found, and nothing is lost', async (...sale) => {
    const [, row, hash] = sale;
    const shard = openShard();
    shard.rows.write(row);
    await shard.run();
    expect(shard.rows.read(row.key)?.phase).toMatchObject({ checkAtMs: NOW + 60_000, unseenLooks: 1 });
    shard.world.receipts.set(hash, receiptOf(hash));
    shard.world.nowMs += 60_000;
    await shard.run();
    expect(shard.rows.read(row.key)?.phase).toEqual({ ...settledPhase, seen: 'found' });
    expect([shard.seen.logged, shard.rows.totals('2000-01-01')]).toEqual([[], []]);
  });

  test('P16: the looks at a sale without a receipt end before its row may go', () => {
    expect(UNSEEN_WAITS_MS.reduce((sum, waitMs) => sum + waitMs, 0)).toBeLessThan(DAY_MS / 2);
  });

  test.each<[string, Partial<World>]>([
    ['the safe block is older than the transfer', { safeS: NOW_S - 121 }],
    [
      'the transfer was mined again after the safe block',
      { receipts: receipts(receiptOf(HASH, { blockNumber: 1_001n })) },
    ],
  ])('P25: a transfer is judged at safe only: %s', async (_, change) => {
    const shard = openShard(change);
    shard.rows.write(transferRow(toCheck));
    await shard.run();
    expect(shard.seen.logged).toEqual([]);
    expect(shard.rows.read(TRANSFER_KEY)?.phase).toMatchObject({ checkAtMs: NOW + 60_000 });
  });
});

describe('pruning', () => {
  const later = NOW + 26 * HOUR_MS;

  test('P16: a sold transfer that is pruned closes its block time for good', async () => {
    const shard = openShard({ nowMs: later });
    shard.rows.write(transferRow(settledPhase));
    await shard.run();
    expect(shard.rows.read(TRANSFER_KEY)).toBeUndefined();
    const known = shard.rows.claimContext(transfer, later);
    expect(known.prunedThroughS).toBe(NOW_S - 120);
    // Fresh by a window that was raised since: the mark refuses it all the same.
    expect(decideClaim(undefined, transfer, { ...known, maxAgeS: 10 * 86_400 }, later).result).toEqual({
      outcome: 'transfer_too_old',
    });
  });

  test('P16: the mark survives a restart of the shard', async () => {
    const shard = openShard({ nowMs: later });
    shard.rows.write(transferRow(settledPhase));
    await shard.run();
    expect(openLedgerRows(openSql(shard.database), 86_400).claimContext(transfer, later)).toMatchObject({
      prunedThroughS: NOW_S - 120,
      attemptFloor: 4,
    });
  });

  test('P12: a refused verification closes no block time', async () => {
    const shard = openShard({ nowMs: later });
    shard.rows.write(transferRow({ state: 'claimed', leaseUntilMs: NOW }, { verified: false }));
    await shard.run();
    expect(shard.rows.read(TRANSFER_KEY)).toBeUndefined();
    expect(shard.rows.claimContext(transfer, later).prunedThroughS).toBe(0);
  });

  test('P16: a sold result outlives its row', async () => {
    const shard = openShard({ nowMs: later });
    shard.rows.write(signedRow(settledPhase));
    await shard.run();
    expect(shard.rows.read(X402_KEY)).toBeUndefined();
    expect(shard.seen.deleted).toEqual([]);
  });

  test('P15: a released transfer is kept for thirty days', async () => {
    const shard = openShard({ nowMs: NOW + 29 * DAY_MS });
    shard.rows.write(transferRow(released));
    await shard.run();
    expect(shard.rows.read(TRANSFER_KEY)?.phase).toEqual(released);
    shard.world.nowMs = NOW + 30 * DAY_MS + HOUR_MS;
    await shard.run();
    expect(shard.rows.read(TRANSFER_KEY)).toBeUndefined();
  });

  test.each([settling, unknown, refused])('P16: $state is not pruned, however old', async (phase) => {
    const shard = openShard({ nowMs: NOW + 100 * DAY_MS, isDown: true });
    shard.rows.write(signedRow(phase));
    await shard.run();
    expect(shard.rows.read(X402_KEY)?.phase).toMatchObject({ state: phase.state, reportId: 'report-1' });
  });

  test('P22: an identifier goes with its row', async () => {
    const shard = openShard({ nowMs: later });
    const row: LedgerRow = signedRow(settledPhase, { identifier: 'order-1' });
    shard.rows.write(row);
    expect(shard.rows.indexIdentifier(row)).toBe(true);
    expect(shard.rows.indexIdentifier({ ...row, key: 'eip3009:another' })).toBe(false);
    expect(shard.rows.indexIdentifier({ ...row, key: 'eip3009:another', payer: '0xb0b' })).toBe(true);
    await shard.run();
    const known = shard.rows.claimContext({ ...signed, identifier: 'order-1' }, later);
    expect(known.identifierKey).toBeUndefined();
  });

  test('spent hashes and failures go when they no longer count', async () => {
    const shard = openShard();
    shard.rows.spend(HASH, NOW + DAY_MS);
    shard.rows.addFailure(PAYER, NOW);
    await shard.run();
    expect(shard.rows.claimContext(transfer, NOW)).toMatchObject({ hashSpent: true, failuresAtMs: [NOW] });
    shard.world.nowMs = NOW + HOUR_MS;
    await shard.run();
    expect(shard.rows.claimContext(transfer, NOW)).toMatchObject({ hashSpent: true, failuresAtMs: [] });
    shard.world.nowMs = NOW + DAY_MS + HOUR_MS;
    await shard.run();
    expect(shard.rows.claimContext(transfer, NOW)).toMatchObject({ hashSpent: false });
    expect(shard.rows.nextDueAtMs(shard.world.nowMs)).toBeUndefined();
  });
});

describe('places in flight', () => {
  const PREFIX = 'eip3009:eip155:8453:usdc:';
  test('P5: are taken by live claims, settlements and doubts of the payer, and by nothing else', () => {
    const shard = openShard();
    const phases: LedgerPhase[] = [liveClaim, settling, unknown, deadClaim, released, refused, settledPhase];
    for (const [index, phase] of phases.entries()) shard.rows.write(signedRow(phase, { key: `${PREFIX}k${index}` }));
    shard.rows.write(signedRow(liveClaim, { key: `${PREFIX}engine`, engineBacked: true, amountMicroUsdc: 1_950_000 }));
    shard.rows.write(signedRow(liveClaim, { key: `${PREFIX}other payer`, payer: '0xb0b' }));
    shard.rows.write(signedRow(liveClaim, { key: X402_KEY }));
    shard.rows.write(transferRow(liveClaim));
    // It takes a place, but another balance has to cover it.
    shard.rows.write(signedRow(liveClaim, { key: 'eip3009:eip155:137:usdc:on Polygon' }));
    expect(shard.rows.claimContext(signed, NOW).inFlight).toEqual({ engineBacked: 1, other: 4, microUsdc: 2_130_000 });
    expect(shard.rows.claimContext(transfer, NOW).inFlight).toEqual({ engineBacked: 0, other: 0, microUsdc: 0 });
  });
});

test.each<[string, UndecidedPhase]>([
  ['settling', settling],
  ['unknown', unknown],
  ['refused', refused],
])('a payment of another network is asked of no chain, and keeps what is known of it (%s)', async (_name, phase) => {
  const world = { network: PAYMENT_NETWORKS['eip155:84532'], cancelled: true, safeS: NOW_S + 10_000 };
  const shard = openShard(world);
  shard.rows.write(signedRow(due(phase)));
  await shard.run();
  expect([shard.world.calls, shard.rows.read(X402_KEY)?.phase.state]).toEqual([0, phase.state]);
  expect(shard.seen).toEqual({ spent: [], deleted: [], logged: [] });
});
