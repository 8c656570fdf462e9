import { extractEmailDomain } from '../../lib/email.ts';
import { type InboxContext, KEEP_GONE_MS, formatSubject } from './tables.ts';
import type { UserState } from '../sinks/sink.ts';
import type { DirectoryUser } from '../vendor/vendor.ts';

/**
 * What is known of a user: as it was last read; with `readStamp` 0 it was listed only. `subject`: for whom it was last read
 * or listed, as columns hold it.
 */
export type UserReadings = { state: string; etag: string; fingerprint: string; readStamp: number; subject: string };

export function findUserReadings({ run }: InboxContext, userId: string): UserReadings | undefined {
  const [row] = run('SELECT state, etag, fingerprint, read_stamp, subject FROM known WHERE user_id = ?', userId);
  if (row === undefined) return undefined;
  const { state, etag, fingerprint, read_stamp: readStamp, subject } = row;
  return {
    state: String(state),
    etag: String(etag),
    fingerprint: String(fingerprint),
    readStamp: Number(readStamp),
    subject: String(subject),
  };
}

/**
 * Whether a 404 says that the user is gone. It may as well be out of sight of whom it was read for: where others saw it,
 * they are to say so.
 */
export const isProofOfGone = (known: UserReadings | undefined, subject: string | undefined): boolean =>
  known === undefined || known.state === 'gone' || known.subject === formatSubject(subject);

/** Whether a reading finds what the last reading found. A user that was only listed before was never delivered. */
export function isLastReading(known: UserReadings, seen: UserState): boolean {
  if (known.readStamp === 0 || known.state !== seen.state) return false;
  if (seen.state === 'gone') return true;
  const { etag, fingerprint } = seen.user;
  return etag !== '' && known.etag !== '' ? etag === known.etag : fingerprint === known.fingerprint;
}

/**
 * Whether a listing shows another user than is known. Entity tags of lists are no good for that: see `DirectoryUser`.
 * One that is gone has no fingerprint, so it differs once it is back.
 */
export const hasChanged = (known: UserReadings, user: DirectoryUser): boolean => known.fingerprint !== user.fingerprint;

type UserReading = { userId: string; seen: UserState; stamp: number; readAtMs: number; subject: string | undefined };

export function writeReading(
  { run, now }: InboxContext,
  { userId, seen, stamp, readAtMs, subject }: UserReading,
): void {
  const { etag, fingerprint, primaryEmail } =
    seen.state === 'gone' ? { etag: '', fingerprint: '', primaryEmail: '' } : seen.user;
  run(
    `INSERT INTO known (user_id, state, etag, fingerprint, domain, read_stamp, read_ms, subject, prune_ms, listed,
       listed_ms) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 0)
     ON CONFLICT (user_id) DO UPDATE SET state = excluded.state, etag = excluded.etag,
       fingerprint = excluded.fingerprint, domain = excluded.domain, read_stamp = excluded.read_stamp,
       read_ms = excluded.read_ms, subject = excluded.subject, prune_ms = excluded.prune_ms`,
    userId,
    seen.state,
    etag,
    fingerprint,
    extractEmailDomain(primaryEmail),
    stamp,
    readAtMs,
    formatSubject(subject),
    seen.state === 'gone' ? now() + KEEP_GONE_MS : null,
  );
}

/** In which listing a user was seen, and for whom. */
type Sighting = { round: number; subject: string };

export function writeListed({ run, now }: InboxContext, user: DirectoryUser, { round, subject }: Sighting): void {
  run('UPDATE known SET listed = ?, listed_ms = ?, subject = ? WHERE user_id = ?', round, now(), subject, user.id);
}

/** Writes down a user of the first listing, unless it is known. */
export function writeBaseline({ run, now }: InboxContext, user: DirectoryUser, { round, subject }: Sighting): void {
  run(
    `INSERT INTO known (user_id, state, etag, fingerprint, domain, read_stamp, read_ms, listed, listed_ms, subject)
       VALUES (?, ?, '', ?, ?, 0, 0, ?, ?, ?) ON CONFLICT (user_id) DO NOTHING`,
    user.id,
    user.suspended ? 'suspended' : 'active',
    user.fingerprint,
    extractEmailDomain(user.primaryEmail),
    round,
    now(),
    subject,
  );
}
