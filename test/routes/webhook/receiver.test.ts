import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createWebhookApp } from '../../../routes/webhook/app.ts';
import type { WebhookEnv } from '../../../routes/webhook/bindings/env.ts';
import { parseJournalMessage, type MessageView, type NewMessage } from '../../../src/notifications/inbox/message.ts';
import type { ReceiverChannel } from '../../../src/notifications/core/protocol.ts';
import { resetScript, script } from '../../support/webhooks/webhook-script.ts';
import { ChannelRegistry, NotificationInbox } from '../../support/workers/webhook-worker.ts';
import {
  ADDRESS,
  call,
  CUSTOMER,
  directory,
  FIRST_KEY,
  genuine,
  json,
  keeps,
  known,
  knows,
  notify,
  of,
  opened,
  REMOVED_KEY,
  RESOURCE,
  signed,
  USER_BODY,
  WATCH,
  WEBHOOK_URL,
} from './world.ts';

let logs: string[] = [];

beforeEach(() => {
  logs = [];
  vi.spyOn(console, 'log').mockImplementation((line: unknown) => void logs.push(String(line)));
});
afterEach(() => {
  vi.restoreAllMocks();
  resetScript();
});

const messagesOf = async (customer = CUSTOMER): Promise<MessageView[]> =>
  (await json<{ messages: MessageView[] }>(call(`/messages?customer=${customer}`))).messages;

/** A channel that the registry knows, an inbox that keeps, and what was kept. */
function world(changes: Partial<ReceiverChannel> = {}) {
  const channel = known(changes);
  const lookup = knows(channel);
  const keep = keeps();
  const kept = (): NewMessage[] => keep.mock.calls.map(([, text]) => parseJournalMessage(text));
  return { id: channel.id, lookup, keep, kept };
}

describe('a notification of an open channel', () => {
  test('is kept before the 200, and listed for the operator', async () => {
    directory();
    const channel = await opened();
    const { path, headers } = of(channel);
    const answer = await notify(headers, { path });
    expect([answer.status, await answer.text()]).toEqual([200, '{"status":"accepted"}']);
    expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f]{32}$/);
    expect(await messagesOf()).toMatchObject([
      {
        channel: channel.id,
        watch: channel.watch,
        number: '10',
        event: 'update',
        user_id: '111122223333',
        body: 'read',
      },
    ]);
  });

  test('W2: that comes again is acknowledged and kept once', async () => {
    directory();
    const { path, headers } = of(await opened());
    const statuses = [];
    for (let round = 0; round < 3; round += 1) statuses.push((await notify(headers, { path })).status);
    statuses.push((await notify({ ...headers, 'X-Goog-Message-Number': '236440' }, { path })).status);
    expect(statuses).toEqual([200, 200, 200, 200]);
    expect(new Set((await messagesOf()).map(({ number }) => number))).toEqual(new Set(['10', '236440']));
  });

  test('goes to the inbox of its customer, with what its headers say', async () => {
    const endMs = Date.now() + 3_600_000;
    const { id, keep } = world({ customer: 'C0other', acceptsUntilMs: endMs, subject: 'admin@example.com' });
    expect((await notify(genuine(id))).status).toBe(200);
    expect(keep.mock.calls.map(([customer, text]) => [customer, parseJournalMessage(text)])).toEqual([
      [
        'C0other',
        {
          channel: id,
          watch: WATCH,
          key: 'n:10',
          number: '10',
          state: 'update',
          receivedAtMs: expect.any(Number),
          userId: '111122223333',
          body: 'read',
          raw: null,
          acceptsUntilMs: endMs,
          subject: 'admin@example.com',
        },
      ],
    ]);
  });

  test('asks the registry once in ten seconds', async () => {
    const { id, lookup } = world();
    const startMs = Date.now();
    const clock = vi.spyOn(Date, 'now');
    for (const afterMs of [0, 5_000, 9_999, 10_000, 10_001]) {
      clock.mockReturnValue(startMs + afterMs);
      expect((await notify(genuine(id))).status).toBe(200);
    }
    expect(lookup).toHaveBeenCalledTimes(2);
  });

  test('W1: is taken with a token of either key while keys rotate, and not with one of a removed key', async () => {
    const { id } = world();
    const withKey = (key: string) => notify(genuine(id, { 'X-Goog-Channel-Token': signed(id, ADDRESS, key) }));
    expect((await withKey(FIRST_KEY)).status).toBe(200);
    expect((await withKey(REMOVED_KEY)).status).toBe(401);
  });
});

