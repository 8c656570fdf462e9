import { AUTHORIZATION_STORE_NAME, type AuthorizationStoreObject } from '../src/authorization/store-protocol.ts';
import type { Env } from './env.ts';

/** The one authorization store. */
export const authorizationStore = (env: Pick<Env, 'AUTHORIZATION_STORE'>): AuthorizationStoreObject =>
  env.AUTHORIZATION_STORE.getByName(AUTHORIZATION_STORE_NAME);
