import { sha256Hex } from '../net/digest.ts';
import { type Clients, USED_CLIENT_S } from './clients.ts';
import type { Provider } from './provider.ts';
import { type RateVerdict, rateWindow } from './rate-window.ts';
import { canonicalMetadata, type ClientMetadata, MAX_REGISTRATION_BYTES, parseRegistration } from './registration.ts';
import { PATHS } from './resources.ts';
import type { StoreTools } from './rows.ts';
import type { RegistrationRequest, WireAnswer } from './store-protocol.ts';
import { wireAnswer } from './token-endpoint.ts';
import { oauthError } from './token-form.ts';

type Parts = { tools: StoreTools; provider: Pick<Provider, 'fetch'>; clients: Clients; issuer: string };
type Kept = { clientId: string; answer: WireAnswer };

const SAME = 'own:registration:same:';
const HOUR_MS = 3_600_000;
/** New clients that one caller may register in an hour. */
export const MAX_REGISTRATIONS_PER_CALLER = 20;
/** New clients in an hour, whoever asks, and clients that wait for their first consent (rule A8). */
export const MAX_REGISTRATIONS = 2_000;
export const MAX_UNUSED_CLIENTS = 20_000;

/**
 * Makes the registration endpoint (RFC 7591): our policy first, then the provider library. The same metadata of a
 * public client is the same client, which costs nothing and counts for nothing. Each call must run alone.
 */
export function registrationOf({ tools, provider, clients, issuer }: Parts) {
  const { rows, now } = tools;
  const perCaller = rateWindow(rows, now, {
    prefix: 'own:registration:caller:',
    max: MAX_REGISTRATIONS_PER_CALLER,
    windowMs: HOUR_MS,
  });
  const overall = rateWindow(rows, now, { prefix: 'own:registration:all:', max: MAX_REGISTRATIONS, windowMs: HOUR_MS });
  const keep = (key: string, kept: Kept): void => rows.put(key, kept, now() + USED_CLIENT_S * 1000);

  const ceiling = (caller: string): RateVerdict => {
    const verdict = perCaller.check(caller);
    if (!verdict.allowed) return verdict;
    if (clients.countUnused() >= MAX_UNUSED_CLIENTS) return { allowed: false, retryAfterS: HOUR_MS / 1000 };
    return overall.check('');
  };

  return async ({ body, caller }: RegistrationRequest): Promise<WireAnswer> => {
    const read = readMetadata(body);
    if (!read.ok) return read.answer;
    const { metadata } = read;
    const key = SAME + (await sha256Hex(canonicalMetadata(metadata)));
    const known = rows.get<Kept>(key);
    if (known !== undefined && clients.known(known.clientId)) {
      clients.renewUnused(known.clientId);
      keep(key, known);
      return known.answer;
    }
    const verdict = ceiling(caller);
    if (!verdict.allowed) return tooMany(verdict.retryAfterS);
    const answer = await wireAnswer(await provider.fetch(registrationRequest(issuer, metadata)));
    if (answer.status !== 201) return answer;
    perCaller.count(caller);
    overall.count('');
    const { client_id: clientId } = JSON.parse(answer.body) as { client_id: string }; // The library's own answer.
    clients.startUnused(clientId);
    if (metadata.token_endpoint_auth_method === 'none') keep(key, { clientId, answer });
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
