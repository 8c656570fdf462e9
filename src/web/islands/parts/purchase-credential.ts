import * as z from 'zod/mini';
import { jsonOfBase64 } from './payment-signing.ts';

const HASH = /^0x[0-9a-fA-F]{64}$/;

export const isTransactionHash = (text: string): boolean => HASH.test(text);

const proven = z.object({ payload: z.object({ transaction: z.string().check(z.regex(HASH)) }) });
const signed = z.object({ payload: z.object({ authorization: z.object({ validBefore: z.string() }) }) });

/** The transaction that a credential presents, by its hash alone or with a proof; undefined for a signed payment. */
export const transferOf = (credential: string): string | undefined =>
  isTransactionHash(credential) ? credential : proven.safeParse(jsonOfBase64(credential)).data?.payload.transaction;

/** The ledger keeps every claim for a day at least (rule P16): what it says later is no word on this payment. */
const LEDGER_KEEPS_S = 86_400;

/** Whether a signed payment may be older than what the ledger remembers. */
export function isForgotten(credential: string, nowS: number): boolean {
  const validBefore = signed.safeParse(jsonOfBase64(credential)).data?.payload.authorization.validBefore;
  return validBefore !== undefined && nowS > Number(validBefore) + LEDGER_KEEPS_S;
}
