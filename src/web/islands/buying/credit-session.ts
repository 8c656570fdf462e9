import { isText } from '../../../lib/json.ts';
import { hasShape, isFiniteNumber, isAbsentOr } from '../parts/shape.ts';
import { CREDITS_PATH } from './paid-request.ts';

/** The account that is signed in. `balance`: what it can spend, in millionths of a dollar; undefined: not readable now. */
export type PayingAccount = { account: string; csrf: string; balance: number | undefined };

const isSignedIn = hasShape({ account: isText, csrf: isText, balance_micro_usd: isAbsentOr(isFiniteNumber) });

/** Who is signed in here. Undefined: no one. @throws where the service does not answer */
export async function fetchPayingAccount(): Promise<PayingAccount | undefined> {
  const answer = await fetch(CREDITS_PATH, { headers: { accept: 'application/json' } });
  if (answer.status === 401) return undefined;
  const json: unknown = await answer.json();
  if (!isSignedIn(json)) throw new TypeError(`who is signed in cannot be read: status ${answer.status}`);
  const { account, csrf, balance_micro_usd: balance } = json;
  return { account, csrf, balance };
}
