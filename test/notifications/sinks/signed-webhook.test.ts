import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type HttpServer, readBody, startHttpServer } from '../../../local/http-server.ts';
import { type AddressPolicy, allowLoopbackExcept, allowPublicOnly } from '../../../src/net/address-policy.ts';
import type { FetchFunction } from '../../../src/net/guarded-fetch.ts';
import type { Destination } from '../../../src/notifications/core/settings.ts';
import { createSinks } from '../../../src/notifications/sinks/index.ts';
import type { Effect, Sink } from '../../../src/notifications/sinks/sink.ts';
import { alertEffect, READ_AT_MS, seenAs, userEffect } from './effects.ts';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const OTHER_SECRET = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=';
const NOW_MS = READ_AT_MS + 1_500;

type Received = { url: string; headers: Record<string, string | undefined>; body: string };
type Answer = { status: number; headers?: Record<string, string>; body?: string };

let server: HttpServer;
let received: Received[] = [];
let answer: Answer = { status: 204 };
beforeAll(async () => {
  server = await startHttpServer(async (request, response) => {
    const headers = request.headers as Record<string, string | undefined>;
    received.push({ url: request.url ?? '', headers, body: await readBody(request) });
    response.writeHead(answer.status, answer.headers ?? {}).end(answer.body ?? '');
  });
});
afterAll(() => server.stop());
beforeEach(() => {
  received = [];
  answer = { status: 204 };
});
afterEach(() => void vi.useRealTimers());

const destination = (changes: Partial<Destination> = {}): Destination => ({
  name: 'crm',
  url: `${server.url}/hooks?key=private-part`,
  secret: SECRET,
  events: ['user', 'alert'],
  email: false,
  ...changes,
});

const everything: FetchFunction = (url, init) => fetch(url, init);

/** The sinks of destinations, in their order: without audit trail and revocation. */
function webhooks(
  destinations: readonly Destination[],
  outside: { fetch?: FetchFunction; policy?: AddressPolicy } = {},
): readonly Sink[] {
  return createSinks({
    destinations,
    revocation: { directoryUserGone: async () => 'none' },
    outside: { fetch: everything, policy: allowLoopbackExcept([]), ...outside },
    now: () => NOW_MS,
    log: () => undefined,
    sleep: async () => undefined,
  }).filter(({ name }) => name.startsWith('webhook:'));
}

function tell(effect: Effect, changes: Partial<Destination> = {}, outside: Parameters<typeof webhooks>[1] = {}) {
  const [sink] = webhooks([destination(changes)], outside);
  if (!sink) throw new Error('no sink');
  return sink.tell(effect);
}

function only(): Received {
  const [first, ...more] = received;
  if (!first || more.length > 0) throw new Error(`${received.length} requests`);
  return first;
}

test('the registry of sinks: audit trail, revocation, and one for each destination by its name', () => {
  const options = {
    outside: { fetch: everything, policy: allowPublicOnly() },
    now: () => NOW_MS,
    log: () => undefined,
  };
  const sinks = createSinks({
    ...options,
    destinations: [destination({ name: 'crm' }), destination({ name: 'siem' })],
    revocation: { directoryUserGone: async () => 'none' },
  });
  const names = sinks.map(({ name }) => name);
  // Another sink adds a name of its own; of destinations there are these two and no other.
  expect(names).toEqual(expect.arrayContaining(['audit-trail', 'revocation']));
  expect(names.filter((name) => name.startsWith('webhook:'))).toEqual(['webhook:crm', 'webhook:siem']);
  expect(new Set(names).size).toBe(names.length);
});

