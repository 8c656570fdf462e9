import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ResourceStore } from '../../../durable-objects/resource-store.ts';
import { pushQueue } from '../../../routes/control/bindings/push-queue.ts';
import type { PushMessage } from '../../../src/management/watch/push-message.ts';
import { allowPublicOnly } from '../../../src/net/address-policy.ts';
import { call, json, USERS } from '../../routes/control/world.ts';

const TENANT = 'C00000001';
const HOOK = 'https://hooks.example.net/push';
const WATCH = `${USERS}/watch?customer=my_customer`;
const DAY_MS = 86_400_000;

type Posted = { url: string; headers: Headers; body: string };

/** What the object put into the queue; nothing is delivered but by `deliver`. */
let sent: PushMessage[] = [];
let isQueueDown = false;
let posted: Posted[] = [];
let reply: () => Response | Promise<Response>;
let logs: string[] = [];

beforeEach(() => {
  [sent, posted, logs, isQueueDown] = [[], [], [], false];
  reply = () => new Response('ok');
  const queue = Object.getPrototypeOf(env.PUSH) as {
    sendBatch: (messages: Iterable<{ body: PushMessage }>) => unknown;
  };
  vi.spyOn(queue, 'sendBatch').mockImplementation(async (messages) => {
    if (isQueueDown) throw new Error('Internal Server Error');
    sent.push(...Array.from(messages, ({ body }) => body));
    await Promise.resolve();
  });
  vi.spyOn(console, 'log').mockImplementation((line: unknown) => void logs.push(String(line)));
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const request = new Request(input, init);
    posted.push({ url: request.url, headers: request.headers, body: await request.text() });
    return reply();
  });
});
afterEach(() => {
  vi.restoreAllMocks();
});

const store = () => env.RESOURCE_STORE.getByName(TENANT) as DurableObjectStub<ResourceStore>;
const watch = (id: string, changes: object = {}) =>
  call(WATCH, { method: 'POST', body: { id, type: 'web_hook', address: HOOK, token: 'channel-token', ...changes } });
const newUser = (name: string) =>
  call(USERS, {
    method: 'POST',
    body: { primaryEmail: `${name}@example.com`, name: { givenName: 'A', familyName: 'B' }, password: 'long enough' },
  });

type Verdict = 'ack' | number | undefined;

/** Hands messages to the consumer as the queue does. @returns for each: acknowledged, or the seconds until it comes again */
async function deliver(messages: readonly unknown[]): Promise<Verdict[]> {
  const verdicts: Verdict[] = [];
  const batch = {
    queue: 'sightline-push',
    messages: messages.map((body, at) => ({
      id: String(at),
      timestamp: new Date(),
      attempts: 1,
      body,
      ack: () => void (verdicts[at] = 'ack'),
      retry: ({ delaySeconds }: { delaySeconds: number }) => void (verdicts[at] = delaySeconds),
    })),
  } as unknown as MessageBatch; // As much of one as the consumer uses.
  await pushQueue({ pushPolicy: () => allowPublicOnly() })(batch, env as never);
  return verdicts;
}

/** What the object left for the queue by now. */
async function handedOver(count: number): Promise<PushMessage[]> {
  await expect.poll(() => sent.length).toBe(count);
  return sent.splice(0);
}

/** Takes a time off everything that waits: as if it had gone by. */
const pass = (ms: number) =>
  runInDurableObject(store(), (_object, { storage }) => {
    storage.sql.exec('UPDATE push SET wake_ms = wake_ms - ?', ms);
    storage.sql.exec('UPDATE push_flight SET until_ms = until_ms - ?', ms);
    storage.sql.exec('UPDATE channel SET paused_until_ms = paused_until_ms - ?, sent_ms = 0, taken_ms = 0', ms);
  });

const waiting = () =>
  runInDurableObject(store(), (_object, { storage }) =>
    storage.sql.exec('SELECT channel, number, attempts FROM push ORDER BY channel, number').toArray(),
  );

test('the sync message and each change go to the queue, and from there to the address', async () => {
  const channel = await json<{ resourceId: string; resourceUri: string }>(watch('c'));
  expect(await deliver(await handedOver(1))).toEqual(['ack']);
  await newUser('ann');
  expect(await deliver(await handedOver(1))).toEqual(['ack']);
  expect(posted.map(({ url, headers }) => [url, headers.get('x-goog-resource-state')])).toEqual([
    [HOOK, 'sync'],
    [HOOK, 'add'],
  ]);
  const [, add] = posted;
  expect(add?.headers.get('x-goog-resource-id')).toBe(channel.resourceId);
  expect(add?.headers.get('x-goog-resource-uri')).toBe(channel.resourceUri);
  expect(JSON.parse(add?.body ?? '')).toMatchObject({ kind: 'admin#directory#user', primaryEmail: 'ann@example.com' });
  expect(await waiting()).toEqual([]);
});

