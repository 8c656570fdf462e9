import { isNonceOf } from '../../../src/authorization/oauth/nonce.ts';
import {
  type AskContract,
  checkSignInMessage,
  type SignatureVerdict,
  type SignInRefusal,
  signInTerms,
  verifySignInSignature,
} from '../../../src/authorization/people/siwe.ts';
import { ChainUnreachable } from '../../../src/payment/chain/chain.ts';
import { buildProblem } from '../../../src/problems/codes.ts';
import type { ProblemInput } from '../../../src/problems/problem.ts';
import { getCallerAddress } from '../../../src/rate-limits/caller-counts.ts';
import { getPaymentNetwork } from '../../../src/sales/seller.ts';
import type { BrowserSession } from '../../shared/cookies.ts';
import { getChainReader } from '../bindings/composition.ts';
import { getPeopleStore, getSealingKeys } from '../bindings/people-store.ts';
import type { AppContext } from '../context.ts';
import { refuseRequest } from '../pages/pages.ts';

type SignInProof = { message: string; signature: string; browser: BrowserSession };
type ProvenAddress = { ok: true; address: string } | { ok: false; problem: ProblemInput };

export type ProofRefusal = SignInRefusal | 'nonce_not_yours' | 'bad_signature' | 'erc6492_refused' | 'wallet_removed';

/** What is wrong with a signed message. */
export const PROOF_FAULTS: Readonly<Record<ProofRefusal, string>> = {
  malformed: 'malformed: the message is not the text that this service asked you to sign (EIP-4361)',
  wrong_domain: 'wrong_domain: the message is for another site',
  wrong_statement: 'wrong_statement: the message has another text than ours',
  wrong_uri: 'wrong_uri: the message is for another page or another site',
  wrong_version: 'wrong_version: the version is not 1',
  wrong_chain: 'wrong_chain: the chain id is not that of the network where this service is paid',
  wrong_nonce: 'wrong_nonce: this service did not issue the nonce',
  too_old: 'too_old: the message was issued more than five minutes ago',
  in_the_future: 'in_the_future: the message has a time in the future: check the clock of your computer',
  expired: 'expired: the message has expired',
  not_yet_valid: 'not_yet_valid: the message is not valid yet',
  nonce_not_yours: 'nonce_not_yours: the nonce was used, has expired or was given to another browser',
  bad_signature: 'bad_signature: another key signed, or another text was signed',
  erc6492_refused: 'erc6492_refused: wallets that are not deployed yet (ERC-6492) cannot sign in',
  wallet_removed:
    'wallet_removed: this wallet was removed from its account in the last 40 days: sign in to the account in another way, or add the wallet to it again',
};
const CHAIN_RETRY_S = 10;

/** The fixed parts of the message that is signed here. */
export function getSignInTerms(c: AppContext) {
  const settings = c.get('settings');
  return signInTerms(settings.BASE_URL, getPaymentNetwork(settings).chainId);
}

/**
 * The address whose holder signed a message for this browser, here and now (rule A3). The nonce is used up before the
 * signature is looked at: each try needs a new one, and so each question to a contract wallet does.
 */
export async function proveAddress(
  c: AppContext,
  { message, signature, browser }: SignInProof,
): Promise<ProvenAddress> {
  const checked = checkSignInMessage(message, getSignInTerms(c), Date.now());
  if (!checked.ok) return refuseSignIn(checked.reason);
  const { address, nonce } = checked;
  if (!(await isNonceOf(await getSealingKeys(c.env), browser.hash, nonce, Date.now())))
    return refuseSignIn('nonce_not_yours');
  const taken = await getPeopleStore(c).takeNonce(nonce, getCallerAddress(c.req.raw));
  if (!taken.ok) return taken.reason === 'used' ? refuseSignIn('nonce_not_yours') : refuseUndecided(taken);
  const verdict = await verifySignInSignature({ message, address, signature }, createContractAsker(c));
  if (verdict.ok) return { ok: true, address };
  if (verdict.reason === 'too_many_attempts' || verdict.reason === 'chain_unavailable') return refuseUndecided(verdict);
  return refuseSignIn(verdict.reason);
}

/** Asks contract wallets through the chain reader that payments use, as often as the caller may. */
export function createContractAsker(c: AppContext): AskContract {
  return async (address, digest, signature): Promise<SignatureVerdict> => {
    const settings = c.get('settings');
    const { RPC_URL } = settings;
    if (RPC_URL === undefined) return UNAVAILABLE;
    const allowed = await getPeopleStore(c).mayAskContract(getCallerAddress(c.req.raw));
    if (!allowed.ok) return allowed;
    const chain = getChainReader(RPC_URL, getPaymentNetwork(settings));
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

/** The wallet leads to an account that it does not open any more. */
export const refuseRemovedWallet = (c: AppContext): Response | Promise<Response> =>
  refuseRequest(c, buildProblem('sign_in_refused', { detail: PROOF_FAULTS.wallet_removed }));

const UNAVAILABLE = { ok: false, reason: 'chain_unavailable', retryAfterS: CHAIN_RETRY_S } as const;

const refuseSignIn = (reason: ProofRefusal): ProvenAddress => ({
  ok: false,
  problem: buildProblem('sign_in_refused', { detail: PROOF_FAULTS[reason] }),
});

const refuseUndecided = ({
  reason,
  retryAfterS,
}: {
  reason: 'too_many_attempts' | 'chain_unavailable';
  retryAfterS: number;
}) => ({ ok: false, problem: buildProblem(reason, { retryAfterS }) }) as const;
