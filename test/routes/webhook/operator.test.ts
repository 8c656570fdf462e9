import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { operations } from '../../../src/notifications/operator-api/operations.ts';
import {
  channelPage,
  channelView,
  messagePage,
  replayed,
  inboxStatusSchema,
} from '../../../src/notifications/operator-api/shapes.ts';
import type { ChannelView } from '../../../src/notifications/channels/channel.ts';
import { resetScript, script } from '../../support/webhooks/webhook-script.ts';
import { tokenFor, UNKNOWN_TOKEN, UNREACHABLE_TOKEN } from '../../support/webhooks/webhook-tokens.ts';
import { ChannelRegistry, NotificationInbox } from '../../support/workers/webhook-worker.ts';
import type { Sent } from '../../support/stack/send-to-worker.ts';
import { call, CUSTOMER, directory, json, notify, of, opened, WEBHOOK_URL } from './world.ts';

let logs: string[] = [];

beforeEach(() => {
  logs = [];
  vi.spyOn(console, 'log').mockImplementation((line: unknown) => void logs.push(String(line)));
  directory();
});
afterEach(() => {
  vi.restoreAllMocks();
  resetScript();
});

type Problem = { type: string; title: string; status: number; code: string; request_id: string; errors?: unknown };

/** `<status> <code>` of a problem, which has every member that problems have. */
async function refusal(pending: Promise<Response>): Promise<string> {
  const answer = await pending;
  expect(answer.headers.get('content-type')).toBe('application/problem+json');
  const problem = await answer.json<Problem>();
  expect(problem).toMatchObject({
    type: `${WEBHOOK_URL}/problems/${problem.code}`,
    title: expect.any(String),
    status: answer.status,
    request_id: answer.headers.get('x-request-id'),
  });
  return `${answer.status} ${problem.code}`;
}

/** A directory that answers every call with this error. */
const answering = (code: number, reason: string): void => {
  script.fetch = async () => Response.json({ error: { code, message: '', errors: [{ reason }] } }, { status: code });
};

/** Each operation as a request that may pass, for ids that nobody has. */
const requests = Object.values(operations).map(({ method, path, scope }) => ({
  path: path.replace('{id}', 'none'),
  method,
  scope,
  sent: {
    method,
    ...(method === 'POST' ? { body: path === '/messages:replay' ? { channel: 'none' } : {} } : {}),
  } satisfies Sent,
}));

describe('W7: the interface beside a public receiver', () => {
  test.each(requests)('$method $path is not there without a token', async ({ path, sent }) => {
    const shape = async (answer: Response) => {
      const { request_id: _, ...rest } = await answer.json<Problem>();
      return [answer.status, rest, [...answer.headers].filter(([name]) => name !== 'x-request-id')];
    };
    const nothing = await shape(await call('/nothing/here', { token: null }));
    expect(nothing[0]).toBe(404);
    for (const headers of [{}, { authorization: 'Basic YTpi' }, { authorization: 'bearerless' }, { cookie: 'a=b' }])
      expect(await shape(await call(path, { ...sent, token: null, headers }))).toEqual(nothing);
    expect(await shape(await call(`${path}?access_token=${tokenFor()}`, { ...sent, token: null }))).toEqual(nothing);
    expect(script.asked).toEqual([]);
  });

  test.each(requests)(
    '$method $path is refused with a token that is not good for it',
    async ({ path, sent, scope }) => {
      const other = scope === 'channels:read' ? 'channels:write' : 'channels:read';
      const invalid = await call(path, { ...sent, token: UNKNOWN_TOKEN });
      expect(invalid.headers.get('www-authenticate')).toBe(
        `Bearer realm="sightline", resource_metadata="${WEBHOOK_URL}/.well-known/oauth-protected-resource", error="invalid_token"`,
      );
      expect(await refusal(Promise.resolve(invalid))).toBe('401 invalid_token');
      const lacking = await call(path, { ...sent, token: tokenFor({ scopes: [other] }) });
      expect(lacking.headers.get('www-authenticate')).toBe(
        `Bearer realm="sightline", resource_metadata="${WEBHOOK_URL}/.well-known/oauth-protected-resource", error="insufficient_scope", scope="${scope}"`,
      );
      expect(await refusal(Promise.resolve(lacking))).toBe('403 insufficient_scope');
      expect(await refusal(call(path, { ...sent, token: UNREACHABLE_TOKEN }))).toBe('503 authorization_unavailable');
      expect(script.asked).toEqual([]);
    },
  );

  test.each(['', ' ', 'a b', 'a,b', 'x'.repeat(4_097)])('the token %# is none', async (token) => {
    expect(await refusal(call('/channels', { token: null, headers: { authorization: `Bearer ${token}` } }))).toBe(
      '401 invalid_token',
    );
  });

  test('another method is told which there are, to callers with a token only', async () => {
    const answer = await call('/channels', { method: 'DELETE' });
    expect(answer.headers.get('allow')).toBe('GET, HEAD, POST');
    expect(await refusal(Promise.resolve(answer))).toBe('405 method_not_allowed');
    expect(await refusal(call('/channels/none:stop', { method: 'PUT' }))).toBe('405 method_not_allowed');
    expect(await refusal(call('/channels', { method: 'DELETE', token: null }))).toBe('404 not_found');
  });

  test('HEAD counts as GET', async () => {
    const answer = await call('/channels', { method: 'HEAD' });
    expect([answer.status, await answer.text()]).toEqual([200, '']);
  });

  test.each([
    '/',
    '/channels/',
    '/channels/a/b',
    '/channels/none:end',
    '/messages:delete',
    '/channels/%00',
    '/Channels',
  ])('%s is nothing, with a token too', async (path) => expect(await refusal(call(path))).toBe('404 not_found'));
});

