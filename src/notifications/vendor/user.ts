import * as z from 'zod';
import { sha256Hex } from '../../lib/digest.ts';
import type { DirectoryUser } from './vendor.ts';

/** What changes by itself, or is not the same in a list and by itself. */
const VOLATILE = new Set(['kind', 'etag', 'lastLoginTime', 'thumbnailPhotoUrl', 'thumbnailPhotoEtag']);
/** What lies deeper counts for nothing in a fingerprint; users are four levels deep. */
const MAX_DEPTH = 32;

/**
 * A user in the vendor's words; fields that it leaves out are false or empty. A text that is none is empty too; an id or a
 * state that is none makes it no user.
 */
export const userSchema = z.looseObject({
  id: z.string().min(1).max(256),
  primaryEmail: z.string().max(320).catch(''),
  suspended: z.boolean().default(false),
  archived: z.boolean().default(false),
  isAdmin: z.boolean().default(false),
  orgUnitPath: z.string().max(4_096).catch(''),
  etag: z.string().max(1_024).catch(''),
});

/** @param user as `userSchema` parsed it */
export async function directoryUser(user: z.infer<typeof userSchema>): Promise<DirectoryUser> {
  const { id, primaryEmail, suspended, archived, isAdmin, orgUnitPath, etag } = user;
  const fingerprint = await fingerprintOf(user);
  return { id, primaryEmail, suspended, archived, isAdmin, orgUnitPath, etag, fingerprint };
}

const fingerprintOf = (user: Record<string, unknown>): Promise<string> =>
  sha256Hex(canonical(Object.fromEntries(Object.entries(user).filter(([name]) => !VOLATILE.has(name)))));

/** JSON with the names of each object in order, so that one value has one text. */
function canonical(value: unknown, depth = 0): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (depth === MAX_DEPTH) return '"deeper"';
  if (Array.isArray(value)) return `[${value.map((item) => canonical(item, depth + 1)).join(',')}]`;
  const members = Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1));
  return `{${members.map(([name, item]) => `${JSON.stringify(name)}:${canonical(item, depth + 1)}`).join(',')}}`;
}
