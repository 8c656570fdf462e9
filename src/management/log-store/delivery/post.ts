import type { AddressPolicy } from '../../../net/address-policy.ts';
import type { Fetched, FetchFailure } from '../../../net/fetched.ts';
import { createGuardedFetch, type FetchFunction } from '../../../net/guarded-fetch.ts';
import type { Post, PostOutcome } from './queue.ts';
import { webhookProblem } from './webhook-address.ts';

/** One post, from the connection to the end of the answer, and what is read of an answer: only its status counts (rule F5). */
const POST_MS = 10_000;
const MAX_ANSWER_BYTES = 64 * 1024;
/** Longest pause that a receiver may ask for. */
const MAX_RETRY_AFTER_MS = 3_600_000;
const USER_AGENT = 'Sightline-Log-Sink/1.0';
const GONE = 410;

/** Refusals of ours that no later try would change. */
const FINAL_FAILURES: readonly FetchFailure[] = [
  'invalid_url',
  'scheme_refused',
  'credentials_refused',
  'port_refused',
  'private_target',
];

export type PostTools = {
  fetch: FetchFunction;
  policy: AddressPolicy;
  /** Unix milliseconds. */
  now: () => number;
  /** Signs a text with the tenant's key; base64. */
  sign: (text: string) => Promise<string>;
};

/**
 * Posts a batch by Standard Webhooks 1.0.0, signed with Ed25519 (`v1a`), to an address that is judged again. Taken is what
 * is answered 2xx; 410 says never again; everything else, redirects included, comes again with the same `webhook-id`.
 * @returns what came of it, and for the log a status or a stable word
 * @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
export async function postBatch(post: Post, tools: PostTools): Promise<{ outcome: PostOutcome; seen: string }> {
  if (webhookProblem(post.url) !== undefined) return { outcome: { is: 'refused' }, seen: 'invalid_url' };
  const limits = { requests: 1, redirects: 0, wallMs: POST_MS, fetchMs: POST_MS, firstByteMs: POST_MS };
  const send = createGuardedFetch({ ...tools, clock: tools.now, limits });
  const headers = await headersOf(post, tools);
  const answer = await send({ url: post.url, method: 'POST', headers, body: post.body, maxBytes: MAX_ANSWER_BYTES });
  return { outcome: outcomeOf(answer, tools.now()), seen: answer.ok ? String(answer.status) : answer.reason };
}

async function headersOf({ id, body }: Post, { now, sign }: PostTools): Promise<Record<string, string>> {
  const timestamp = String(Math.floor(now() / 1_000));
  return {
    'content-type': 'application/json',
    'user-agent': USER_AGENT,
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1a,${await sign(`${id}.${timestamp}.${body}`)}`,
  };
}

function outcomeOf(answer: Fetched, nowMs: number): PostOutcome {
  if (!answer.ok) return { is: FINAL_FAILURES.includes(answer.reason) ? 'refused' : 'again' };
  const { status, headers } = answer;
  if (status >= 200 && status < 300) return { is: 'taken' };
  if (status === GONE) return { is: 'refused' };
  const afterMs = retryAfterMs(headers['retry-after'], nowMs);
  return { is: 'again', ...(afterMs === undefined ? {} : { afterMs }) };
}

/** `Retry-After` in seconds or as a date (RFC 9110, section 10.2.3); undefined for anything else. */
function retryAfterMs(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) return undefined;
  const ms = /^\d{1,9}$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - nowMs;
  return ms > 0 ? Math.min(ms, MAX_RETRY_AFTER_MS) : undefined;
}
