import type { Handler, Interface } from '../../core/engine/operation.ts';
import { commentHandlers } from './comments.ts';
import { fileHandlers } from './files.ts';
import { DRIVE, buildDriveUser } from './rows.ts';

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

/** The small part of Drive v3 that the seed shows its conventions by: partial responses, required and default fields. */
export const drive: Interface = {
  name: 'drive',
  version: 'v3',
  errors: 'legacy',
  handlers: { ...fileHandlers, ...commentHandlers, 'drive.about.get': getAbout },
  collections: { [DRIVE.files]: 'File', [DRIVE.comments]: 'Comment', [DRIVE.replies]: 'Reply' },
};