describe('W2: whatever a genuine notification holds, it is stored', () => {
  test.each<[string, BodyInit | null, Partial<NewMessage>]>([
    ['a body of a user', USER_BODY, { body: 'read', userId: '111122223333' }],
    ['no body', null, { body: 'none', userId: null }],
    ['an empty body', '', { body: 'none', userId: null }],
    ['no JSON', '<user/>', { body: 'undecodable', raw: '<user/>' }],
    ['a byte order mark', `\uFEFF${USER_BODY}`, { body: 'undecodable', raw: `\uFEFF${USER_BODY}` }],
    ['no UTF-8', new Uint8Array([0xff, 0x00, 0x7b]), { body: 'undecodable', raw: '�\0{' }],
    ['JSON without id', '{"kind":"admin#directory#user"}', { body: 'undecodable' }],
    ['JSON that is deep', '['.repeat(60_000), { body: 'undecodable' }],
    ['64 KiB', USER_BODY.padEnd(65_536), { body: 'read', userId: '111122223333' }],
    ['a byte more than 64 KiB', USER_BODY.padEnd(65_537), { body: 'truncated', userId: null, raw: null }],
    ['5 MB', 'x'.repeat(5_000_000), { body: 'truncated', userId: null, raw: null }],
  ])('%s', async (_, body, expected) => {
    const { id, kept } = world();
    expect((await notify(genuine(id), { body })).status).toBe(200);
    expect(kept()).toMatchObject([{ number: '10', state: 'update', ...expected }]);
  });

  test('a body that says no length is counted as it comes', async () => {
    const { id, kept } = world();
    const chunk = new TextEncoder().encode('x'.repeat(10_000));
    let left = 8;
    const pieces = () =>
      new ReadableStream<Uint8Array>({
        pull: (controller) => (left-- > 0 ? controller.enqueue(chunk) : controller.close()),
      });
    expect((await notify(genuine(id), { body: pieces() })).status).toBe(200);
    left = 2;
    expect((await notify(genuine(id), { body: pieces() })).status).toBe(200);
    expect(kept().map(({ body }) => body)).toEqual(['truncated', 'undecodable']);
  });

  test.each([['application/json; utf-8'], ['text/plain'], ['image/png'], ['multipart/form-data; boundary=x'], ['']])(
    'with the content type %j',
    async (type) => {
      const { id, kept } = world();
      expect((await notify(genuine(id, { 'Content-Type': type }))).status).toBe(200);
      expect(kept()).toMatchObject([{ body: 'read', userId: '111122223333' }]);
    },
  );

  test.each<[string, Record<string, string>, Partial<NewMessage>]>([
    ['a number of 20 digits', { 'X-Goog-Message-Number': '9'.repeat(20) }, { key: `n:${'9'.repeat(20)}` }],
    ['a number of 21 digits', { 'X-Goog-Message-Number': '9'.repeat(21) }, { number: null }],
    ['a number that is none', { 'X-Goog-Message-Number': 'NaN' }, { number: null }],
    ['an empty number', { 'X-Goog-Message-Number': '' }, { number: null }],
    ['two numbers', { 'X-Goog-Message-Number': '10, 11' }, { number: null }],
    ['a state that we do not know', { 'X-Goog-Resource-State': 'exists' }, { state: 'exists' }],
    ['no state', { 'X-Goog-Resource-State': '' }, { state: '' }],
    ['two states', { 'X-Goog-Resource-State': 'update, delete' }, { state: 'update, delete' }],
    ['a state over 2 KiB', { 'X-Goog-Resource-State': 's'.repeat(3_000) }, { state: 's'.repeat(64) }],
    ['an address over 2 KiB', { 'X-Goog-Resource-URI': `https://a.example/${'u'.repeat(9_000)}` }, { number: '10' }],
  ])('%s', async (_, changes, expected) => {
    const { id, kept } = world();
    expect((await notify(genuine(id, changes))).status).toBe(200);
    expect(kept()).toMatchObject([expected]);
  });

  test('without a number, under a hash of headers and body', async () => {
    const { id, kept } = world();
    const { 'X-Goog-Message-Number': _, ...headers } = genuine(id);
    for (const body of [USER_BODY, USER_BODY, '{"id":"2"}']) expect((await notify(headers, { body })).status).toBe(200);
    const [one, again, other] = kept();
    expect(one?.key).toMatch(/^h:[0-9a-f]{64}$/);
    expect(again?.key).toBe(one?.key);
    expect(other?.key).not.toBe(one?.key);
  });

  test('headers that came twice', async () => {
    const { id, kept } = world();
    const headers = new Headers(genuine(id));
    headers.append('X-Goog-Resource-State', 'delete');
    headers.append('X-Goog-Message-Number', '11');
    expect((await notify(headers)).status).toBe(200);
    expect(kept()).toMatchObject([{ state: 'update, delete', number: null }]);
  });
});

