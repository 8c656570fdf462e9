import * as z from 'zod';

/** Largest uint256. */
const MAX_UINT256 = 2n ** 256n - 1n;
/** Longest signature, in hexadecimal digits: a contract wallet's is a few hundred bytes. */
const MAX_SIGNATURE_DIGITS = 6_000;

/** A decimal without sign or leading zeros: one number has one spelling (rule P21). */
const uint256 = z
  .string()
  .regex(/^(0|[1-9][0-9]{0,77})$/, 'is not a decimal number without sign or leading zeros')
  .transform((digits) => BigInt(digits))
  .refine((number) => number <= MAX_UINT256, 'is over 256 bits');

const defineHex = (bytes: number, what: string) =>
  z
    .string()
    .regex(new RegExp(`^0x[0-9a-fA-F]{${bytes * 2}}$`), `is not ${what}: 0x and ${bytes * 2} hexadecimal digits`)
    .transform((value) => value.toLowerCase());
const address = defineHex(20, 'an address');
const bytes32 = defineHex(32, 'a 32-byte value');

const signature = z
  .string()
  .max(MAX_SIGNATURE_DIGITS + 2)
  .regex(/^0x(?:[0-9a-fA-F]{2})+$/, 'is not hexadecimal bytes')
  .transform((value) => `0x${value.slice(2).toLowerCase()}` as const);

const seconds = z.int().nonnegative();

/** Reserved keys of `extra` that would choose another way to pay than the one that is sold (rule P7). */
const REFUSED_EXTRA = ['assetTransferMethod', 'paymentFlow'] as const;

/** `accepted`: the requirements as the client repeats them. Addresses are lower-cased; `extra` may hold anything else. */
export const accepted = z.strictObject({
  scheme: z.string(),
  network: z.string(),
  amount: z.string(),
  asset: address,
  payTo: address,
  maxTimeoutSeconds: z.number(),
  extra: z
    .record(z.string(), z.unknown())
    .refine(
      (extra) => !REFUSED_EXTRA.some((key) => Object.hasOwn(extra, key)),
      'chooses a transfer method or payment flow',
    )
    .nullish(),
});

export type AcceptedTerms = Omit<z.infer<typeof accepted>, 'extra'>;

/** The outside of every base64 credential. `null` represents absent: clients of other languages send it. */
export const credentialEnvelope = z.strictObject({
  x402Version: z.literal(2),
  resource: z.looseObject({ url: z.string() }).nullish(),
  accepted: z.unknown(),
  payload: z.unknown(),
  extensions: z.record(z.string(), z.unknown()).nullish(),
});

/** `payload` of a signed authorization. */
export const signedPayload = z.strictObject({
  signature,
  authorization: z.strictObject({
    from: address,
    to: address,
    value: uint256,
    validAfter: uint256,
    validBefore: uint256,
    nonce: bytes32,
  }),
});

/** `payload` of a transfer with a payer proof. */
export const proofPayload = z.strictObject({ transaction: bytes32, signature, issuedAt: seconds, expiresAt: seconds });

/** Which of the two a payload wants to be: only a proof names a transaction. */
export const isProofPayload = (payload: unknown): boolean =>
  typeof payload === 'object' && payload !== null && 'transaction' in payload;
