import * as z from 'zod';
import { parseJson } from '../../lib/json.ts';
import { PRODUCT } from '../../lib/product.ts';
import { checkSignInMessage, type SignInRefusal, type SignedTerms } from './siwe.ts';

/** Name of the x402 extension, and of the header that answers it. */
export const SIWX = 'sign-in-with-x';
/** Longest value of the header, in characters: fields and the signature of a contract wallet. */
export const MAX_SIWX_CHARS = 8_192;
/** What a wallet shows. It differs from that of the sign-in page, so that neither signature is good for the other. */
const SIWX_STATEMENT = `Show me the ${PRODUCT} reports that this wallet bought. This costs nothing and sends no transaction.`;
/** A challenge is good this long, in milliseconds: as long as its nonce. */
const CHALLENGE_LIFE_MS = 5 * 60_000;

/** The fixed parts of a proof for an address of ours. `chainId`: where contract wallets are asked. */
export const buildSiwxTerms = (baseUrl: string, path: string, chainId: number): SignedTerms => {
  const { host, origin } = new URL(baseUrl);
  return { domain: host, uri: `${origin}${path}`, version: '1', chainId, statement: SIWX_STATEMENT };
};

/** The name that nonces of these challenges are bound to: no browser's session has it. */
export const buildSiwxNonceScope = ({ uri }: Pick<SignedTerms, 'uri'>): string => `${SIWX} ${uri}`;

/**
 * The extension of an answer that asks for a proof.
 * @see https://github.com/x402-foundation/x402/blob/main/specs/extensions/sign-in-with-x.md
 */
export function buildSiwxExtension(
  { domain, uri, version, chainId, statement }: SignedTerms,
  nonce: string,
  nowMs: number,
): Record<string, unknown> {
  const [issuedAt, expirationTime] = [nowMs, nowMs + CHALLENGE_LIFE_MS].map((ms) => new Date(ms).toISOString());
  return {
    info: { domain, uri, version, statement, nonce, issuedAt, expirationTime },
    supportedChains: [{ chainId: `eip155:${chainId}`, type: 'eip191' }],
    schema: {
      type: 'object',
      required: ['domain', 'address', 'uri', 'version', 'chainId', 'type', 'nonce', 'issuedAt', 'signature'],
    },
  };
}

const time = z.string().max(40);
/** A proof as clients send it. Whatever else they add is not signed by them, and is refused. */
const proofSchema = z.strictObject({
  domain: z.string(),
  address: z.string().regex(/^0x[0-9a-fA-F]{40}$/),
  statement: z.string(),
  uri: z.string(),
  version: z.string(),
  chainId: z.string().regex(/^eip155:[1-9][0-9]{0,15}$/),
  type: z.literal('eip191'),
  signatureScheme: z.enum(['eip191', 'eip1271']).optional(),
  nonce: z.string(),
  issuedAt: time,
  expirationTime: time.optional(),
  notBefore: time.optional(),
  signature: z.string(),
});

export type SiwxProof =
  | { ok: true; message: string; address: `0x${string}`; nonce: string; signature: string }
  | { ok: false; reason: SignInRefusal };

/**
 * Reads a proof and judges it as the sign-in page judges its message (rule A3): the signed text is written again from the
 * fields, and read by the same parser. Whether its nonce is ours and who signed it is judged elsewhere.
 * @param text the decoded value of the header; undefined where it cannot be decoded
 */
export function readSiwxProof(text: string | undefined, terms: SignedTerms, nowMs: number): SiwxProof {
  const parsed = proofSchema.safeParse(parseJson(text ?? ''));
  if (!parsed.success) return { ok: false, reason: 'malformed' };
  const message = formatProofMessage(parsed.data);
  const checked = checkSignInMessage(message, terms, nowMs);
  return checked.ok ? { ...checked, message, signature: parsed.data.signature } : checked;
}

/** The text that was signed (EIP-4361). A field that holds a line end makes another message, which the parser refuses. */
const formatProofMessage = (proof: z.infer<typeof proofSchema>): string =>
  [
    `${proof.domain} wants you to sign in with your Ethereum account:`,
    proof.address,
    '',
    proof.statement,
    '',
    `URI: ${proof.uri}`,
    `Version: ${proof.version}`,
    `Chain ID: ${proof.chainId.slice('eip155:'.length)}`,
    `Nonce: ${proof.nonce}`,
    `Issued At: ${proof.issuedAt}`,
    ...(proof.expirationTime === undefined ? [] : [`Expiration Time: ${proof.expirationTime}`]),
    ...(proof.notBefore === undefined ? [] : [`Not Before: ${proof.notBefore}`]),
  ].join('\n');
