import type { Call, Context } from '../../core/engine/operation.ts';
import type { Address, ResourceRow } from '../../core/engine/stored-row.ts';
import type { JsonObject } from '../../../lib/json.ts';
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

/** Limits of a page. */
export const FILE_PAGE = { parameter: 'pageSize', default: 100, max: 1_000 } as const;
export const COMMENT_PAGE = { parameter: 'pageSize', default: 20, max: 100 } as const;

/** @throws Refusal 404 `File not found: <id>.` */
export const requireDriveFile = (id: string, context: Context): ResourceRow =>
  requireDriveRow({ collection: DRIVE.files, parent: '', id }, 'File', 'fileId', context);

/** The comment that a path names. */
export function requireComment({ path }: Call, context: Context): ResourceRow {
  const { id: parent } = requireDriveFile(path['fileId'] ?? '', context);
  const address = { collection: DRIVE.comments, parent, id: path['commentId'] ?? '' };
  return requireDriveRow(address, 'Comment', 'commentId', context);
}

/** The parent of replies to the comment that a path names. */
export function formatReplyParent(call: Call, context: Context): string {
  const { parent, id } = requireComment(call, context);
  return `${parent}/${id}`;
}

/** @throws Refusal 404 `File not found: <id>.` in the vendor's words, with the parameter that is to blame */
export function requireDriveRow(address: Address, what: string, parameter: string, { store }: Context): ResourceRow {
  const row = store.get(address.collection, address.parent, address.id);
  if (row !== undefined) return row;
  throw new Refusal({
    status: 404,
    word: 'NOT_FOUND',
    reason: 'notFound',
    message: `${what} not found: ${address.id}.`,
    location: { name: parameter, type: 'parameter' },
  });
}

/** The caller, as the vendor shows a user to itself. */
export const buildDriveUser = ({ caller }: Call, { tenant }: Context): JsonObject => ({
  kind: 'drive#user',
  displayName: caller.kind === 'service' ? 'Service account' : 'Operator',
  me: true,
  permissionId: caller.userId,
  emailAddress: `${caller.kind}@${tenant.domain}`,
});
