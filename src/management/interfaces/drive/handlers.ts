import { isText, getTextMember } from '../../../lib/json.ts';
import { defineCollectionHandlers, readPageSize } from '../../core/engine/collection.ts';
import type { Handler, Handlers } from '../../core/engine/operation.ts';
import type { ResourceRow } from '../../core/engine/stored-row.ts';
import { answerRowPage, readRowPage, type RowSource } from '../../core/engine/filtered-list.ts';
import { buildDriveUser, COMMENT_PAGE, comments, DRIVE, FILE_PAGE, files, replies, requireDriveFile } from './rows.ts';
import { createFileTest, parseOrder, parseStartTime } from './schemas.ts';

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
