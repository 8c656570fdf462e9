import { supersedeEffects, writeDeliveries } from './deliveries.ts';
import type { InboxState, ReadingOutcome, Unit } from './inbox-state.ts';
import { isLastReading, isProofOfGone, type UserReadings, findUserReadings, writeReading } from './user-readings.ts';
import { formatErrorText, moveMessages, type Next, insertDeadMessage } from './message-transitions.ts';
import {
  type InboxContext,
  MAX_TRIES,
  findOwnRow,
  parseSubject,
  formatSubject,
  getTextOr,
  computeRetryWaitMs,
} from './tables.ts';
import type { UserEffect } from '../sinks/sink.ts';

/** Words in one text column, each between line ends: whether one is there can be asked in SQL. */
const MAX_WORD_CHARS = 64;
const MAX_WORDS = 20;
/** Longest text to which SQL adds a word. */
export const MAX_WORDS_CHARS = MAX_WORDS * MAX_WORD_CHARS;

/** One word as the column holds it. */
export const encodeCause = (word: string): string => `\n${word.replaceAll('\n', ' ').slice(0, MAX_WORD_CHARS)}\n`;

/** The words of a column, each once. */
export const decodeCauses = (text: unknown): readonly string[] => [
  ...new Set(
    String(text)
      .split('\n')
      .filter((word) => word !== ''),
  ),
];

/** The words of both, each once, and not too many. */
export const mergeCauses = (one: unknown, other: unknown): string =>
  [...new Set([...decodeCauses(one), ...decodeCauses(other)])].slice(0, MAX_WORDS).map(encodeCause).join('');

/** Why a 404 was not believed. */
const UNPROVEN = 'out of sight of the administrator it was read for, who is not the one that saw the user there';

/** A user that is to be read, with what led to it. `subject`: as columns hold it; null: as it was, or as the inbox's. */
export type PendingUserMark = { userId: string; stamp: number; cause: string; subject: string | null };

/** What a mark does to a unit that is marked already; its lease and its waits stay. */
export const ON_MARKED = `ON CONFLICT (user_id) DO UPDATE SET stamp = max(stamp, excluded.stamp),
  subject = coalesce(excluded.subject, subject),
  causes = CASE WHEN instr(causes, excluded.causes) > 0 OR length(causes) > ${MAX_WORDS_CHARS} THEN causes
    ELSE causes || excluded.causes END`;
const MARK = `INSERT INTO unit (user_id, stamp, due_ms, causes, subject) VALUES (?, ?, ?, ?, ?) ${ON_MARKED}`;

/** A user is to be read again. */
export function mark({ run, now }: InboxContext, { userId, stamp, cause, subject }: PendingUserMark): void {
  run(MARK, userId, stamp, now(), encodeCause(cause), subject);
}

/** Units that are due, leased: a worker that dies with one loses it when the lease runs out. */
export function claimUnits(context: InboxContext, limit: number): readonly Unit[] {
  const { run, limits } = context;
  const nowMs = context.now();
  const due = run(
    'SELECT user_id, stamp, tries, causes, claimed, subject FROM unit WHERE due_ms <= ? ORDER BY due_ms LIMIT ?',
    nowMs,
    limit,
  );
  const ownSubject = due.length > 0 ? getTextOr(findOwnRow(context)?.['subject'], '') : '';
  return due.map((row): Unit => {
    const [userId, stamp] = [String(row['user_id']), Number(row['stamp'])];
    const claimed = mergeCauses(row['claimed'], row['causes']);
    run(
      `UPDATE unit SET due_ms = ?, claimed = ?, claim = ?, causes = '' WHERE user_id = ?`,
      nowMs + limits.leaseMs,
      claimed,
      stamp,
      userId,
    );
    const subject = parseSubject(getTextOr(row['subject'], ownSubject));
    return { userId, stamp, tries: Number(row['tries']), causes: decodeCauses(claimed), subject };
  });
}

