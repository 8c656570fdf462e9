import { exports } from 'cloudflare:workers';
import { vi } from 'vitest';
import { formatChannelId } from '../../../src/notifications/channels/channel-id.ts';
import { computeChannelToken, parseChannelKeys } from '../../../src/notifications/channels/channel-token.ts';
import type { ReceiverChannel } from '../../../src/notifications/core/protocol.ts';
import type { ChannelView } from '../../../src/notifications/channels/channel.ts';
import { script } from '../../support/webhooks/webhook-script.ts';
import { tokenFor, WEBHOOK_URL } from '../../support/webhooks/webhook-tokens.ts';
import { ChannelRegistry, NotificationInbox } from '../../support/workers/webhook-worker.ts';
import { type Sent, sendToWorker } from '../../support/stack/send-to-worker.ts';

export { WEBHOOK_URL };

/** The keys of the project's settings in vitest.config.ts, and one that was removed from them. */
export const SECOND_KEY = '2:the-second-channel-secret-of-32-chars';
export const FIRST_KEY = '1:the-first-channel-secret-of-32-characters';
export const REMOVED_KEY = '3:the-removed-channel-secret-of-32-characters';

export const CUSTOMER = 'C00000001';
export const WATCH = 'w1a2b3c4d5e6f708';
export const ADDRESS = `/notifications/${WATCH}`;
export const RESOURCE = 'resource-1';

/** The token of a channel at a path, by a key. */
export const signed = (channel: string, path = ADDRESS, key = SECOND_KEY): string =>
  computeChannelToken(channel, path, parseChannelKeys(key) ?? []);

/** The id of a channel that states its customer and its end, an hour from now unless told otherwise. */
export const statingId = ({ customer = CUSTOMER, acceptsUntilMs = Date.now() + 3_600_000 } = {}): string =>
  formatChannelId(crypto.randomUUID(), { customer, acceptsUntilMs });

/** Headers of a genuine notification. */
export const genuine = (channel: string, changes: Record<string, string> = {}): Record<string, string> => ({
  'X-Goog-Channel-ID': channel,
  'X-Goog-Channel-Token': signed(channel),
  'X-Goog-Message-Number': '10',
  'X-Goog-Resource-ID': RESOURCE,
  'X-Goog-Resource-State': 'update',
  'X-Goog-Resource-URI': 'https://admin.googleapis.com/admin/directory/v1/users?domain=example.com&alt=json',
  ...changes,
});

export const USER_BODY = JSON.stringify({
  kind: 'admin#directory#user',
  id: '111122223333',
  etag: '"\\"quoted\\""',
  primaryEmail: 'liz@example.com',
});

type Notified = { path?: string; body?: BodyInit | null; method?: string };

/** Sends a request to the webhook Worker as the vendor does. */
export const notify = (
  headers: HeadersInit,
  { path = ADDRESS, body = USER_BODY, method = 'POST' }: Notified = {},
): Promise<Response> =>
  exports.default.fetch(
    new Request(`${WEBHOOK_URL}${path}`, {
      method,
      headers,
      redirect: 'manual',
      ...(method === 'POST' && body !== null ? { body } : {}),
    }),
  );

/** Calls the operator's interface, with a token for everything unless told otherwise. */
export const call = (path: string, { token = tokenFor(), ...sent }: Sent = {}): Promise<Response> =>
  sendToWorker(`${WEBHOOK_URL}${path}`, { token, ...sent });

export const json = async <T>(answer: Response | Promise<Response>): Promise<T> => (await answer).json<T>();

/** A channel of its own for each test, as the registry tells of it: isolates remember channels from test to test. */
export const known = (changes: Partial<ReceiverChannel> = {}): ReceiverChannel => ({
  id: crypto.randomUUID(),
  watch: WATCH,
  customer: CUSTOMER,
  resourceId: RESOURCE,
  acceptsUntilMs: Date.now() + 3_600_000,
  drops: false,
  ...changes,
});

/** A registry that knows these channels and no other. */
export const knows = (...channels: readonly ReceiverChannel[]) =>
  vi
    .spyOn(ChannelRegistry.prototype, 'lookup')
    .mockImplementation(async (id) => channels.find((channel) => channel.id === id) ?? null);

/** An inbox that takes everything. @returns the spy, whose calls hold customer and the text of a message */
export const keeps = () => vi.spyOn(NotificationInbox.prototype, 'keep').mockImplementation(async () => 'kept');

/** What the directory is asked to watch. */
export type WatchRequest = { id: string; token: string; address: string };

/**
 * A directory that grants every channel an hour, knows no user, and a receiver of outgoing webhooks that takes all.
 * @param meanwhile done before a watch is answered
 */
export function directory(meanwhile: (asked: WatchRequest) => Promise<void> = async () => undefined): void {
  script.fetch = async (url, init) => {
    const { pathname } = new URL(url);
    if (pathname.endsWith('/users/watch')) {
      const asked = JSON.parse(String(init?.body)) as WatchRequest;
      await meanwhile(asked);
      const { id, token } = asked;
      const [resourceId, resourceUri] = [RESOURCE, 'https://directory.test/users'];
      return Response.json({ kind: 'api#channel', id, resourceId, resourceUri, token, expiration: inAnHour() });
    }
    if (pathname.endsWith('/users')) return Response.json({ kind: 'admin#directory#users', users: [] });
    if (pathname.includes('/users/')) return Response.json({ error: { code: 404, errors: [] } }, { status: 404 });
    return new Response(null, { status: 204 });
  };
}

const inAnHour = (): string => String(Date.now() + 3_600_000);

/** Opens a channel by the operator's interface, for a customer. */
export const opened = async (body: object = { customer: CUSTOMER }): Promise<ChannelView> =>
  json<ChannelView>(call('/channels', { method: 'POST', body }));

/** Path and headers of a notification of a channel that was opened. */
export const of = ({ id, address }: { id: string; address: string }, changes: Record<string, string> = {}) => {
  const { pathname: path } = new URL(address);
  return { path, headers: genuine(id, { 'X-Goog-Channel-Token': signed(id, path), ...changes }) };
};