describe('channels', () => {
  test('are created, shown, listed, renewed and stopped', async () => {
    const created = await call('/channels', {
      method: 'POST',
      body: { customer: CUSTOMER, domain: 'example.com', event: 'update', ttl_s: 3_600, subject: 'admin@example.com' },
    });
    const channel = await created.json<ChannelView>();
    expect([created.status, created.headers.get('location')]).toEqual([201, `/channels/${channel.id}`]);
    expect(channelView.strict().parse(channel)).toMatchObject({
      customer: CUSTOMER,
      domain: 'example.com',
      event: 'update',
      state: 'active',
      address: `${WEBHOOK_URL}/notifications/${channel.watch}`,
      resource_id: 'resource-1',
    });
    expect(await json(call(`/channels/${channel.id}`))).toEqual(channel);
    expect(await json<ChannelView>(call(`/channels/${channel.watch}`))).toMatchObject({ id: channel.id });
    expect(await json(call('/channels'))).toEqual({ channels: [channel] });
    const renewed = await call(`/channels/${channel.id}:renew`, { method: 'POST' });
    expect(renewed.status).toBe(200);
    expect(channelView.strict().parse(await renewed.json())).toMatchObject({ watch: channel.watch });
    const stopped = await call(`/channels/${channel.watch}:stop`, { method: 'POST', body: {} });
    expect(stopped.status).toBe(200);
    expect(channelView.strict().parse(await stopped.json()).state).toMatch(/^stop/);
    expect(await refusal(call(`/channels/${channel.watch}:renew`, { method: 'POST' }))).toBe('409 not_open');
  });

  test('without a customer watch the one whose token is used', async () => {
    expect(await opened({})).toMatchObject({ customer: 'my_customer', domain: null, event: null });
  });

  test.each([
    [400, 'invalid', 422, 'the directory answers 400 (invalid)'],
    [404, 'domainNotFound', 422, 'the directory answers 404 (domainNotFound)'],
  ])('that the directory refuses for good, %i %s, are not watched', async (code, reason, answered, detail) => {
    const body = { customer: CUSTOMER, domain: 'nosuch.example' };
    answering(code, reason);
    const answer = await call('/channels', { method: 'POST', body });
    expect(answer.status).toBe(answered);
    expect(await answer.json()).toMatchObject({ code: 'watch_refused', detail });
    directory();
    expect((await call('/channels', { method: 'POST', body })).status).toBe(201);
    // The inbox hears of the alert, and that it is over, after the answer.
    const listAlerts = async (): Promise<unknown> =>
      (await json<{ alerts: unknown }>(call(`/status?customer=${CUSTOMER}`))).alerts;
    await expect.poll(listAlerts, { timeout: 20_000 }).toEqual([]);
  });

  test.each([
    [503, 'backendError', 'pending'],
    [401, 'authError', 'failed'],
    [429, 'rateLimitExceeded', 'failed'],
  ])('that the directory does not open now, %i %s, are tried again', async (code, reason, state) => {
    answering(code, reason);
    expect(await opened()).toMatchObject({ state, next_try_at: expect.any(String), tries: 1 });
  });

  test('that are watched already are not watched twice', async () => {
    await opened({});
    expect(await refusal(call('/channels', { method: 'POST', body: {} }))).toBe('409 already_watched');
  });

  test('are listed page by page, by state, watch and customer', async () => {
    for (const customer of ['C1', 'C2', 'C3']) await opened({ customer });
    type Page = { channels: ChannelView[]; next_page_token?: string };
    const first = await json<Page>(call('/channels?page_size=2'));
    expect(channelPage.strict().parse(first).channels).toHaveLength(2);
    const rest = await json<Page>(
      call(`/channels?page_size=2&page_token=${encodeURIComponent(first.next_page_token ?? '')}`),
    );
    expect(rest).not.toHaveProperty('next_page_token');
    const all = [...first.channels, ...rest.channels];
    expect(all.map(({ customer }) => customer).toSorted()).toEqual(['C1', 'C2', 'C3']);
    const watchOf = async (query: string) =>
      (await json<Page>(call(`/channels?${query}`))).channels.map(({ customer }) => customer);
    expect(await watchOf('customer=C2')).toEqual(['C2']);
    expect(await watchOf(`watch=${all[0]?.watch}`)).toEqual([all[0]?.customer]);
    expect(await watchOf('state=failed')).toEqual([]);
  });

  test('that nobody has are not found', async () => {
    expect(await refusal(call('/channels/none'))).toBe('404 not_found');
    expect(await refusal(call('/channels/none:renew', { method: 'POST' }))).toBe('404 not_found');
    expect(await refusal(call('/channels/none:stop', { method: 'POST' }))).toBe('404 not_found');
  });

  test('leave a line in the log of who changed what, without the token', async () => {
    const channel = await opened();
    await call(`/channels/${channel.id}:stop`, { method: 'POST', token: tokenFor({ tenant: CUSTOMER }) });
    const lines = logs.map((line) => JSON.parse(line) as Record<string, unknown>);
    const operated = lines.filter(({ event }) => event === 'channels_operated');
    expect(operated).toMatchObject([
      { operation: 'createChannel', ok: true, client: 'test-client' },
      { operation: 'stopChannel', ok: true, id: channel.id, customer: CUSTOMER },
    ]);
    expect(logs.join('\n')).not.toMatch(/test\.e|Bearer|v2\./);
  });
});

