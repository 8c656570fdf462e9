import { MAX_PROOF_LIFE_S } from '../../../payment/terms/constants.ts';
import { proofDomain, PROOF_TYPES } from '../../../payment/terms/payer-proof.ts';
import { sha256Hex } from '../../../lib/digest.ts';
import { paymentHeader, type TypedData } from './payment-signing.ts';
import type { Offer } from './payment-terms.ts';

export type ProofOf = {
  /** Origin of the service: a proof for one deployment is none for another. */
  origin: string;
  transaction: string;
  capability: string;
  /** The exact body that is sent. */
  bodyText: string;
  nowS: number;
};

/** A proof to sign, that whoever presents a transfer made it. It authorises no spending. */
export async function proofTypedData({ origin, transaction, capability, bodyText, nowS }: ProofOf): Promise<TypedData> {
  const salt = await sha256Hex(origin);
  return {
    domain: proofDomain(salt),
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
      bodySha256: `0x${await sha256Hex(bodyText)}`,
      issuedAt: String(nowS),
      expiresAt: String(nowS + MAX_PROOF_LIFE_S),
    },
  };
}

/** The PAYMENT-SIGNATURE value of a signed proof. */
export const provenTransfer = ({ accepted }: Offer, { transaction, nowS }: ProofOf, signature: string): string =>
  paymentHeader({
    accepted,
    payload: { transaction, signature, issuedAt: nowS, expiresAt: nowS + MAX_PROOF_LIFE_S },
  });
