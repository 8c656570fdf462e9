import { isNotAhead } from '../../terms/terms.ts';
import { PRODUCT } from '../../../lib/product.ts';
import { computeSha256Hex } from '../../../lib/digest.ts';
import type { ChainReader } from '../../chain/chain.ts';
import { CHAIN_ID, MAX_PROOF_LIFE_S } from '../../terms/constants.ts';
import type { PresentedProof } from './credential.ts';
import { loadViemUtils, recoverSigner } from '../../../lib/ethereum.ts';

export const PROOF_TYPES = {
  Proof: [
    { name: 'transaction', type: 'bytes32' },
    { name: 'capability', type: 'string' },
    { name: 'bodySha256', type: 'bytes32' },
    { name: 'issuedAt', type: 'uint256' },
    { name: 'expiresAt', type: 'uint256' },
  ],
} as const;

type Hex = `0x${string}`;

/** What a proof says. Times are Unix seconds; hashes are hex, `bodySha256` of the exact body with or without `0x`. */
export type ProofTerms = {
  transaction: string;
  capability: string;
  bodySha256: string;
  issuedAtS: number;
  expiresAtS: number;
};

/** The salt of a deployment: a proof for one base URL is none for another (rule P10). */
export async function computePayerProofSalt(baseUrl: string): Promise<Hex> {
  return `0x${await computeSha256Hex(baseUrl)}`;
}

/** `chainId`: of the network that is paid on. */
export const buildProofDomain = (salt: string, chainId: number = CHAIN_ID) => ({
  name: `${PRODUCT} payment proof`,
  version: '1',
  chainId,
  salt: with0x(salt),
});

/** The EIP-712 typed data of a proof, as wallets sign it (`account.signTypedData(signable(terms, salt))`). */
export function buildProofTypedData(terms: ProofTerms, salt: string, chainId: number = CHAIN_ID) {
  return {
    domain: buildProofDomain(salt, chainId),
    types: PROOF_TYPES,
    primaryType: 'Proof' as const,
    message: {
      transaction: with0x(terms.transaction),
      capability: terms.capability,
      bodySha256: with0x(terms.bodySha256),
      issuedAt: BigInt(terms.issuedAtS),
      expiresAt: BigInt(terms.expiresAtS),
    },
  };
}

const with0x = (hex: string): Hex => `0x${hex.replace(/^0x/, '').toLowerCase()}`;

/** The request that a proof must be for. */
export type ProofExpected = { hash: string; capability: string; bodySha256: string; salt: string; chainId?: number };

export type ProofTimes = { ok: true } | { ok: false; reason: 'payer_proof_expired'; detail: string };

const refuseExpired = (detail: string): ProofTimes => ({ ok: false, reason: 'payer_proof_expired', detail });

/** Whether a proof is of an acceptable age; for that neither chain nor signature is needed. */
export function checkProofTimes({ issuedAtS, expiresAtS }: PresentedProof, nowS: number): ProofTimes {
  if (expiresAtS <= nowS) return refuseExpired('expiresAt has passed');
  if (!isNotAhead(issuedAtS, nowS)) return refuseExpired('issuedAt is in the future');
  if (expiresAtS - issuedAtS > MAX_PROOF_LIFE_S) return refuseExpired(`a proof lives at most ${MAX_PROOF_LIFE_S} s`);
  return { ok: true };
}

/**
 * Whether `payer` signed a proof for exactly this transaction, capability, body and deployment. Key holders by
 * ECDSA, contract wallets by ERC-1271; never by ERC-6492, whose wrapper makes a node run code of the signer's choice.
 * Does not look at the times: `checkProofTimes` does.
 * @throws ChainUnreachable when a contract wallet cannot be asked.
 */
export async function verifyPayerProof(
  chain: Pick<ChainReader, 'hasCode' | 'isContractSignatureValid'>,
  proof: PresentedProof,
  expected: ProofExpected,
  payer: string,
): Promise<boolean> {
  const { isErc6492Signature } = await loadViemUtils();
  if (isErc6492Signature(proof.signature)) return false;
  const digest = await computeProofDigest(proof, expected);
  if ((await recoverSigner(digest, proof.signature)) === payer.toLowerCase()) return true;
  return (await chain.hasCode(payer)) && chain.isContractSignatureValid(payer, digest, proof.signature);
}

/**
 * The lower-case address whose key signed a proof; undefined when no key did. Whether that is the payer only the chain
 * can say, but the signer vouches for the request.
 */
export async function recoverProofSigner(proof: PresentedProof, expected: ProofExpected): Promise<string | undefined> {
  return recoverSigner(await computeProofDigest(proof, expected), proof.signature);
}

async function computeProofDigest({ issuedAtS, expiresAtS }: PresentedProof, expected: ProofExpected): Promise<Hex> {
  const { hashTypedData } = await loadViemUtils();
  const { hash: transaction, capability, bodySha256, salt, chainId } = expected;
  return hashTypedData(
    buildProofTypedData({ transaction, capability, bodySha256, issuedAtS, expiresAtS }, salt, chainId),
  );
}
