import { DAY_MS } from '../../lib/time.ts';
import {
  decideAdjustment,
  type AdjustOrder,
  type AdjustResult,
  computeAdjustedSinceMs,
  formatAdjustmentId,
} from './adjustments.ts';
import { type CreditEntries, MAX_ENTRIES_LISTED, mergeCreditEntries } from './entries.ts';
import {
  getCapturedCall,
  captureReserve,
  type CapturedCall,
  type CreditStep,
  addTopUp,
  computeFreeMicroUsdc,
  dropExpired,
  releaseReserve,
  renewReserve,
  reserveCredits,
  revokeClient,
  type ReserveRequest,
  type ReserveResult,
  computeSpentMicroUsdc,
} from './credits.ts';
import {
  type CreditLineQuery,
  type CreditLines,
  type CreditReport,
  type CreditStanding,
  type CreditView,
  type Forfeited,
  judgePledge,
  computeNextPledgeLookMs,
  type Pledge,
  type PledgeRequest,
} from './protocol.ts';
import { type CreditLine } from './credit-line.ts';
import {
  applyCardTarget,
  type CardApplied,
  type CardBalance,
  type CardHold,
  type CardTarget,
  takeCardHold,
} from './card-credits.ts';
import { toAddedLine, toCallLine, toCardLine, toTopUpLine } from './lines.ts';
import type { CreditRows } from './rows.ts';
import type { SoldAs } from '../ledger/protocol.ts';

/** Calls are forgotten this long after their last attempt, in milliseconds: their reports are gone by then. */
const CALL_KEPT_MS = 31 * DAY_MS;
const PRUNE_EVERY_MS = DAY_MS;
/** Paid calls that are listed. */
const LISTED_REPORTS = 200;
/** Top-ups that may be under way at once; each holds a verified payment of the account's own address. */
const MAX_OPEN_PLEDGES = 50;

export type CreditBook = ReturnType<typeof createCreditBook>;

/** The account behind a table of rows. Each method is one synchronous step: nothing runs between what it reads and writes. */
export function createCreditBook(rows: CreditRows, now: () => number) {
  const written = <Result>({ result, state, call }: CreditStep<Result>): Result => {
    if (state) rows.writeAccount(state);
    if (call) rows.writeCall(call);
    if (call?.phase.state === 'captured') for (const line of toCallLine(call)) rows.lines.add(line);
    return result;
  };
  return {
    ...createTopUps(rows, now),
    ...createCardSteps(rows, now),
    reserve: (request: ReserveRequest): ReserveResult =>
      written(reserveCredits(rows.account(), rows.call(request.id), request, now())),
    renew: (id: string, attempt: number): boolean =>
      written(renewReserve(rows.account(), rows.call(id), attempt, now())),
    capture: (id: string, attempt: number, reportId: string): CapturedCall | false =>
      written(captureReserve(rows.account(), rows.call(id), attempt, reportId, now())),
    release: (id: string, attempt: number, failed: boolean): boolean =>
      written(releaseReserve(rows.account(), rows.call(id), attempt, failed, now())),
    /**
     * Frees what a client holds; none of it can be captured any more, and nothing authorized before is reserved. The calls
     * count as failures: their work was begun for nothing (rule P27). How many that were.
     */
    releaseClient: (clientId: string): number => {
      rows.writeAccount(revokeClient(rows.account(), clientId, now()));
      const held = rows.account().open.filter((one) => one.clientId === clientId);
      const calls = held.flatMap(({ id }) => rows.call(id) ?? []);
      return calls.filter((call) => written(releaseReserve(rows.account(), call, call.attempt, true, now()))).length;
    },
    standing: (id: string): CreditStanding => {
      const call = rows.call(id);
      const captured = call && getCapturedCall(call);
      if (captured) {
        const { reportId, amountMicroUsdc } = captured;
        return { state: 'captured', fingerprint: call.fingerprint, reportId, amountMicroUsdc };
      }
      return { state: call ? 'open' : 'absent' };
    },
    view: (): CreditView => toCreditView(rows, now()),
    reports: (): readonly CreditReport[] =>
      rows.captured(LISTED_REPORTS).flatMap((call) => {
        const paid = getCapturedCall(call);
        if (!paid) return [];
        const { reportId, capability, amountMicroUsdc, capturedAtMs: atMs } = paid;
        return [{ reportId, capability, amountMicroUsdc, atMs }];
      }),
    line: ({ atMs, id }: Pick<CreditLine, 'atMs' | 'id'>): CreditLine | undefined => rows.lines.line(atMs, id),
    lines: (query: CreditLineQuery): CreditLines => rows.lines.list(query),
    forfeit: (isAccepted: boolean): Forfeited => endCredits(rows, isAccepted, now()),
    prune: (): void => {
      rows.pruneCalls(now() - CALL_KEPT_MS);
      rows.lines.prune(now());
    },
    adjust: (order: AdjustOrder): AdjustResult => writeAdjustment(rows, order, now()),
    /** A page of what happened in the account, before a time. */
    entries: (beforeMs = Number.MAX_SAFE_INTEGER): CreditEntries => listCreditEntries(rows, beforeMs),
    /** When the account has something to do, in Unix milliseconds: a top-up to look up, or old calls to forget. */
    nextDueAtMs: (): number | undefined => {
      const looks = rows.openPledges(MAX_OPEN_PLEDGES).map((pledge) => computeNextPledgeLookMs(pledge, now()));
      const prunes = rows.hasCalls() ? [now() + PRUNE_EVERY_MS] : [];
      const due = Math.min(...looks, ...prunes);
      return Number.isFinite(due) ? due : undefined;
    },
  };
}

