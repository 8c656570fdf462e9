import { type PaidOn, runLedgerAlarm } from '../../../src/payment/ledger/alarm.ts';
import { decideClaim } from '../../../src/payment/ledger/claim.ts';
import type { LedgerShard } from '../../../src/payment/ledger/protocol.ts';
import { isSettled, type LedgerRow, computeSaleExpiryMs, toSale } from '../../../src/payment/ledger/row.ts';
import { type LedgerRows, openLedgerRows } from '../../../src/payment/ledger/rows.ts';
import {
  beginSettlement,
  discardClaim,
  markSettlementUnknown,
  isPayersDoing,
  refuseSettlement,
  releaseClaim,
  renewLease,
  sellTransfer,
  settleRow,
  classifySettlementReport,
} from '../../../src/payment/ledger/ledger.ts';
import { railLooks } from '../../../src/payment/rails/looks.ts';
import { word } from './money.ts';
import { memorySqlite } from '../../support/management/sqlite.ts';

/** Shards of one ledger, each with a database of its own, and none of them with a Worker around it. */
const SHARDS = 4;
const MAX_AGE_S = 86_400;

export type MemoryLedger = {
  shardOf: (text: string) => { shard: string; ledger: LedgerShard };
  /** What every shard says of a key. */
  stateOf: (text: string, key: string) => Promise<'settled' | 'unsettled' | 'absent'>;
  /** Runs the alarm of every shard, whether or not it is due. */
  alarm: () => Promise<void>;
};

/** A ledger over the decisions of `src/payment` and real SQLite, as the Durable Object puts them together. */
export function memoryLedger(options: {
  now: () => number;
  paidOn: (key: string) => PaidOn;
  dropped: (reportId: string) => void;
  log?: (line: { event: string }) => void;
}): MemoryLedger {
  const { now } = options;
  const shards = Array.from({ length: SHARDS }, () => {
    const { sql, transaction } = memorySqlite();
    const rows = openLedgerRows(sql, MAX_AGE_S);
    return {
      rows,
      transaction,
      ledger: shardOver(rows, transaction, now, (hash, pruneAtMs, payer) => spend(hash, pruneAtMs, payer)),
    };
  });
  const at = (text: string): number => Number(BigInt(text.startsWith('0x') ? text : word(text)) % BigInt(SHARDS));
  const inShard = (text: string): (typeof shards)[number] => {
    const found = shards[at(text)];
    if (found === undefined) throw new RangeError('no such shard');
    return found;
  };
  const spend = (hash: string, pruneAtMs: number, payer: string): Promise<void> =>
    inShard(hash).ledger.spend(hash, pruneAtMs, payer);
  return {
    shardOf: (text) => ({ shard: `0${at(text)}`, ledger: inShard(text).ledger }),
    stateOf: (text, key) => inShard(text).ledger.resultState(key),
    async alarm() {
      for (const { rows, transaction } of shards) {
        await runLedgerAlarm({
          rows,
          transact: (step) => transaction(step),
          looks: railLooks,
          paidOn: options.paidOn,
          spend,
          deleteResult: (reportId) => Promise.resolve(options.dropped(reportId)),
          nowMs: now,
          log: (line) => options.log?.(line),
        });
      }
    },
  };
}

type Transaction = <T>(work: () => T) => T;

function shardOver(
  rows: LedgerRows,
  transaction: Transaction,
  now: () => number,
  spendInItsShard: (hash: string, pruneAtMs: number, payer: string) => Promise<void>,
): LedgerShard {
  // Every call is answered later, as one over the network is.
  const change = async (key: string, next: (row: LedgerRow) => LedgerRow | undefined): Promise<boolean> => {
    await Promise.resolve();
    return transaction(() => {
      const row = rows.read(key);
      const replaced = row && next(row);
      if (row !== undefined && replaced !== undefined) rows.advance(row, replaced);
      return replaced !== undefined;
    });
  };
  return {
    async claim(request) {
      await Promise.resolve();
      return transaction(() => {
        const { result, write } = decideClaim(
          rows.read(request.key),
          request,
          rows.claimContext(request, now()),
          now(),
        );
        if (write !== undefined) rows.write(write);
        return result;
      });
    },
    async peek(request) {
      await Promise.resolve();
      return decideClaim(rows.read(request.key), request, rows.claimContext(request, now()), now()).result;
    },
    renew: (key, attempt) => change(key, (row) => renewLease(row, attempt, now())),
    async discard(key, attempt, refused = false) {
      await Promise.resolve();
      return transaction(() => {
        const row = rows.read(key);
        const next = row && discardClaim(row, attempt);
        if (row === undefined || next === undefined) return false;
        if (next === 'delete') rows.remove(row);
        else rows.write(next);
        if (refused) rows.addRefusal(row.payer, now());
        return true;
      });
    },
    release: (key, attempt, failed, untouched = false) =>
      change(key, (row) => {
        const next = releaseClaim(row, attempt, { failed, untouched, nowMs: now() });
        if (next !== undefined && failed && isPayersDoing(row)) rows.addFailure(row.payer, now());
        return next;
      }),
    beginSettle: (key, attempt, reportId) =>
      change(key, (row) => {
        const next = beginSettlement(row, attempt, reportId, now());
        return next !== undefined && rows.indexIdentifier(next) ? next : undefined;
      }),
    async settled(key, attempt, hash) {
      const before = classifySettlementReport(rows.read(key), attempt, hash);
      if (before.standing === 'lost') return false;
      if (before.standing === 'closed') return toSale(before.row);
      await spendInItsShard(hash, computeSaleExpiryMs(before.row, now()), before.row.payer);
      return transaction(() => {
        const standing = classifySettlementReport(rows.read(key), attempt, hash);
        if (standing.standing !== 'open') return standing.standing === 'closed' && toSale(standing.row);
        const next = settleRow(standing.row, hash, true, now());
        rows.advance(standing.row, next);
        return toSale(next);
      });
    },
    async sell(key, attempt, reportId) {
      const isSold = await change(key, (row) => sellTransfer(row, attempt, reportId, now()));
      const row = isSold ? rows.read(key) : undefined;
      return row !== undefined && isSettled(row) && toSale(row);
    },
    refuse: (key, attempt, reason) =>
      change(key, (row) => {
        const next = refuseSettlement(row, attempt, reason);
        if (next !== undefined) rows.addFailure(row.payer, now());
        return next;
      }),
    doubt: (key, attempt, named) => change(key, (row) => markSettlementUnknown(row, attempt, named)),
    async spend(hash, pruneAtMs, payer) {
      await Promise.resolve();
      rows.spend(hash, pruneAtMs, payer);
    },
    async soldAs(key) {
      await Promise.resolve();
      const row = rows.read(key);
      if (row === undefined) return { state: 'absent' };
      const { capability, amountMicroUsdc } = row;
      return isSettled(row) ? { state: 'settled', capability, amountMicroUsdc } : { state: 'unsettled' };
    },
    async resultState(key) {
      await Promise.resolve();
      const row = rows.read(key);
      if (row === undefined) return 'absent';
      return isSettled(row) ? 'settled' : 'unsettled';
    },
  };
}
