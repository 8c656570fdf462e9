import { isNonceOf } from '../../../src/authorization/oauth/nonce.ts';
import { checkSignInMessage, type SignInRefusal } from '../../../src/authorization/people/siwe.ts';
import {
  type AskContract,
  type SignatureVerdict,
  verifySignInSignature,
} from '../../../src/authorization/people/siwe-signature.ts';
import { ChainUnreachable } from '../../../src/payment/chain/chain.ts';
import { chainOf } from '../bindings/composition.ts';
import type { AppContext } from '../context.ts';
import type { BrowserSession } from '../../shared/cookies.ts';
import { callerOf } from '../../../src/rate-limits/caller-counts.ts';
import { peopleStore } from '../bindings/people-store.ts';
import type { ProblemInput } from '../../../src/problems/problem.ts';
import { sealingKeys } from '../bindings/sealing-keys.ts';

export type SignInProof = { message: string; signature: string; browser: BrowserSession };
export type ProvenAddress = { ok: true; address: string } | { ok: false; problem: ProblemInput };

type Refusal = SignInRefusal | 'nonce_not_yours' | 'bad_signature' | 'erc6492_refused';

const DETAILS: Readonly<Record<Refusal, string>> = {
  malformed: 'malformed: the message is not a sign-in message (EIP-4361) as this service asks for it',
  wrong_domain: 'wrong_domain: the message is for another site',
  wrong_statement: 'wrong_statement: the message says something else than ours',
  wrong_uri: 'wrong_uri: the message is for another address of ours or another site',
  wrong_version: 'wrong_version: the version is not 1',
  wrong_chain: 'wrong_chain: the chain is not Base (8453)',
  wrong_nonce: 'wrong_nonce: the nonce is none of this service',
  too_old: 'too_old: the message was issued more than five minutes ago',
  in_the_future: 'in_the_future: the message is issued in the future: check the clock',
  expired: 'expired: the message has expired',
  not_yet_valid: 'not_yet_valid: the message is not valid yet',
  nonce_not_yours: 'nonce_not_yours: the nonce was used, has expired or was given to another browser',
  bad_signature: 'bad_signature: the signature is not of this address over this message',
  erc6492_refused: 'erc6492_refused: wallets that are not deployed yet (ERC-6492) cannot sign in',
};
const CHAIN_RETRY_S = 10;

/**
 * The address whose holder signed a message for this browser, here and now (rule A3). The nonce is used up before the
 * signature is looked at: each try needs a new one, and so each question to a contract wallet does.
 */
export async function provenAddress(
  c: AppContext,
  { message, signature, browser }: SignInProof,
): Promise<ProvenAddress> {
  const checked = checkSignInMessage(message, c.get('settings').BASE_URL, Date.now());
  if (!checked.ok) return refusedFor(checked.reason);
  const { address, nonce } = checked;
  if (!(await isNonceOf(await sealingKeys(c.env), browser.hash, nonce, Date.now())))
    return refusedFor('nonce_not_yours');
  const taken = await peopleStore(c).takeNonce(nonce, callerOf(c.req.raw));
  if (!taken.ok) return taken.reason === 'used' ? refusedFor('nonce_not_yours') : doubt(taken);
  const verdict = await verifySignInSignature({ message, address, signature }, contractAsker(c));
  if (verdict.ok) return { ok: true, address };
  if (verdict.reason === 'too_many_attempts' || verdict.reason === 'chain_unavailable') return doubt(verdict);
  return refusedFor(verdict.reason);
}

/** Asks contract wallets through the chain reader that payments use, as often as the caller may. */
function contractAsker(c: AppContext): AskContract {
  return async (address, digest, signature): Promise<SignatureVerdict> => {
    const { RPC_URL } = c.get('settings');
    if (RPC_URL === undefined) return UNAVAILABLE;
    const allowed = await peopleStore(c).mayAskContract(callerOf(c.req.raw));
    if (!allowed.ok) return allowed;
    const chain = chainOf(RPC_URL);
    try {
      const accepted =
        (await chain.hasCode(address)) && (await chain.isContractSignatureValid(address, digest, signature));
      return accepted ? { ok: true } : { ok: false, reason: 'bad_signature' };
    } catch (error) {
      if (error instanceof ChainUnreachable) return UNAVAILABLE;
      throw error;
    }
  };
}

const UNAVAILABLE = { ok: false, reason: 'chain_unavailable', retryAfterS: CHAIN_RETRY_S } as const;

const refusedFor = (reason: Refusal): ProvenAddress => ({
  ok: false,
  problem: { status: 403, code: 'sign_in_refused', title: 'The sign-in is refused', detail: DETAILS[reason] },
});

const doubt = ({ reason, retryAfterS }: { reason: 'too_many_attempts' | 'chain_unavailable'; retryAfterS: number }) =>
  ({
    ok: false,
    problem:
      reason === 'too_many_attempts'
        ? { status: 429, code: reason, title: 'Too many attempts: wait before the next one', retryAfterS }
        : { status: 503, code: reason, title: 'The chain cannot be asked about this wallet now', retryAfterS },
  }) as const;
