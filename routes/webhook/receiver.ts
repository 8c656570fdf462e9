import type { Forgeries } from '../../src/notifications/core/forgeries.ts';
import { MAX_BODY_BYTES, formatMessage } from '../../src/notifications/inbox/message.ts';
import type { ReceiverChannel } from '../../src/notifications/core/protocol.ts';
import {
  isGenuine,
  isResourceId,
  buildMessage,
  type Presented,
  readPresentedHeaders,
  SYNC_STATE,
  parseWatchPath,
} from '../../src/notifications/core/receive.ts';
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

type Incoming = { request: Request; env: WebhookEnv; requestId: string; path: string; presented: Presented };
/** `early`: the vendor has not sent yet what the channel is of. `dropped`: it is stopped. */
type Verdict = 'forged' | 'early' | 'dropped' | 'synced' | ReceiverChannel;

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
  const incoming = { request, env, requestId, path, presented };
  try {
    return await take(incoming, own);
  } catch (error) {
    if (error instanceof BodyBrokenOff) throw error; // It was not sent whole, so there is nothing to keep.
    const name = error instanceof Error ? error.name : typeof error;
    own.log({ event: 'notification_not_kept', request_id: requestId, channel: presented.channel, error: name });
    return respondRefusal({ code: 'not_kept' }, requestId, env);
  }
}

async function take(incoming: Incoming, own: Receiving): Promise<Response> {
  const verdict = await judge(incoming, own);
  if (verdict === 'forged') return refuseForgery(incoming.request, own);
  if (verdict === 'early') return respondRefusal({ code: 'channel_pending' }, incoming.requestId, incoming.env);
  if (typeof verdict === 'object') await keep(incoming, verdict, own.now());
  return new Response(ACCEPTED, { headers: { 'content-type': 'application/json' } });
}

/** What the registry says of a channel whose token is good (rules W4, W5). */
async function judge({ env, path, presented }: Incoming, own: Receiving): Promise<Verdict> {
  const { channel: id, resourceId, state } = presented;
  const nowMs = own.now();
  const channel = await findChannel(id, env, own.channels, nowMs);
  if (channel === null || channel.watch !== parseWatchPath(path) || nowMs >= channel.acceptsUntilMs) return 'forged';
  if (!isResourceId(resourceId)) return 'forged';
  if (state === SYNC_STATE)
    return (await getChannelRegistry(env).synced(id, resourceId)) === 'ok' ? 'synced' : 'forged';
  if (channel.resourceId !== undefined && channel.resourceId !== resourceId) return 'forged';
  if (channel.drops) return 'dropped';
  return channel.resourceId === undefined ? 'early' : channel;
}

/** Asked of the registry, or remembered. */
async function findChannel(
  id: string,
  env: WebhookEnv,
  channels: KnownChannelCache,
  nowMs: number,
): Promise<ReceiverChannel | null> {
  const remembered = channels.find(id, nowMs);
  if (remembered !== undefined) return remembered;
  const found = await getChannelRegistry(env).lookup(id);
  channels.remember(id, found, nowMs);
  return found;
}

/** Stored durably when this ends. The inbox itself wakes its worker. */
async function keep(
  { request, env, presented }: Incoming,
  known: ReceiverChannel,
  receivedAtMs: number,
): Promise<void> {
  const body = await readBodyBytes(request, MAX_BODY_BYTES);
  const message = buildMessage(presented, { known, body, receivedAtMs });
  await getNotificationInbox(env, known.customer).keep(known.customer, formatMessage(message));
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
