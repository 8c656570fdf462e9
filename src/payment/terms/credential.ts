import * as z from 'zod';
import { decodeBase64Text } from './bytes.ts';
import { MAX_CREDENTIAL_CHARS } from './constants.ts';

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

const hexSignature = z
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

/** `payload` of a transfer with a payer proof. */
export const proofPayload = z.strictObject({
  transaction: bytes32,
  signature: hexSignature,
  issuedAt: seconds,
  expiresAt: seconds,
});

/** Which of the two a payload wants to be: only a proof names a transaction. */
export const isProofPayload = (payload: unknown): boolean =>
  typeof payload === 'object' && payload !== null && 'transaction' in payload;

/** An EIP-3009 authorization as parsed: addresses, nonce and signature in lower case, numbers as bigints. */
export type SignedAuthorization = {
  from: string;
  to: string;
  value: bigint;
  /** Unix seconds. */
  validAfter: bigint;
  validBefore: bigint;
  /** 32 bytes. */
  nonce: string;
};

/** What a client may send beside the payment itself. None of it is signed. */
type Echo = {
  /** The requirements that the client says it accepts, apart from `extra`. */
  accepted: AcceptedTerms;
  /** URL of the resource that the client says it pays for. */
  resourceUrl: string | undefined;
  /** The quote of our 402 (32 hex digits), when the client sent one back. */
  quote: string | undefined;
  /** Id of the payment-identifier extension. */
  identifier: string | undefined;
  /** The client sent our bazaar block back, which asks the facilitator to list us. */
  echoesBazaar: boolean;
};

/** A signed payload, settled through a facilitator. */
export type SignedCredential = { kind: 'signed'; authorization: SignedAuthorization; signature: `0x${string}` } & Echo;

/** A payer's proof as sent: who signed it is not known before `verifyPayerProof`. Times are Unix seconds. */
export type PresentedProof = { signature: `0x${string}`; issuedAtS: number; expiresAtS: number };

/** The hash of a USDC transfer that was made, bare or with a proof of its payer. */
export type TransferCredential =
  | { kind: 'transfer'; hash: string; proof: undefined }
  | ({ kind: 'transfer'; hash: string; proof: PresentedProof } & Echo);

export type Credential = SignedCredential | TransferCredential;

export type ParsedCredential =
  | { ok: true; credential: Credential }
  /** `detail` is in our words and repeats nothing of the header. */
  | { ok: false; reason: 'invalid_payload'; detail: string };

/**
 * Parses the value of PAYMENT-SIGNATURE: a transaction hash, a signed x402 v2 payload (`exact`, EIP-3009), or a
 * transfer with a payer proof. Checks the form only: terms, signatures and the chain are for later. A hash is tried
 * first, since it is well-formed base64 too.
 */
export function parseCredential(value: string): ParsedCredential {
  if (value.length > MAX_CREDENTIAL_CHARS)
    return refuseCredential(`PAYMENT-SIGNATURE is longer than ${MAX_CREDENTIAL_CHARS} characters`);
  const trimmed = value.trim();
  if (/^0x[0-9a-fA-F]{64}$/.test(trimmed)) {
    return { ok: true, credential: { kind: 'transfer', hash: trimmed.toLowerCase(), proof: undefined } };
  }
  const text = decodeBase64Text(trimmed);
  if (text === undefined)
    return refuseCredential('PAYMENT-SIGNATURE is neither a transaction hash nor standard base64 of UTF-8 text');
  const json = parseJson(text);
  if (json === undefined) return refuseCredential('PAYMENT-SIGNATURE does not hold a JSON object');
  return parseEnvelope(json);
}

function parseEnvelope(json: object): ParsedCredential {
  if ('x402Version' in json && json.x402Version !== 2) return refuseCredential('only x402 version 2 is accepted');
  const outer = credentialEnvelope.safeParse(json);
  if (!outer.success) return refuseCredential(describeSchemaFault(outer.error));
  const { payload, ...sent } = outer.data;
  const terms = accepted.safeParse(sent.accepted);
  if (!terms.success) return refuseCredential(describeSchemaFault(terms.error, 'accepted'));
  const identifier = readIdentifier(sent.extensions);
  if (!identifier.ok) {
    return refuseCredential('extensions.payment-identifier.info.id is not 16 to 128 letters, digits, "-" or "_"');
  }
  const { extra, ...acceptedTerms } = terms.data;
  return parsePayload(payload, {
    accepted: acceptedTerms,
    resourceUrl: sent.resource?.url,
    quote: readQuote(extra),
    identifier: identifier.id,
    echoesBazaar: isRecord(sent.extensions?.['bazaar']),
  });
}

function parsePayload(payload: unknown, echo: Echo): ParsedCredential {
  if (isProofPayload(payload)) {
    const proof = proofPayload.safeParse(payload);
    if (!proof.success) return refuseCredential(describeSchemaFault(proof.error, 'payload'));
    const { transaction, signature, issuedAt, expiresAt } = proof.data;
    const presented = { signature, issuedAtS: issuedAt, expiresAtS: expiresAt };
    return { ok: true, credential: { kind: 'transfer', hash: transaction, proof: presented, ...echo } };
  }
  const signed = signedPayload.safeParse(payload);
  if (!signed.success) return refuseCredential(describeSchemaFault(signed.error, 'payload'));
  return { ok: true, credential: { kind: 'signed', ...signed.data, ...echo } };
}

const refuseCredential = (detail: string): ParsedCredential => ({ ok: false, reason: 'invalid_payload', detail });

/** The first fault: where, in names of our schema, and what was wanted. zod's texts name keys that a client chose. */
function describeSchemaFault(error: z.ZodError, at?: string): string {
  const issue = error.issues[0];
  const where = [...(at === undefined ? [] : [at]), ...(issue?.path ?? [])].join('.') || 'the payload';
  return issue?.code === 'unrecognized_keys'
    ? `${where} has members that are not part of it`
    : `${where}: ${describeExpected(issue)}`;
}

function describeExpected(issue: z.core.$ZodIssue | undefined): string {
  return issue?.code === 'custom' || issue?.code === 'invalid_format'
    ? issue.message
    : 'is missing or of the wrong type';
}

function parseJson(text: string): object | undefined {
  try {
    const json: unknown = JSON.parse(text);
    return isRecord(json) ? json : undefined;
  } catch {
    return undefined; // Not JSON: the caller says so.
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function readQuote(extra: Record<string, unknown> | null | undefined): string | undefined {
  const quote = extra?.['quote'];
  return typeof quote === 'string' && /^[0-9a-f]{32}$/.test(quote) ? quote : undefined;
}

/** The client's id, if it sent one. */
function readIdentifier(extensions: Record<string, unknown> | null | undefined): { ok: boolean; id?: string } {
  const extension = extensions?.['payment-identifier'];
  const info = isRecord(extension) ? extension['info'] : undefined;
  const id = isRecord(info) ? info['id'] : undefined;
  if (id === undefined || id === null) return { ok: true };
  return typeof id === 'string' && /^[a-zA-Z0-9_-]{16,128}$/.test(id) ? { ok: true, id } : { ok: false };
}
