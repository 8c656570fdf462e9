import type { SignedPayment } from '../terms/authorization.ts';
import { isWalletSignature, isWrappedSignature, recoverAuthorizationSigner } from '../terms/authorization-signer.ts';
import { computeAuthorizationDigest, formatPaymentKey } from '../ledger/payment-key.ts';
import { judgeRefusal, type OpenAuthorization, reconcileAuthorization } from '../ledger/reconcile.ts';
import { requireEvm } from '../terms/networks-data.ts';
import type { AuthorizedPayment, OpenSettlement } from './rail.ts';

/** What a rail adds to the authorization: how it came, and its own terms. */
type Envelope = Pick<
  AuthorizedPayment,
  'rail' | 'networkId' | 'hasSecret' | 'repeatsByProof' | 'challengeId' | 'identifier' | 'checkTerms' | 'restoreTerms'
>;

/**
 * A payment by EIP-3009, whichever rail shows it: key, digest, signature and settlement rest on the authorization alone, so
 * that one authorization is one payment. A facilitator of x402 settles it.
 */
export function presentAuthorization(signed: SignedPayment, envelope: Envelope): AuthorizedPayment {
  const { authorization, signature } = signed;
  const { from, nonce, value, validBefore } = authorization;
  const validBeforeS = Number(validBefore);
  const ask = (open: OpenSettlement): OpenAuthorization => ({ from, nonce, validBeforeS, ...open });
  return {
    ...envelope,
    flow: 'authorization',
    payer: from,
    amountMicroUsdc: Number(value),
    nonce,
    validBeforeS,
    formatKey: (network) => formatPaymentKey({ method: 'x402', from, nonce }, requireEvm(network)),
    computeDigest: () => computeAuthorizationDigest(authorization),
    isPayersKey: async (network) =>
      (await recoverAuthorizationSigner(authorization, signature, requireEvm(network))) === from,
    isWrapped: () => isWrappedSignature(signature),
    isWallets: (chain, network) => isWalletSignature(chain, authorization, signature, requireEvm(network)),
    verify: ({ facilitator }, requirements) => facilitator.verify(signed, requirements),
    settle: ({ facilitator }, requirements) => facilitator.settle(signed, requirements),
    readBalance: ({ chain }) => chain.balanceOf(from),
    isUsed: ({ chain }) => chain.authorizationState(from, nonce, 'latest'),
    reconcile: ({ chain }, open) => reconcileAuthorization(chain, ask(open)),
    judgeRefusal: ({ chain }, open) => judgeRefusal(chain, ask(open), open.wasTried),
  };
}