describe('what is signed', () => {
  test('the library that signs agrees with the example of Standard Webhooks, and so does our own HMAC', () => {
    const id = 'msg_p5jXN8AQM9LWM0D4loKWxJek';
    const body = '{"test": 2432232314}';
    const signed = 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=';
    expect(new Webhook(SECRET).sign(id, new Date(1_614_265_330_000), body)).toBe(signed);
    expect(signatureOf(SECRET, `${id}.1614265330.${body}`)).toBe(signed);
  });

  test('W8: a delivery carries the effect’s id, the time of sending and a signature of both and the body', async () => {
    expect(await tell(userEffect(seenAs('active')))).toEqual({ ok: true });
    const { headers, body } = only();
    expect(headers).toMatchObject({
      'webhook-id': 'C01live/111222333444555666777/7',
      'webhook-timestamp': '1795339801',
      'content-type': 'application/json',
      via: '1.1 sightline',
    });
    const signed = `C01live/111222333444555666777/7.1795339801.${body}`;
    expect(headers['webhook-signature']).toBe(signatureOf(SECRET, signed));
  });

  test('W8: the library’s verify takes it within 5 minutes, and not after, nor with a changed body', async () => {
    await tell(userEffect(seenAs('active')));
    const { headers, body } = only();
    const given = headers as Record<string, string>;
    vi.useFakeTimers({ toFake: ['Date'], now: NOW_MS + 299_000 });
    expect(new Webhook(SECRET).verify(body, given)).toMatchObject({ type: 'user.active' });
    expect(() => new Webhook(SECRET).verify(body.replace('active', 'gone'), given)).toThrow('No matching signature');
    vi.setSystemTime(NOW_MS + 302_000);
    expect(() => new Webhook(SECRET).verify(body, given)).toThrow('too old');
  });

  test('W8: each destination has a key of its own: the signature for one is none for the other', async () => {
    const sinks = webhooks([destination(), destination({ name: 'siem', secret: OTHER_SECRET })]);
    for (const sink of sinks) await sink.tell(userEffect(seenAs('active')));
    vi.useFakeTimers({ toFake: ['Date'], now: NOW_MS });
    const [crm, siem] = received.map(({ headers, body }) => ({ headers: headers as Record<string, string>, body }));
    if (!crm || !siem) throw new Error('two deliveries were expected');
    expect(crm.body).toBe(siem.body);
    expect(new Webhook(OTHER_SECRET).verify(siem.body, siem.headers)).toBeDefined();
    expect(() => new Webhook(SECRET).verify(siem.body, siem.headers)).toThrow('No matching signature');
    expect(() => new Webhook(OTHER_SECRET).verify(crm.body, crm.headers)).toThrow('No matching signature');
  });

  test('W8: what is told again has the same id and the same body', async () => {
    const [sink] = webhooks([destination()]);
    answer = { status: 500 };
    await sink?.tell(userEffect(seenAs('suspended')));
    answer = { status: 200 };
    await sink?.tell(userEffect(seenAs('suspended')));
    const [first, second] = received;
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    expect(second?.body).toBe(first?.body);
  });

  test.each([
    ['points', 'C0.1/u.2/3', 'C0%2E1/u%2E2/3'],
    ['a line break', 'C01/u\r\nx-evil: 1/3', 'C01/u%0D%0Ax-evil:%201/3'],
    ['characters that no header carries', 'C01/\u00fc\ud800/3', 'C01/%C3%BC%EF%BF%BD/3'],
  ])('an id with %s is written so that neither header nor signature can be split', async (_what, id, expected) => {
    expect(await tell(userEffect(seenAs('active'), { id }))).toEqual({ ok: true });
    const { headers, body } = only();
    expect(headers['webhook-id']).toBe(expected);
    expect(headers['webhook-signature']).toBe(signatureOf(SECRET, `${expected}.1795339801.${body}`));
  });
});

