import * as z from 'zod';
import { decodeBase64Text } from '../terms/bytes.ts';
import { MAX_CREDENTIAL_CHARS } from '../terms/constants.ts';
import { refuseCredential, type RefusedCredential } from './refuse-credential.ts';

/** Longest signature, in hexadecimal digits: a contract wallet's is a few hundred bytes. */
const MAX_SIGNATURE_DIGITS = 6_000;

const defineHex = (bytes: number, what: string) =>
  z
    .string()
    .regex(new RegExp(`^0x[0-9a-fA-F]{${bytes * 2}}$`), `is not ${what}: 0x and ${bytes * 2} hexadecimal digits`)
    .transform((value) => value.toLowerCase());
export const address = defineHex(20, 'an address');
export const bytes32 = defineHex(32, 'a 32-byte value');

export const hexSignature = z
  .string()
  .max(MAX_SIGNATURE_DIGITS + 2)
  .regex(/^0x(?:[0-9a-fA-F]{2})+$/, 'is not hexadecimal bytes')
  .transform((value) => `0x${value.slice(2).toLowerCase()}` as const);

/** Reserved keys of `extra` that would choose another way to pay than the one that is sold (rule P7). */
const REFUSED_EXTRA = ['assetTransferMethod', 'paymentFlow'] as const;

/** An address of an EVM network, in lower case, or one of Solana, whose letters have their case. */
const anyAddress = z
  .string()
  .regex(
    /^(?:0x[0-9a-fA-F]{40}|[1-9A-HJ-NP-Za-km-z]{32,44})$/,
    'is not an address: 0x and 40 hexadecimal digits, or base58 on Solana',
  )
  .transform((value) => (value.startsWith('0x') ? value.toLowerCase() : value));

/** `accepted`: the requirements as the client repeats them. `extra` may hold anything else. */
export const accepted = z.strictObject({
  scheme: z.string(),
  network: z.string(),
  amount: z.string(),
  asset: anyAddress,
  payTo: anyAddress,
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
const credentialEnvelope = z.strictObject({
  x402Version: z.literal(2),
  resource: z.looseObject({ url: z.string() }).nullish(),
  accepted: z.unknown(),
  payload: z.unknown(),
  extensions: z.record(z.string(), z.unknown()).nullish(),
});

/** What a client may send beside the payment itself. None of it is signed. */
export type Echo = {
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

/** The value of PAYMENT-SIGNATURE before any rail reads it. `hash` in lower case. */
export type X402Message = { kind: 'hash'; hash: string } | { kind: 'payload'; payload: unknown; echo: Echo };

/**
 * Reads the value of PAYMENT-SIGNATURE: a transaction hash, or an x402 v2 payload with what its client sends back. A hash is
 * tried first, since it is well-formed base64 too. What the payload itself holds is for its rail.
 */
export function decodeX402(value: string): { ok: true; message: X402Message } | RefusedCredential {
  if (value.length > MAX_CREDENTIAL_CHARS)
    return refuseCredential(`PAYMENT-SIGNATURE is longer than ${MAX_CREDENTIAL_CHARS} characters`);
  const trimmed = value.trim();
  if (/^0x[0-9a-fA-F]{64}$/.test(trimmed)) return { ok: true, message: { kind: 'hash', hash: trimmed.toLowerCase() } };
  const text = decodeBase64Text(trimmed);
  if (text === undefined)
    return refuseCredential('PAYMENT-SIGNATURE is neither a transaction hash nor standard base64 of UTF-8 text');
  const json = parseJson(text);
  if (json === undefined) return refuseCredential('PAYMENT-SIGNATURE does not hold a JSON object');
  return readEnvelope(json);
}

function readEnvelope(json: object): { ok: true; message: X402Message } | RefusedCredential {
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
  const echo = {
    accepted: acceptedTerms,
    resourceUrl: sent.resource?.url,
    quote: readQuote(extra),
    identifier: identifier.id,
    echoesBazaar: isRecord(sent.extensions?.['bazaar']),
  };
  return { ok: true, message: { kind: 'payload', payload, echo } };
}

/** The first fault: where, in names of our schema, and what was wanted. zod's texts name keys that a client chose. */
export function describeSchemaFault(error: z.ZodError, at?: string): string {
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
