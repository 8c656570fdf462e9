import { sha256Hex } from '../net/digest.ts';
import type { Clients } from './clients.ts';
import type { Provider } from './provider.ts';
import { type RateVerdict, rateWindow } from './rate-window.ts';
import { canonicalMetadata, type ClientMetadata, MAX_REGISTRATION_BYTES, parseRegistration } from './registration.ts';
import { PATHS } from './resources.ts';
import type { StoreTools } from './rows.ts';
import type { RegistrationRequest, WireAnswer } from './store-protocol.ts';
import { USED_CLIENT_S } from './unused-clients.ts';
import { wireAnswer } from './token-endpoint.ts';
import { oauthError } from './token-form.ts';

type Parts = { tools: StoreTools; provider: Pick<Provider, 'fetch'>; clients: Clients; issuer: string };
type Kept = { clientId: string; answer: WireAnswer };

const SAME = 'own:registration:same:';
const HOUR_MS = 3_600_000;
/** New clients that one caller may register in an hour. */
export const MAX_REGISTRATIONS_PER_CALLER = 20;
/** Registrations that one caller may repeat in an hour: hosted agents register the same client again and again. */
export const MAX_REPEATS_PER_CALLER = 300;
/** An unused client that would die sooner is started anew, which counts as a new one. */
const RENEW_BELOW_MS = HOUR_MS;
/** New clients in an hour, whoever asks, and clients that wait for their first consent (rule A8). */
export const MAX_REGISTRATIONS = 2_000;
export const MAX_UNUSED_CLIENTS = 20_000;

/**
 * Makes the registration endpoint (RFC 7591): our policy first, then the provider library. The same metadata of a
 * public client is the same client, and a repetition does not move its end: else one caller could fill the table for good
 * (rule A8). Each call must run alone.
 */
export function registrationOf({ tools, provider, clients, issuer }: Parts) {
  const { rows, now } = tools;
  const perCaller = rateWindow(rows, now, {
    prefix: 'own:registration:caller:',
    max: MAX_REGISTRATIONS_PER_CALLER,
    windowMs: HOUR_MS,
  });
  const overall = rateWindow(rows, now, { prefix: 'own:registration:all:', max: MAX_REGISTRATIONS, windowMs: HOUR_MS });
  const repeats = rateWindow(rows, now, {
    prefix: 'own:registration:repeats:',
    max: MAX_REPEATS_PER_CALLER,
    windowMs: HOUR_MS,
  });

  const ceiling = (caller: string): RateVerdict => {
    const verdict = perCaller.check(caller);
    if (!verdict.allowed) return verdict;
    if (clients.countUnused() >= MAX_UNUSED_CLIENTS) return { allowed: false, retryAfterS: HOUR_MS / 1000 };
    return overall.check('');
  };

  /** A new life for a client, or a new client: both count. */
  const start = (clientId: string, caller: string, same?: { key: string; answer: WireAnswer }): void => {
    perCaller.count(caller);
    overall.count('');
    const endsAtMs = clients.startUnused(clientId, same?.key);
    if (same !== undefined) rows.put(same.key, { clientId, answer: same.answer } satisfies Kept, endsAtMs);
  };

  const repeated = (key: string, known: Kept, caller: string): WireAnswer => {
    const verdict = repeats.count(caller);
    if (!verdict.allowed) return tooMany(verdict.retryAfterS);
    const { clientId, answer } = known;
    const leftMs = clients.unusedLeftMs(clientId);
    if (leftMs === undefined) rows.put(key, known, now() + USED_CLIENT_S * 1000);
    if (leftMs !== undefined && leftMs < RENEW_BELOW_MS && ceiling(caller).allowed) {
      start(clientId, caller, { key, answer });
    }
    return answer;
  };

  return async ({ body, caller }: RegistrationRequest): Promise<WireAnswer> => {
    const read = readMetadata(body);
    if (!read.ok) return read.answer;
    const { metadata } = read;
    const key = SAME + (await sha256Hex(canonicalMetadata(metadata)));
    const known = rows.get<Kept>(key);
    if (known !== undefined && clients.known(known.clientId)) return repeated(key, known, caller);
    const verdict = ceiling(caller);
    if (!verdict.allowed) return tooMany(verdict.retryAfterS);
    const answer = await wireAnswer(await provider.fetch(registrationRequest(issuer, metadata)));
    if (answer.status !== 201) return answer;
    const { client_id: clientId } = JSON.parse(answer.body) as { client_id: string }; // The library's own answer.
    start(clientId, caller, metadata.token_endpoint_auth_method === 'none' ? { key, answer } : undefined);
    return answer;
  };
}

function readMetadata(body: string): { ok: true; metadata: ClientMetadata } | { ok: false; answer: WireAnswer } {
  const refuse = (status: number, error: string, description: string) => ({
    ok: false as const,
    answer: oauthError(status, error, description),
  });
  if (new TextEncoder().encode(body).byteLength > MAX_REGISTRATION_BYTES) {
    return refuse(413, 'invalid_client_metadata', `The metadata is larger than ${MAX_REGISTRATION_BYTES} bytes`);
  }
  const parsed = parseRegistration(jsonOf(body));
  return parsed.ok ? parsed : refuse(400, parsed.error, parsed.description);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined; // No object: the policy says so.
  }
}

function registrationRequest(issuer: string, metadata: ClientMetadata): Request {
  return new Request(`${issuer}${PATHS.register}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(metadata),
  });
}

const tooMany = (retryAfterS: number): WireAnswer =>
  oauthError(429, 'temporarily_unavailable', 'Too many clients are being registered', {
    'retry-after': String(retryAfterS),
  });