describe('messages', () => {
  const dead = async (channel: ChannelView): Promise<void> => {
    const { path, headers } = of(channel);
    expect((await notify(headers, { path })).status).toBe(200);
  };

  test('are listed by customer, state, channel and time', async () => {
    const channel = await opened();
    await dead(channel);
    const listed = async (query: string) => {
      const page = await json(call(`/messages?customer=${CUSTOMER}${query}`));
      return messagePage.strict().parse(page).messages.length;
    };
    const time = (offsetMs: number) => encodeURIComponent(new Date(Date.now() + offsetMs).toISOString());
    expect(await listed('')).toBe(1);
    expect(await listed(`&channel=${channel.id}`)).toBe(1);
    expect(await listed('&channel=none')).toBe(0);
    expect(await listed('&state=dead')).toBe(0);
    expect(await listed(`&from=${time(-60_000)}&to=${time(60_000)}`)).toBe(1);
    expect(await listed(`&to=${time(-60_000)}`)).toBe(0);
    expect(await json(call('/messages'))).toEqual({ messages: [] }); // Of `my_customer`.
  });

  test.each<[object, object]>([
    [{ message: 7 }, { seq: 7 }],
    [{ channel: 'c' }, { channel: 'c' }],
    [
      { from: '2026-11-22T10:00:00+02:00', to: '2026-11-22T09:00:00Z' },
      { fromMs: 1_795_334_400_000, toMs: 1_795_338_000_000 },
    ],
    [
      { channel: 'c', from: '2026-11-22T08:00:00Z' },
      { channel: 'c', fromMs: 1_795_334_400_000 },
    ],
  ])('W7: %j are replayed as the inbox is asked for', async (order, range) => {
    const replay = vi
      .spyOn(NotificationInbox.prototype, 'replay')
      .mockImplementation(async () => ({ replayed: 1_000, more: true }));
    const answer = await call('/messages:replay', { method: 'POST', body: { customer: CUSTOMER, ...order } });
    expect(replayed.strict().parse(await answer.json())).toEqual({ replayed: 1_000, more: true });
    expect(replay.mock.calls).toEqual([[CUSTOMER, expect.objectContaining(range)]]);
  });

  test('that are not dead are not replayed', async () => {
    const channel = await opened();
    await dead(channel);
    const answer = await call('/messages:replay', {
      method: 'POST',
      body: { customer: CUSTOMER, channel: channel.id },
    });
    expect([answer.status, await answer.json()]).toEqual([200, { replayed: 0, more: false }]);
  });

  test('are counted in the status of a customer', async () => {
    await dead(await opened());
    const shown = inboxStatusSchema.strict().parse(await json(call(`/status?customer=${CUSTOMER}`)));
    expect(shown).toMatchObject({ customer: CUSTOMER, dead: 0 });
    expect(await json<{ customer: string }>(call('/status'))).toMatchObject({ customer: 'my_customer', waiting: 0 });
  });
});

