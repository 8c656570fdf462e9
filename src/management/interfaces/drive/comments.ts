import { handlersOf, pageSize, shown, type Collection } from '../../core/engine/collection.ts';
import type { Call, Context, Handler, Handlers } from '../../core/engine/operation.ts';
import type { StoredRow } from '../../core/engine/stored-row.ts';
import { isText, type JsonObject } from '../../../lib/json.ts';
import { refuse } from '../../../lib/refusal.ts';
import { pageAnswer, pageOf } from '../directory/filtered-list.ts';
import { fileOf } from './files.ts';
import { DRIVE, notFound, textOf, userOf } from './rows.ts';

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
  parentOf: ({ path }, context) => fileOf(path['fileId'] ?? '', context).id,
  find: ({ path }, context) => commentOf(path['fileId'] ?? '', path['commentId'] ?? '', context),
  create: (call, context, sent) => {
    const body = { ...sent, ...written(sent, call, context), resolved: false };
    return { id: textOf(body, 'id'), body, s1: textOf(body, 'modifiedTime') };
  },
  view: ({ parent, id, body }, call, context) => {
    const found = context.store.list({
      collection: DRIVE.replies,
      parent: `${parent}/${id}`,
      limit: MAX_SHOWN_REPLIES,
    });
    return { ...body, replies: found.map(({ row }) => shown(replies, row, call, context)) };
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
    const { parent, id } = commentOf(path['fileId'] ?? '', path['commentId'] ?? '', context);
    return `${parent}/${id}`;
  },
  find: ({ path }, context) => {
    const { parent, id } = commentOf(path['fileId'] ?? '', path['commentId'] ?? '', context);
    const replyId = path['replyId'] ?? '';
    return context.store.get(DRIVE.replies, `${parent}/${id}`, replyId) ?? notFound('Reply', replyId, 'replyId');
  },
  create: (call, context, sent) => {
    const action = textOf(sent, 'action');
    if (!['', 'resolve', 'reopen'].includes(action)) throw refuse.invalid('Invalid Value');
    const body = { ...sent, ...written(sent, call, context, action === '') };
    return { id: textOf(body, 'id'), body };
  },
  inserted: ({ body }, { path }, context) => {
    const comment = commentOf(path['fileId'] ?? '', path['commentId'] ?? '', context);
    const action = textOf(body, 'action');
    const modifiedTime = textOf(body, 'modifiedTime');
    const resolved = action === '' ? comment.body['resolved'] === true : action === 'resolve';
    const { collection, parent, id } = comment;
    context.store.put({ collection, parent, id, body: { ...comment.body, modifiedTime, resolved }, s1: modifiedTime });
  },
};

const list: Handler = (call, context) => {
  const { id: parent } = fileOf(call.path['fileId'] ?? '', context);
  const since = call.query['startModifiedTime'];
  if (isText(since) && since !== '' && !RFC_3339.test(since)) throw refuse.invalid('Invalid Value');
  const sinceMs = isText(since) && since !== '' ? Date.parse(since) : undefined;
  const isNewer = ({ body }: StoredRow): boolean => Date.parse(textOf(body, 'modifiedTime')) >= (sinceMs ?? 0);
  const page = pageOf(
    (after, limit) =>
      context.store.list({ collection: DRIVE.comments, parent, order: { by: 's1', descending: true }, after, limit }),
    pageSize(call.query['pageSize'], SIZES),
    context,
    sinceMs === undefined ? undefined : isNewer,
  );
  return pageAnswer(comments, page, call, context);
};

export const commentHandlers: Handlers = {
  'drive.comments.list': list,
  ...handlersOf(comments, { get: 'drive.comments.get', insert: 'drive.comments.create' }),
  ...handlersOf(replies, { list: 'drive.replies.list', get: 'drive.replies.get', insert: 'drive.replies.create' }),
};

function commentOf(fileId: string, id: string, context: Context): StoredRow {
  const { id: parent } = fileOf(fileId, context);
  return context.store.get(DRIVE.comments, parent, id) ?? notFound('Comment', id, 'commentId');
}

/** What the server says of a comment or reply. */
function written(sent: JsonObject, call: Call, context: Context, isContentNeeded = true): JsonObject {
  const content = textOf(sent, 'content');
  if (content === '' && isContentNeeded) throw refuse.required('content');
  if (content.length > MAX_CONTENT_CHARS) throw refuse.invalid('Invalid Value');
  const nowIso = new Date(context.now()).toISOString();
  return {
    id: `AAAA${context.random(ID_BYTES)}`,
    content,
    htmlContent: escaped(content),
    author: userOf(call, context),
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

const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (char) => ENTITIES[char] ?? char);