describe('a sync', () => {
  const sync = { 'X-Goog-Resource-State': 'sync', 'X-Goog-Message-Number': '1' };

  test('W5: that comes before the watch response is acknowledged; anything else comes again', async () => {
    const seen: [number, string | null][] = [];
    directory(async (asked) => {
      for (const changes of [{}, sync, {}]) {
        const { path, headers } = of(asked, changes);
        const answer = await notify(headers, { path, body: null });
        seen.push([answer.status, answer.headers.get('retry-after')]);
      }
    });
    const channel = await opened();
    expect(seen).toEqual([
      [503, '5'],
      [200, null],
      [200, null],
    ]);
    const shown = await json<Record<string, unknown>>(call(`/channels/${channel.id}`));
    expect(shown).toMatchObject({ state: 'active', resource_id: RESOURCE, synced_at: expect.any(String) });
    expect(await messagesOf()).toHaveLength(1); // A sync is no message of a user.
  });

  test('W5: with another resource than the watch response named is forged', async () => {
    directory();
    const { path, headers } = of(await opened(), { ...sync, 'X-Goog-Resource-ID': 'resource-2' });
    expect((await notify(headers, { path, body: null })).status).toBe(401);
  });

  test.each([
    ['ok', 200],
    ['mismatch', 401],
    ['unknown', 401],
  ] as const)('is answered as the registry says: %s', async (outcome, status) => {
    const { id, kept } = world({ resourceId: undefined });
    const synced = vi.spyOn(ChannelRegistry.prototype, 'synced').mockImplementation(async () => outcome);
    expect((await notify(genuine(id, sync), { body: null })).status).toBe(status);
    expect(synced.mock.calls).toEqual([[id, RESOURCE]]);
    expect(kept()).toEqual([]);
  });

  test.each(['', 'r'.repeat(2_048)])('W5: teaches no resource id that is missing or was cut (row %#)', async (text) => {
    const { id } = world({ resourceId: undefined });
    const synced = vi.spyOn(ChannelRegistry.prototype, 'synced');
    expect((await notify(genuine(id, { ...sync, 'X-Goog-Resource-ID': text }))).status).toBe(401);
    expect(synced).not.toHaveBeenCalled();
  });
});