/** Books a reading: see `InboxState`. */
export function recordReading(context: InboxContext, outcome: ReadingOutcome): ReturnType<InboxState['found']> {
  const { unit, seen, readAtMs } = outcome;
  const { userId, stamp, subject } = unit;
  const known = findUserReadings(context, userId);
  // Someone else's reading of this stamp or a later one was booked before: an effect of this one would have its id.
  if (known !== undefined && known.readStamp >= stamp) return 'unchanged';
  if (known !== undefined && seen.state === 'gone' && !isProofOfGone(known, subject))
    return readFor(context, unit, known);
  release(context, unit);
  const isSame = known !== undefined && isLastReading(known, seen);
  writeReading(context, { userId, seen, stamp, readAtMs, subject });
  const next = isSame ? ({ state: 'worked' } as const) : startDeliveries(context, outcome);
  moveMessages(context, 'waitingOfUser', [userId, stamp], next);
  moveMessages(context, 'unreadOfUser', [userId, stamp], next);
  return isSame ? 'unchanged' : 'told';
}

/** Writes the effect of a reading, in place of those before it. @returns what becomes of its messages */
function startDeliveries(context: InboxContext, outcome: ReadingOutcome): Next {
  const effect = computeUserEffect(context, outcome);
  const sinks = outcome.sinksFor(effect);
  const next: Next = sinks.length > 0 ? { state: 'delivering', effect: effect.id } : { state: 'worked' };
  supersedeEffects(context, effect.userId, next);
  writeDeliveries(context, effect, sinks);
  return next;
}

/** The user is to be read again, now, for those who saw it there: as a try that failed, so that it has an end. */
function readFor(context: InboxContext, unit: Unit, { subject }: UserReadings): 'unproven' {
  if (recordReadFailure(context, unit, { detail: UNPROVEN }) === 'again')
    context.run(
      'UPDATE unit SET subject = ?, due_ms = ? WHERE user_id = ? AND claim = ? AND tries = ?',
      subject,
      context.now(),
      unit.userId,
      unit.stamp,
      unit.tries + 1,
    );
  return 'unproven';
}

/** Ends the claim: the unit is gone, unless it was marked again since; another's claim of a later mark is left alone. */
function release({ run, now }: InboxContext, { userId, stamp }: Unit): void {
  run('DELETE FROM unit WHERE user_id = ? AND stamp <= ?', userId, stamp);
  run(
    `UPDATE unit SET tries = 0, error = NULL, claimed = '', claim = 0, due_ms = ? WHERE user_id = ? AND claim = ?`,
    now(),
    userId,
    stamp,
  );
}

function computeUserEffect(context: InboxContext, { unit, seen, readAtMs }: ReadingOutcome): UserEffect {
  const customer = String(findOwnRow(context)?.['customer']);
  const { userId, stamp, causes } = unit;
  return { type: 'user', id: `${customer}/${userId}/${stamp}`, customer, userId, stamp, seen, causes, readAtMs };
}

/** Books a try that failed: see `InboxState`. */
export function recordReadFailure(
  context: InboxContext,
  unit: Unit,
  { detail, retryAfterMs }: { detail: string; retryAfterMs?: number | undefined },
): 'again' | 'dead' {
  const { run, now } = context;
  const [row] = run('SELECT stamp, tries, claim FROM unit WHERE user_id = ?', unit.userId);
  // The lease ran out and someone else has booked something since: that counts.
  if (row === undefined || Number(row['claim']) !== unit.stamp || Number(row['tries']) !== unit.tries) return 'again';
  const tries = unit.tries + 1;
  if (tries < MAX_TRIES) {
    run(
      'UPDATE unit SET tries = ?, error = ?, due_ms = ? WHERE user_id = ?',
      tries,
      formatErrorText(detail),
      now() + computeRetryWaitMs(tries, retryAfterMs),
      unit.userId,
    );
    return 'again';
  }
  release(context, unit);
  abandonUser(context, unit, tries, detail);
  return 'dead';
}

/** The messages that led here are dead. Where none did, one is inserted for them, once. */
function abandonUser(
  context: InboxContext,
  { userId, stamp, causes, subject }: Unit,
  tries: number,
  error: string,
): void {
  const next: Next = { state: 'dead', effect: null, tries, error };
  if (moveMessages(context, 'waitingOfUser', [userId, stamp], next) > 0) return;
  const [dead] = context.run(
    `SELECT seq FROM message WHERE user_id = ? AND state = 'dead' AND effect IS NULL LIMIT 1`,
    userId,
  );
  if (dead !== undefined) return;
  const event = causes[0] ?? 'resync';
  insertDeadMessage(context, { userId, effect: null, event, tries, error, subject: formatSubject(subject) });
}
