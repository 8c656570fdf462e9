import type { Interface } from '../../core/engine/operation.ts';
import { GROUP_SETTINGS_ROWS } from '../directory/rows.ts';
import { handlers } from './handlers.ts';

/** Groups Settings v1: the settings of the Directory's groups. */
export const groupsSettings: Interface = {
  name: 'groupssettings',
  version: 'v1',
  errors: 'legacy',
  handlers,
  collections: { [GROUP_SETTINGS_ROWS]: 'Groups' },
};
