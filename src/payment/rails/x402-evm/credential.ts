import * as z from 'zod';
import type { SignedAuthorization } from '../../terms/authorization.ts';
import { refuseCredential, type RefusedCredential } from '../refuse-credential.ts';
import { address, bytes32, describeSchemaFault, type Echo, hexSignature, type X402Message } from '../x402-message.ts';

/** Largest uint256. */
const MAX_UINT256 = 2n ** 256n - 1n;

/** A decimal without sign or leading zeros: one number has one spelling (rule P21). */
export const uint256 = z
  .string()
  .regex(/^(0|[1-9][0-9]{0,77})$/, 'is not a decimal number without sign or leading zeros')
  .transform((digits) => BigInt(digits))
  .refine((number) => number <= MAX_UINT256, 'is over 256 bits');

/** `payload` of a signed authorization. */
export const signedPayload = z.strictObject({
  signature: hexSignature,
  authorization: z.strictObject({
    from: address,
    to: address,
    value: uint256,
    validAfter: uint256,
    validBefore: uint256,
    nonce: bytes32,
  }),
});

/** A signed payload of x402 (`exact`, EIP-3009), settled through a facilitator. */
export type SignedCredential = { kind: 'signed'; authorization: SignedAuthorization; signature: `0x${string}` } & Echo;

/** Checks the form only: terms, signatures and the chain are for later. */
export function parseSigned({
  payload,
  echo,
}: Extract<X402Message, { kind: 'payload' }>): { ok: true; credential: SignedCredential } | RefusedCredential {
  const signed = signedPayload.safeParse(payload);
  if (!signed.success) return refuseCredential(describeSchemaFault(signed.error, 'payload'));
  return { ok: true, credential: { kind: 'signed', ...signed.data, ...echo } };
}
