import { PRODUCT } from '../../lib/product.ts';
import { Webhook } from 'standardwebhooks';
import type { AddressPolicy } from '../../net/address-policy.ts';
import { classifyHost, withoutTrailingDot } from '../../net/address.ts';
import type { Fetched, FetchFailure } from '../../net/fetched.ts';
import { createGuardedFetch, type FetchFunction } from '../../net/guarded-fetch.ts';
import { alertRows } from '../core/alerts-data.ts';
import type { Destination } from '../core/settings.ts';
import type { HostGate } from './host-gate.ts';
import type { AlertEffect, Effect, Sink, DeliveryResult, UserEffect } from './sink.ts';

/**
 * The body of an outgoing webhook as JSON: `type`, `timestamp` (when the user was read or the alert raised, ISO 8601) and
 * `data`. The same effect has the same body however often it is sent. Without `email` it holds no e-mail address (rule W8).
 */
function buildWebhookBody(effect: Effect, { email }: { email: boolean }): string {
  return JSON.stringify(effect.type === 'user' ? buildUserBody(effect, email) : alertBody(effect));
}

function buildUserBody({ customer, userId, stamp, causes, seen, readAtMs }: UserEffect, email: boolean) {
  const { state } = seen;
  const { user } = seen.state === 'gone' ? {} : seen;
  return {
    type: `user.${state}`,
    timestamp: new Date(readAtMs).toISOString(),
    data: {
      customer,
      user_id: userId,
      stamp,
      causes,
      state,
      ...(user && { org_unit_path: user.orgUnitPath, is_admin: user.isAdmin }),
      ...(user && email && { email: user.primaryEmail }),
    },
  };
}

const alertBody = ({ customer, alert }: AlertEffect) => ({
  type: `alert.${alert.kind}`,
  timestamp: new Date(alert.raisedAtMs).toISOString(),
  data: {
    customer,
    severity: alertRows[alert.kind].severity,
    kind: alert.kind,
    subject: alert.subject,
    detail: alert.detail,
  },
});

/** One delivery, from the connection to the end of the answer (rule F5). */
const DELIVERY_MS = 10_000;
/** Read of an answer; only its status counts. */
const MAX_ANSWER_BYTES = 64 * 1024;
/** Longest pause that a receiver may ask for. */
const MAX_RETRY_AFTER_MS = 3_600_000;
const USER_AGENT = `${PRODUCT}-Webhook/1.0`;
const GONE = 410;

/** Refusals of ours that no later try would change: the URL itself is not allowed as a destination. */
const FINAL_FAILURES: readonly FetchFailure[] = [
  'invalid_url',
  'scheme_refused',
  'credentials_refused',
  'port_refused',
  'private_target',
];

export type WebhookTools = { fetch: FetchFunction; policy: AddressPolicy; now: () => number; gate: HostGate };

/**
 * A receiver of outgoing webhooks by Standard Webhooks 1.0.0, signed with a key of its own (rule W8). `webhook-id` is
 * the effect's id, the same for each delivery. A 2xx answer accepts it; 410 says never again; everything else,
 * redirects included, is tried again. By https, or by http where the policy opens this machine (rule F5).
 * @throws Error when the secret is no base64: settings that parse hold none such
 * @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
export function createSignedWebhook(destination: Destination, tools: WebhookTools): Sink {
  const signer = new Webhook(destination.secret);
  const url = new URL(destination.url);
  const host = withoutTrailingDot(url.hostname);
  const isPlain = url.protocol !== 'https:' && classifyHost(url.hostname).kind !== 'loopback';
  return {
    name: `webhook:${destination.name}`,
    wants: ({ type }) => destination.events.includes(type),
    async tell(effect) {
      if (isPlain) return { ok: false, outcome: 'refused', detail: `${destination.name}: the URL is not https` };
      const turn = await tools.gate.enter(host);
      if (!turn.ok) return requestRetry(`${destination.name}: too many deliveries to its host wait`, turn.retryAfterMs);
      try {
        return classifyOutcome(destination.name, await send(destination, effect, signer, tools), tools.now());
      } finally {
        turn.leave();
      }
    },
  };
}

function send(
  { url, email }: Destination,
  effect: Effect,
  signer: Webhook,
  { fetch, policy, now }: WebhookTools,
): Promise<Fetched> {
  const body = buildWebhookBody(effect, { email });
  const id = escapeHeaderValue(effect.id);
  const sentAt = new Date(now());
  const headers = {
    'content-type': 'application/json',
    'user-agent': USER_AGENT,
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1000)),
    'webhook-signature': signer.sign(id, sentAt, body),
  };
  const limits = { requests: 1, redirects: 0, wallMs: DELIVERY_MS, fetchMs: DELIVERY_MS, firstByteMs: DELIVERY_MS };
  const fetcher = createGuardedFetch({ fetch, policy, clock: now, limits });
  return fetcher({ url, method: 'POST', headers, body, maxBytes: MAX_ANSWER_BYTES });
}

/**
 * The id as a header can carry it: customers and user ids of the vendor are letters and digits and stay as they are. A
 * point would let id and timestamp run into each other in what is signed.
 */
const escapeHeaderValue = (id: string): string => encodeURI(id.toWellFormed()).replaceAll('.', '%2E');

function classifyOutcome(name: string, answer: Fetched, nowMs: number): DeliveryResult {
  if (!answer.ok) {
    const detail = `${name}: ${answer.reason} (${answer.detail})`;
    return FINAL_FAILURES.includes(answer.reason) ? { ok: false, outcome: 'refused', detail } : requestRetry(detail);
  }
  const { status, headers } = answer;
  if (status >= 200 && status < 300) return { ok: true };
  const detail = `${name} answers ${status}`;
  if (status === GONE) return { ok: false, outcome: 'refused', detail };
  return requestRetry(detail, retryAfterMs(headers['retry-after'], nowMs));
}

const requestRetry = (detail: string, afterMs?: number): DeliveryResult => ({
  ok: false,
  outcome: 'again',
  detail,
  ...(afterMs === undefined ? {} : { retryAfterMs: afterMs }),
});

/** `Retry-After` in seconds or as a date (RFC 9110, section 10.2.3); undefined for anything else. */
function retryAfterMs(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) return undefined;
  const ms = /^\d{1,9}$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - nowMs;
  return ms > 0 ? Math.min(ms, MAX_RETRY_AFTER_MS) : undefined;
}
