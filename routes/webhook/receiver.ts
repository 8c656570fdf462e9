import type { Forgeries } from '../../src/notifications/core/forgeries.ts';
import { MAX_BODY_BYTES } from '../../src/notifications/inbox/message.ts';
import { isGenuine, readPresentedHeaders, takeNotification } from '../../src/notifications/core/receive.ts';
import { BodyBrokenOff, readBodyBytes } from '../../src/net/request-body.ts';
import { getNotificationInbox, getChannelRegistry, type WebhookEnv } from './bindings/env.ts';
import { readWebhookSettings } from '../../src/notifications/core/settings.ts';
import type { KnownChannelCache } from '../../src/notifications/channels/known-channels.ts';
import { problems } from '../../src/notifications/operator-api/problems-data.ts';
import { respondRefusal } from './refusals.ts';

/** What the receiver of an isolate remembers. */
export type Receiving = {
  channels: KnownChannelCache;
  forgeries: Forgeries;
  /** Unix milliseconds. */
  now: () => number;
  log: (line: Record<string, unknown>) => void;
};

const ACCEPTED = JSON.stringify({ status: 'accepted' });
const SOURCE_HEADER = 'cf-connecting-ip';
const NO_SOURCE = 'local';

/**
 * Answers a notification. 200: it is stored, or there is nothing to store. 503: it could not be stored, so the vendor
 * sends it again. 401: forged, without any further detail (rule W1).
 */
export async function receive(request: Request, env: WebhookEnv, requestId: string, own: Receiving): Promise<Response> {
  if (request.method !== 'POST')
    return respondRefusal({ code: 'method_not_allowed', headers: { allow: 'POST' } }, requestId, env);
  const { VENDOR_HEADER_PREFIX, CHANNEL_TOKEN_KEYS } = readWebhookSettings(env);
  const { pathname: path } = new URL(request.url);
  const presented = readPresentedHeaders(request.headers, VENDOR_HEADER_PREFIX);
  // Before the body is read and before any object is asked: a stranger costs no more than this.
  if (!isGenuine(presented, path, CHANNEL_TOKEN_KEYS)) return refuseForgery(request, own);
  const body = () => readBodyBytes(request, MAX_BODY_BYTES);
  const inbox = (customer: string) => getNotificationInbox(env, customer);
  try {
    const ports = { channels: own.channels, now: own.now, registry: () => getChannelRegistry(env), inbox };
    const outcome = await takeNotification({ presented, path, body }, ports);
    if (outcome === 'forged') return refuseForgery(request, own);
    if (outcome === 'early') return respondRefusal({ code: 'channel_pending' }, requestId, env);
    return new Response(ACCEPTED, { headers: { 'content-type': 'application/json' } });
  } catch (error) {
    if (error instanceof BodyBrokenOff) throw error; // It was not sent whole, so there is nothing to keep.
    const name = error instanceof Error ? error.name : typeof error;
    own.log({ event: 'notification_not_kept', request_id: requestId, channel: presented.channel, error: name });
    return respondRefusal({ code: 'not_kept' }, requestId, env);
  }
}

const { status: FORGED_STATUS, title: FORGED_TITLE } = problems.forged_notification;
/** One answer for every forgery, byte for byte: the request's id is in a header only. */
const FORGED_BODY = JSON.stringify({
  type: '/problems/forged_notification',
  title: FORGED_TITLE,
  status: FORGED_STATUS,
  code: 'forged_notification',
});
const FORGED_HEADERS = {
  'content-type': 'application/problem+json',
  'cache-control': 'no-store',
  'www-authenticate': 'Channel-Token realm="notifications"',
};

function refuseForgery({ headers }: Request, { forgeries }: Receiving): Response {
  forgeries.count(headers.get(SOURCE_HEADER) ?? NO_SOURCE);
  return new Response(FORGED_BODY, { status: FORGED_STATUS, headers: FORGED_HEADERS });
}
