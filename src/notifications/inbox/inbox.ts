import type { Alert } from '../core/alerts.ts';
import type { SqlRow } from '../../lib/sqlite.ts';
import type { ReplayRange, ReplayReport, StateTools } from '../core/protocol.ts';
import type { AlertEffect, Effect } from '../sinks/sink.ts';
import { admitMessage, forgetChannels, recordChannelWord } from './channel-words.ts';
import { claimDeliveries, recordDelivered, revive, recordFailedEffect, writeDeliveries } from './deliveries.ts';
import type { Digested, InboxState } from './inbox-state.ts';
import { digestJournalRows, type Journal, appendToJournal, openJournal } from './journal.ts';
import { listMessages, findSequenceRange, readInboxStatus } from './list-queries.ts';
import { moveMessages, tally } from './message-transitions.ts';
import { claimUnits, recordReadFailure, recordReading, mark } from './pending-users.ts';
import { claimResync, recordListedPage, requestResync, recordListingFailure } from './resync.ts';
import {
  requireOwner,
  type InboxContext,
  type InboxLimits,
  KEEP_GONE_MS,
  takeNextStamp,
  openInboxContext,
  findOwnRow,
  getTextOr,
} from './tables.ts';

/** Deletes what was kept long enough, a bounded number of rows. @returns whether there is more */
function prune(context: InboxContext): boolean {
  const { run, limits } = context;
  const nowMs = context.now();
  const gone = run(
    `DELETE FROM known WHERE user_id IN (SELECT user_id FROM known WHERE prune_ms <= ? ORDER BY prune_ms LIMIT ?)
       RETURNING user_id`,
    nowMs,
    limits.pruneRows,
  ).length;
  // An alert that no one ended may be raised again after as long a time.
  const alerts = run(
    `DELETE FROM alert WHERE (kind, subject) IN (SELECT kind, subject FROM alert WHERE raised_ms <= ?
       ORDER BY raised_ms LIMIT ?) RETURNING kind`,
    nowMs - KEEP_GONE_MS,
    limits.pruneRows,
  ).length;
  return Math.max(pruneMessages(context, nowMs), forgetChannels(context, nowMs), alerts, gone) >= limits.pruneRows;
}

function pruneMessages(context: InboxContext, nowMs: number): number {
  const gone = context.run(
    `DELETE FROM message WHERE seq IN (SELECT seq FROM message WHERE prune_ms <= ? ORDER BY prune_ms LIMIT ?)
       RETURNING channel, state, effect`,
    nowMs,
    context.limits.pruneRows,
  );
  for (const { channel, effect } of gone.filter(({ state }) => state === 'dead')) {
    tally(context, String(channel), { dead: -1 });
    if (typeof effect === 'string') context.run(DROP_DELIVERIES, effect, effect);
  }
  return gone.length;
}

/** No one can replay them any more. */
const DROP_DELIVERIES = `DELETE FROM delivery WHERE effect = ? AND due_ms IS NULL
  AND NOT EXISTS (SELECT 1 FROM message WHERE effect = ?)`;

const DUE = [
  'SELECT min(due_ms) AS due FROM unit',
  'SELECT min(due_ms) AS due FROM delivery WHERE due_ms IS NOT NULL',
  'SELECT min(due_ms) AS due FROM resync',
] as const;

/** When something is to be taken in, read, delivered or listed next. Pruning waits for the next visit. */
function computeNextDueMs({ run, now }: InboxContext, journal: Journal): number | undefined {
  if (journal.messages > 0) return now();
  const due = DUE.map((query) => run(query)[0]?.['due']).filter((value) => typeof value === 'number');
  return due.length === 0 ? undefined : Math.min(...due);
}

const SELECT = 'SELECT seq, user_id, effect, subject FROM message WHERE seq >= ? AND seq < ?';
const OLDEST = `AND state = 'dead' ORDER BY seq LIMIT ?`;
/** The state is part of the query's text, so that SQLite may use the index of dead messages of a channel. */
const RANGES = { all: `${SELECT} ${OLDEST}`, channel: `${SELECT} AND channel = ? ${OLDEST}` } as const;

/**
 * Sets dead messages going again, the oldest first. Those that go together (same effect) go together; a message that is
 * no longer dead is left alone, so the same call twice has no second effect.
 */
function replay(context: InboxContext, range: ReplayRange): ReplayReport {
  const { from, to } = findSequenceRange(context, range);
  const only = range.seq ?? from;
  const bounds = [Math.max(from, only), range.seq === undefined ? to : Math.min(to, only + 1)];
  const { replayRows } = context.limits;
  const dead =
    range.channel === undefined
      ? context.run(RANGES.all, ...bounds, replayRows + 1)
      : context.run(RANGES.channel, ...bounds, range.channel, replayRows + 1);
  const chosen = dead.slice(0, replayRows);
  const started = new Set<string>();
  for (const row of chosen) replayMessage(context, row, started);
  return { replayed: chosen.length, more: dead.length > replayRows };
}

