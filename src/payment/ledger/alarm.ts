import { computeSha256Hex } from '../../lib/digest.ts';
import { rememberResult } from '../../lib/memo.ts';
import { ChainUndecided, ChainUnreachable } from '../chain/chain.ts';
import { createCountedSvm } from '../chain/svm-chain.ts';
import {
  getDueTask,
  lookAgain,
  recordMissingReceipt,
  recordSearch,
  recordSpotCheck,
  releaseAbandoned,
  settleRow,
} from './ledger.ts';
import { readKeyNetwork } from './payment-key.ts';
import { type PurchaseLine, toPurchase } from './purchases.ts';
import { isSettled, isUndecided, computeSaleExpiryMs, type LedgerRow, type RowIn, type UndecidedPhase } from './row.ts';
import type { LedgerRows } from './rows.ts';
import type { SearchState } from './search.ts';
import { getRowRail, type LookPorts, type LooksByRail, type RailLooks, type SaleSeen } from './looks.ts';

/** Rows that one run of the alarm reads. Those beyond are still due, and the alarm is set again. */
export const ALARM_ROWS = 500;
/** Rows of one run that ask the chain, and how many do so at once. */
export const ALARM_CHAIN_ROWS = 32;
const ALARM_PARALLEL = 4;
/**
 * The same of rows whose payments are searched for in the history of their payer, beside the others: anyone can make that long.
 * No further row is begun after so many calls to nodes, and one row makes some 130 at most.
 */
const ALARM_SEARCH_PARALLEL = 2;
export const ALARM_SEARCH_CALLS = 300;
/** Enough to tell the open rows of a shard apart. */
const LOG_KEY_DIGITS = 12;

/** What reads the network of a row, and who is paid there. */
export type PaidOn = Omit<LookPorts, 'safeBlock'>;

export type AlarmTools = {
  rows: LedgerRows;
  /** Runs a synchronous step all or nothing. */
  transact(step: () => void): void;
  /** How the payments of each rail are looked at. */
  looks: LooksByRail;
  /** Where a row was paid. Undefined for a network that is not configured (any more): no chain is asked, and it stays as it is. */
  paidOn(key: string): PaidOn | undefined;
  /** Marks what a payer moved in a settlement's transaction, in the shard of its hash. */
  spend(hash: string, pruneAtMs: number, payer: string): Promise<void>;
  /** Reports a settlement that the chain does not show, by `key` as in `log`. */
  noteMismatch?(key: string): Promise<void>;
  deleteResult(reportId: string): Promise<void>;
  /** Lists a sold transfer for its proven payer, again: the shard of the payer may not have heard of it when it was sold. */
  listPurchase?(purchase: PurchaseLine): Promise<void>;
  nowMs(): number;
  /** `key`: 12 hex digits of the SHA-256 of the row's key, which itself names the payer and the nonce. */
  log(line: { event: string; key: string; reason?: string }): void;
};

/** What the rows of one network share in a run: its safe block, and whether its chain answered at all. */
type Network = LookPorts & { isDown: boolean };
type Run = AlarmTools & { networks: Map<string, Network | undefined>; calls: { searches: number } };
/** A row's turn, on its network. */
type Turn = AlarmTools & LookPorts;

/**
 * Does what is due in a shard: frees abandoned claims, prunes, and asks the chain about settlements without an end and
 * sales that are to be checked. A row whose turn fails stays as it was and comes again a minute later.
 */
export async function runLedgerAlarm(tools: AlarmTools): Promise<void> {
  const nowMs = tools.nowMs();
  const due = tools.rows.due(nowMs, ALARM_ROWS);
  const forChain: LedgerRow[] = [];
  tools.transact(() => {
    tools.rows.sweep(nowMs);
    for (const row of due) {
      const task = getDueTask(row, nowMs);
      if (task === 'free') replace(tools.rows, row, releaseAbandoned(row, nowMs));
      else if (task === 'prune') prune(tools.rows, row);
      else forChain.push(row);
    }
  });
  await lookOnChains(forChain, { ...tools, networks: new Map(), calls: { searches: 0 } });
}

