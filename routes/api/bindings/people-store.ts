import type { PeopleStore } from '../../../src/authorization/people/people.ts';
import type { Session } from '../../../src/authorization/people/sessions.ts';
import { authorizationStore } from './authorization-store.ts';
import type { AppContext } from '../context.ts';

/** What the one authorization store does for people. */
export const peopleStore = (c: AppContext): PeopleStore => authorizationStore(c.env);

/** How a page names who is signed in. */
export const holderOf = ({ kind, address }: Session): string => address ?? `the ${kind}`;

const RETURN_PATHS: readonly string[] = ['/account', '/authorize'];
/** An authorization request has at most 8,192 characters of query. */
const MAX_RETURN_CHARS = 8_300;
export const ACCOUNT_PATH = '/account';

/** Where a sign-in leads afterwards: a page of ours that was asked for, else the account page. Never another site (O1-O7). */
export function safeReturn(given: string | undefined, baseUrl: string): string {
  if (given === undefined || given.length > MAX_RETURN_CHARS || !URL.canParse(given, baseUrl)) return ACCOUNT_PATH;
  const { origin } = new URL(baseUrl);
  const url = new URL(given, origin);
  return url.origin === origin && RETURN_PATHS.includes(url.pathname) ? `${url.pathname}${url.search}` : ACCOUNT_PATH;
}