/** Adds what an operator orders, and writes down why, in one step. */
function writeAdjustment(rows: CreditRows, order: AdjustOrder, nowMs: number): AdjustResult {
  const { count, sinceMicroUsdc: lastDayMicroUsdc } = rows.sumAdjustments(computeAdjustedSinceMs(nowMs));
  const { result, state } = decideAdjustment(
    order,
    {
      state: rows.account(),
      call: order.kind === 'refund_call' ? rows.call(order.callId) : undefined,
      known: rows.adjustment(formatAdjustmentId(order)),
      count,
      lastDayMicroUsdc,
    },
    nowMs,
  );
  if (state !== undefined && result.ok) {
    rows.writeAccount(state);
    rows.writeAdjustment(result.adjustment);
    rows.lines.add(toAddedLine(result.adjustment));
  }
  return result;
}

function listCreditEntries(rows: CreditRows, beforeMs: number): CreditEntries {
  const read = MAX_ENTRIES_LISTED + 1;
  return mergeCreditEntries(
    {
      calls: rows.capturedBefore(beforeMs, read),
      pledges: rows.pledgesBefore(beforeMs, read),
      adjustments: rows.adjustmentsBefore(beforeMs, read),
      cardMoves: rows.cardMovesBefore(beforeMs, read),
      isRefunded: (callId) => rows.adjustment(`call:${callId}`) !== undefined,
    },
    MAX_ENTRIES_LISTED,
  );
}