async function lookOnChains(due: readonly LedgerRow[], run: Run): Promise<void> {
  const isSearch = (row: LedgerRow): boolean => findNetwork(row, run)?.svm !== undefined;
  const others = due.filter((row) => !isSearch(row)).slice(0, ALARM_CHAIN_ROWS);
  const searches = due.filter(isSearch).slice(0, ALARM_CHAIN_ROWS);
  const isSpent = (): boolean => run.calls.searches >= ALARM_SEARCH_CALLS;
  await Promise.all([
    ...Array.from({ length: ALARM_PARALLEL }, () => drain(others, run, () => false)),
    ...Array.from({ length: ALARM_SEARCH_PARALLEL }, () => drain(searches, run, isSpent)),
  ]);
}

async function drain(queue: LedgerRow[], run: Run, isSpent: () => boolean): Promise<void> {
  for (let row = queue.shift(); row !== undefined; row = isSpent() ? undefined : queue.shift())
    await takeTurn(row, run);
}

async function takeTurn(row: LedgerRow, run: Run): Promise<void> {
  const network = findNetwork(row, run);
  try {
    if (network !== undefined && !network.isDown) await lookOnChain(row, { ...run, ...network });
  } catch (error) {
    // One unanswered call is enough to know: the others of this run would only wait for the same silence.
    if (network !== undefined && isSilence(error)) network.isDown = true;
    else run.log({ event: 'ledger_alarm_row_failed', key: await computeLogKey(row), reason: String(error) });
  }
  postponeIfDue(row.key, run);
}

/** What a node answers about one payment, and is of no use, is about that payment alone: the others have their turn. */
const isSilence = (error: unknown): boolean => error instanceof ChainUnreachable && !(error instanceof ChainUndecided);

function findNetwork({ key }: LedgerRow, run: Run): Network | undefined {
  const { networks } = run;
  const name = readKeyNetwork(key);
  if (!networks.has(name)) networks.set(name, openNetwork(run.paidOn(key), run));
  return networks.get(name);
}

function openNetwork(found: PaidOn | undefined, { calls }: Run): Network | undefined {
  if (found === undefined) return undefined;
  const { chain, svm, payTo } = found;
  const safeBlock = rememberResult(() => chain.block('safe'));
  const counted = svm && createCountedSvm(svm, () => void (calls.searches += 1));
  return { chain, payTo, safeBlock, isDown: false, ...(counted === undefined ? {} : { svm: counted }) };
}

function lookOnChain(row: LedgerRow, run: Turn): Promise<void> {
  return isUndecided(row) ? reconcile(row, run) : lookAtSale(row, run);
}

const getLooks = (row: LedgerRow, { looks }: Turn): RailLooks => looks[getRowRail(row)];

/** Rules P3, P4, P18: the chain alone ends a settlement that no Worker has ended. */
async function reconcile(row: RowIn<UndecidedPhase>, run: Turn): Promise<void> {
  const verdict = await getLooks(row, run).reconcile(row, run);
  switch (verdict.outcome) {
    case 'undecided':
      return verdict.search && storeSearch(row, verdict.search, run);
    case 'settled':
      return settleByChain(row, verdict.transaction, run);
    case 'cancelled':
    case 'expired_unused':
      return dropUnpaid(row, verdict.outcome, run);
  }
}

function storeSearch({ key }: LedgerRow, search: SearchState, run: Turn): void {
  run.transact(() => {
    const now = run.rows.read(key);
    if (now !== undefined && isUndecided(now)) run.rows.write(recordSearch(now, search, run.nowMs()));
  });
}

async function settleByChain(row: LedgerRow, transaction: string, run: Turn): Promise<void> {
  await run.spend(transaction, computeSaleExpiryMs(row, run.nowMs()), row.payer);
  run.transact(() => {
    const now = run.rows.read(row.key);
    // No matter who holds the row by now: the chain's word is about the nonce and so about every attempt.
    if (now !== undefined && isUndecided(now)) run.rows.advance(now, settleRow(now, transaction, false, run.nowMs()));
  });
}

