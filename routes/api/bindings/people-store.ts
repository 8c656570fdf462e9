import { KEYS_REMEMBERED_MS, type SealingKey } from '../../../src/authorization/oauth/sealing-keys.ts';
import {
  AUTHORIZATION_STORE_NAME,
  type AuthorizationStoreObject,
} from '../../../src/authorization/oauth/store-protocol.ts';
import { DECISION_ANSWER_MS, limitWaits, STORE_ANSWER_MS } from '../../../src/authorization/oauth/store-wait.ts';
import type { PeopleStore } from '../../../src/authorization/people/people.ts';
import type { Session } from '../../../src/authorization/people/sessions.ts';
import type { AppContext } from '../context.ts';
import type { Env } from './env.ts';

type Store = AuthorizationStoreObject & PeopleStore;

/** Calls for which the store has shards hear of something before it answers. */
const DECISIONS: ReadonlySet<string> = new Set<keyof Store>([
  'decideConsent',
  'deleteAccount',
  'directoryUserGone',
  'operate',
  'operateConsole',
  'revokeAccess',
  'revokeAllAccess',
]);

/** The one authorization store: for programs, and for people. Each call of it throws when no answer comes in time. */
export const getAuthorizationStore = (env: Pick<Env, 'AUTHORIZATION_STORE'>): Store =>
  limitWaits<Store>(env.AUTHORIZATION_STORE.getByName(AUTHORIZATION_STORE_NAME), (method) =>
    DECISIONS.has(method) ? DECISION_ANSWER_MS : STORE_ANSWER_MS,
  );

/** What the one authorization store does for people. */
export const getPeopleStore = (c: AppContext): PeopleStore => getAuthorizationStore(c.env);

/** How a page names who is signed in. */
export const formatSessionHolder = ({ kind, address, email }: Session): string =>
  address ?? email ?? (kind === 'payer' ? 'the owner of a passkey' : `the ${kind}`);

export const ACCOUNT_PATH = '/account';
/** The sign-in of operators. */
export const OPERATORS_DOOR = '/console/';
const RETURN_PATHS: readonly string[] = [ACCOUNT_PATH, '/authorize', OPERATORS_DOOR];
/** An authorization request has at most 8,192 characters of query. */
const MAX_RETURN_CHARS = 8_300;

/** Where a sign-in leads afterwards: a page of ours that was asked for, else the account page. Never another site (O1-O7). */
export function resolveSignInReturn(given: string | undefined, baseUrl: string): string {
  if (given === undefined || given.length > MAX_RETURN_CHARS || !URL.canParse(given, baseUrl)) return ACCOUNT_PATH;
  const { origin } = new URL(baseUrl);
  const url = new URL(given, origin);
  const { pathname, search } = url;
  const isKnown = RETURN_PATHS.includes(pathname) || pathname.startsWith(`${ACCOUNT_PATH}/`);
  return url.origin === origin && isKnown ? `${pathname}${search}` : ACCOUNT_PATH;
}

type Remembered = { keys: readonly SealingKey[]; untilMs: number };

/** The keys by the store that made them. Not the promise of them: a request must not wait for one of another request. */
const remembered = new WeakMap<object, Remembered>();

/**
 * The keys that nonces and client ids are made with. An isolate asks the store once in ten minutes, so that frequent
 * requests for nonces and registrations do not load the store.
 * @throws what the call of the store throws; the next request asks again
 */
export async function getSealingKeys(env: Pick<Env, 'AUTHORIZATION_STORE'>): Promise<readonly SealingKey[]> {
  const known = remembered.get(env.AUTHORIZATION_STORE);
  if (known !== undefined && Date.now() < known.untilMs) return known.keys;
  const keys = await getAuthorizationStore(env).sealingKeys();
  remembered.set(env.AUTHORIZATION_STORE, { keys, untilMs: Date.now() + KEYS_REMEMBERED_MS });
  return keys;
}