test('K8: deliveries carry Via: sightline, and no redirect is followed', async () => {
  reply = () => new Response(null, { status: 307, headers: { location: 'https://elsewhere.example/' } });
  await watch('c');
  expect(await deliver(await handedOver(1))).toEqual(['ack']);
  expect(posted.map(({ url, headers }) => [url, headers.get('via')])).toEqual([[HOOK, '1.1 sightline']]);
});

test.each([500, 502, 503, 504])(
  'after %i the queue brings the message again, each time later, with the same number',
  async (status) => {
    await watch('c');
    const messages = await handedOver(1);
    reply = () => new Response('no', { status });
    expect(await deliver(messages)).toEqual([1]);
    expect(await deliver(messages)).toEqual([2]);
    expect(await deliver(messages)).toEqual([4]);
    reply = () => new Response('ok');
    expect(await deliver(messages)).toEqual(['ack']);
    expect(await deliver(messages)).toEqual(['ack']);
    expect(posted.map(({ headers }) => headers.get('x-goog-message-number'))).toEqual(['1', '1', '1', '1']);
  },
);

test('a receiver that cannot be reached is tried again', async () => {
  await watch('c');
  reply = () => Promise.reject(new TypeError('network'));
  expect(await deliver(await handedOver(1))).toEqual([1]);
});

test.each([400, 401, 404, 410, 429, 501])('after %i the message is lost', async (status) => {
  await watch('c');
  const messages = await handedOver(1);
  reply = () => new Response('no', { status });
  expect(await deliver(messages)).toEqual(['ack']);
  expect(await waiting()).toEqual([]);
});

describe('nothing is lost', () => {
  test('when the queue takes nothing: the alarm hands the messages over later', async () => {
    isQueueDown = true;
    expect((await watch('c')).status).toBe(200);
    expect((await newUser('ann')).status).toBe(200);
    await expect.poll(waiting).toHaveLength(2);
    isQueueDown = false;
    await pass(10_000);
    await runDurableObjectAlarm(store());
    expect(await deliver(await handedOver(2))).toEqual(['ack', 'ack']);
    expect(posted.map(({ headers }) => headers.get('x-goog-resource-state'))).toEqual(['sync', 'add']);
  });

  test('when the queue loses what it took: the alarm hands it over again after half a minute', async () => {
    await watch('c');
    const lost = await handedOver(1);
    await pass(29_000);
    await runDurableObjectAlarm(store());
    expect(sent).toEqual([]);
    await pass(1_000);
    await runDurableObjectAlarm(store());
    expect(await handedOver(1)).toEqual(lost);
  });

  test('an alarm is set while anything waits, and again after it went off', async () => {
    const alarm = () => runInDurableObject(store(), (_object, { storage }) => storage.getAlarm());
    isQueueDown = true;
    await watch('c');
    await expect.poll(alarm).not.toBeNull();
    await runDurableObjectAlarm(store());
    await expect.poll(alarm).not.toBeNull();
    isQueueDown = false;
    await pass(10_000);
    await runDurableObjectAlarm(store());
    expect(await deliver(await handedOver(1))).toEqual(['ack']);
    await runDurableObjectAlarm(store());
    await expect.poll(alarm).toBeNull();
  });

  test('when the machine fails while the queue is being asked: the alarm was set before', async () => {
    let answerQueue: (value?: unknown) => void = () => undefined;
    const asked = new Promise((resolve) => (answerQueue = resolve));
    const queue = Object.getPrototypeOf(env.PUSH) as { sendBatch: () => unknown };
    vi.spyOn(queue, 'sendBatch').mockImplementation(() => asked);
    await watch('c');
    const alarmMs = await runInDurableObject(store(), (_object, { storage }) => storage.getAlarm());
    answerQueue();
    expect(alarmMs).not.toBeNull();
  });

  test('when a message may not go out yet: the alarm comes for it in a second, and not only after its lease', async () => {
    await watch('c');
    const messages = await handedOver(1);
    const alarm = () => runInDurableObject(store(), (_object, { storage }) => storage.getAlarm());
    await runDurableObjectAlarm(store());
    await expect.poll(async () => ((await alarm()) ?? 0) - Date.now()).toBeGreaterThan(20_000);
    await runInDurableObject(store(), (_object, { storage }) =>
      storage.sql.exec('UPDATE channel SET taken_ms = ?, taken = 20', Date.now()).toArray(),
    );
    expect(await deliver(messages)).toEqual(['ack']);
    expect(posted).toEqual([]);
    expect(((await alarm()) ?? 0) - Date.now()).toBeLessThan(5_000);
  });

  test('a refused call leaves nothing to send', async () => {
    await watch('c');
    await deliver(await handedOver(1));
    await newUser('ann');
    await deliver(await handedOver(1));
    expect((await newUser('ann')).status).toBe(409);
    expect(await waiting()).toEqual([]);
  });
});

