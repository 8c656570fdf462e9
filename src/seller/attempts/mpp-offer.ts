import { CREDENTIAL_TYPE, INTENT, METHOD, PAYMENT_SCHEME } from '../../payment/rails/mpp/challenge.ts';
import { encodeJson } from '../../payment/rails/mpp/encoding.ts';
import { computeChallengeNonce } from '../../payment/rails/mpp/terms.ts';
import { findEvmNetwork } from '../../payment/terms/networks-data.ts';
import type { MppChallenge } from '../reading/mpp-challenges.ts';
import {
  type IsPayable,
  type PayableOffer,
  type PayableWay,
  readPayableWay,
  type TriedPayment,
  toMembers,
  type ClaimedTerms,
} from './payable.ts';

/** The first challenge that can be tried: method `evm`, intent `charge`, paid by an authorization on a network that is paid on. */
export async function findMppOffer(
  challenges: readonly MppChallenge[],
  isPayable: IsPayable,
): Promise<PayableOffer | undefined> {
  for (const challenge of challenges) {
    const offer = await readOffer(challenge);
    if (offer !== undefined && isPayable(offer.network)) return offer;
  }
  return undefined;
}

async function readOffer(challenge: MppChallenge): Promise<PayableOffer | undefined> {
  const { params, request = {} } = challenge;
  const { amount, currency: asset, recipient: payTo } = request;
  const { chainId, credentialTypes } = toMembers(request['methodDetails']);
  if (params.get('method') !== METHOD || params.get('intent') !== INTENT) return undefined;
  if (Array.isArray(credentialTypes) && !credentialTypes.includes(CREDENTIAL_TYPE)) return undefined;
  const way = readPayableWay(typeof chainId === 'number' ? findEvmNetwork(`eip155:${chainId}`) : undefined, {
    asset,
    payTo,
    amount,
  });
  if (way === undefined) return undefined;
  const endMs = Date.parse(params.get('expires') ?? '');
  return {
    ...way,
    protocol: 'mpp',
    nonce: await computeChallengeNonce(params.get('id') ?? '', params.get('realm') ?? ''),
    endsAtS: Number.isNaN(endMs) ? undefined : Math.ceil(endMs / 1000),
    carry: (payload, claimed) => ({ authorization: encodeCredential(challenge, way, payload, claimed) }),
  };
}

/**
 * The credential as the official client makes it: every parameter of the challenge comes back as it was. Where it claims
 * other terms, its id is that of the challenge all the same, as a forger would send it.
 */
function encodeCredential(
  { params, request = {} }: MppChallenge,
  { network }: PayableWay,
  { signature, authorization }: TriedPayment,
  { amount, chainId }: ClaimedTerms = {},
): string {
  const isChanged = amount !== undefined || chainId !== undefined;
  const changed = {
    ...request,
    ...(amount === undefined ? {} : { amount }),
    ...(chainId === undefined ? {} : { methodDetails: { ...toMembers(request['methodDetails']), chainId } }),
  };
  const challenge = { ...Object.fromEntries(params), ...(isChanged ? { request: encodeJson(changed) } : {}) };
  const source = `did:pkh:eip155:${chainId ?? network.chainId}:${authorization.from}`;
  const payload = { type: CREDENTIAL_TYPE, ...authorization, signature };
  return `${PAYMENT_SCHEME} ${encodeJson({ challenge, payload, source })}`;
}
