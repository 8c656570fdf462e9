import { isText, getTextMember, type JsonObject } from '../../../lib/json.ts';
import {
  buildShownResource,
  type Collection,
  defineCollectionHandlers,
  readPageSize,
} from '../../core/engine/collection.ts';
import type { Call, Context, Handler, Handlers } from '../../core/engine/operation.ts';
import type { ResourceRow } from '../../core/engine/stored-row.ts';
import { answerRowPage, readRowPage, type RowSource } from '../../core/engine/filtered-list.ts';
import {
  buildDriveUser,
  COMMENT_PAGE,
  DRIVE,
  FILE_PAGE,
  formatReplyParent,
  requireComment,
  requireDriveFile,
  requireDriveRow,
} from './rows.ts';
import {
  createFileTest,
  parseOrder,
  parseReplyAction,
  parseStartTime,
  requireContent,
  requireFileId,
  requireFileName,
} from './schemas.ts';

/** Comments of a file that go with it in one call. */
const MAX_COMMENTS = 1_000;
/** Replies that are shown inside a comment. */
const MAX_SHOWN_REPLIES = 100;
/** Random bytes of a file's id: 33 characters begin with 1, as the vendor's do. */
const FILE_ID_BYTES = 16;
const COMMENT_ID_BYTES = 8;
/** What an account holds at most, as the vendor's free ones do: 15 GiB. */
const STORAGE_BYTES = 16_106_127_360;

/** Metadata only: nothing is stored that would count. */
const getAbout: Handler = (call, context) => ({
  kind: 'drive#about',
  user: buildDriveUser(call, context),
  storageQuota: { limit: String(STORAGE_BYTES), usage: '0', usageInDrive: '0', usageInDriveTrash: '0' },
  maxUploadSize: '0',
  appInstalled: false,
  canCreateDrives: false,
  canCreateTeamDrives: false,
});

/** Files by their metadata: content is not kept. */
const files: Collection = {
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
const comments: Collection = {
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
const replies: Collection = {
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

const listFiles: Handler = (call, context) => {
  const { q, orderBy } = call.query;
  const order = parseOrder(orderBy);
  const matches = isText(q) && q.trim() !== '' ? createFileTest(q) : undefined;
  const source: RowSource = (after, limit) =>
    context.store.list({ collection: DRIVE.files, parent: '', order, after, limit });
  const page = readRowPage(
    source,
    readPageSize(call.query['pageSize'], FILE_PAGE),
    context,
    matches && (({ body }) => matches(body)),
  );
  return { incompleteSearch: false, ...answerRowPage(files, page, call, context) };
};

/** The last changed first. */
const listComments: Handler = (call, context) => {
  const { id: parent } = requireDriveFile(call.path['fileId'] ?? '', context);
  const sinceMs = parseStartTime(call.query['startModifiedTime']);
  const isNewer = ({ body }: ResourceRow): boolean => Date.parse(getTextMember(body, 'modifiedTime')) >= (sinceMs ?? 0);
  const page = readRowPage(
    (after, limit) =>
      context.store.list({ collection: DRIVE.comments, parent, order: { by: 's1', descending: true }, after, limit }),
    readPageSize(call.query['pageSize'], COMMENT_PAGE),
    context,
    sinceMs === undefined ? undefined : isNewer,
  );
  return answerRowPage(comments, page, call, context);
};

export const handlers: Handlers = {
  'drive.about.get': getAbout,
  'drive.files.list': listFiles,
  ...defineCollectionHandlers(files, {
    get: 'drive.files.get',
    insert: 'drive.files.create',
    delete: 'drive.files.delete',
  }),
  'drive.comments.list': listComments,
  ...defineCollectionHandlers(comments, { get: 'drive.comments.get', insert: 'drive.comments.create' }),
  ...defineCollectionHandlers(replies, {
    list: 'drive.replies.list',
    get: 'drive.replies.get',
    insert: 'drive.replies.create',
  }),
};

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
