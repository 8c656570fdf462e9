import * as z from 'zod/mini';
import { CREDITS_PATH } from './paid-request.ts';

/** The account that is signed in. `balance`: what it can spend, in millionths of a dollar; undefined: not readable now. */
export type PayingAccount = { account: string; csrf: string; balance: number | undefined };

const signedIn = z.object({ account: z.string(), csrf: z.string(), balance_micro_usd: z.optional(z.number()) });

/** Who is signed in here. Undefined: no one. @throws where the service does not answer */
export async function fetchPayingAccount(): Promise<PayingAccount | undefined> {
  const answer = await fetch(CREDITS_PATH, { headers: { accept: 'application/json' } });
  if (answer.status === 401) return undefined;
  const { account, csrf, balance_micro_usd: balance } = signedIn.parse(await answer.json());
  return { account, csrf, balance };
}
