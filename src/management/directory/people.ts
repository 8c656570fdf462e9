import type { Handlers } from '../engine/operation.ts';
import { credentialHandlers } from './credentials.ts';
import { listUsers } from './users-list.ts';
import { userActionHandlers } from './user-actions.ts';
import { userAliasHandlers } from './user-addresses.ts';
import { userPhotoHandlers } from './user-photos.ts';
import { userHandlers } from './users.ts';

/** Users, their aliases, photos and credentials. */
export const handlers: Handlers = {
  'directory.users.list': listUsers,
  ...userHandlers,
  ...userActionHandlers,
  ...userAliasHandlers,
  ...userPhotoHandlers,
  ...credentialHandlers,
};
