import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type HttpServer, readBody, startHttpServer } from '../../../local/http-server.ts';
import type { DeliveryResult } from '../../../src/monitors/core/protocol.ts';
import type { Receiver } from '../../../src/monitors/core/receiver.ts';
import { deliverAlert, type DeliverTools } from '../../../src/monitors/receivers/deliver.ts';
import type { Mail } from '../../../src/monitors/receivers/mail.ts';
import { type AddressPolicy, allowLoopbackExcept, allowPublicOnly } from '../../../src/net/address-policy.ts';
import type { FetchFunction } from '../../../src/net/guarded-fetch.ts';
import { createHostGate } from '../../../src/net/host-gate.ts';
import { email, makeOrder, NOW_MS, SECRET, webhook } from './made.ts';

const BASE = 'https://sightline.example';

type Received = { url: string; headers: Record<string, string | undefined>; body: string };
type Answer = { status: number; headers?: Record<string, string>; body?: string } | 'never';

let server: HttpServer;
let received: Received[] = [];
let answer: Answer = { status: 204 };
let came: (() => void) | undefined;
beforeAll(async () => {
  server = await startHttpServer(async (request, response) => {
    const headers = request.headers as Record<string, string | undefined>;
    received.push({ url: request.url ?? '', headers, body: await readBody(request) });
    came?.();
    if (answer !== 'never') response.writeHead(answer.status, answer.headers ?? {}).end(answer.body ?? '');
  });
});
afterAll(() => server.stop());
beforeEach(() => {
  received = [];
  answer = { status: 204 };
});
afterEach(() => void vi.useRealTimers());

const makeTools = (changes: Partial<DeliverTools> = {}): DeliverTools => ({
  fetch: (url, init) => fetch(url, init),
  policy: allowLoopbackExcept([]),
  now: () => NOW_MS,
  gate: createHostGate({ now: () => NOW_MS, sleep: async () => undefined }),
  baseUrl: BASE,
  ...changes,
});
const url = () => `${server.url}/hooks?key=private-part`;
const chat = (kind: 'slack' | 'teams'): Receiver => ({ id: 'rcv_c', kind, url: url() });
const deliver = (receiver: Receiver, changes: Partial<DeliverTools> = {}): Promise<DeliveryResult> =>
  deliverAlert(makeOrder(receiver), makeTools(changes));
const only = (): Received => {
  const [first, ...more] = received;
  if (!first || more.length > 0) throw new Error(`${received.length} requests`);
  return first;
};

describe('a signed webhook', () => {
  test('is verified by the library of Standard Webhooks, and not with a changed body', async () => {
    expect(await deliver(webhook({ url: url() }))).toEqual({ is: 'taken', outcome: 'http_204' });
    const { headers, body } = only();
    expect(headers).toMatchObject({ 'webhook-id': 'dlv_00000000000000000000000a', via: '1.1 sightline' });
    vi.useFakeTimers({ toFake: ['Date'], now: NOW_MS + 1_000 });
    const given = headers as Record<string, string>;
    expect(new Webhook(SECRET).verify(body, given)).toMatchObject({ type: 'monitor.alert' });
    expect(() => new Webhook(SECRET).verify(body.replace('fail', 'pass'), given)).toThrow('No matching signature');
  });

  test('the same delivery again has the same id and the same body', async () => {
    answer = { status: 500 };
    expect(await deliver(webhook({ url: url() }))).toEqual({ is: 'again', outcome: 'http_500' });
    answer = { status: 200 };
    expect(await deliver(webhook({ url: url() }), { now: () => NOW_MS + 60_000 })).toMatchObject({ is: 'taken' });
    const [first, second] = received;
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    expect(second?.body).toBe(first?.body);
  });

  test('410 says never again, Retry-After when, a redirect is not followed', async () => {
    answer = { status: 410, body: 'private words' };
    expect(await deliver(webhook({ url: url() }))).toEqual({ is: 'refused', outcome: 'http_410', disable: true });
    answer = { status: 429, headers: { 'retry-after': '120' } };
    expect(await deliver(webhook({ url: url() }))).toEqual({ is: 'again', outcome: 'http_429', afterMs: 120_000 });
    received = [];
    answer = { status: 307, headers: { location: `${server.url}/second` } };
    expect(await deliver(webhook({ url: url() }))).toEqual({ is: 'again', outcome: 'http_307' });
    expect(only().url).toBe('/hooks?key=private-part');
  });

  test('one that never answers is given up after 10 s, and holds up no other host', async () => {
    answer = 'never';
    const arrived = new Promise<void>((resolve) => (came = resolve));
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: NOW_MS });
    const tools = makeTools({ now: () => Date.now() });
    const silent = deliverAlert(makeOrder(webhook({ url: url() })), tools);
    await arrived;
    answer = { status: 200 };
    const other = webhook({ url: url().replace('127.0.0.1', 'localhost') });
    expect(await deliverAlert(makeOrder(other), tools)).toMatchObject({ is: 'taken' });
    await vi.advanceTimersByTimeAsync(10_010);
    expect(await silent).toEqual({ is: 'again', outcome: 'timeout' });
  });
});

