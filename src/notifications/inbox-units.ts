import { writeDeliveries } from './inbox-deliveries.ts';
import type { ReadOutcome, Unit } from './inbox-port.ts';
import { isLastReading, knownOf, writeReading } from './inbox-known.ts';
import { errorText, move, type Next, standIn } from './inbox-moves.ts';
import { type Desk, MAX_TRIES, ownRow, textOr, waitMs } from './inbox-tables.ts';
import { MAX_WORDS_CHARS, mergedWords, wordsOf, wordText } from './inbox-words.ts';
import type { UserEffect } from './sinks/sink.ts';

/** A user that is to be read, with what led to it. */
export type Mark = { userId: string; stamp: number; cause: string; subject: string | null };

/** What a mark does to a unit that is marked already; the lease and the waits of it stand. */
export const ON_MARKED = `ON CONFLICT (user_id) DO UPDATE SET stamp = max(stamp, excluded.stamp),
  subject = coalesce(excluded.subject, subject),
  causes = CASE WHEN instr(causes, excluded.causes) > 0 OR length(causes) > ${MAX_WORDS_CHARS} THEN causes
    ELSE causes || excluded.causes END`;
const MARK = `INSERT INTO unit (user_id, stamp, due_ms, causes, subject) VALUES (?, ?, ?, ?, ?) ${ON_MARKED}`;

/** A user is to be read again. */
export function mark({ run, now }: Desk, { userId, stamp, cause, subject }: Mark): void {
  run(MARK, userId, stamp, now(), wordText(cause), subject);
}

/** Units that are due, leased: whoever dies with one loses it when the lease runs out. */
export function claimUnits(desk: Desk, limit: number): readonly Unit[] {
  const { run, limits } = desk;
  const nowMs = desk.now();
  const due = run(
    'SELECT user_id, stamp, tries, causes, claimed, subject FROM unit WHERE due_ms <= ? ORDER BY due_ms LIMIT ?',
    nowMs,
    limit,
  );
  const subject = due.length > 0 ? ownRow(desk)?.['subject'] : undefined;
  return due.map((row): Unit => {
    const [userId, stamp] = [String(row['user_id']), Number(row['stamp'])];
    const claimed = mergedWords(row['claimed'], row['causes']);
    run(
      `UPDATE unit SET due_ms = ?, claimed = ?, claim = ?, causes = '' WHERE user_id = ?`,
      nowMs + limits.leaseMs,
      claimed,
      stamp,
      userId,
    );
    const actsFor = textOr(row['subject'], textOr(subject, undefined));
    return { userId, stamp, tries: Number(row['tries']), causes: wordsOf(claimed), subject: actsFor };
  });
}

/** Books a reading: see `InboxState`. */
export function found(desk: Desk, outcome: ReadOutcome): 'told' | 'unchanged' {
  const { unit, seen, readAtMs } = outcome;
  const known = knownOf(desk, unit.userId);
  // Somebody else's reading of this stamp or a later one was booked before: an effect of this one would have its id.
  if (known !== undefined && known.readStamp >= unit.stamp) return 'unchanged';
  release(desk, unit);
  const isSame = known !== undefined && isLastReading(known, seen);
  writeReading(desk, { userId: unit.userId, seen, stamp: unit.stamp, readAtMs });
  const effect = isSame ? undefined : effectOf(desk, outcome);
  const told = effect !== undefined && writeDeliveries(desk, effect, outcome.sinksFor(effect)) > 0;
  const next: Next = told ? { state: 'delivering', effect: effect.id } : { state: 'worked' };
  move(desk, 'waitingOfUser', [unit.userId, unit.stamp], next);
  move(desk, 'unreadOfUser', [unit.userId, unit.stamp], next);
  return isSame ? 'unchanged' : 'told';
}

/** Ends the claim: the unit is gone, unless it was marked again since; another's claim of a later mark is left alone. */
function release({ run, now }: Desk, { userId, stamp }: Unit): void {
  run('DELETE FROM unit WHERE user_id = ? AND stamp <= ?', userId, stamp);
  run(
    `UPDATE unit SET tries = 0, error = NULL, claimed = '', claim = 0, due_ms = ? WHERE user_id = ? AND claim = ?`,
    now(),
    userId,
    stamp,
  );
}

function effectOf(desk: Desk, { unit, seen, readAtMs }: ReadOutcome): UserEffect {
  const customer = String(ownRow(desk)?.['customer']);
  const { userId, stamp, causes } = unit;
  return { type: 'user', id: `${customer}/${userId}/${stamp}`, customer, userId, stamp, seen, causes, readAtMs };
}

/** Books a try that failed: see `InboxState`. */
export function failed(
  desk: Desk,
  unit: Unit,
  { detail, retryAfterMs }: { detail: string; retryAfterMs?: number | undefined },
): 'again' | 'dead' {
  const { run, now } = desk;
  const [row] = run('SELECT stamp, tries, claim FROM unit WHERE user_id = ?', unit.userId);
  // The lease ran out and somebody else has booked something since: that counts.
  if (row === undefined || Number(row['claim']) !== unit.stamp || Number(row['tries']) !== unit.tries) return 'again';
  const tries = unit.tries + 1;
  if (tries < MAX_TRIES) {
    run(
      'UPDATE unit SET tries = ?, error = ?, due_ms = ? WHERE user_id = ?',
      tries,
      errorText(detail),
      now() + waitMs(tries, retryAfterMs),
      unit.userId,
    );
    return 'again';
  }
  release(desk, unit);
  giveUp(desk, unit, tries, detail);
  return 'dead';
}

/** The messages that led here are dead. Where none did, one stands in for them, once. */
function giveUp(desk: Desk, { userId, stamp, causes }: Unit, tries: number, error: string): void {
  const next: Next = { state: 'dead', effect: null, tries, error };
  if (move(desk, 'waitingOfUser', [userId, stamp], next) > 0) return;
  const [dead] = desk.run(
    `SELECT seq FROM message WHERE user_id = ? AND state = 'dead' AND effect IS NULL LIMIT 1`,
    userId,
  );
  if (dead === undefined) standIn(desk, { userId, effect: null, event: causes[0] ?? 'resync', tries, error });
}
