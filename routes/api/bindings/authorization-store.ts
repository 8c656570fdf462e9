import type { PeopleStore } from '../../../src/authorization/people/people.ts';
import {
  AUTHORIZATION_STORE_NAME,
  type AuthorizationStoreObject,
} from '../../../src/authorization/oauth/store-protocol.ts';
import type { Env } from './env.ts';

/** The one authorization store: for programs, and for people. */
export const authorizationStore = (env: Pick<Env, 'AUTHORIZATION_STORE'>): AuthorizationStoreObject & PeopleStore =>
  env.AUTHORIZATION_STORE.getByName(AUTHORIZATION_STORE_NAME);
