import type { AddressPolicy } from '../../net/address-policy.ts';
import { createGuardedFetch, type FetchFunction } from '../../net/guarded-fetch.ts';
import type { Fetched } from '../../net/fetched.ts';
import { DELIVERY_LIMITS } from '../../net/webhook-post.ts';
import { Refusal } from '../../lib/refusal.ts';
import type { Channel } from './channel-order.ts';
import { pushAddress, type PushOutcome, type PushRequest } from './push-message.ts';

/** A receiver that takes longer is slow: it holds up what else is to be sent (rule K8). */
export const SLOW_MS = 3_000;
/** What the vendor's senders count as received, and what they send again. */
const RECEIVED = [200, 201, 202, 204, 102];
const AGAIN = [500, 502, 503, 504];
/** The receiver may be back soon: the message was not refused. */
const AGAIN_REASONS: readonly string[] = ['connection_failed', 'timeout', 'body_failed'];

/** A message of a channel. `sync` says that the channel works. */
type Notification = {
  number: number;
  state: string;
  /** Entity tag of the notification itself. */
  etag: string;
  user: { id: string; primaryEmail: string } | undefined;
};

/** The request that carries a message to its channel. A sync message has no body. */
export function buildPushRequest(
  channel: Channel,
  { number, state, etag, user }: Notification,
  prefix: string,
): PushRequest {
  const headers = {
    [`${prefix}Channel-ID`]: channel.id,
    [`${prefix}Message-Number`]: String(number),
    [`${prefix}Resource-ID`]: channel.resourceId,
    [`${prefix}Resource-State`]: state,
    [`${prefix}Resource-URI`]: channel.resourceUri,
    [`${prefix}Channel-Expiration`]: new Date(channel.expiresAtMs).toUTCString(),
    ...(channel.token === '' ? {} : { [`${prefix}Channel-Token`]: channel.token }),
    'Content-Type': 'application/json; charset=UTF-8',
  };
  if (user === undefined) return { url: channel.address, headers };
  const body = { kind: 'admin#directory#user', id: user.id, etag, primaryEmail: user.primaryEmail };
  return { url: channel.address, headers, body: JSON.stringify(body) };
}

export type PushDeliveryTools = { fetch: FetchFunction; policy: AddressPolicy; clock: () => number; userAgent: string };

/** Sends a message once, to an address that is judged again: no redirects, 10 s, nothing read but the status (rules F5, K8). */
export async function deliver(
  request: PushRequest,
  tools: PushDeliveryTools,
): Promise<{ outcome: PushOutcome; seen: string }> {
  try {
    pushAddress(request.url, tools.policy);
  } catch (error) {
    if (error instanceof Refusal) return { outcome: 'failed', seen: error.data.reason };
    throw error;
  }
  const send = createGuardedFetch({ ...tools, limits: DELIVERY_LIMITS });
  const answer = await send({ ...request, method: 'POST', maxBytes: 0 });
  return { outcome: classifyPushAnswer(answer), seen: answer.ok ? String(answer.status) : answer.reason };
}

function classifyPushAnswer(answer: Fetched): PushOutcome {
  if (!answer.ok) return AGAIN_REASONS.includes(answer.reason) ? 'retry' : 'failed';
  if (RECEIVED.includes(answer.status)) return answer.elapsedMs > SLOW_MS ? 'slow' : 'delivered';
  return AGAIN.includes(answer.status) ? 'retry' : 'failed';
}
