import * as z from 'zod';
import { refuseCredential, type RefusedCredential } from '../refuse-credential.ts';
import { bytes32, describeSchemaFault, type Echo, hexSignature, type X402Message } from '../x402-message.ts';

const seconds = z.int().nonnegative();

/** `payload` of a transfer with a payer proof. */
const proofPayload = z.strictObject({
  transaction: bytes32,
  signature: hexSignature,
  issuedAt: seconds,
  expiresAt: seconds,
});

/** A payer's proof as sent: who signed it is not known before `verifyPayerProof`. Times are Unix seconds. */
export type PresentedProof = { signature: `0x${string}`; issuedAtS: number; expiresAtS: number };

/** The hash of a USDC transfer that was made, bare or with a proof of its payer. */
export type TransferCredential =
  | { kind: 'transfer'; hash: string; proof: undefined }
  | ({ kind: 'transfer'; hash: string; proof: PresentedProof } & Echo);

/** Whether a message is of this rail. */
export const isTransferMessage = (message: X402Message): boolean =>
  message.kind === 'hash' || isProofPayload(message.payload);

/** Which of the two a payload wants to be: only a proof names a transaction. */
const isProofPayload = (payload: unknown): boolean =>
  typeof payload === 'object' && payload !== null && 'transaction' in payload;

export function parseTransfer(message: X402Message): { ok: true; credential: TransferCredential } | RefusedCredential {
  if (message.kind === 'hash')
    return { ok: true, credential: { kind: 'transfer', hash: message.hash, proof: undefined } };
  const proof = proofPayload.safeParse(message.payload);
  if (!proof.success) return refuseCredential(describeSchemaFault(proof.error, 'payload'));
  const { transaction, signature, issuedAt, expiresAt } = proof.data;
  const presented = { signature, issuedAtS: issuedAt, expiresAtS: expiresAt };
  return { ok: true, credential: { kind: 'transfer', hash: transaction, proof: presented, ...message.echo } };
}
