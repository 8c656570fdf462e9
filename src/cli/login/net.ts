import { type AddressPolicy, allowLoopbackExcept, allowPublicOnly } from '../../net/address-policy.ts';
import { parseTargetUrl } from '../../net/canonical-url.ts';
import { createGuardedFetch, type FetchFunction } from '../../net/guarded-fetch.ts';
import { isLoopback } from '../buy/service.ts';
import { createNodeFetch } from '../core/node-fetch.ts';
import { service } from '../../capabilities/service.ts';

/** Why there is no token. Reasons are stable words; the text may hold foreign words and is stripped where it is printed. */
type LoginReason =
  | 'not_https'
  | 'address_refused'
  | 'redirected'
  | 'unreachable'
  | 'answer_unreadable'
  | 'no_resource_metadata'
  | 'resource_mismatch'
  | 'no_server_metadata'
  | 'issuer_mismatch'
  | 'no_pkce'
  | 'code_flow_unsupported'
  | 'client_of_other_issuer'
  | 'no_registration'
  | 'registration_refused'
  | 'authorization_refused'
  | 'no_answer'
  | 'token_request_refused'
  | 'token_refused'
  | 'scope_refused'
  | 'not_logged_in'
  | 'authorization_server_changed'
  | 'no_refresh_token'
  | 'token_file_unusable';

/** Ends a login from inside callbacks of the official client; `login` and `freshToken` turn it into data. */
export class LoginRefused extends Error {
  override name = 'LoginRefused';
  readonly reason: LoginReason;
  constructor(reason: LoginReason, detail: string) {
    super(detail);
    this.reason = reason;
  }
}

export type LoginRefusal = { ok: false; reason: LoginReason; detail: string };

/** Runs `work`; a `LoginRefused` is its outcome, everything else stays a bug. */
export async function returnRefusal<T extends { ok: true }>(work: () => Promise<T>): Promise<T | LoginRefusal> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof LoginRefused) return { ok: false, reason: error.reason, detail: error.message };
    throw error;
  }
}

/** Metadata documents and token answers are a few kilobytes. */
const MAX_ANSWER_BYTES = 64 * 1024;
const ANSWER_MS = 20_000;
const PORTS = { alternatePorts: true };

/** The network of one login. */
export type LoginNet = {
  /** One request, no redirect followed. @throws LoginRefused when the URL may not be asked or nothing answers. */
  fetch: (url: string | URL, init?: RequestInit) => Promise<Response>;
  /** Judges a URL that a document named. @throws LoginRefused */
  judge: (url: string | URL) => URL;
};

/**
 * The network that a login may use (MCP security best practices, C18): https and public addresses only, at every
 * address that is dialled. Where the service is on this machine by the user's own word (`loopback`), plain http on this
 * machine is fine too, whatever the port.
 */
export function createLoginNet(loopback: boolean, wire?: FetchFunction): LoginNet {
  const policy = loopback ? allowLoopbackExcept([], PORTS) : allowPublicOnly(PORTS);
  const dial = wire ?? createNodeFetch(policy);
  const judge = (url: string | URL): URL => requireAllowedUrl(String(url), policy, loopback);
  return { judge, fetch: async (url, init = {}) => asResponse(await ask(judge(url), init, policy, dial)) };
}

function requireAllowedUrl(text: string, policy: AddressPolicy, loopback: boolean): URL {
  const parsed = parseTargetUrl(text, policy);
  if (!parsed.ok) throw new LoginRefused('address_refused', `${text}: ${parsed.detail}`);
  const { url } = parsed;
  if (url.protocol === 'https:' || (loopback && isLoopback(url.hostname))) return url;
  throw new LoginRefused('not_https', `${url.origin} is plain http`);
}

type LoginAnswer = { status: number; headers: Readonly<Record<string, string>>; bytes: Uint8Array<ArrayBuffer> };

async function ask(url: URL, init: RequestInit, policy: AddressPolicy, dial: FetchFunction): Promise<LoginAnswer> {
  const limits = { requests: 1, redirects: 0, bodyBytes: MAX_ANSWER_BYTES, fetchMs: ANSWER_MS, firstByteMs: ANSWER_MS };
  const fetcher = createGuardedFetch({
    fetch: dial,
    policy,
    clock: Date.now,
    limits,
    userAgent: `sightline-cli/${service.version}`,
  });
  const answer = await fetcher({
    url: url.href,
    method: init.method === 'POST' ? 'POST' : 'GET',
    headers: Object.fromEntries(new Headers(init.headers)),
    ...readRequestBody(init.body),
  });
  if (!answer.ok) throw refuseLoginFetch(url, answer.reason, answer.detail);
  if (answer.status >= 300 && answer.status < 400)
    throw new LoginRefused('redirected', `${url.href} answers ${answer.status}; a login follows no redirect`);
  if (answer.truncated)
    throw new LoginRefused('answer_unreadable', `${url.href} answers more than ${MAX_ANSWER_BYTES} bytes`);
  return answer;
}

/** The official client sends text, or the fields of a form. */
function readRequestBody(body: RequestInit['body']): { body?: string } {
  if (typeof body === 'string') return { body };
  return body instanceof URLSearchParams ? { body: body.toString() } : {};
}

function refuseLoginFetch(url: URL, reason: string, detail: string): LoginRefused {
  if (reason === 'too_many_redirects' || reason === 'bad_redirect' || reason === 'redirect_loop')
    return new LoginRefused('redirected', `${url.href}: a login follows no redirect`);
  if (reason === 'private_target' || reason === 'port_refused' || reason === 'invalid_url')
    return new LoginRefused('address_refused', `${url.href}: ${detail}`);
  return new LoginRefused('unreachable', `${url.href}: ${detail}`);
}

/** Statuses whose `Response` may not have a body. */
const hasNullBody = (status: number): boolean => status === 204 || status === 205;

/** The body is decoded already: headers that describe how it came would be wrong. */
function asResponse({ status, headers, bytes }: LoginAnswer): Response {
  const kept = new Headers(headers);
  kept.delete('content-encoding');
  kept.delete('content-length');
  return new Response(hasNullBody(status) ? null : bytes, { status, headers: kept });
}