/** The part of the book that is about top-ups. */
function createTopUps(rows: CreditRows, now: () => number) {
  return {
    /** False: too many top-ups are open. One that was credited before stays credited. */
    pledge: (request: PledgeRequest): boolean => {
      const known = rows.pledge(request);
      if (known?.phase === 'credited') return true;
      if (known?.phase !== 'open' && rows.openPledges(MAX_OPEN_PLEDGES).length >= MAX_OPEN_PLEDGES) return false;
      rows.writePledge({ ...request, pledgedAtMs: now(), phase: 'open' });
      return true;
    },
    openPledges: (): readonly Pledge[] => rows.openPledges(MAX_OPEN_PLEDGES),
    /** Applies the ledger's word about a pledge: judged as it is now, since it may have been promised again meanwhile. */
    resolve: (seen: Pledge, sold: SoldAs): 'keep' | 'drop' | 'lose' | 'credit' => {
      const pledge = rows.pledge(seen);
      if (pledge?.phase !== 'open') return 'keep';
      const judged = judgePledge(pledge, sold, now());
      if (sold.state === 'unsettled' && !pledge.wasSeen) rows.writePledge({ ...pledge, wasSeen: true });
      if (judged.verdict === 'drop') rows.dropPledge(pledge);
      if (judged.verdict === 'lose') rows.writePledge({ ...pledge, phase: 'lost' });
      if (judged.verdict === 'credit') {
        const { amountMicroUsdc } = judged;
        const account = addTopUp(rows.account(), amountMicroUsdc);
        rows.writePledge({ ...pledge, phase: 'credited' });
        rows.writeAccount(account);
        const { balanceMicroUsdc } = account;
        rows.lines.add(toTopUpLine(pledge, { atMs: now(), amountMicroUsdc, balanceMicroUsdc }));
      }
      return judged.verdict;
    },
  };
}

/** The part of the book that is about purchases by card. */
function createCardSteps(rows: CreditRows, now: () => number) {
  return {
    applyCard: (target: CardTarget): CardBalance => {
      const { purchase } = target;
      const holds = rows.cardHolds(purchase);
      const step = applyCardTarget(rows.account(), rows.cardHolding(purchase), target, holds);
      const { result, state, holding, ended = [], moves } = step;
      if (state !== undefined) rows.writeAccount(state);
      if (holding === undefined) return result;
      rows.writeCardHolding(holding);
      for (const hold of ended) rows.writeCardHold({ ...hold, isEnded: true });
      for (const line of moves.map((move) => toCardLine(holding, move, now()))) {
        rows.lines.add(line);
        rows.writeCardMove(line);
      }
      return result;
    },
    holdCard: (hold: CardHold): CardApplied => {
      const isHeld = rows.cardHolds(hold.purchase).some(({ id }) => id === hold.id);
      const { result, state } = takeCardHold(rows.account(), isHeld, hold, now());
      if (state !== undefined) {
        rows.writeAccount(state);
        rows.writeCardHold(hold);
      }
      return result;
    },
  };
}

/**
 * Ends what the owner of an account that is deleted has left. The calls and the top-ups stay: they say that a payment was
 * credited once, and which reports were paid. What is under way has to end first.
 * @param isAccepted the owner agreed to lose the balance
 */
function endCredits(rows: CreditRows, isAccepted: boolean, nowMs: number): Forfeited {
  const account = dropExpired(rows.account(), nowMs);
  if (account.open.length > 0 || rows.openPledges(1).length > 0 || rows.hasCardHolds())
    return { ok: false, reason: 'credits_under_way' };
  const { balanceMicroUsdc } = account;
  if (balanceMicroUsdc > 0 && !isAccepted) return { ok: false, reason: 'credits_left' };
  // What is owed stays owed: a deleted account that comes back is the same account.
  rows.writeAccount({ ...account, balanceMicroUsdc: Math.min(0, balanceMicroUsdc), spending: {} });
  rows.lines.clear();
  return { ok: true, forfeitedMicroUsdc: Math.max(0, balanceMicroUsdc) };
}

function toCreditView(rows: CreditRows, nowMs: number): CreditView {
  const account = rows.account();
  const balanceMicroUsdc = computeFreeMicroUsdc(account, nowMs);
  const clientIds = [...new Set([...Object.keys(account.spending), ...account.open.map(({ clientId }) => clientId)])];
  const pledged = rows.openPledges(MAX_OPEN_PLEDGES);
  return {
    balanceMicroUsdc,
    reservedMicroUsdc: account.balanceMicroUsdc - balanceMicroUsdc,
    pendingMicroUsdc: pledged.reduce((sum, { amountMicroUsdc }) => sum + amountMicroUsdc, 0),
    clients: clientIds
      .map((clientId) => ({ clientId, spentMicroUsdc: computeSpentMicroUsdc(account, clientId, nowMs) }))
      .filter((client) => client.spentMicroUsdc > 0),
  };
}
