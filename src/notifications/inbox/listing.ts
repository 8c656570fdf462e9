import { differs, knownOf, writeBaseline, writeListed } from './user-readings.ts';
import { type Desk, nextStamp } from './tables.ts';
import { mark } from './pending-users.ts';
import type { DirectoryUser } from '../vendor/vendor.ts';

type Listing = {
  round: number;
  /** For whom they were listed, as columns hold it. */
  subject: string;
  /** Nobody was listed before: users that are not known are written down, not told. */
  isBaseline: boolean;
};

/** Compares listed users with what is known of them, and marks those that are to be read. */
export function listUsers(desk: Desk, users: readonly DirectoryUser[], listing: Listing): void {
  const toRead = users.filter((user) => isToBeRead(desk, user, listing));
  if (toRead.length === 0) return;
  const stamp = nextStamp(desk);
  for (const { id } of toRead) mark(desk, { userId: id, stamp, cause: 'resync', subject: listing.subject });
}

function isToBeRead(desk: Desk, user: DirectoryUser, listing: Listing): boolean {
  const known = knownOf(desk, user.id);
  if (known !== undefined) {
    writeListed(desk, user, listing);
    return differs(known, user);
  }
  if (!listing.isBaseline) return true;
  writeBaseline(desk, user, listing);
  return user.suspended || user.archived; // Whoever lost access before we watched is told of as well.
}
