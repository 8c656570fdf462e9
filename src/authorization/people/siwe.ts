import { PRODUCT } from '../../lib/product.ts';
import { recoverSigner, loadViemUtils } from '../../lib/ethereum.ts';
import { NONCE_FORM } from '../oauth/nonce.ts';

type Hex = `0x${string}`;

export type SignatureVerdict =
  | { ok: true }
  | { ok: false; reason: 'bad_signature' | 'erc6492_refused' }
  /** Doubt: the chain could not be asked, or the caller has asked it too often. */
  | { ok: false; reason: 'chain_unavailable' | 'too_many_attempts'; retryAfterS: number };

/** Asks the chain whether `address` has code and says that `signature` over `digest` is its own (ERC-1271). */
export type AskContract = (address: Hex, digest: Hex, signature: Hex) => Promise<SignatureVerdict>;

/** Contract wallets sign with several keys; what is longer is no signature. */
const MAX_SIGNATURE_CHARS = 4_096;
const SIGNATURE = /^0x[0-9a-fA-F]+$/;

/**
 * Whether the holder of `address` signed `message` as text (EIP-191). Keys are recovered here; only when that
 * fails is `askContract` called. ERC-6492 is refused: its wrapper makes a node run code of the signer's choice. A
 * payment proof can never pass: it is typed data (EIP-712), so another digest was signed (rule P10).
 */
export async function verifySignInSignature(
  { message, address, signature }: { message: string; address: Hex; signature: string },
  askContract: AskContract,
): Promise<SignatureVerdict> {
  const { hashMessage, isErc6492Signature } = await loadViemUtils();
  if (signature.length > MAX_SIGNATURE_CHARS || !isHex(signature)) return { ok: false, reason: 'bad_signature' };
  if (isErc6492Signature(signature)) return { ok: false, reason: 'erc6492_refused' };
  const digest = hashMessage(message);
  if ((await recoverSigner(digest, signature)) === address.toLowerCase()) return { ok: true };
  return askContract(address, digest, signature);
}

const isHex = (text: string): text is Hex => SIGNATURE.test(text);

/** What a person signs to sign in (EIP-4361, ABNF of the message), and no other text. */
export const SIGN_IN_STATEMENT = `Sign in to ${PRODUCT}. This costs nothing and sends no transaction.`;
/** Base: the chain that is named where a deployment names no other network. */
const SIGN_IN_CHAIN_ID = 8453;
/** A message is good this long after it was issued; clocks of wallets may run ahead by a minute. */
const MAX_AGE_MS = 5 * 60_000;
const MAX_AHEAD_MS = 60_000;
const MAX_MESSAGE_CHARS = 2_000;

const ADDRESS = /^0x[0-9a-fA-F]{40}$/;
/** Printable ASCII and line feeds: whatever else a wallet may show as something that it is not. */
const PRINTABLE = /^[\n\x20-\x7e]*$/;
const RFC_3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/;

export type SignInRefusal =
  | 'malformed'
  | 'wrong_domain'
  | 'wrong_statement'
  | 'wrong_uri'
  | 'wrong_version'
  | 'wrong_chain'
  | 'wrong_nonce'
  | 'too_old'
  | 'in_the_future'
  | 'expired'
  | 'not_yet_valid';

export type SignInMessage = { ok: true; address: `0x${string}`; nonce: string } | { ok: false; reason: SignInRefusal };

/**
 * The fixed parts of a message for this deployment.
 * @param chainId of the network where the deployment is paid: contract wallets are asked there, and must be asked on the
 * chain that the message names
 */
export function signInTerms(baseUrl: string, chainId: number = SIGN_IN_CHAIN_ID): SignedTerms {
  const { host, origin } = new URL(baseUrl);
  return { domain: host, uri: `${origin}/signin`, version: '1', chainId, statement: SIGN_IN_STATEMENT };
}

/** What a signed message must say of where and for what it was signed. */
export type SignedTerms = { domain: string; uri: string; version: '1'; chainId: number; statement: string };

/** The message itself, for people whose wallet has no page. `address` in EIP-55 spelling, times as Unix milliseconds. */
export function signInMessage(
  { domain, uri, version, chainId, statement }: SignedTerms,
  address: string,
  nonce: string,
  nowMs: number,
): string {
  return [
    `${domain} wants you to sign in with your Ethereum account:`,
    address,
    '',
    statement,
    '',
    `URI: ${uri}`,
    `Version: ${version}`,
    `Chain ID: ${chainId}`,
    `Nonce: ${nonce}`,
    `Issued At: ${new Date(nowMs).toISOString()}`,
  ].join('\n');
}