describe('what the body says', () => {
  const bodyOf = async (effect: Effect, changes: Partial<Destination> = {}): Promise<unknown> => {
    await tell(effect, changes);
    return JSON.parse(only().body);
  };

  test('a user: type, time of the reading, and what was read', async () => {
    expect(await bodyOf(userEffect(seenAs('active', { isAdmin: true }), { causes: ['makeAdmin', 'update'] }))).toEqual({
      type: 'user.active',
      timestamp: '2026-11-22T09:30:00.000Z',
      data: {
        customer: 'C01live',
        user_id: '111222333444555666777',
        stamp: 7,
        causes: ['makeAdmin', 'update'],
        state: 'active',
        org_unit_path: '/Staff',
        is_admin: true,
      },
    });
  });

  test('a suspended user is told as such', async () => {
    expect(await bodyOf(userEffect(seenAs('suspended')))).toMatchObject({
      type: 'user.suspended',
      data: { state: 'suspended' },
    });
  });

  test('a user who is gone: nothing but the ids is known', async () => {
    expect(await bodyOf(userEffect({ state: 'gone' }, { causes: ['delete'] }), { email: true })).toEqual({
      type: 'user.gone',
      timestamp: '2026-11-22T09:30:00.000Z',
      data: { customer: 'C01live', user_id: '111222333444555666777', stamp: 7, causes: ['delete'], state: 'gone' },
    });
  });

  test('an alert: its kind, severity, subject and detail', async () => {
    expect(await bodyOf(alertEffect())).toEqual({
      type: 'alert.dead_letter',
      timestamp: '2026-11-22T09:30:00.000Z',
      data: {
        customer: 'C01live',
        severity: 'ERROR',
        kind: 'dead_letter',
        subject: '12',
        detail: 'given up after 5 tries',
      },
    });
  });

  test('W8: the e-mail address is sent where the destination asks for it, and nowhere else', async () => {
    await tell(userEffect(seenAs('active')));
    expect(JSON.stringify(only())).not.toContain('ada@example.com');
    received = [];
    expect(await bodyOf(userEffect(seenAs('active')), { email: true })).toMatchObject({
      data: { email: 'ada@example.com' },
    });
  });

  test.each<[Destination['events'], boolean, boolean]>([
    [['user', 'alert'], true, true],
    [['user'], true, false],
    [['alert'], false, true],
  ])('a destination for %j wants users: %s, alerts: %s', (events, users, alerts) => {
    const [sink] = webhooks([destination({ events })]);
    expect([sink?.wants(userEffect(seenAs('active'))), sink?.wants(alertEffect())]).toEqual([users, alerts]);
  });
});

describe('what comes of an answer', () => {
  test.each([200, 201, 202, 204, 299])('%i: taken', async (status) => {
    answer = { status };
    expect(await tell(userEffect(seenAs('active')))).toEqual({ ok: true });
  });

  test.each([301, 307, 400, 401, 404, 409, 422, 429, 500, 502, 503])('%i: again', async (status) => {
    answer = { status, headers: { location: '/elsewhere' } };
    expect(await tell(userEffect(seenAs('active')))).toEqual({
      ok: false,
      outcome: 'again',
      detail: `crm answers ${status}`,
    });
  });

  test('410: never again', async () => {
    answer = { status: 410, headers: { 'retry-after': '60' } };
    expect(await tell(userEffect(seenAs('active')))).toEqual({
      ok: false,
      outcome: 'refused',
      detail: 'crm answers 410',
    });
  });

  test.each<[string, number | undefined]>([
    ['120', 120_000],
    ['0', undefined],
    ['999999999', 3_600_000],
    ['Sun, 22 Nov 2026 09:31:01 GMT', 59_500],
    ['Sun, 22 Nov 2026 09:00:00 GMT', undefined],
    ['soon', undefined],
    ['-5', undefined],
    ['1e9', undefined],
  ])('Retry-After: %s asks for a pause of %s ms', async (header, retryAfterMs) => {
    answer = { status: 503, headers: { 'retry-after': header } };
    const told = await tell(userEffect(seenAs('active')));
    expect(told).toEqual({
      ok: false,
      outcome: 'again',
      detail: 'crm answers 503',
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    });
  });

  test('nothing of an answer and nothing of the URL’s query stands in the detail', async () => {
    answer = { status: 400, body: 'ada@example.com <script>' };
    expect(JSON.stringify(await tell(userEffect(seenAs('active'))))).not.toMatch(/script|ada@|private-part/);
  });
});