describe('a token with a tenant sees that customer only', () => {
  const own = { token: tokenFor({ tenant: CUSTOMER }) };

  test('and needs to name none', async () => {
    const channel = await json<ChannelView>(call('/channels', { ...own, method: 'POST', body: {} }));
    expect(channel.customer).toBe(CUSTOMER);
    expect(await json(call('/channels', own))).toEqual({ channels: [channel] });
    expect(await json(call('/channels?customer=my_customer', own))).toEqual({ channels: [channel] });
    expect(await json(call(`/channels?customer=${CUSTOMER}`, own))).toEqual({ channels: [channel] });
    expect(await json(call('/status', own))).toMatchObject({ customer: CUSTOMER });
  });

  test('channels of others are told as what is not there', async () => {
    const { id, watch } = await opened({ customer: 'C0other' });
    for (const name of [id, watch]) {
      expect(await refusal(call(`/channels/${name}`, own))).toBe('404 not_found');
      expect(await refusal(call(`/channels/${name}:renew`, { ...own, method: 'POST' }))).toBe('404 not_found');
      expect(await refusal(call(`/channels/${name}:stop`, { ...own, method: 'POST' }))).toBe('404 not_found');
    }
    expect(await json(call('/channels', own))).toEqual({ channels: [] });
    expect(await json(call(`/channels?watch=${watch}`, own))).toEqual({ channels: [] });
    expect(await json<ChannelView>(call(`/channels/${id}`))).toMatchObject({ state: 'active' });
  });

  test.each([
    { domain: 'other.example' },
    { subject: 'admin@other.example' },
    { customer: CUSTOMER, domain: 'example.com', subject: 'admin@example.com' },
  ])('a part of it, %j, it may not name: by that the directory would watch whoever it is of', async (body) => {
    expect(await refusal(call('/channels', { ...own, method: 'POST', body }))).toBe('403 whole_customer_only');
    expect(script.asked).toEqual([]);
    const open = await call('/channels', { method: 'POST', body });
    expect(open.status).toBe(201);
  });

  test.each<[string, Sent]>([
    ['/channels?customer=C0other', {}],
    ['/channels', { method: 'POST', body: { customer: 'C0other' } }],
    ['/messages?customer=C0other', {}],
    ['/messages:replay', { method: 'POST', body: { customer: 'C0other', message: 1 } }],
    ['/status?customer=C0other', {}],
  ])('%s of another customer is not there, and no object is asked', async (path, sent) => {
    expect(await refusal(call(path, { ...sent, ...own }))).toBe('404 not_found');
    expect(script.asked).toEqual([]);
  });
});

