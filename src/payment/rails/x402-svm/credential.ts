import * as z from 'zod';
import { refuseCredential, type RefusedCredential } from '../refuse-credential.ts';
import { describeSchemaFault, type Echo, type X402Message } from '../x402-message.ts';

/** Base64 of the largest transaction that Solana carries, which is 1,232 bytes. */
const MAX_TRANSACTION_CHARS = 1_644;

const svmPayload = z.strictObject({
  transaction: z
    .string()
    .max(MAX_TRANSACTION_CHARS)
    .regex(/^[A-Za-z0-9+/]+={0,2}$/, 'is not standard base64'),
});

/** A signed transaction of x402 (`exact` on Solana), which a facilitator signs as the payer of fees and sends. `wire` is base64. */
export type SvmCredential = { kind: 'svm'; wire: string; bytes: Uint8Array<ArrayBuffer> } & Echo;

/** Whether a payload is of this rail: the network says it, because a transfer proof names a transaction, too. */
export const isSvmMessage = (message: X402Message): boolean =>
  message.kind === 'payload' && message.echo.accepted.network.startsWith('solana:');

/** Checks the form of the text only: what the transaction holds, its terms and the chain are for later. */
export function parseSvm({
  payload,
  echo,
}: Extract<X402Message, { kind: 'payload' }>): { ok: true; credential: SvmCredential } | RefusedCredential {
  const read = svmPayload.safeParse(payload);
  if (!read.success) return refuseCredential(describeSchemaFault(read.error, 'payload'));
  const wire = read.data.transaction;
  const bytes = decodeBase64(wire);
  if (bytes === undefined) return refuseCredential('payload.transaction: is not standard base64');
  return { ok: true, credential: { kind: 'svm', wire, bytes, ...echo } };
}

function decodeBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
  } catch {
    return undefined;
  }
}
