import type { Call, Context } from '../../core/engine/operation.ts';
import { type JsonObject } from '../../../lib/json.ts';
import { Refusal } from '../../../lib/refusal.ts';

/** Names in the store. */
export const DRIVE = {
  /** id = file id; s1 name, lower case, s2 and s3 the times it was made and changed. */
  files: 'drive.files',
  /** parent = file id; s1 = time of the last change. */
  comments: 'drive.comments',
  /** parent = `<file id>/<comment id>`. */
  replies: 'drive.replies',
} as const;

/** The caller, as the vendor shows a user to itself. */
export const buildDriveUser = ({ caller }: Call, { tenant }: Context): JsonObject => ({
  kind: 'drive#user',
  displayName: caller.kind === 'service' ? 'Service account' : 'Operator',
  me: true,
  permissionId: caller.userId,
  emailAddress: `${caller.kind}@${tenant.domain}`,
});

/** @throws Refusal 404 `File not found: <id>.` in the vendor's words, with the parameter that is to blame */
export function refuseMissingDriveItem(what: string, id: string, parameter: string): never {
  throw new Refusal({
    status: 404,
    word: 'NOT_FOUND',
    reason: 'notFound',
    message: `${what} not found: ${id}.`,
    location: { name: parameter, type: 'parameter' },
  });
}