/** The result goes before the row: a row that is gone no longer says that its result is unpaid. */
async function dropUnpaid(
  row: RowIn<UndecidedPhase>,
  reason: 'cancelled' | 'expired_unused',
  run: Turn,
): Promise<void> {
  await run.deleteResult(row.phase.reportId);
  run.transact(() => {
    const now = run.rows.read(row.key);
    if (now !== undefined && isUndecided(now) && now.attempt === row.attempt) run.rows.removeUnpaid(now, reason);
  });
}

/**
 * Rule P30: of the facilitators' settlements that were not read at delivery, some are read afterwards. Rule P25: a transfer is
 * sold before it is final; when it is, it must still be there. The sale stays consumed.
 */
async function lookAtSale(row: LedgerRow, run: Turn): Promise<void> {
  if (!isSettled(row)) return;
  const seen = await getLooks(row, run).seeSale(row, run);
  if (seen === 'early') return;
  const isTransfer = row.instrument.method === 'transfer';
  const purchase = isTransfer ? toPurchase(row) : undefined;
  if (purchase !== undefined) await run.listPurchase?.(purchase);
  await finishCheck(row, seen, isTransfer ? 'payment_reorged' : 'settlement_mismatch', run);
}

/** Identifies a row in a log without revealing its payer. */
async function computeLogKey(row: LedgerRow): Promise<string> {
  return (await computeSha256Hex(row.key)).slice(0, LOG_KEY_DIGITS);
}

/**
 * A receipt shows what became of the sale. No receipt may be the node's fault, so a missing one proves nothing before
 * the last look.
 */
async function finishCheck(
  row: LedgerRow,
  found: Exclude<SaleSeen, 'early'>,
  event: 'settlement_mismatch' | 'payment_reorged',
  run: Turn,
): Promise<void> {
  const seen = (now: LedgerRow): LedgerRow =>
    found === 'unseen' ? recordMissingReceipt(now, run.nowMs()) : recordSpotCheck(now, found);
  const elsewhere = isMissing(seen(row)) ? await lookElsewhere(row, run) : 'nowhere';
  const look = (now: LedgerRow): LedgerRow => {
    if (elsewhere === 'undecided') return recordMissingReceipt(now, run.nowMs());
    return elsewhere === 'arrived' ? recordSpotCheck(now, 'found') : seen(now);
  };
  const key = await computeLogKey(row);
  // Reported before the look is written: what cannot be reported now is looked at again.
  if (event === 'settlement_mismatch' && isMissing(look(row))) await run.noteMismatch?.(key);
  let wasMissing = false;
  run.transact(() => {
    const now = run.rows.read(row.key);
    if (now === undefined) return;
    const next = look(now);
    run.rows.advance(now, next);
    wasMissing = isMissing(next);
  });
  if (wasMissing) run.log({ event, key });
}

/**
 * Whether the payment arrived by another transaction than the facilitator named: its payer, or anyone who saw it, can send
 * it first. What it moved there is spent, so that it buys nothing again. `undecided`: it is used, and the chain does not
 * tell yet for what.
 */
async function lookElsewhere(row: LedgerRow, run: Turn): Promise<'arrived' | 'nowhere' | 'undecided'> {
  const seen = await getLooks(row, run).seeElsewhere(row, run);
  if (seen.outcome === 'arrived') await run.spend(seen.transaction, computeSaleExpiryMs(row, run.nowMs()), row.payer);
  return seen.outcome;
}

const isMissing = (row: LedgerRow): boolean => isSettled(row) && row.phase.seen === 'missing';

/** A row that its turn has not moved is looked at again later, not in the next run. */
function postponeIfDue(key: string, run: AlarmTools): void {
  const row = run.rows.read(key);
  const nowMs = run.nowMs();
  if (row !== undefined && getDueTask(row, nowMs) !== 'nothing') run.rows.write(lookAgain(row, nowMs));
}

function replace(rows: LedgerRows, row: LedgerRow, next: LedgerRow | undefined): void {
  if (next === undefined) rows.remove(row);
  else rows.write(next);
}

/** Rule P16. A signed payload needs no mark: the chain itself refuses its nonce after `validBefore`. */
function prune(rows: LedgerRows, row: LedgerRow): void {
  if (row.instrument.method === 'transfer') rows.raisePrunedThrough(row.instrument.blockTimeS);
  rows.remove(row);
}