/**
 * Reads a message and judges whether it is for this deployment and this moment. Whether its nonce is ours and who
 * signed it is judged elsewhere. Line by line and to the last line: viem's parser allows free text between and after the
 * fields, and so would take a message that reads otherwise to a person. Request id and resources are refused: we ask for none.
 * @see https://eips.ethereum.org/EIPS/eip-4361
 */
export function checkSignInMessage(message: string, terms: SignedTerms, nowMs: number): SignInMessage {
  if (message.length > MAX_MESSAGE_CHARS || !PRINTABLE.test(message)) return refuseSignIn('malformed');
  const [intro = '', address = '', gap, statement, secondGap, ...fields] = message.split('\n');
  const values = readMessageFields(fields);
  const domain = extractBetween(intro, '', ' wants you to sign in with your Ethereum account:');
  if (domain === undefined || !isAddress(address) || gap !== '' || values === undefined)
    return refuseSignIn('malformed');
  if (domain !== terms.domain) return refuseSignIn('wrong_domain');
  if (statement !== terms.statement || secondGap !== '') return refuseSignIn('wrong_statement');
  if (values.uri !== terms.uri) return refuseSignIn('wrong_uri');
  if (values.version !== terms.version) return refuseSignIn('wrong_version');
  if (values.chainId !== String(terms.chainId)) return refuseSignIn('wrong_chain');
  if (!NONCE_FORM.test(values.nonce)) return refuseSignIn('wrong_nonce');
  const reason = findTimeRefusal(values, nowMs);
  return reason === undefined ? { ok: true, address, nonce: values.nonce } : refuseSignIn(reason);
}

type Fields = {
  uri: string;
  version: string;
  chainId: string;
  nonce: string;
  issuedAtMs: number;
  expirationMs?: number;
  notBeforeMs?: number;
};

/** The labelled lines, in the order of the ABNF and with nothing between or after them. */
function readMessageFields(lines: readonly string[]): Fields | undefined {
  const rest = [...lines];
  const take = (label: string): string | undefined => {
    const value = extractBetween(rest[0] ?? '', `${label}: `, '');
    if (value !== undefined) rest.shift();
    return value;
  };
  const [uri, version, chainId, nonce] = ['URI', 'Version', 'Chain ID', 'Nonce'].map(take);
  const [issuedAtMs, expirationMs, notBeforeMs] = ['Issued At', 'Expiration Time', 'Not Before'].map((label) => {
    const text = take(label);
    return text === undefined ? undefined : parseMessageTime(text);
  });
  if (uri === undefined || version === undefined || chainId === undefined || nonce === undefined) return undefined;
  if (issuedAtMs === undefined || rest.length > 0) return undefined;
  if ([issuedAtMs, expirationMs, notBeforeMs].some((time) => Number.isNaN(time))) return undefined;
  return {
    uri,
    version,
    chainId,
    nonce,
    issuedAtMs,
    ...(expirationMs === undefined ? {} : { expirationMs }),
    ...(notBeforeMs === undefined ? {} : { notBeforeMs }),
  };
}

function findTimeRefusal({ issuedAtMs, expirationMs, notBeforeMs }: Fields, nowMs: number): SignInRefusal | undefined {
  if (issuedAtMs > nowMs + MAX_AHEAD_MS) return 'in_the_future';
  if (issuedAtMs <= nowMs - MAX_AGE_MS) return 'too_old';
  if (expirationMs !== undefined && expirationMs <= nowMs) return 'expired';
  return notBeforeMs !== undefined && notBeforeMs > nowMs ? 'not_yet_valid' : undefined;
}

const refuseSignIn = (reason: SignInRefusal): SignInMessage => ({ ok: false, reason });
const isAddress = (text: string): text is `0x${string}` => ADDRESS.test(text);
const parseMessageTime = (text: string): number => (RFC_3339.test(text) ? Date.parse(text) : Number.NaN);

/** The text between a start and an end; undefined when the text lacks one of them. */
function extractBetween(text: string, start: string, end: string): string | undefined {
  const fits = text.length > start.length + end.length && text.startsWith(start) && text.endsWith(end);
  return fits ? text.slice(start.length, text.length - end.length) : undefined;
}
