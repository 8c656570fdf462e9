import { buildShownResource, type Collection } from '../../core/engine/collection.ts';
import type { Call, Context } from '../../core/engine/operation.ts';
import type { Address, ResourceRow } from '../../core/engine/stored-row.ts';
import { type JsonObject, getTextMember } from '../../../lib/json.ts';
import { Refusal } from '../../../lib/refusal.ts';
import { parseReplyAction, requireContent, requireFileId, requireFileName } from './schemas.ts';

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
/** Comments of a file that go with it in one call. */
const MAX_COMMENTS = 1_000;
/** Replies that are shown inside a comment. */
const MAX_SHOWN_REPLIES = 100;
/** Random bytes of a file's id: 33 characters begin with 1, as the vendor's do. */
const FILE_ID_BYTES = 16;
const COMMENT_ID_BYTES = 8;

/** Files by their metadata: content is not kept. */
export const files: Collection = {
  name: DRIVE.files,
  schema: 'File',
  kind: 'drive#file',
  listKind: 'drive#fileList',
  items: 'files',
  page: FILE_PAGE,
  find: ({ path }, context) => requireDriveFile(path['fileId'] ?? '', context),
  create: (call, context, sent) => {
    const id = requireFileId(getTextMember(sent, 'id') || `1${context.random(FILE_ID_BYTES)}`);
    const name = requireFileName(getTextMember(sent, 'name') || 'Untitled');
    const nowIso = new Date(context.now()).toISOString();
    const user = buildDriveUser(call, context);
    const body: JsonObject = {
      mimeType: 'application/octet-stream',
      parents: [`0A${context.tenant.id}`],
      starred: false,
      trashed: false,
      createdTime: nowIso,
      modifiedTime: nowIso,
      ...sent,
      id,
      name,
      ownedByMe: true,
      owners: [user],
      lastModifyingUser: user,
      version: '1',
    };
    return {
      id,
      body,
      s1: name.toLowerCase(),
      s2: getTextMember(body, 'createdTime'),
      s3: getTextMember(body, 'modifiedTime'),
    };
  },
  removing: ({ id }, _call, { store }) => {
    const found = store.list({ collection: DRIVE.comments, parent: id, limit: MAX_COMMENTS });
    for (const { row } of found) store.removeAll(DRIVE.replies, `${id}/${row.id}`);
    store.removeAll(DRIVE.comments, id);
  },
};

/** Comments on a file, with their replies. */
export const comments: Collection = {
  name: DRIVE.comments,
  schema: 'Comment',
  kind: 'drive#comment',
  listKind: 'drive#commentList',
  items: 'comments',
  page: COMMENT_PAGE,
  parentOf: ({ path }, context) => requireDriveFile(path['fileId'] ?? '', context).id,
  find: requireComment,
  create: (call, context, sent) => {
    const body = { ...sent, ...buildComment(requireContent(sent), call, context), resolved: false };
    return { id: getTextMember(body, 'id'), body, s1: getTextMember(body, 'modifiedTime') };
  },
  view: ({ parent, id, body }, call, context) => {
    const found = context.store.list({
      collection: DRIVE.replies,
      parent: `${parent}/${id}`,
      limit: MAX_SHOWN_REPLIES,
    });
    return { ...body, replies: found.map(({ row }) => buildShownResource(replies, row, call, context)) };
  },
};

/** Replies to a comment. One may resolve it, or open it again. */
export const replies: Collection = {
  name: DRIVE.replies,
  schema: 'Reply',
  kind: 'drive#reply',
  listKind: 'drive#replyList',
  items: 'replies',
  page: COMMENT_PAGE,
  parentOf: formatReplyParent,
  find: (call, context) => {
    const place = { collection: DRIVE.replies, parent: formatReplyParent(call, context) };
    return requireDriveRow({ ...place, id: call.path['replyId'] ?? '' }, 'Reply', 'replyId', context);
  },
  create: (call, context, sent) => {
    const content = requireContent(sent, parseReplyAction(sent) === '');
    const body = { ...sent, ...buildComment(content, call, context) };
    return { id: getTextMember(body, 'id'), body };
  },
  inserted: ({ body }, call, context) => {
    const comment = requireComment(call, context);
    const action = getTextMember(body, 'action');
    const modifiedTime = getTextMember(body, 'modifiedTime');
    const resolved = action === '' ? comment.body['resolved'] === true : action === 'resolve';
    const { collection, parent, id } = comment;
    context.store.put({ collection, parent, id, body: { ...comment.body, modifiedTime, resolved }, s1: modifiedTime });
  },
};

/** @throws Refusal 404 `File not found: <id>.` */
export const requireDriveFile = (id: string, context: Context): ResourceRow =>
  requireDriveRow({ collection: DRIVE.files, parent: '', id }, 'File', 'fileId', context);

/** The comment that a path names. */
function requireComment({ path }: Call, context: Context): ResourceRow {
  const { id: parent } = requireDriveFile(path['fileId'] ?? '', context);
  const address = { collection: DRIVE.comments, parent, id: path['commentId'] ?? '' };
  return requireDriveRow(address, 'Comment', 'commentId', context);
}

function formatReplyParent(call: Call, context: Context): string {
  const { parent, id } = requireComment(call, context);
  return `${parent}/${id}`;
}

/** @throws Refusal 404 `File not found: <id>.` in the vendor's words, with the parameter that is to blame */
function requireDriveRow(address: Address, what: string, parameter: string, { store }: Context): ResourceRow {
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

/** What the server says of a comment or reply. */
function buildComment(content: string, call: Call, context: Context): JsonObject {
  const nowIso = new Date(context.now()).toISOString();
  return {
    id: `AAAA${context.random(COMMENT_ID_BYTES)}`,
    content,
    htmlContent: escapeComment(content),
    author: buildDriveUser(call, context),
    createdTime: nowIso,
    modifiedTime: nowIso,
    deleted: false,
  };
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** As the vendor shows it: hidden characters stay. */
const escapeComment = (text: string): string => text.replaceAll(/[&<>"']/g, (char) => ENTITIES[char] ?? char);

/** The caller, as the vendor shows a user to itself. */
export const buildDriveUser = ({ caller }: Call, { tenant }: Context): JsonObject => ({
  kind: 'drive#user',
  displayName: caller.kind === 'service' ? 'Service account' : 'Operator',
  me: true,
  permissionId: caller.userId,
  emailAddress: `${caller.kind}@${tenant.domain}`,
});
