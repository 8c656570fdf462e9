import * as z from 'zod';
import { decodeBase64url, encodeBase64url } from '../../lib/base64url.ts';
import { parseJson } from '../../lib/json.ts';
import { PRODUCT } from '../../lib/product.ts';
import { decodeUtf8Text } from '../../lib/utf8.ts';
import { NONCE_FORM, NONCE_LIFE_MS } from '../oauth/nonce.ts';
import type { PasskeyWay } from './ways.ts';

/** Whose passkeys are taken: those of one origin, exactly, and of its host. */
export type PasskeyTerms = { origin: string; rpId: string };

export type PasskeyRefusal =
  | 'malformed_passkey'
  | 'wrong_challenge'
  | 'wrong_origin'
  | 'wrong_type'
  | 'unknown_passkey'
  | 'bad_passkey'
  | 'passkey_counter';

/** Longest part of what a browser sends of a passkey; keys and signatures have some hundred bytes. */
const MAX_PART_CHARS = 16_384;
const MAX_ID_CHARS = 1_400;
const MAX_TRANSPORTS = 10;
const MAX_LABEL_CHARS = 40;
const USER_BYTES = 16;
/** COSE algorithms that are offered and taken: Ed25519, P-256, RSA. */
export const PASSKEY_ALGORITHMS: readonly number[] = [-8, -7, -257];

const IPV4 = /^\d+\.\d+\.\d+\.\d+$/;

/**
 * The terms of a deployment; undefined where browsers make no passkeys: at an address without a name, or over plain http,
 * but for this machine.
 */
export function readPasskeyTerms(baseUrl: string): PasskeyTerms | undefined {
  const { origin, protocol, hostname } = new URL(baseUrl);
  if (hostname.startsWith('[') || IPV4.test(hostname)) return undefined;
  return protocol === 'https:' || hostname === 'localhost' ? { origin, rpId: hostname } : undefined;
}

const base64url = z
  .string()
  .max(MAX_PART_CHARS)
  .regex(/^[A-Za-z0-9_-]*$/);
const id = z
  .string()
  .max(MAX_ID_CHARS)
  .regex(/^[A-Za-z0-9_-]+$/);
const transport = z.string().max(20);
const shared = { id, rawId: id, type: z.literal('public-key') };
const assertionSchema = z.object({
  ...shared,
  response: z.object({ clientDataJSON: base64url, authenticatorData: base64url, signature: base64url }),
});
const attestationSchema = z.object({
  ...shared,
  response: z.object({
    clientDataJSON: base64url,
    attestationObject: base64url,
    transports: z.array(transport).max(MAX_TRANSPORTS).optional(),
  }),
});
const clientDataSchema = z.object({
  type: z.string(),
  challenge: z.string(),
  origin: z.string(),
  crossOrigin: z.boolean().optional(),
});

/** What a browser sends of a passkey that signs someone in, or that was just made. Nothing of it is verified. */
export type PasskeyAssertion = z.infer<typeof assertionSchema>;
export type PasskeyAttestation = z.infer<typeof attestationSchema>;

export const readPasskeyAssertion = (text: string): PasskeyAssertion | undefined =>
  assertionSchema.safeParse(parseJson(text)).data;
export const readPasskeyAttestation = (text: string): PasskeyAttestation | undefined =>
  attestationSchema.safeParse(parseJson(text)).data;

/** A challenge is a nonce of ours as bytes: nothing has to remember it before it is used. */
export const encodeChallenge = (nonce: string): string => encodeBase64url(new TextEncoder().encode(nonce));

type Read = { ok: true; nonce: string; challenge: string } | { ok: false; reason: PasskeyRefusal };

/** The nonce that was signed, if the browser signed it for this origin and this purpose. */
export function readClientData(
  { response: { clientDataJSON } }: PasskeyAssertion | PasskeyAttestation,
  { origin }: PasskeyTerms,
  type: 'webauthn.get' | 'webauthn.create',
): Read {
  const said = clientDataSchema.safeParse(parseJson(decodeText(clientDataJSON)));
  if (!said.success) return refuse('malformed_passkey');
  if (said.data.type !== type) return refuse('wrong_type');
  // A frame of another site is no page of ours, whatever it shows.
  if (said.data.origin !== origin || said.data.crossOrigin === true) return refuse('wrong_origin');
  const nonce = decodeText(said.data.challenge);
  return NONCE_FORM.test(nonce) ? { ok: true, nonce, challenge: said.data.challenge } : refuse('wrong_challenge');
}

const refuse = (reason: PasskeyRefusal): { ok: false; reason: PasskeyRefusal } => ({ ok: false, reason });

