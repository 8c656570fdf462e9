import { Webhook } from 'standardwebhooks';
import { PRODUCT } from '../../lib/product.ts';
import type { AddressPolicy } from '../../net/address-policy.ts';
import { classifyHost, withoutTrailingDot } from '../../net/address.ts';
import type { FetchFunction } from '../../net/guarded-fetch.ts';
import type { HostGate } from '../../net/host-gate.ts';
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
