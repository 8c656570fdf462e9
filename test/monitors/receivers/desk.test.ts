import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type HttpServer, readBody, startHttpServer } from '../../../local/http-server.ts';
import { generateRandomHex } from '../../../src/lib/digest.ts';
import { type MonitorBook, openMonitorBook } from '../../../src/monitors/book/book.ts';
import type { AlertDraft } from '../../../src/monitors/core/alert.ts';
import type { Monitor } from '../../../src/monitors/core/monitor.ts';
import type { ReceiverRequest } from '../../../src/monitors/core/receiver.ts';
import { deliverAlert, type DeliverTools } from '../../../src/monitors/receivers/deliver.ts';
import type { Mail } from '../../../src/monitors/receivers/mail.ts';
import { allowLoopbackExcept } from '../../../src/net/address-policy.ts';
import { createHostGate } from '../../../src/net/host-gate.ts';
import { memorySqlite } from '../../support/management/sqlite.ts';
import { makeAlert } from './made.ts';

const HOUR = 3_600_000;

let server: HttpServer;
/** Statuses of the next answers of a path, in order; 200 after them. */
let statuses: Record<string, number[]> = {};
let received: { path: string; headers: Record<string, string>; body: string }[] = [];
let mails: Mail[] = [];
let nowMs = Date.now();
let book: MonitorBook;

beforeAll(async () => {
  server = await startHttpServer(async (request, response) => {
    const path = request.url ?? '';
    received.push({ path, headers: request.headers as Record<string, string>, body: await readBody(request) });
    response.writeHead(statuses[path]?.shift() ?? 200).end();
  });
});
afterAll(() => server.stop());
beforeEach(() => {
  [statuses, received, mails] = [{}, [], []];
  nowMs = Date.now();
  book = openMonitorBook(memorySqlite().sql, { now: () => nowMs, random: generateRandomHex });
});

const tools: DeliverTools = {
  fetch: (url, init) => fetch(url, init),
  policy: allowLoopbackExcept([]),
  now: () => nowMs,
  gate: createHostGate({ now: () => nowMs, sleep: async () => undefined }),
  baseUrl: 'https://sightline.example',
  email: { send: async (mail) => (mails.push(mail), { is: 'sent' }) },
};

function create(receivers: readonly ReceiverRequest[]): Monitor {
  const made = book.create(10, {
    owner: { account: 'acc_1', clientId: 'account', authorizedAtMs: nowMs },
    monitor: {
      name: 'Our shop',
      subject: { kind: 'site', url: 'https://shop.example/' },
      interval: { every: 'daily' },
      rules: {},
      receivers,
      quietHours: null,
      payment: 'credits',
    },
    idempotencyKey: generateRandomHex(8),
    contentSha256: '',
  });
  if (!made.ok) throw new Error(made.reason);
  return made.monitor;
}

const hook = (path: string): ReceiverRequest => ({ kind: 'webhook', url: `${server.url}${path}` });
const receiverOf = (monitor: Monitor, at: number) => {
  const receiver = book.read('acc_1', monitor.id)?.monitor.receivers[at];
  if (receiver === undefined) throw new Error('no receiver');
  return receiver;
};
const ring = (monitor: Monitor, n: number): boolean => {
  const { id: _id, monitorId: _of, runId: _run, atMs: _at, ...draft } = makeAlert(n);
  return book.raise(monitor.id, draft satisfies AlertDraft);
};
const list = (monitor: Monitor) => book.deliveries('acc_1', monitor.id, { limit: 100 })?.items ?? [];

/** What the alarm and the queue do in so much time; each message comes twice, as queues may send them. */
async function work(forMs = 0): Promise<void> {
  const untilMs = nowMs + forMs;
  for (;;) {
    for (const message of book.pass().messages) {
      if (message.kind !== 'deliver') continue;
      for (let twice = 0; twice < 2; twice += 1) {
        const order = book.beginDelivery(message.deliveryId);
        if (order === undefined) continue;
        const result = await deliverAlert(order, tools);
        expect(book.finishDelivery(message.deliveryId, order.attempt, result)).toBe(true);
      }
    }
    const nextMs = book.nextDueMs() ?? Infinity;
    if (nextMs > untilMs) break;
    nowMs = Math.max(nowMs + 1, nextMs);
  }
  nowMs = untilMs;
}

