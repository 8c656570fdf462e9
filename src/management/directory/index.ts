import type { Interface } from '../engine/operation.ts';
import * as channels from './channels.ts';
import * as equipment from './equipment.ts';
import * as organisation from './organisation.ts';
import * as people from './people.ts';
import { CREDENTIAL_COLLECTIONS } from './collections.ts';
import { ROW_SCHEMAS } from './row-schemas.ts';
import { startDirectory } from './start.ts';

/** Directory v1: users, groups, org units, devices, rooms, roles (seed 3, "Directory"). */
export const directory: Interface = {
  name: 'directory',
  version: 'v1',
  errors: 'legacy',
  handlers: { ...people.handlers, ...organisation.handlers, ...equipment.handlers, ...channels.handlers },
  start: startDirectory,
  collections: ROW_SCHEMAS,
  unsaved: CREDENTIAL_COLLECTIONS,
};
