import { FINAL_FROM_MICRO_USDC, MAX_PROOF_LIFE_S, NETWORK, USDC } from './constants.ts';
import { proofDomain, PROOF_TYPES } from './payer-proof.ts';
import type { Offer } from './requirements.ts';
import { usdOf } from './usd.ts';

/** The terms on which a plain USDC transfer is taken as payment. */
export type TransferTerms = {
  /** Oldest accepted transfer, in seconds. */
  maxAgeS: number;
  /** Confirmations below 1 USD, and what is asked from 1 USD on (rule P25). */
  confirmations: { small: number; large: number | 'safe' };
  /** From this amount (micro-USDC) on, price or transfer, a payer proof is required (rules P6, P9); undefined: never. */
  proofFromMicroUsdc: number | undefined;
  /** From `payerProofSalt(BASE_URL)`. */
  proofSalt: string;
};

/**
 * The `direct-transfer` extension of a 402: how to pay by a transfer and present its hash. It is an extension and no
 * entry of `accepts`, because official clients would take such an entry for an authorization and sign it. Short on
 * purpose: clients send extensions back inside the credential.
 */
export function directTransferExtension(offer: Offer, terms: TransferTerms): { info: object; schema: object } {
  const { confirmations, proofFromMicroUsdc } = terms;
  const final = offer.amountMicroUsdc >= FINAL_FROM_MICRO_USDC;
  const proofRequired = proofFromMicroUsdc !== undefined && offer.amountMicroUsdc >= proofFromMicroUsdc;
  return {
    info: {
      network: NETWORK,
      asset: USDC,
      payTo: offer.payTo,
      amount: String(offer.amountMicroUsdc),
      maxAgeSeconds: terms.maxAgeS,
      confirmations: final ? confirmations.large : confirmations.small,
      header: 'PAYMENT-SIGNATURE: the transaction hash, or a payer proof',
      bareHash: proofRequired ? 'refused' : bareHash(proofFromMicroUsdc),
      excess: 'accepted, not refunded',
      refunds: 'none on chain; an undelivered transfer stays redeemable 30 days',
      proofRequired,
      proof: {
        header: 'base64 JSON {x402Version:2,accepted,payload:{transaction,signature,issuedAt,expiresAt}}',
        domain: proofDomain(terms.proofSalt),
        Proof: PROOF_TYPES.Proof.map(({ name, type }) => `${type} ${name}`).join(','),
        capability: offer.name,
        maxSeconds: MAX_PROOF_LIFE_S,
      },
    },
    schema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: { amount: { type: 'string' }, payTo: { type: 'string' } },
      required: ['network', 'asset', 'payTo', 'amount'],
    },
  };
}

/** Who may take a transfer by its hash alone. The amount is what was transferred, not the price. */
const bareHash = (proofFromMicroUsdc: number | undefined): string => {
  const taken = 'taken from its first presenter';
  if (proofFromMicroUsdc === undefined) return taken;
  return `${taken}; a transfer of ${usdOf(proofFromMicroUsdc)} USDC or more only with a payer proof`;
};
