import type { Wait } from '../../../src/authorization/people/sign-in.ts';
import type { WayAddedHere, WayRemovedHere } from '../../../src/authorization/people/way-desk.ts';
import { buildProblem } from '../../../src/problems/codes.ts';
import type { ProblemInput } from '../../../src/problems/problem.ts';

type NotDone = Wait | Extract<WayAddedHere | WayRemovedHere, { ok: false }>;

const DETAILS = {
  way_in_use:
    'way_in_use: it opens another account. Accounts are not merged: sign in with it, and add your other ways there',
  too_many_ways: 'too_many_ways: an account has at most 20 ways to sign in. Remove one first',
  way_not_found: 'way_not_found: the account has no such way',
  last_way: 'last_way: it is the only way to sign in to this account. Add another one first',
} as const;

/** Why ways to sign in were not changed. */
export function buildWayProblem(not: NotDone): ProblemInput {
  if (not.reason === 'too_many_attempts') return buildProblem('too_many_attempts', { retryAfterS: not.retryAfterS });
  if (not.reason === 'sign_in') return buildProblem('sign_in_needed');
  if (not.reason === 'sign_in_too_old') return buildProblem('sign_in_too_old');
  if (not.reason === 'not_payer')
    return buildProblem('sign_in_way_refused', { detail: 'not_payer: operators sign in with their secret' });
  return buildProblem('sign_in_way_refused', { detail: DETAILS[not.reason] });
}
