import type { Interface } from '../../core/engine/operation.ts';
import * as channels from './customers/channels.ts';
import * as equipment from './rooms/equipment.ts';
import * as organisation from './organization.ts';
import * as people from './users/index.ts';
import { CREDENTIAL_COLLECTIONS } from './collections.ts';
import { ROW_SCHEMAS } from './row-schemas.ts';
import { startDirectory } from './start.ts';

/** Directory v1: users, groups, org units, devices, rooms, roles. */
export const directory: Interface = {
  name: 'directory',
  version: 'v1',
  errors: 'legacy',
  handlers: { ...people.handlers, ...organisation.handlers, ...equipment.handlers, ...channels.handlers },
  start: startDirectory,
  collections: ROW_SCHEMAS,
  unsaved: CREDENTIAL_COLLECTIONS,
};