describe('W4: tokens die with the channel', () => {
  test('messages of a stopped channel are acknowledged and dropped for a while', async () => {
    directory();
    const channel = await opened();
    const stop = await call(`/channels/${channel.id}:stop`, { method: 'POST' });
    expect(stop.status).toBe(200);
    const { path, headers } = of(channel);
    expect((await notify(headers, { path })).status).toBe(200);
    expect(await messagesOf()).toEqual([]);
  });

  test.each<[string, (id: string) => ReturnType<typeof knows>, number]>([
    ['a stopped channel', (id) => knows(known({ id, drops: true })), 200],
    ['a dead channel, whose token is good all the same', () => knows(), 401],
  ])('and %s costs one question in ten seconds', async (_what, registry, status) => {
    const id = crypto.randomUUID();
    const lookup = registry(id);
    const startMs = Date.now();
    const clock = vi.spyOn(Date, 'now');
    for (const afterMs of [0, 1, 9_999, 10_000]) {
      clock.mockReturnValue(startMs + afterMs);
      expect((await notify(genuine(id))).status).toBe(status);
    }
    expect(lookup).toHaveBeenCalledTimes(2);
  });

  test('but not those that name another resource', async () => {
    const { id, kept } = world({ drops: true });
    expect((await notify(genuine(id, { 'X-Goog-Resource-ID': 'resource-2' }))).status).toBe(401);
    expect((await notify(genuine(id))).status).toBe(200);
    expect(kept()).toEqual([]);
  });

  test('after that they are forged, whatever this isolate remembers', async () => {
    const endMs = Date.now() + 5_000;
    const { id, lookup } = world({ acceptsUntilMs: endMs });
    expect((await notify(genuine(id))).status).toBe(200);
    vi.spyOn(Date, 'now').mockReturnValue(endMs);
    expect((await notify(genuine(id))).status).toBe(401);
    expect(lookup).toHaveBeenCalledTimes(2);
  });
});

describe('what cannot be kept is not acknowledged: 503, and the vendor comes again', () => {
  const fails = async (): Promise<never> => {
    throw new Error('secret detail');
  };

  test.each<[string, () => void]>([
    ['the registry does not answer', () => vi.spyOn(ChannelRegistry.prototype, 'lookup').mockImplementation(fails)],
    ['the inbox does not answer', () => vi.spyOn(NotificationInbox.prototype, 'keep').mockImplementation(fails)],
  ])('%s', async (_, breakIt) => {
    const { id } = world();
    breakIt();
    const answer = await notify(genuine(id));
    const requestId = answer.headers.get('x-request-id');
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5']);
    expect(await answer.json()).toEqual({
      type: `${WEBHOOK_URL}/problems/not_kept`,
      title: 'Could not be stored: send it again',
      status: 503,
      code: 'not_kept',
      detail: 'The notification was read, but could not be stored.',
      next: 'Send the same notification again after the wait.',
      request_id: requestId,
      retry_after_s: 5,
    });
    expect(logs.map((line) => JSON.parse(line) as unknown)).toEqual([
      { event: 'notification_not_kept', request_id: requestId, channel: id, error: 'Error' },
    ]);
  });

  test('the registry does not take a sync', async () => {
    const { id } = world();
    vi.spyOn(ChannelRegistry.prototype, 'synced').mockImplementation(fails);
    expect((await notify(genuine(id, { 'X-Goog-Resource-State': 'sync' }))).status).toBe(503);
  });
});

describe('other methods', () => {
  test.each(['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('%s tells nothing of channels', async (method) => {
    const { id } = world();
    const answers = [await notify(genuine(id), { method }), await notify({}, { method, path: '/notifications/none' })];
    for (const answer of answers)
      expect([answer.status, answer.headers.get('allow'), answer.headers.get('content-type')]).toEqual([
        405,
        'POST',
        'application/problem+json',
      ]);
    expect(script.asked).toEqual([]);
  });
});

test('W1: the token is judged before the body is read', async () => {
  const pulls = vi.fn<() => void>();
  const body = new ReadableStream<Uint8Array>({ pull: pulls }, { highWaterMark: 0 });
  const request = new Request(`${WEBHOOK_URL}${ADDRESS}`, { method: 'POST', headers: genuine('unsigned'), body });
  request.headers.set('X-Goog-Channel-Token', 'forged');
  const bindings = {
    BASE_URL: 'https://sightline.test',
    WEBHOOK_URL,
    CHANNEL_TOKEN_KEYS: FIRST_KEY,
  } as unknown as WebhookEnv; // No objects at all: asking one would throw.
  const answer = await createWebhookApp().fetch(request, bindings);
  expect([answer.status, pulls.mock.calls.length, request.bodyUsed]).toEqual([401, 0, false]);
});
