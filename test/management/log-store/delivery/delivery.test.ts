import { createPublicKey, verify } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { type Deliveries, createWebhookDeliveries } from '../../../../src/management/log-store/delivery/delivery.ts';
import { allowPublicOnly } from '../../../../src/net/address-policy.ts';
import type { FetchFunction } from '../../../../src/net/guarded-fetch.ts';
import { memorySqlite } from '../../../support/management/sqlite.ts';
import { HOOK, hookedEntry } from '../placed-entry.ts';

type Posted = { url: string; headers: Record<string, string>; body: string; redirect: string };

let nowMs: number;
let posted: Posted[];
let lines: Record<string, unknown>[];
let reply: () => Response;
let deliveries: Deliveries;
let database: ReturnType<typeof memorySqlite>;

const receive: FetchFunction = async (url, { headers, body = '', redirect }) => {
  posted.push({ url, headers, body, redirect });
  return reply();
};
let made = 0;
const open = (): Deliveries =>
  createWebhookDeliveries({
    ...database,
    now: () => nowMs,
    random: (bytes) => (bytes === 2 ? '7fff' : `${(made += 1)}`.padStart(bytes * 2, '0')),
    fetch: receive,
    policy: allowPublicOnly(),
    log: (line) => void lines.push(line),
  });

beforeEach(() => {
  nowMs = 1_800_000_000_000;
  [posted, lines] = [[], []];
  reply = () => new Response(null, { status: 204 });
  database = memorySqlite();
  deliveries = open();
});

const dueNext = async (): Promise<void> => {
  nowMs = deliveries.nextMs() ?? nowMs;
  await deliveries.send();
};

/** As a receiver does that has nothing but the writer identity of the sink. */
function isSigned({ headers, body }: Posted, identity: string): boolean {
  const raw = Buffer.from(identity.slice('whpk_'.length), 'base64');
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: raw.toString('base64url') }, format: 'jwk' });
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  const [version, signature = ''] = (headers['webhook-signature'] ?? '').split(',');
  return version === 'v1a' && verify(null, Buffer.from(signed), key, Buffer.from(signature, 'base64'));
}

test('what a sink sends is signed with Ed25519 by Standard Webhooks; its writer identity is the key', async () => {
  deliveries.keep([hookedEntry(1)]);
  await deliveries.send();
  const identity = await deliveries.identity();
  expect(identity).toMatch(/^whpk_[A-Za-z0-9+/]{43}=$/);
  const [post] = posted;
  if (post === undefined) throw new Error('Nothing was posted');
  expect(isSigned(post, identity)).toBe(true);
  expect(isSigned({ ...post, body: `${post.body} ` }, identity)).toBe(false);
  expect(post.headers['webhook-timestamp']).toBe('1800000000');
  expect(JSON.parse(post.body)).toEqual({ entries: [hookedEntry(1).entry], sink: 'projects/p/sinks/hook' });
});

test('the key stays the same when the object starts anew, and after a reset', async () => {
  const identity = await deliveries.identity();
  deliveries.reset();
  expect(await open().identity()).toBe(identity);
});

test('two that ask for the key at once get one key', async () => {
  const [one, other] = await Promise.all([deliveries.identity(), open().identity()]);
  expect(one).toBe(other);
});

test('nothing is lost between a write and its delivery: an object that starts anew sends it', async () => {
  deliveries.keep([hookedEntry(1)]);
  deliveries = open();
  await dueNext();
  expect(posted.map(({ url }) => url)).toEqual([HOOK]);
  expect(deliveries.nextMs()).toBeUndefined();
});

test.each([500, 503, 429, 404, 307])(
  'after %i the same batch comes again with the same id, until it is taken',
  async (status) => {
    reply = () => new Response(null, { status, headers: { location: 'https://elsewhere.example/' } });
    deliveries.keep([hookedEntry(1)]);
    await dueNext();
    await dueNext();
    reply = () => new Response('ok');
    await dueNext();
    expect(posted.map(({ url }) => url)).toEqual([HOOK, HOOK, HOOK]);
    expect(new Set(posted.map(({ headers, body }) => `${headers['webhook-id']} ${body}`)).size).toBe(1);
    expect(deliveries.nextMs()).toBeUndefined();
  },
);

test('a receiver that cannot be reached is tried again', async () => {
  reply = () => {
    throw new TypeError('network');
  };
  deliveries.keep([hookedEntry(1)]);
  await dueNext();
  reply = () => new Response('ok');
  await dueNext();
  expect(posted).toHaveLength(2);
  expect(deliveries.nextMs()).toBeUndefined();
});

test('Retry-After of a receiver is kept, an hour at most', async () => {
  reply = () => new Response(null, { status: 503, headers: { 'retry-after': '90000' } });
  deliveries.keep([hookedEntry(1)]);
  await dueNext();
  expect(deliveries.nextMs()).toBe(nowMs + 3_600_000);
});

test('410 ends a batch', async () => {
  reply = () => new Response(null, { status: 410 });
  deliveries.keep([hookedEntry(1)]);
  await dueNext();
  expect(deliveries.nextMs()).toBeUndefined();
  expect(lines).toEqual([
    { event: 'sink_post', batch: expect.any(String), attempt: 1, entries: 1, outcome: 'refused', seen: '410', lost: 1 },
  ]);
});

test.each(['http://hooks.example.net/', 'https://10.0.0.1/', 'https://127.0.0.1/', 'https://hooks.example.net:25/'])(
  'F5: %s is not posted to, and what was kept for it is lost',
  async (url) => {
    deliveries.keep([hookedEntry(1, url)]);
    await dueNext();
    expect(posted).toEqual([]);
    expect(lines).toEqual([expect.objectContaining({ outcome: 'refused', lost: 1 })]);
    expect(deliveries.nextMs()).toBeUndefined();
  },
);

test('F5: posts carry Via: sightline, and no redirect is followed', async () => {
  deliveries.keep([hookedEntry(1)]);
  await deliveries.send();
  expect(posted.map(({ headers, redirect }) => [headers['via'], redirect])).toEqual([['1.1 sightline', 'manual']]);
});

test('no log line holds what was written, the address, or the name of a sink', async () => {
  deliveries.keep([hookedEntry(1)]);
  await deliveries.send();
  expect(lines).toHaveLength(1);
  expect(JSON.stringify(lines)).not.toMatch(/line 1|hooks\.example|sinks/);
});
