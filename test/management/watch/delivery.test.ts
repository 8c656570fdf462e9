import { expect, test } from 'vitest';
import { deliver, type PushDeliveryTools } from '../../../src/management/watch/delivery.ts';
import { allowLoopbackExcept, allowPublicOnly } from '../../../src/net/address-policy.ts';

type Sent = { url: string; headers: Record<string, string>; body: string | undefined; redirect: string };
const REQUEST = { url: 'https://hooks.example.net/a', headers: { 'X-Goog-Channel-ID': 'c' }, body: '{"id":"1"}' };

/** Delivers to a receiver that answers so, and tells what it saw. */
async function delivered(
  answer: () => Response | Promise<Response>,
  changes: Partial<PushDeliveryTools> = {},
  url = REQUEST.url,
) {
  const seen: Sent[] = [];
  const tools: PushDeliveryTools = {
    fetch: async (asked, { headers, body, redirect }) => {
      seen.push({ url: asked, headers, body, redirect });
      return answer();
    },
    policy: allowPublicOnly(),
    clock: () => 0,
    userAgent: 'test',
    ...changes,
  };
  return { ...(await deliver({ ...REQUEST, url }, tools)), sent: seen };
}

test('K8: a message is posted once, with Via, and no redirect is followed', async () => {
  const { sent, outcome } = await delivered(
    () => new Response(null, { status: 302, headers: { location: 'https://b.example/' } }),
  );
  expect(outcome).toBe('failed');
  expect(sent).toHaveLength(1);
  expect(sent[0]).toMatchObject({ url: REQUEST.url, body: REQUEST.body, redirect: 'manual' });
  expect(sent[0]?.headers).toMatchObject({ via: '1.1 sightline', 'x-goog-channel-id': 'c', 'user-agent': 'test' });
});

test.each([
  [200, 'delivered'],
  [201, 'delivered'],
  [202, 'delivered'],
  [204, 'delivered'],
  [203, 'failed'],
  [304, 'failed'],
  [400, 'failed'],
  [401, 'failed'],
  [404, 'failed'],
  [408, 'failed'],
  [410, 'failed'],
  [429, 'failed'],
  [500, 'retry'],
  [501, 'failed'],
  [502, 'retry'],
  [503, 'retry'],
  [504, 'retry'],
])('status %i: %s', async (status, outcome) => {
  const body = status === 204 || status === 304 ? null : 'x';
  expect(await delivered(() => new Response(body, { status }))).toMatchObject({ outcome, seen: String(status) });
});

test.each([
  [3_000, 200, 'delivered'],
  [3_001, 200, 'slow'],
  [3_001, 503, 'retry'],
  [3_001, 404, 'failed'],
])('K8: an answer after %i ms with %i: %s', async (tookMs, status, outcome) => {
  let nowMs = 0;
  const answer = () => {
    nowMs += tookMs;
    return new Response('x', { status });
  };
  expect((await delivered(answer, { clock: () => nowMs })).outcome).toBe(outcome);
});

test('a receiver that cannot be reached is tried again', async () => {
  const down = () => Promise.reject(new TypeError('refused'));
  expect(await delivered(down)).toMatchObject({ outcome: 'retry', seen: 'connection_failed' });
});

test('an answer without end is not read', async () => {
  const endless = new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(65_536)) });
  expect(await delivered(() => new Response(endless))).toMatchObject({ outcome: 'delivered' });
});

test.each([
  ['http://hooks.example.net/', 'push.webhookUrlNotHttps'],
  ['https://127.0.0.1/', 'push.webhookUrlUnauthorized'],
  ['http://127.0.0.1:8000/', 'push.webhookUrlNotHttps'],
  ['https://[::1]/', 'push.webhookUrlUnauthorized'],
  ['https://10.0.0.1/', 'push.webhookUrlUnauthorized'],
  ['https://metadata.google.internal/', 'push.webhookUrlUnauthorized'],
])('F5: %s is judged again before it is sent to, and refused', async (url, seen) => {
  expect(await delivered(() => new Response('x'), {}, url)).toEqual({ outcome: 'failed', seen, sent: [] });
});

test('F5: the local stack sends to loopback by http, but not to its own ports and not elsewhere by http', async () => {
  const local = { policy: allowLoopbackExcept([8787]) };
  const ok = () => new Response('x');
  expect((await delivered(ok, local, 'http://127.0.0.1:9000/')).outcome).toBe('delivered');
  expect((await delivered(ok, local, 'http://localhost:9000/')).outcome).toBe('delivered');
  expect((await delivered(ok, local, 'http://127.0.0.1:8787/')).sent).toEqual([]);
  expect((await delivered(ok, local, 'http://hooks.example.net/')).sent).toEqual([]);
  expect((await delivered(ok, local, 'http://192.168.0.1/')).sent).toEqual([]);
});
