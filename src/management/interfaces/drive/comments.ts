import {
  defineCollectionHandlers,
  readPageSize,
  buildShownResource,
  type Collection,
} from '../../core/engine/collection.ts';
import type { Call, Context, Handler, Handlers } from '../../core/engine/operation.ts';
import type { ResourceRow } from '../../core/engine/stored-row.ts';
import { isText, type JsonObject, getTextMember } from '../../../lib/json.ts';
import { vendorRefusals } from '../../../lib/refusal.ts';
import { answerRowPage, readRowPage } from '../../core/engine/filtered-list.ts';
import { requireDriveFile } from './files.ts';
import { DRIVE, refuseMissingDriveItem, buildDriveUser } from './rows.ts';

const SIZES = { parameter: 'pageSize', default: 20, max: 100 } as const;
const MAX_CONTENT_CHARS = 4_096;
const ID_BYTES = 8;
/** Replies that are shown inside a comment. */
const MAX_SHOWN_REPLIES = 100;
const RFC_3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/;

/** Comments on a file, with their replies. */
const comments: Collection = {
  name: DRIVE.comments,
  schema: 'Comment',
  kind: 'drive#comment',
  listKind: 'drive#commentList',
  items: 'comments',
  page: SIZES,
  parentOf: ({ path }, context) => requireDriveFile(path['fileId'] ?? '', context).id,
  find: ({ path }, context) => requireComment(path['fileId'] ?? '', path['commentId'] ?? '', context),
  create: (call, context, sent) => {
    const body = { ...sent, ...buildComment(sent, call, context), resolved: false };
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
const replies: Collection = {
  name: DRIVE.replies,
  schema: 'Reply',
  kind: 'drive#reply',
  listKind: 'drive#replyList',
  items: 'replies',
  page: SIZES,
  parentOf: ({ path }, context) => {
    const { parent, id } = requireComment(path['fileId'] ?? '', path['commentId'] ?? '', context);
    return `${parent}/${id}`;
  },
  find: ({ path }, context) => {
    const { parent, id } = requireComment(path['fileId'] ?? '', path['commentId'] ?? '', context);
    const replyId = path['replyId'] ?? '';
    return (
      context.store.get(DRIVE.replies, `${parent}/${id}`, replyId) ??
      refuseMissingDriveItem('Reply', replyId, 'replyId')
    );
  },
  create: (call, context, sent) => {
    const action = getTextMember(sent, 'action');
    if (!['', 'resolve', 'reopen'].includes(action)) throw vendorRefusals.invalid('Invalid Value');
    const body = { ...sent, ...buildComment(sent, call, context, action === '') };
    return { id: getTextMember(body, 'id'), body };
  },
  inserted: ({ body }, { path }, context) => {
    const comment = requireComment(path['fileId'] ?? '', path['commentId'] ?? '', context);
    const action = getTextMember(body, 'action');
    const modifiedTime = getTextMember(body, 'modifiedTime');
    const resolved = action === '' ? comment.body['resolved'] === true : action === 'resolve';
    const { collection, parent, id } = comment;
    context.store.put({ collection, parent, id, body: { ...comment.body, modifiedTime, resolved }, s1: modifiedTime });
  },
};

const list: Handler = (call, context) => {
  const { id: parent } = requireDriveFile(call.path['fileId'] ?? '', context);
  const since = call.query['startModifiedTime'];
  if (isText(since) && since !== '' && !RFC_3339.test(since)) throw vendorRefusals.invalid('Invalid Value');
  const sinceMs = isText(since) && since !== '' ? Date.parse(since) : undefined;
  const isNewer = ({ body }: ResourceRow): boolean => Date.parse(getTextMember(body, 'modifiedTime')) >= (sinceMs ?? 0);
  const page = readRowPage(
    (after, limit) =>
      context.store.list({ collection: DRIVE.comments, parent, order: { by: 's1', descending: true }, after, limit }),
    readPageSize(call.query['pageSize'], SIZES),
    context,
    sinceMs === undefined ? undefined : isNewer,
  );
  return answerRowPage(comments, page, call, context);
};

export const commentHandlers: Handlers = {
  'drive.comments.list': list,
  ...defineCollectionHandlers(comments, { get: 'drive.comments.get', insert: 'drive.comments.create' }),
  ...defineCollectionHandlers(replies, {
    list: 'drive.replies.list',
    get: 'drive.replies.get',
    insert: 'drive.replies.create',
  }),
};

function requireComment(fileId: string, id: string, context: Context): ResourceRow {
  const { id: parent } = requireDriveFile(fileId, context);
  return context.store.get(DRIVE.comments, parent, id) ?? refuseMissingDriveItem('Comment', id, 'commentId');
}

/** What the server says of a comment or reply. */
function buildComment(sent: JsonObject, call: Call, context: Context, isContentNeeded = true): JsonObject {
  const content = getTextMember(sent, 'content');
  if (content === '' && isContentNeeded) throw vendorRefusals.required('content');
  if (content.length > MAX_CONTENT_CHARS) throw vendorRefusals.invalid('Invalid Value');
  const nowIso = new Date(context.now()).toISOString();
  return {
    id: `AAAA${context.random(ID_BYTES)}`,
    content,
    htmlContent: escapeHtml(content),
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

const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (char) => ENTITIES[char] ?? char);
