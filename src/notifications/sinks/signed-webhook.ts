import { Webhook } from 'standardwebhooks';
import { PRODUCT } from '../../lib/product.ts';
import type { AddressPolicy } from '../../net/address-policy.ts';
import { classifyHost, withoutTrailingDot } from '../../net/address.ts';
import type { FetchFunction } from '../../net/guarded-fetch.ts';
import { postWebhook, type WebhookPost, type WebhookPostOutcome } from '../../net/webhook-post.ts';
import { alertRows } from '../core/alerts.ts';
import type { Destination } from '../core/settings.ts';
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

const USER_AGENT = `${PRODUCT}-Webhook/1.0`;

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
        return await send(destination, effect, signer, tools);
      } finally {
        turn.leave();
      }
    },
  };
}

async function send(
  { name, url, email }: Destination,
  effect: Effect,
  signer: Webhook,
  tools: WebhookTools,
): Promise<DeliveryResult> {
  const post = {
    url,
    id: escapeHeaderValue(effect.id),
    body: buildWebhookBody(effect, { email }),
    userAgent: USER_AGENT,
  };
  const sign = ({ id, body }: WebhookPost, timestampS: number): string =>
    signer.sign(id, new Date(timestampS * 1_000), body);
  return toDeliveryResult(name, await postWebhook(post, { ...tools, sign }));
}

/**
 * The id as a header can carry it: customers and user ids of the vendor are letters and digits and stay as they are. A
 * point would let id and timestamp run into each other in what is signed.
 */
const escapeHeaderValue = (id: string): string => encodeURI(id.toWellFormed()).replaceAll('.', '%2E');

function toDeliveryResult(name: string, outcome: WebhookPostOutcome): DeliveryResult {
  if (outcome.is === 'taken') return { ok: true };
  const { answer } = outcome;
  const detail = answer.ok ? `${name} answers ${answer.status}` : `${name}: ${answer.reason} (${answer.detail})`;
  return outcome.is === 'again' ? requestRetry(detail, outcome.afterMs) : { ok: false, outcome: 'refused', detail };
}

const requestRetry = (detail: string, afterMs?: number): DeliveryResult => ({
  ok: false,
  outcome: 'again',
  detail,
  ...(afterMs === undefined ? {} : { retryAfterMs: afterMs }),
});

/** How fast effects go to one destination host, by one object of the Worker (rule F5). */
export type GateLimits = {
  sendsPerSecond: number;
  /** Requests under way. The platform opens six connections for an object. */
  atOnce: number;
  /** Who may wait for a turn: with `atOnce` requests of 10 s each, the last waits half a minute. */
  waiting: number;
};

export const GATE_LIMITS: GateLimits = { sendsPerSecond: 50, atOnce: 4, waiting: 12 };

/** When to come back to a host whose queue is full. */
const FULL_RETRY_MS = 30_000;

/** A turn at a host. `leave` is called once, when the request is over. */
export type HostTurn = { ok: true; leave: () => void } | { ok: false; retryAfterMs: number };
export type HostGate = { enter: (host: string) => Promise<HostTurn> };

type Line = { running: number; nextMs: number; waiting: (() => void)[] };
type GateTools = { now: () => number; sleep: (ms: number) => Promise<unknown>; limits?: Partial<GateLimits> };

/**
 * Spaces requests to each host and holds back those over its limits: a turn is waited for while the queue has room, so
 * that a burst of ours is no one's failed delivery. Hosts are those of the settings: few.
 */
export function createHostGate({ now, sleep, limits: given }: GateTools): HostGate {
  const limits = { ...GATE_LIMITS, ...given };
  const gapMs = 1_000 / limits.sendsPerSecond;
  const lines = new Map<string, Line>();
  return {
    async enter(host) {
      const line = lines.get(host) ?? { running: 0, nextMs: 0, waiting: [] };
      lines.set(host, line);
      if (line.running < limits.atOnce) line.running += 1;
      else if (line.waiting.length >= limits.waiting) return { ok: false, retryAfterMs: FULL_RETRY_MS };
      else await new Promise<void>((resolve) => line.waiting.push(resolve));
      const startMs = now();
      // No longer than what those under way need: a clock that was set back must not hold anyone up.
      const waitMs = Math.min(Math.max(line.nextMs - startMs, 0), gapMs * limits.atOnce);
      line.nextMs = startMs + waitMs + gapMs;
      if (waitMs > 0) await sleep(waitMs);
      return { ok: true, leave: () => leave(line) };
    },
  };
}

/** Hands the place to the next who waits. */
function leave(line: Line): void {
  const next = line.waiting.shift();
  if (next) next();
  else line.running -= 1;
}
