import { JWT_BEARER } from '../../authorization/oauth/resources.ts';
import * as z from 'zod';
import { classifyHost } from '../../net/address.ts';
import type { FetchFunction } from '../../net/guarded-fetch.ts';
import { parseServiceAccountKey, type ServiceAccountKey, signServiceAssertion } from '../../lib/service-account.ts';
import { callWithTimeout } from '../../lib/concurrency.ts';
import type { VendorFailure } from './vendor.ts';
import { askVendor, type VendorAnswer, type WireLimits } from './wire.ts';

/** All that notifications need: each of their four methods takes it, and it lets no one write. */
const SCOPE = 'https://www.googleapis.com/auth/admin.directory.user.readonly';
/** A token is not used when it is about to end. */
const SPARE_MS = 60_000;
const MAX_LIFE_S = 24 * 3_600;
/** Subjects whose tokens are kept; further ones push out the oldest. */
const MAX_TOKENS = 100;
/** By so much our clock may differ from the token endpoint's before an assertion is made by its clock. */
const MAX_SKEW_MS = 60_000;
const TOKEN_ANSWER_BYTES = 64 * 1024;

const tokenSchema = z.looseObject({
  access_token: z.string().regex(/^[\x21-\x7E]{1,4096}$/),
  expires_in: z.number().min(0).max(MAX_LIFE_S).default(0),
});
const errorSchema = z.looseObject({ error: z.string().regex(/^[a-z_]{1,64}$/) });

export type CredentialOptions = {
  /** The key file of a service account, as JSON text; wins over `token`. */
  key: () => Promise<string | undefined>;
  /** A bearer token that someone else keeps good. */
  token: string | undefined;
  fetch: FetchFunction;
  /** Unix milliseconds. */
  now: () => number;
  /** Random bytes as hex. */
  random: (bytes: number) => string;
};

export type VendorToken = { ok: true; token: string; /** Another one can be had. */ isRenewable: boolean };

export type Credentials = {
  /** A token that acts for `subject`; '' for the account itself. */
  tokenFor: (subject: string) => Promise<VendorToken | VendorFailure>;
  /** The directory refused this token: it is not used again. */
  drop: (subject: string, token: string) => void;
};

type CachedToken = { token: string; untilMs: number };
type Exchanged = { ok: true; token: string; expiresInS: number } | VendorFailure;

/**
 * Credentials at the vendor. Tokens of a key are kept for each subject until a minute before they end; anyone who asks
 * while one is being fetched waits for that one. The key goes nowhere, and no detail holds key or token.
 */
export function createVendorCredentials(options: CredentialOptions, limits: WireLimits): Credentials {
  const kept = new Map<string, CachedToken>();
  const running = new Map<string, Promise<VendorToken | VendorFailure>>();
  let skewMs = 0;

  const exchangeInTime = async (key: ServiceAccountKey, subject: string): Promise<Exchanged> => {
    const first = await exchange(key, subject, options.now() + skewMs, { ...options, limits });
    if (first.ok || first.reason !== 'credentials_refused' || first.vendorNowMs === undefined) return first;
    const seenMs = first.vendorNowMs - options.now();
    if (Math.abs(seenMs - skewMs) <= MAX_SKEW_MS) return first;
    skewMs = seenMs; // One of the two clocks is wrong, and the endpoint judges by its own.
    return exchange(key, subject, options.now() + skewMs, { ...options, limits });
  };

  const fetchToken = async (subject: string): Promise<VendorToken | VendorFailure> => {
    const text = await callWithTimeout(options.key, limits.timeoutMs);
    // Someone has a key there, or had: a bearer token does not replace it.
    if (!text.ok) return { ok: false, reason: 'unavailable', detail: `DIRECTORY_KEY cannot be read (${text.name})` };
    if (text.value === undefined) return useGivenToken(options.token);
    const file = parseServiceAccountKey(text.value);
    if (!file.ok) return refuse(`DIRECTORY_KEY is no service-account key file${file.field && `: see ${file.field}`}`);
    const startedMs = options.now();
    const outcome = await exchangeInTime(file.key, subject);
    if (!outcome.ok) return outcome;
    if (kept.size >= MAX_TOKENS) for (const oldest of [...kept.keys()].slice(0, 1)) kept.delete(oldest);
    kept.set(subject, { token: outcome.token, untilMs: startedMs + outcome.expiresInS * 1_000 - SPARE_MS });
    return { ok: true, token: outcome.token, isRenewable: true };
  };

  return {
    tokenFor: async (subject) => {
      const known = kept.get(subject);
      if (known !== undefined && known.untilMs > options.now())
        return { ok: true, token: known.token, isRenewable: true };
      const fetching = running.get(subject) ?? fetchToken(subject).finally(() => running.delete(subject));
      running.set(subject, fetching);
      return fetching;
    },
    drop: (subject, token) => {
      if (kept.get(subject)?.token === token) kept.delete(subject);
    },
  };
}

function useGivenToken(token: string | undefined): VendorToken | VendorFailure {
  if (token === undefined) return refuse('neither DIRECTORY_KEY nor DIRECTORY_TOKEN is set');
  return { ok: true, token, isRenewable: false };
}

async function exchange(
  key: ServiceAccountKey,
  subject: string,
  nowMs: number,
  tools: { fetch: FetchFunction; now: () => number; random: (bytes: number) => string; limits: WireLimits },
): Promise<Exchanged> {
  const url = new URL(key.token_uri);
  if (!isSafe(url))
    return refuse('token_uri of DIRECTORY_KEY must be https, or http on this machine, without credentials');
  const order = { nowS: Math.floor(nowMs / 1_000), jti: tools.random(16), scope: SCOPE };
  const assertion = await signServiceAssertion(key, subject === '' ? order : { ...order, subject });
  if (assertion === undefined)
    return refuse('private_key of DIRECTORY_KEY is no RSA key of 2048 bits or more in PKCS #8');
  const outcome = await askVendor(
    {
      method: 'POST',
      url,
      headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ grant_type: JWT_BEARER, assertion }).toString(),
    },
    'token endpoint',
    { ...tools, limits: { ...tools.limits, answerBytes: TOKEN_ANSWER_BYTES } },
  );
  return outcome.ok ? readTokenResponse(outcome.answer) : outcome;
}

function readTokenResponse(answer: VendorAnswer): Exchanged {
  const { status, body, retryAfterMs, vendorNowMs } = answer;
  const token = tokenSchema.safeParse(body);
  if (status === 200 && token.success)
    return { ok: true, token: token.data.access_token, expiresInS: token.data.expires_in };
  const error = errorSchema.safeParse(body);
  const isRefusal = error.success && [400, 401, 403].includes(status);
  return {
    ok: false,
    reason: status === 429 ? 'rate_limited' : isRefusal ? 'credentials_refused' : 'unavailable',
    detail: `the token endpoint answers ${status}${error.success ? ` (${error.data.error})` : ', not in its own words'}`,
    retryAfterMs,
    vendorNowMs,
  };
}

/** Whether a token or an assertion may be sent there: by https, or to this machine. */
export const isSafe = ({ protocol, hostname, username, password }: URL): boolean =>
  (protocol === 'https:' || (protocol === 'http:' && classifyHost(hostname).kind === 'loopback')) &&
  username === '' &&
  password === '';

const refuse = (detail: string): VendorFailure => ({ ok: false, reason: 'credentials_refused', detail });