describe('what does not parse is refused before any object is asked', () => {
  test.each<[string, unknown, string]>([
    ['/channels', '{', '400 invalid_json'],
    ['/channels', new Uint8Array([0xff]), '400 invalid_json'],
    ['/channels', `{"customer":"${'x'.repeat(16_384)}"}`, '413 body_too_large'],
    ['/channels', [], '422 invalid_body'],
    ['/channels', null, '422 invalid_body'],
    ['/channels', { else: 1 }, '422 invalid_body'],
    ['/channels', { customer: '' }, '422 invalid_body'],
    ['/channels', { customer: '../C1' }, '422 invalid_body'],
    ['/channels', { customer: 'C'.repeat(65) }, '422 invalid_body'],
    ['/channels', { domain: 'no-dots' }, '422 invalid_body'],
    ['/channels', { domain: 'EXAMPLE.com' }, '422 invalid_body'],
    ['/channels', { event: 'exists' }, '422 invalid_body'],
    ['/channels', { ttl_s: 59 }, '422 invalid_body'],
    ['/channels', { ttl_s: '3600' }, '422 invalid_body'],
    ['/channels', { ttl_s: 2_592_001 }, '422 invalid_body'],
    ['/channels', { subject: 'nobody' }, '422 invalid_body'],
    ['/channels/none:stop', { reason: 'x' }, '422 invalid_body'],
    ['/messages:replay', {}, '422 invalid_body'],
    ['/messages:replay', { message: 0 }, '422 invalid_body'],
    ['/messages:replay', { message: 1, channel: 'c' }, '422 invalid_body'],
    ['/messages:replay', { from: 'yesterday' }, '422 invalid_body'],
    ['/messages:replay', { from: '2026-11-22T09:00:00Z', to: '2026-11-22T09:00:00Z' }, '422 invalid_body'],
  ])('POST %s (row %#): %s', async (path, body, expected) => {
    const headers = { 'content-type': 'application/json' };
    const content = body === null || Array.isArray(body) ? JSON.stringify(body) : body;
    expect(await refusal(call(path, { method: 'POST', body: content, headers }))).toBe(expected);
    expect(script.asked).toEqual([]);
  });

  test.each(['', 'text/plain', 'application/x-www-form-urlencoded'])('a body of the type %j', async (type) => {
    const sent = { method: 'POST', body: '{}', headers: { 'content-type': type } };
    expect(await refusal(call('/channels', sent))).toBe('415 unsupported_media_type');
  });

  test.each([
    '/channels?state=open',
    '/channels?page_size=0',
    '/channels?page_size=101',
    '/channels?page_size=ten',
    '/channels?page_size=',
    '/channels?page_token=',
    `/channels?page_token=${'x'.repeat(257)}`,
    '/channels?customer=a&customer=b',
    '/channels?watch=%00',
    '/channels?q=1',
    '/channels/none?view=full',
    '/messages?state=lost',
    '/messages?from=2026-11-22',
    '/messages?from=2026-11-22T10:00:00Z&to=2026-11-22T09:00:00Z',
    '/status?verbose=1',
  ])('GET %s', async (path) => {
    expect(await refusal(call(path))).toBe('422 invalid_query');
    expect(script.asked).toEqual([]);
  });

  test('with the places of what is wrong', async () => {
    const body = { customer: '', ttl_s: 1, more: true };
    const { errors } = await json<Problem>(call('/channels', { method: 'POST', body }));
    expect(errors).toMatchObject([{ pointer: '/customer' }, { pointer: '/ttl_s' }, { pointer: '' }]);
  });

  test.each(['garbage', '-1', '0', '1e3', '1;DROP TABLE channel', '9'.repeat(16), "'"])(
    'a page token that is none (%s): no page stands for it',
    async (text) => {
      for (const path of ['/channels', '/messages'])
        expect(await refusal(call(`${path}?page_token=${encodeURIComponent(text)}`))).toBe('422 invalid_query');
      expect(script.asked).toEqual([]);
    },
  );
});

describe('when something fails', () => {
  test('an object that cannot be asked now is a 503 that says when to come again', async () => {
    vi.spyOn(ChannelRegistry.prototype, 'list').mockImplementation(async () => {
      throw Object.assign(new Error('overloaded'), { retryable: true, overloaded: true });
    });
    const answer = await call('/channels');
    expect([answer.headers.get('retry-after'), await refusal(Promise.resolve(answer))]).toEqual([
      '5',
      '503 unavailable',
    ]);
  });

  test('a fault of ours is a 500 without detail; the log has its name and no more', async () => {
    vi.spyOn(ChannelRegistry.prototype, 'list').mockImplementation(async () => {
      throw new TypeError('secret detail');
    });
    const answer = await call('/channels');
    const text = await answer.clone().text();
    expect(await refusal(Promise.resolve(answer))).toBe('500 internal_error');
    expect(text).not.toContain('secret');
    expect(logs.map((line) => JSON.parse(line) as unknown)).toEqual([
      { event: 'webhook_failed', request_id: answer.headers.get('x-request-id'), error: 'TypeError' },
    ]);
  });
});