describe('F5: where deliveries go', () => {
  const neverAsked: FetchFunction = (asked) => Promise.reject(new Error(`asked ${asked}`));

  test.each<[string, string, AddressPolicy, string]>([
    ['plain http', 'http://receiver.example.com/', allowPublicOnly(), 'not_https'],
    ['this machine', 'https://localhost/', allowPublicOnly(), 'private_target'],
    ['a private address', 'https://10.0.0.8/', allowPublicOnly(), 'private_target'],
    ['the metadata service', 'https://169.254.169.254/', allowLoopbackExcept([]), 'private_target'],
    ['a private address in other clothes', 'https://[::ffff:10.0.0.8]/', allowPublicOnly(), 'private_target'],
    ['a port of our own stack', 'http://127.0.0.1:8789/', allowLoopbackExcept([8789]), 'private_target'],
    ['a URL with credentials', 'https://a:b@receiver.example.com/', allowPublicOnly(), 'credentials_refused'],
    ['a text that is no URL', 'hooks', allowPublicOnly(), 'not_https'],
  ])('%s is refused for good and never asked', async (_what, target, policy, outcome) => {
    for (const kind of ['webhook', 'slack', 'teams'] as const) {
      const receiver = kind === 'webhook' ? webhook({ url: target }) : { ...chat(kind), url: target };
      const result = await deliver(receiver, { policy, fetch: neverAsked });
      expect(result).toEqual({ is: 'refused', outcome, disable: true });
    }
  });

  test('a host with a full queue is asked later', async () => {
    const gate = { enter: async () => ({ ok: false as const, retryAfterMs: 30_000 }) };
    const result = await deliver(webhook({ url: url() }), { gate, fetch: neverAsked });
    expect(result).toEqual({ is: 'again', outcome: 'host_is_busy', afterMs: 30_000 });
  });
});

describe('Slack and Teams', () => {
  test('get their JSON by the same path, unsigned', async () => {
    answer = { status: 200, body: 'ok' };
    expect(await deliver(chat('slack'))).toEqual({ is: 'taken', outcome: 'http_200' });
    expect(JSON.parse(only().body)).toHaveProperty('blocks');
    expect(Object.keys(only().headers).filter((name) => name.startsWith('webhook-'))).toEqual([]);
    received = [];
    answer = { status: 202 };
    expect(await deliver(chat('teams'))).toEqual({ is: 'taken', outcome: 'http_202' });
    expect(JSON.parse(only().body)).toMatchObject({ type: 'message' });
  });

  const teamsError = JSON.stringify({ error: { code: 'WorkflowNotFound', message: 'private words' } });
  test.each<['slack' | 'teams', number, string, DeliveryResult]>([
    ['slack', 404, 'no_service', { is: 'refused', outcome: 'http_404', disable: true }],
    ['slack', 403, 'invalid_token', { is: 'refused', outcome: 'http_403', disable: true }],
    ['slack', 410, 'channel_is_archived', { is: 'refused', outcome: 'http_410', disable: true }],
    ['slack', 400, 'invalid_payload', { is: 'refused', outcome: 'http_400', disable: false }],
    ['slack', 403, 'action_prohibited', { is: 'again', outcome: 'http_403' }],
    ['slack', 404, '<html>proxy</html>', { is: 'again', outcome: 'http_404' }],
    ['slack', 500, 'rollup_error', { is: 'again', outcome: 'http_500' }],
    ['teams', 404, teamsError, { is: 'refused', outcome: 'http_404', disable: true }],
    ['teams', 401, teamsError, { is: 'refused', outcome: 'http_401', disable: true }],
    ['teams', 413, '', { is: 'refused', outcome: 'http_413', disable: false }],
    ['teams', 404, 'Not Found', { is: 'again', outcome: 'http_404' }],
    ['teams', 429, '', { is: 'again', outcome: 'http_429' }],
  ])('%s, %i %j', async (kind, status, body, result) => {
    answer = { status, body };
    expect(await deliver(chat(kind))).toEqual(result);
  });
});

describe('mail', () => {
  test('goes by its port, and what that says counts', async () => {
    const sent: Mail[] = [];
    const port = { send: async (mail: Mail) => (sent.push(mail), { is: 'sent' as const }) };
    expect(await deliver(email(), { email: port })).toEqual({ is: 'taken', outcome: 'sent' });
    expect(sent).toMatchObject([{ to: 'ada@example.com' }]);
    const gone = { send: async () => ({ is: 'refused', code: 'e_recipient_suppressed', disable: true }) as const };
    expect(await deliver(email(), { email: gone })).toEqual({
      is: 'refused',
      outcome: 'e_recipient_suppressed',
      disable: true,
    });
  });

  test('is refused where the deployment has none', async () =>
    expect(await deliver(email())).toEqual({ is: 'refused', outcome: 'mail_not_configured', disable: false }));
});

test('an alert that is kept no more is not sent empty', async () => {
  const order = { ...makeOrder(webhook({ url: url() })), alerts: [] };
  expect(await deliverAlert(order, makeTools())).toEqual({ is: 'refused', outcome: 'alert_gone', disable: false });
});
