import { computeSha256Hex } from '../../../lib/digest.ts';
import { MAX_PROOF_LIFE_S } from '../../../payment/terms/constants.ts';
import { PROOF_TYPES, buildProofDomain } from '../../../payment/rails/transfer/payer-proof.ts';
import { formatPaymentHeader, type SignableTypedData } from './payment-signing.ts';
import type { PageOffer } from './payment-terms.ts';

export type ProofOf = {
  /** Origin of the service: a proof for one deployment is none for another. */
  origin: string;
  transaction: string;
  capability: string;
  /** The exact body that is sent. */
  bodyText: string;
  nowS: number;
};

/** A proof to sign: that the presenter of a transfer made it. It authorises no spending. */
export async function buildTransferProofTypedData({
  origin,
  transaction,
  capability,
  bodyText,
  nowS,
}: ProofOf): Promise<SignableTypedData> {
  const salt = await computeSha256Hex(origin);
  return {
    domain: buildProofDomain(salt),
    types: {
      EIP712Domain: [
        { name: 'name', type: 'string' },
        { name: 'version', type: 'string' },
        { name: 'chainId', type: 'uint256' },
        { name: 'salt', type: 'bytes32' },
      ],
      ...PROOF_TYPES,
    },
    primaryType: 'Proof',
    message: {
      transaction,
      capability,
      bodySha256: `0x${await computeSha256Hex(bodyText)}`,
      issuedAt: String(nowS),
      expiresAt: String(nowS + MAX_PROOF_LIFE_S),
    },
  };
}

/** The PAYMENT-SIGNATURE value of a signed proof. */
export const formatTransferProof = (
  { accepted }: PageOffer,
  { transaction, nowS }: ProofOf,
  signature: string,
): string =>
  formatPaymentHeader({
    accepted,
    payload: { transaction, signature, issuedAt: nowS, expiresAt: nowS + MAX_PROOF_LIFE_S },
  });
