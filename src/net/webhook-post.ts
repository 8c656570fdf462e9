import type { AddressPolicy } from './address-policy.ts';
import { type Fetched, type FetchFailure, parseRetryAfterMs } from './fetched.ts';
import { createGuardedFetch, type FetchFunction } from './guarded-fetch.ts';

/** One delivery, from the connection to the end of the answer (rule F5). */
const DELIVERY_MS = 10_000;
/** What one delivery to an address of a user may do: no redirects, and no second try in it. */
export const DELIVERY_LIMITS = {
  requests: 1,
  redirects: 0,
  wallMs: DELIVERY_MS,
  fetchMs: DELIVERY_MS,
  firstByteMs: DELIVERY_MS,
} as const;
/** Read of an answer; only its status counts. */
const MAX_ANSWER_BYTES = 64 * 1024;
/** Longest pause that a receiver may ask for. */
const MAX_RETRY_AFTER_MS = 3_600_000;
const GONE = 410;

/** Refusals of ours that no later try would change: the URL itself is not allowed as a destination. */
const FINAL_FAILURES: readonly FetchFailure[] = [
  'invalid_url',
  'scheme_refused',
  'credentials_refused',
  'port_refused',
  'private_target',
];

export type WebhookPost = {
  url: string;
  /** `webhook-id`: the same for each try. */
  id: string;
  /** JSON. */
  body: string;
  userAgent: string;
};

export type WebhookPostTools = {
  fetch: FetchFunction;
  /** Addresses that may be posted to. */
  policy: AddressPolicy;
  /** Unix milliseconds. */
  now: () => number;
  /** `webhook-signature` of a post. `timestampS`: Unix seconds. */
  sign: (post: WebhookPost, timestampS: number) => string | Promise<string>;
};

/** What came of a post. `refused`: it will never be taken. `again`: try later, after `afterMs` where the receiver says so. */
export type WebhookPostOutcome = { answer: Fetched } & (
  | { is: 'taken' | 'refused' }
  | { is: 'again'; afterMs?: number }
);

/**
 * Posts by Standard Webhooks 1.0.0, to an address that is judged again. A 2xx answer takes it; 410 says never again;
 * everything else, redirects included, is to be tried again with the same id. Never throws for what a receiver does.
 * @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
export async function postWebhook(post: WebhookPost, tools: WebhookPostTools): Promise<WebhookPostOutcome> {
  const timestampS = Math.floor(tools.now() / 1_000);
  return postJson(post, tools, {
    'webhook-id': post.id,
    'webhook-timestamp': String(timestampS),
    'webhook-signature': await tools.sign(post, timestampS),
  });
}

/** The same without a signature, to an address that is a secret itself. */
export async function postJson(
  { url, body, userAgent }: Omit<WebhookPost, 'id'>,
  { fetch, policy, now }: Omit<WebhookPostTools, 'sign'>,
  more: Readonly<Record<string, string>> = {},
): Promise<WebhookPostOutcome> {
  const headers = { 'content-type': 'application/json', 'user-agent': userAgent, ...more };
  const send = createGuardedFetch({ fetch, policy, clock: now, limits: DELIVERY_LIMITS });
  const answer = await send({ url, method: 'POST', headers, body, maxBytes: MAX_ANSWER_BYTES });
  return { answer, ...classifyWebhookAnswer(answer, now()) };
}

function classifyWebhookAnswer(
  answer: Fetched,
  nowMs: number,
): { is: 'taken' | 'refused' } | { is: 'again'; afterMs?: number } {
  if (!answer.ok) return { is: FINAL_FAILURES.includes(answer.reason) ? 'refused' : 'again' };
  const { status, headers } = answer;
  if (status >= 200 && status < 300) return { is: 'taken' };
  if (status === GONE) return { is: 'refused' };
  const afterMs = parseRetryAfterMs(headers['retry-after'], nowMs, MAX_RETRY_AFTER_MS);
  return { is: 'again', ...(afterMs ? { afterMs } : {}) };
}