describe('F5: where deliveries go, and within which limits', () => {
  const refused = (detail: string) => ({ ok: false, outcome: 'refused', detail: expect.stringContaining(detail) });
  const neverAsked: FetchFunction = (url) => Promise.reject(new Error(`asked ${url}`));

  test.each<[string, string, AddressPolicy, string]>([
    ['plain http', 'http://receiver.example.com/', allowPublicOnly(), 'not https'],
    [
      'plain http even where this machine is open',
      'http://receiver.example.com/',
      allowLoopbackExcept([]),
      'not https',
    ],
    ['this machine', 'http://127.0.0.1:9/', allowPublicOnly(), 'private_target'],
    ['this machine by https', 'https://localhost/', allowPublicOnly(), 'private_target'],
    ['a private address', 'https://10.0.0.8/', allowPublicOnly(), 'private_target'],
    ['a private address by plain http', 'http://192.168.1.1/', allowLoopbackExcept([]), 'not https'],
    ['the metadata service', 'https://169.254.169.254/', allowLoopbackExcept([]), 'private_target'],
    ['a private address in other clothes', 'https://[::ffff:10.0.0.8]/', allowPublicOnly(), 'private_target'],
    ['a port of our own stack', 'http://127.0.0.1:8789/', allowLoopbackExcept([8789]), 'private_target'],
    [
      'a port that is not the web’s',
      'https://receiver.example.com:22/',
      allowPublicOnly({ alternatePorts: true }),
      'port_refused',
    ],
    ['a URL with credentials', 'https://a:b@receiver.example.com/', allowPublicOnly(), 'credentials_refused'],
  ])('%s is refused and never asked', async (_what, url, policy, reason) => {
    expect(await tell(userEffect(seenAs('active')), { url }, { policy, fetch: neverAsked })).toEqual(refused(reason));
  });

  test('a redirect is not followed', async () => {
    answer = { status: 307, headers: { location: `${server.url}/second` } };
    await tell(userEffect(seenAs('active')));
    expect(received.map(({ url }) => url)).toEqual(['/hooks?key=private-part']);
  });

  test('no answer within 10 s is given up, and comes again', async () => {
    vi.useFakeTimers();
    let aborted = false;
    const silent: FetchFunction = (_url, { signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          aborted = true;
          reject(signal.reason as Error);
        });
      });
    const telling = tell(userEffect(seenAs('active')), {}, { fetch: silent });
    await vi.advanceTimersByTimeAsync(9_990);
    expect(aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(20);
    expect(await telling).toMatchObject({ ok: false, outcome: 'again', detail: expect.stringContaining('timeout') });
    expect(aborted).toBe(true);
  });

  test('an answer without end is read to 64 KiB and dropped; its status counts', async () => {
    let pulled = 0;
    let dropped = false;
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        pulled += 8_192;
        controller.enqueue(new Uint8Array(8_192));
      },
      cancel: () => void (dropped = true),
    });
    const endless: FetchFunction = async () => new Response(body, { status: 200 });
    expect(await tell(userEffect(seenAs('active')), {}, { fetch: endless })).toEqual({ ok: true });
    expect(dropped).toBe(true);
    expect(pulled).toBeLessThanOrEqual(64 * 1024 + 3 * 8_192);
  });

  test('a receiver that cannot be reached is told again', async () => {
    const url = 'http://127.0.0.1:1/';
    expect(await tell(userEffect(seenAs('active')), { url })).toMatchObject({
      ok: false,
      outcome: 'again',
      detail: expect.stringContaining('connection_failed'),
    });
  });

  test('a host is told at most four things at once, whichever destination they are for', async () => {
    const open: (() => void)[] = [];
    const slow: FetchFunction = () =>
      new Promise((resolve) => {
        open.push(() => resolve(new Response(null, { status: 204 })));
      });
    const destinations = [destination({ name: 'a' }), destination({ name: 'b' })];
    const sinks = webhooks(destinations, { fetch: slow });
    const telling = sinks.flatMap((sink) => [1, 2, 3].map(() => sink.tell(userEffect(seenAs('active')))));
    await vi.waitFor(() => expect(open).toHaveLength(4));
    open[0]?.();
    await vi.waitFor(() => expect(open).toHaveLength(5));
    open[1]?.();
    await vi.waitFor(() => expect(open).toHaveLength(6));
    for (const finish of open) finish();
    expect(await Promise.all(telling)).toEqual(telling.map(() => ({ ok: true })));
  });

  test('beyond a queue of twelve a delivery is sent away with a time to come back', async () => {
    const open: (() => void)[] = [];
    const slow: FetchFunction = () =>
      new Promise((resolve) => {
        open.push(() => resolve(new Response(null, { status: 204 })));
      });
    const [sink] = webhooks([destination()], { fetch: slow });
    if (!sink) throw new Error('no sink');
    const telling = Array.from({ length: 17 }, () => sink.tell(userEffect(seenAs('active'))));
    expect(await telling[16]).toEqual({
      ok: false,
      outcome: 'again',
      detail: 'crm: too many deliveries to its host wait',
      retryAfterMs: 30_000,
    });
    let finished = 0;
    while (finished < 16) {
      await vi.waitFor(() => expect(open.length).toBeGreaterThan(finished));
      open[finished]?.();
      finished += 1;
    }
    expect(await Promise.all(telling.slice(0, 16))).toEqual(Array.from({ length: 16 }, () => ({ ok: true })));
  });
});

/** Computed without the library. */
function signatureOf(secret: string, signed: string): string {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
}
