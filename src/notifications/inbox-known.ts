import { type Desk, KEEP_GONE_MS } from './inbox-tables.ts';
import type { Seen } from './sinks/sink.ts';
import type { DirectoryUser } from './vendor.ts';

/** What is known of a user: as it was last read; with `readStamp` 0 it was listed only. */
export type Known = { state: string; etag: string; fingerprint: string; readStamp: number };

export function knownOf({ run }: Desk, userId: string): Known | undefined {
  const [row] = run('SELECT state, etag, fingerprint, read_stamp FROM known WHERE user_id = ?', userId);
  if (row === undefined) return undefined;
  const { state, etag, fingerprint, read_stamp: readStamp } = row;
  return {
    state: String(state),
    etag: String(etag),
    fingerprint: String(fingerprint),
    readStamp: Number(readStamp),
  };
}

/** Whether a reading finds what the last reading found. A user that was only listed before was never told of. */
export function isLastReading(known: Known, seen: Seen): boolean {
  if (known.readStamp === 0 || known.state !== seen.state) return false;
  if (seen.state === 'gone') return true;
  const { etag, fingerprint } = seen.user;
  return etag !== '' && known.etag !== '' ? etag === known.etag : fingerprint === known.fingerprint;
}

/**
 * Whether a listing shows another user than is known. Entity tags of lists are no good for that: see `DirectoryUser`.
 * One that is gone has no fingerprint, so it differs once it is back.
 */
export const differs = (known: Known, user: DirectoryUser): boolean => known.fingerprint !== user.fingerprint;

type Reading = { userId: string; seen: Seen; stamp: number; readAtMs: number };

export function writeReading({ run, now }: Desk, { userId, seen, stamp, readAtMs }: Reading): void {
  const { etag, fingerprint, primaryEmail } =
    seen.state === 'gone' ? { etag: '', fingerprint: '', primaryEmail: '' } : seen.user;
  run(
    `INSERT INTO known (user_id, state, etag, fingerprint, domain, read_stamp, read_ms, listed, prune_ms)
       VALUES (?, ?, ?, ?, ?, ?, ?, 0, ?)
     ON CONFLICT (user_id) DO UPDATE SET state = excluded.state, etag = excluded.etag,
       fingerprint = excluded.fingerprint, domain = excluded.domain, read_stamp = excluded.read_stamp,
       read_ms = excluded.read_ms, prune_ms = excluded.prune_ms`,
    userId,
    seen.state,
    etag,
    fingerprint,
    domainOf(primaryEmail),
    stamp,
    readAtMs,
    seen.state === 'gone' ? now() + KEEP_GONE_MS : null,
  );
}

/** Writes down a user of the first listing, unless it is known. */
export function writeBaseline({ run }: Desk, user: DirectoryUser, round: number): void {
  run(
    `INSERT INTO known (user_id, state, etag, fingerprint, domain, read_stamp, read_ms, listed)
       VALUES (?, ?, '', ?, ?, 0, 0, ?) ON CONFLICT (user_id) DO NOTHING`,
    user.id,
    user.suspended ? 'suspended' : 'active',
    user.fingerprint,
    domainOf(user.primaryEmail),
    round,
  );
}

/** The part of an address that a listing of one domain goes by. */
export const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1).toLowerCase();