const decodeText = (text: string): string => {
  const bytes = decodeBase64url(text);
  return bytes === undefined ? '' : (decodeUtf8Text(bytes) ?? '');
};

/** Options of `navigator.credentials.get`: whichever passkey of this host the person chooses. */
export const buildSignInOptions = ({ rpId }: PasskeyTerms, nonce: string) => ({
  challenge: encodeChallenge(nonce),
  rpId,
  timeout: NONCE_LIFE_MS,
  userVerification: 'preferred' as const,
  allowCredentials: [],
});

/**
 * Options of `navigator.credentials.create`. The number of the person is random each time: it says nothing, and an account
 * is found by the passkey itself.
 * @param known passkeys that the account has, which no authenticator makes again
 */
export const buildRegistrationOptions = (
  { rpId }: PasskeyTerms,
  { nonce, name, known }: { nonce: string; name: string; known: readonly Pick<PasskeyWay, 'id' | 'transports'>[] },
) => ({
  challenge: encodeChallenge(nonce),
  rp: { id: rpId, name: PRODUCT },
  user: {
    id: encodeBase64url(crypto.getRandomValues(new Uint8Array(USER_BYTES))),
    name,
    displayName: name,
  },
  pubKeyCredParams: PASSKEY_ALGORITHMS.map((alg) => ({ type: 'public-key' as const, alg })),
  timeout: NONCE_LIFE_MS,
  attestation: 'none' as const,
  authenticatorSelection: {
    residentKey: 'required' as const,
    requireResidentKey: true,
    userVerification: 'preferred' as const,
  },
  excludeCredentials: known.map(({ id: of, transports }) => ({
    id: of,
    type: 'public-key' as const,
    transports: [...transports],
  })),
});

/** The person's word for a passkey, as one plain line. */
export const readLabel = (given: string | undefined): string =>
  (given ?? '')
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '')
    .trim()
    .slice(0, MAX_LABEL_CHARS);

/** What a signature of a passkey is judged by: its stored key, the challenge that was given, and our terms. */
export type AssertionAsked = { assertion: PasskeyAssertion; publicKey: string; challenge: string; terms: PasskeyTerms };
export type AttestationAsked = { attestation: PasskeyAttestation; challenge: string; terms: PasskeyTerms };

/** `unknown`: it could not be judged, which says nothing about the passkey. */
type Verdict<T> = Promise<({ verdict: 'good' } & T) | { verdict: 'bad' } | { verdict: 'unknown' }>;

/** Verifies signatures of passkeys and the statements of new ones: here (`passkey-judge.ts`), or by another Worker. */
export type PasskeyJudge = {
  judgeAssertion: (asked: AssertionAsked) => Verdict<Pick<PasskeyWay, 'counter' | 'isSynced'>>;
  judgeAttestation: (asked: AttestationAsked) => Verdict<Pick<PasskeyWay, 'id' | 'publicKey' | 'counter' | 'isSynced'>>;
};

type Verified<T> = Promise<({ ok: true } & T) | { ok: false; reason: PasskeyRefusal | 'unjudged' }>;

const refuseVerdict = ({ verdict }: { verdict: 'bad' | 'unknown' }) =>
  ({ ok: false, reason: verdict === 'bad' ? 'bad_passkey' : 'unjudged' }) as const;

/** Judges a sign-in by the key that is stored of its passkey. Whether the counter went on is judged where it is stored. */
export async function verifyAssertion(
  assertion: PasskeyAssertion,
  { publicKey }: Pick<PasskeyWay, 'publicKey'>,
  { terms, challenge, judge }: { terms: PasskeyTerms; challenge: string; judge: PasskeyJudge },
): Verified<{ counter: number; isSynced: boolean }> {
  const judged = await judge.judgeAssertion({ assertion, publicKey, challenge, terms });
  if (judged.verdict !== 'good') return refuseVerdict(judged);
  return { ok: true, counter: judged.counter, isSynced: judged.isSynced };
}

/** Judges a passkey that was just made. */
export async function verifyAttestation(
  attestation: PasskeyAttestation,
  {
    terms,
    challenge,
    judge,
    ...about
  }: { terms: PasskeyTerms; challenge: string; judge: PasskeyJudge; label: string; nowMs: number },
): Verified<{ passkey: PasskeyWay }> {
  const judged = await judge.judgeAttestation({ attestation, challenge, terms });
  if (judged.verdict !== 'good') return refuseVerdict(judged);
  const { id: madeId, publicKey, counter, isSynced } = judged;
  const passkey: PasskeyWay = {
    kind: 'passkey',
    id: madeId,
    publicKey,
    counter,
    transports: attestation.response.transports ?? [],
    isSynced,
    label: about.label,
    addedAtMs: about.nowMs,
  };
  return { ok: true, passkey };
}