test('K8: after 20 failures in a row a channel pauses, and one message tries it again', async () => {
  await watch('c');
  await deliver(await handedOver(1));
  reply = () => new Response('no', { status: 404 });
  for (let n = 0; n < 19; n += 1) await newUser(`user${n}`);
  await pass(0);
  for (let done = 0; done < 19;) {
    await runDurableObjectAlarm(store());
    const messages = sent.splice(0);
    await deliver(messages);
    done += messages.length;
    await pass(1_000);
  }
  await newUser('the-twentieth');
  await deliver(await handedOver(1));
  posted = [];
  for (let n = 20; n < 23; n += 1) await newUser(`user${n}`);
  await runDurableObjectAlarm(store());
  expect(sent).toEqual([]);
  await pass(60_000);
  await runDurableObjectAlarm(store());
  reply = () => new Response('ok');
  expect(await deliver(await handedOver(1))).toEqual(['ack']);
  await runDurableObjectAlarm(store());
  expect(await deliver(await handedOver(2))).toEqual(['ack', 'ack']);
  expect(posted).toHaveLength(3);
});

test('K8: of a slow receiver two messages of a batch are waited for, and those of another tenant go on beside them', async () => {
  await watch('slow', { address: 'https://slow.example.net/' });
  await deliver(await handedOver(1));
  for (let n = 0; n < 6; n += 1) await newUser(`user${n}`);
  const slow = await handedOver(6);
  await watch('quick');
  const quick = await handedOver(1);
  posted = [];
  let nowMs = Date.now();
  vi.spyOn(Date, 'now').mockImplementation(() => nowMs);
  const answers: (() => void)[] = [];
  reply = () =>
    posted.at(-1)?.url === HOOK
      ? new Response('ok')
      : new Promise((resolve) => void answers.push(() => resolve(new Response('ok'))));
  const batch = deliver([...slow, ...quick]);
  await expect
    .poll(() => posted.map(({ url }) => url).toSorted())
    .toEqual([HOOK, 'https://slow.example.net/', 'https://slow.example.net/']);
  nowMs += 4_000;
  for (const answer of answers) answer();
  expect(await batch).toEqual(Array.from({ length: 7 }, () => 'ack'));
  expect(posted).toHaveLength(3);
  await pass(30_000);
  reply = () => new Response('ok');
  await runDurableObjectAlarm(store());
  expect(await deliver(await handedOver(2))).toEqual(['ack', 'ack']);
});

test('K8: all messages of a quick receiver in a batch go out', async () => {
  await watch('c');
  await deliver(await handedOver(1));
  for (let n = 0; n < 6; n += 1) await newUser(`user${n}`);
  posted = [];
  expect(await deliver(await handedOver(6))).toEqual(Array.from({ length: 6 }, () => 'ack'));
  expect(posted).toHaveLength(6);
  expect(await waiting()).toEqual([]);
});

test('a stopped channel sends no more, even what the queue already has', async () => {
  const { resourceId } = await json<{ resourceId: string }>(watch('c'));
  const messages = await handedOver(1);
  const stop = { method: 'POST', body: { id: 'c', resourceId } };
  expect((await call('/admin/directory_v1/channels/stop', stop)).status).toBe(204);
  expect(await deliver(messages)).toEqual(['ack']);
  expect(posted).toEqual([]);
});

test('an expired channel sends no more', async () => {
  await watch('c');
  const messages = await handedOver(1);
  await runInDurableObject(store(), (_object, { storage }) =>
    storage.sql.exec('UPDATE channel SET expires_ms = expires_ms - ?', DAY_MS).toArray(),
  );
  expect(await deliver(messages)).toEqual(['ack']);
  expect(posted).toEqual([]);
});

test('F5: an address that was stored and is not public is not sent to', async () => {
  await watch('c');
  const messages = await handedOver(1);
  await runInDurableObject(store(), (_object, { storage }) =>
    storage.sql.exec("UPDATE channel SET address = 'https://169.254.169.254/'").toArray(),
  );
  expect(await deliver(messages)).toEqual(['ack']);
  expect(posted).toEqual([]);
});

test.each([[null], ['text'], [{ tenant: 'x' }], [{ tenant: '', channelId: 'c', number: 1 }]])(
  'a message that is none is put away: %j',
  async (body) => {
    expect(await deliver([body])).toEqual(['ack']);
  },
);

test('K3: tokens of channels are in no log', async () => {
  await watch('c');
  await deliver(await handedOver(1));
  expect(posted[0]?.headers.get('x-goog-channel-token')).toBe('channel-token');
  expect(logs.join('\n')).toContain('"event":"push","channel":"c","number":1,"outcome":"delivered","seen":"200"');
  expect(logs.join('\n')).not.toContain('channel-token');
});
