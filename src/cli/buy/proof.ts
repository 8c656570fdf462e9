import type { PaymentRequirements } from '@x402/core/types';
import { type Hex, type LocalAccount, sha256, toBytes } from 'viem';
import { paymentAssets, type PaymentNetwork } from './spending.ts';

/** Life of a payer proof: the longest the service accepts. */
const PROOF_SECONDS = 600;

const types = {
  Proof: [
    { name: 'transaction', type: 'bytes32' },
    { name: 'capability', type: 'string' },
    { name: 'bodySha256', type: 'bytes32' },
    { name: 'issuedAt', type: 'uint256' },
    { name: 'expiresAt', type: 'uint256' },
  ],
} as const;

export type ProofInput = {
  /** Origin of the service: a proof for one deployment is none for another. */
  origin: string;
  network: PaymentNetwork;
  transaction: Hex;
  capability: string;
  /** The exact body that is sent. */
  bodyText: string;
  /** The terms that the transfer paid. */
  accepted: PaymentRequirements;
  nowS: number;
};

/**
 * A PAYMENT-SIGNATURE value that presents a USDC transfer and proves that its payer presents it: base64 of the payload
 * with an EIP-712 signature over transaction, capability and body. It authorises no spending.
 */
export async function provenTransfer(account: LocalAccount, input: ProofInput): Promise<string> {
  const { transaction, capability, nowS } = input;
  const expiresAt = nowS + PROOF_SECONDS;
  const signature = await account.signTypedData({
    domain: {
      name: 'Sightline payment proof',
      version: '1',
      chainId: paymentAssets[input.network].chainId,
      salt: sha256(toBytes(input.origin)),
    },
    types,
    primaryType: 'Proof',
    message: {
      transaction,
      capability,
      bodySha256: sha256(toBytes(input.bodyText)),
      issuedAt: BigInt(nowS),
      expiresAt: BigInt(expiresAt),
    },
  });
  const payload = { transaction, signature, issuedAt: nowS, expiresAt };
  return Buffer.from(JSON.stringify({ x402Version: 2, accepted: input.accepted, payload })).toString('base64');
}