describe('from an alert to its receivers', () => {
  test('500 and then 200: one message, tried twice with one id, and verified with the receiver’s own secret', async () => {
    const monitor = create([hook('/flaky'), hook('/fine')]);
    statuses = { '/flaky': [500] };
    expect(ring(monitor, 1)).toBe(true);
    await work(HOUR);
    const flaky = received.filter(({ path }) => path === '/flaky');
    expect(received).toHaveLength(3);
    expect(new Set(flaky.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    const [secret, other] = [receiverOf(monitor, 0), receiverOf(monitor, 1)].map((one) =>
      one.kind === 'webhook' ? one.secret : '',
    );
    const [last] = flaky.slice(-1);
    const given = last?.headers ?? {};
    expect(new Webhook(secret ?? '').verify(last?.body ?? '', given)).toMatchObject({ type: 'monitor.alert' });
    expect(() => new Webhook(other ?? '').verify(last?.body ?? '', given)).toThrow('No matching signature');
    expect(list(monitor).map(({ state }) => state)).toEqual(['delivered', 'delivered']);
  });

  test('410 disables that receiver and no other; its owner sees it', async () => {
    const monitor = create([hook('/gone'), hook('/fine')]);
    statuses = { '/gone': [410] };
    ring(monitor, 1);
    ring(monitor, 2);
    await work(HOUR);
    expect(receiverOf(monitor, 0).disabled).toBe(true);
    expect(receiverOf(monitor, 1).disabled).toBeUndefined();
    expect(received.map(({ path }) => path).toSorted()).toEqual(['/fine', '/fine', '/gone']);
    const outcomes = list(monitor).map(({ state, lastOutcome }) => `${state} ${lastOutcome}`);
    expect(outcomes.toSorted()).toEqual([
      'dead http_410',
      'dead receiver_disabled',
      'delivered http_200',
      'delivered http_200',
    ]);
  });

  test('an address is asked once, confirmed by its link, written to, and unsubscribed with one click', async () => {
    const monitor = create([{ kind: 'email', address: 'ada@example.com' }]);
    const receiver = receiverOf(monitor, 0);
    ring(monitor, 1);
    await work();
    expect(mails.map(({ subject }) => subject)).toEqual(['Confirm that Sightline may write to you']);
    const linkOf = (use: string): string =>
      new RegExp(`/${use}\\?proof=([0-9a-f]{32})`).exec(mails.at(-1)?.text ?? '')?.[1] ?? '';
    const [confirm, unsubscribe] = [linkOf('confirm'), linkOf('unsubscribe')];
    expect(book.confirmEmail(monitor.id, receiver.id, unsubscribe)).toBe(false);
    expect(book.confirmEmail(monitor.id, receiver.id, confirm)).toBe(true);
    expect(book.confirmEmail(monitor.id, receiver.id, confirm)).toBe(true);
    ring(monitor, 2);
    await work();
    expect(mails.map(({ subject }) => subject)).toEqual([
      'Confirm that Sightline may write to you',
      'Our shop: The site changed',
    ]);
    expect(linkOf('unsubscribe')).toBe(unsubscribe);
    expect(book.unsubscribe(monitor.id, receiver.id, confirm)).toBe(false);
    expect(book.unsubscribe(monitor.id, receiver.id, unsubscribe)).toBe(true);
    expect(book.unsubscribe(monitor.id, receiver.id, unsubscribe)).toBe(true);
    expect(book.confirmEmail(monitor.id, receiver.id, confirm)).toBe(false);
    ring(monitor, 3);
    await work(HOUR);
    expect(mails).toHaveLength(2);
    // The same account may not ask the same address again.
    create([{ kind: 'email', address: 'ADA@example.com' }]);
    await work(HOUR);
    expect(mails).toHaveLength(2);
  });

  test('a feed opens with its token alone, and not with the one of before', () => {
    const monitor = create([{ kind: 'feed' }]);
    ring(monitor, 1);
    ring(monitor, 2);
    const before = receiverOf(monitor, 0);
    if (before.kind !== 'feed') throw new Error('no feed');
    expect(book.feed(monitor.id, before.token)?.alerts.map(({ key }) => key)).toEqual(['verdict:2', 'verdict:1']);
    for (const wrong of ['', '0'.repeat(32), before.token.slice(1)])
      expect(book.feed(monitor.id, wrong)).toBeUndefined();
    book.rotate('acc_1', monitor.id, before.id);
    expect(book.feed(monitor.id, before.token)).toBeUndefined();
  });

  test('replay and test by the owner alone', async () => {
    const monitor = create([hook('/fine')]);
    ring(monitor, 1);
    await work();
    const [delivery] = list(monitor);
    expect(book.replay('acc_2', monitor.id, delivery?.id ?? '')).toBe(false);
    expect(book.test('acc_2', monitor.id, receiverOf(monitor, 0).id)).toBeUndefined();
    expect(book.replay('acc_1', monitor.id, delivery?.id ?? '')).toBe(true);
    expect(book.test('acc_1', monitor.id, receiverOf(monitor, 0).id)).toMatchObject({ kind: 'test' });
    await work();
    expect(received.map(({ headers }) => headers['webhook-id']).filter((id) => id === delivery?.id)).toHaveLength(2);
    expect(received).toHaveLength(3);
  });
});
