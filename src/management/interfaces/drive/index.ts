import type { Interface } from '../../core/engine/operation.ts';
import { handlers } from './handlers.ts';
import { DRIVE } from './rows.ts';

/** The small part of Drive v3 that shows its conventions: partial responses, required and default fields. */
export const drive: Interface = {
  name: 'drive',
  version: 'v3',
  errors: 'legacy',
  handlers,
  collections: { [DRIVE.files]: 'File', [DRIVE.comments]: 'Comment', [DRIVE.replies]: 'Reply' },
};
