import type { Handlers } from '../../../core/engine/operation.ts';
import { credentialHandlers } from './credentials.ts';
import { listUsers } from './list.ts';
import { userActionHandlers, userHandlers } from './users.ts';
import { userAliasHandlers } from './addresses.ts';
import { userPhotoHandlers } from './photos.ts';

/** Users, their aliases, photos and credentials. */
export const handlers: Handlers = {
  'directory.users.list': listUsers,
  ...userHandlers,
  ...userActionHandlers,
  ...userAliasHandlers,
  ...userPhotoHandlers,
  ...credentialHandlers,
};