function replayMessage(context: InboxContext, row: SqlRow, started: Set<string>): void {
  const effect = getTextOr(row['effect'], undefined);
  if (effect !== undefined && started.has(effect)) return;
  if (effect === undefined) {
    readAgain(context, row);
    return;
  }
  started.add(effect);
  revive(context, effect);
  moveMessages(context, 'deadOfEffect', [effect], { state: 'delivering', effect });
}

/** Its user could not be read. Only messages that name a user die so. */
function readAgain(context: InboxContext, row: SqlRow): void {
  moveMessages(context, 'deadOne', [Number(row['seq'])], { state: 'waiting' });
  const subject = getTextOr(row['subject'], null);
  mark(context, { userId: String(row['user_id']), stamp: takeNextStamp(context), cause: 'replay', subject });
}

const MAX_DETAIL_CHARS = 500;

/** Opens an alert and writes its deliveries to sinks. @returns false when it is open already */
function raise(
  context: InboxContext,
  customer: string,
  { alert, sinksFor }: { alert: Alert; sinksFor: (effect: Effect) => readonly string[] },
): boolean {
  requireOwner(context, customer);
  const detail = alert.detail.slice(0, MAX_DETAIL_CHARS);
  const opened = context.run(
    'INSERT INTO alert (kind, subject, raised_ms, detail) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING RETURNING kind',
    alert.kind,
    alert.subject,
    alert.raisedAtMs,
    detail,
  );
  if (opened.length === 0) return false;
  const id = `${customer}/alert/${takeNextStamp(context)}`;
  const effect: AlertEffect = { type: 'alert', id, customer, alert: { ...alert, detail } };
  writeDeliveries(context, effect, sinksFor(effect));
  return true;
}

/** Ends an alert: it may be raised again. */
function endAlert({ run }: InboxContext, kind: Alert['kind'], subject: string): void {
  run('DELETE FROM alert WHERE kind = ? AND subject = ?', kind, subject);
}

/**
 * The state of one customer's inbox over the SQLite of its object: each call is one transaction, and nothing is held
 * outside the tables but a count of the journal, so it may be opened again at any moment. One of them is open at a time.
 */
export function openInbox(tools: StateTools & { limits?: Partial<InboxLimits> }): InboxState {
  const context = openInboxContext(tools, tools.limits ?? {});
  const journal = openJournal(context);
  const { transaction } = tools;
  return {
    learn: (customer, channel) => transaction(() => recordChannelWord(context, customer, channel)),
    admit: (text, resourceId) => admitMessage(context, text, resourceId),
    keep: (customer, list) => {
      const outcomes = transaction(() => appendToJournal(context, journal, { customer, texts: list }));
      // Only now: what is rolled back is not there.
      journal.customer = customer;
      journal.messages += outcomes.filter((outcome) => outcome === 'kept').length;
      return outcomes;
    },
    digest: () => {
      const outcome: Digested = transaction(() => digestJournalRows(context, journal));
      journal.messages -= outcome.digested;
      return outcome;
    },
    customer: () => getTextOr(findOwnRow(context)?.['customer'], undefined),
    claimUnits: (limit) => transaction(() => claimUnits(context, limit)),
    found: (outcome) => transaction(() => recordReading(context, outcome)),
    failed: (unit, why) => transaction(() => recordReadFailure(context, unit, why)),
    claimDeliveries: (limit, sink) => transaction(() => claimDeliveries(context, limit, sink)),
    delivered: (delivery) => transaction(() => recordDelivered(context, delivery)),
    undelivered: (delivery, why) => transaction(() => recordFailedEffect(context, delivery, why)),
    resync: (customer, order) => transaction(() => requestResync(context, customer, order)),
    claimResync: () => transaction(() => claimResync(context)),
    listed: (step, users, nextPageToken) =>
      transaction(() => recordListedPage(context, step, { users, nextPageToken })),
    resyncFailed: (step, why) => transaction(() => recordListingFailure(context, step, why)),
    raise: (customer, alert, sinksFor) => transaction(() => raise(context, customer, { alert, sinksFor })),
    over: (kind, subject) => transaction(() => endAlert(context, kind, subject)),
    messages: (query) => listMessages(context, query),
    replay: (range) => transaction(() => replay(context, range)),
    status: () => readInboxStatus(context, journal),
    prune: () => transaction(() => prune(context)),
    nextDueMs: () => computeNextDueMs(context, journal),
  };
}
