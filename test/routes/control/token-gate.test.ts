import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createControlApp } from '../../../routes/control/app.ts';
import { REMEMBERED_MS } from '../../../src/authorization/oauth/remembered-tokens.ts';
import { CONTROL_URL, tokenFor, unknownToken, validTestToken } from '../../support/workers/control-tokens.ts';
import { useWaits } from '../../support/workers/late.ts';
import { gzipOf, USERS } from './world.ts';

const LIST = `${USERS}?customer=my_customer`;
const BATCH_TYPE = { 'content-type': 'multipart/mixed; boundary=b' };

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

let addresses = 0;

/** The Worker as one caller with an address of its own sees it, and the tokens that the authorization server was asked about. */
function caller() {
  addresses += 1;
  const from = { 'cf-connecting-ip': `198.51.100.${addresses}` };
  const asked: string[] = [];
  const validate = async (token: string, resource: string) => {
    asked.push(token);
    return validTestToken(token, resource);
  };
  const app = createControlApp();
  const send = (
    path: string,
    init: Omit<RequestInit, 'headers'> & { headers?: Record<string, string> } = {},
  ): Promise<Response> =>
    Promise.resolve(
      app.fetch(new Request(`${CONTROL_URL}${path}`, { ...init, headers: { ...from, ...init.headers } }), {
        ...env,
        AUTHORIZATION: { validate },
      }),
    );
  const bearer = async (token: string): Promise<number> => {
    const answer = await send(LIST, { headers: { authorization: `Bearer ${token}` } });
    await answer.text();
    return answer.status;
  };
  return { asked, send, bearer };
}

const repeated = async <T>(count: number, ask: (n: number) => Promise<T>): Promise<T[]> => {
  const answers: T[] = [];
  for (let n = 0; n < count; n += 1) answers.push(await ask(n));
  return answers;
};

/** A body that is counted when it is read, and never ends. */
function unread() {
  const seen = { pulls: 0 };
  const body = new ReadableStream<Uint8Array>(
    {
      pull: (controller) => {
        seen.pulls += 1;
        controller.enqueue(new Uint8Array(65_536));
      },
    },
    { highWaterMark: 0 },
  );
  return { seen, body };
}

describe('B9: tokens', () => {
  test.each(['x', 'slm_', `slm_${'x'.repeat(44)}`, 'test.unreachable', 'eyJhbGciOiJSUzI1NiJ9.e30.c2ln'])(
    'text that has not the form of one (%s) is 401, and nobody is asked',
    async (text) => {
      const { asked, bearer } = caller();
      expect(await bearer(text)).toBe(401);
      expect(asked).toEqual([]);
    },
  );

  test('after 30 that are good for nothing an address waits, and is told how long', async () => {
    const startMs = Date.now();
    const clock = vi.spyOn(Date, 'now').mockReturnValue(startMs);
    const { asked, send, bearer } = caller();
    expect(await repeated(30, (n) => bearer(unknownToken(n)))).toEqual(Array.from({ length: 30 }, () => 401));
    clock.mockReturnValue(startMs + 999);
    const refused = await send(LIST, { headers: { authorization: `Bearer ${unknownToken(30)}` } });
    expect([refused.status, refused.headers.get('retry-after'), asked.length]).toEqual([429, '60', 30]);
    clock.mockReturnValue(startMs + 60_000);
    expect(await bearer(unknownToken(31))).toBe(401);
  });

  test('B8: a token that was good passes the lock of its address, and is asked about all the same', async () => {
    const startMs = Date.now();
    const clock = vi.spyOn(Date, 'now').mockReturnValue(startMs);
    const { asked, bearer } = caller();
    const token = tokenFor({ client: 'honest' });
    expect(await bearer(token)).toBe(200);
    await repeated(31, (n) => bearer(unknownToken(n)));
    const later = (n: number) => {
      clock.mockReturnValue(startMs + (n + 1) * REMEMBERED_MS);
      return bearer(token);
    };
    expect(await repeated(5, later)).toEqual(Array.from({ length: 5 }, () => 200));
    expect(asked.filter((one) => one === token)).toHaveLength(6);
  });

  test('B8: a first good token gets through from a locked address within a second; not more than four a second are looked at', async () => {
    const startMs = Date.now();
    const clock = vi.spyOn(Date, 'now').mockReturnValue(startMs);
    const { asked, bearer } = caller();
    await repeated(40, (n) => bearer(unknownToken(n)));
    expect(asked).toHaveLength(30);
    clock.mockReturnValue(startMs + 1_000);
    expect(await bearer(tokenFor({ client: 'new' }))).toBe(200);
    expect(await repeated(10, (n) => bearer(unknownToken(100 + n)))).toEqual([
      401,
      401,
      401,
      ...Array.from({ length: 7 }, () => 429),
    ]);
    expect(asked).toHaveLength(34);
  });

  test('a token that has ended is no pass any more', async () => {
    const startMs = Date.now();
    const clock = vi.spyOn(Date, 'now').mockReturnValue(startMs);
    const { asked, send } = caller();
    const token = tokenFor({ client: 'ending' });
    const headers = { authorization: `Bearer ${token}` };
    expect((await send(LIST, { headers })).status).toBe(200);
    clock.mockReturnValue(startMs + REMEMBERED_MS);
    const ended = { ...env, AUTHORIZATION: { validate: async (one: string) => (asked.push(one), null) } };
    const again = async () => {
      const answer = await createControlApp().fetch(
        new Request(`${CONTROL_URL}${LIST}`, { headers: { ...headers, 'cf-connecting-ip': '198.51.101.1' } }),
        ended,
      );
      return answer.status;
    };
    expect(await repeated(32, again)).toEqual([...Array.from({ length: 30 }, () => 401), 429, 429]);
  });

  test('W7: a good answer of the last ten seconds is taken again for what reads, and for nothing that changes the tenant', async () => {
    const startMs = Date.now();
    const clock = vi.spyOn(Date, 'now').mockReturnValue(startMs);
    const { asked, send, bearer } = caller();
    const token = tokenFor({ client: 'reader' });
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const change = async () => {
      const answer = await send(USERS, { method: 'POST', headers, body: '{}' });
      await answer.text();
      return answer.status;
    };
    expect(await repeated(20, () => bearer(token))).toEqual(Array.from({ length: 20 }, () => 200));
    expect(asked).toHaveLength(1);
    await repeated(3, change);
    expect(asked).toHaveLength(4);
    clock.mockReturnValue(startMs + REMEMBERED_MS - 1);
    await bearer(token);
    expect(asked).toHaveLength(4);
    clock.mockReturnValue(startMs + REMEMBERED_MS);
    await bearer(token);
    expect(asked).toHaveLength(5);
  });

  test('W7: a call that changes the tenant finds an ended token ended at once, remembered or not', async () => {
    const { send, bearer } = caller();
    const token = tokenFor({ client: 'writer' });
    expect(await bearer(token)).toBe(200);
    const answer = await createControlApp().fetch(
      new Request(`${CONTROL_URL}${USERS}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
        body: '{}',
      }),
      { ...env, AUTHORIZATION: { validate: async () => null } },
    );
    expect(answer.status).toBe(401);
    expect((await send(LIST, { headers: { authorization: `Bearer ${token}` } })).status).toBe(200);
  });

  test('a burst of tokens finds the same limit as a sequence, and calls with one good token at once are all answered', async () => {
    const startMs = Date.now();
    vi.spyOn(Date, 'now').mockReturnValue(startMs);
    const { asked, bearer } = caller();
    const burst = await Promise.all(Array.from({ length: 100 }, (_, n) => bearer(unknownToken(n))));
    expect(burst.filter((status) => status === 401).length).toBeLessThanOrEqual(34);
    expect(asked.length).toBeLessThanOrEqual(34);
    const other = caller();
    const good = await Promise.all(Array.from({ length: 50 }, () => other.bearer(tokenFor({ client: 'many' }))));
    // Each asks for itself: on Workers a request that waits for another one's promise is ended as hung.
    expect([new Set(good), other.asked.length]).toEqual([new Set([200]), 50]);
  });

  test('B9: one bad token that is sent again and again, many at once, meets the lock as well', async () => {
    const startMs = Date.now();
    vi.spyOn(Date, 'now').mockReturnValue(startMs);
    const { asked, bearer } = caller();
    for (let round = 0; round < 4; round += 1)
      await Promise.all(Array.from({ length: 30 }, () => bearer(unknownToken(1))));
    expect(asked.length).toBeLessThanOrEqual(34);
  });

  test('the parts of a batch count one by one, each token of it once', async () => {
    const startMs = Date.now();
    vi.spyOn(Date, 'now').mockReturnValue(startMs);
    const { asked, send } = caller();
    const part = (token: string) =>
      `--b\r\nContent-Type: application/http\r\n\r\nGET ${LIST} HTTP/1.1\r\nAuthorization: Bearer ${token}\r\n\r\n\r\n`;
    const body = [
      ...Array.from({ length: 60 }, () => unknownToken(0)),
      ...Array.from({ length: 40 }, (_, n) => unknownToken(n)),
    ]
      .map(part)
      .join('');
    const answer = await send('/batch', { method: 'POST', headers: BATCH_TYPE, body: `${body}--b--\r\n` });
    const statuses = [...(await answer.text()).matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, status]) => status);
    expect([statuses.slice(0, 60).every((status) => status === '401'), statuses.includes('429')]).toEqual([true, true]);
    expect(asked.length).toBeLessThanOrEqual(34);
  });
});

describe('W7: an authorization server that does not answer', () => {
  const late = useWaits();

  test.each([
    ['what reads', LIST, 'GET'],
    ['what changes the tenant', USERS, 'POST'],
    ['the checkup', '/checkup', 'GET'],
  ])('is waited for five seconds, and %s is 503 then: its token is neither good nor bad', async (_, path, method) => {
    const headers = { authorization: `Bearer ${unknownToken(9)}`, 'cf-connecting-ip': '198.51.102.9' };
    const ask = async () =>
      createControlApp().fetch(new Request(`${CONTROL_URL}${path}`, { method, headers }), {
        ...env,
        AUTHORIZATION: { validate: late.never },
      });
    const answer = await late.after(5_000, ask);
    expect([answer.status, answer.headers.get('retry-after'), answer.headers.get('www-authenticate')]).toEqual([
      503,
      expect.stringMatching(/^\d+$/),
      null,
    ]);
  });
});

describe('B9: calls without a token', () => {
  test('have a limit of their own, which locks out no good token', async () => {
    const startMs = Date.now();
    const clock = vi.spyOn(Date, 'now').mockReturnValue(startMs);
    const { send, bearer } = caller();
    const statuses = await repeated(600, async (n) => {
      const headers = n % 2 === 0 ? {} : { authorization: 'Bearer x' };
      const { status } = await send(LIST, { headers });
      return status;
    });
    expect(new Set(statuses)).toEqual(new Set([401]));
    clock.mockReturnValue(startMs + 20_500);
    const refused = await send(LIST);
    expect([refused.status, refused.headers.get('retry-after'), refused.headers.get('ratelimit-policy')]).toEqual([
      429,
      '40',
      '"unauthenticated";q=600;w=60',
    ]);
    expect(await bearer(tokenFor())).toBe(200);
    expect((await send('/batch', { method: 'POST', headers: BATCH_TYPE, body: 'x' })).status).toBe(429);
    clock.mockReturnValue(startMs + 60_000);
    expect((await send(LIST)).status).toBe(401);
  });
});

describe('B2: no token, no body', () => {
  const PLACES: [string, string, Record<string, string>][] = [
    ['a row', '/admin/directory/v1/groups', { 'content-type': 'application/json' }],
    ['a query in a form', '/admin/directory/v1/groups', { 'x-http-method-override': 'GET' }],
    ['a seed', '/v1/tenants/C00000001:seed', {}],
    ['an upgrade of the hybrid runtime', '/v1/hybrid:migrate', {}],
    [
      'an upload',
      `/client/v4/accounts/${'a'.repeat(32)}/ai-search/instances/docs/items`,
      { 'content-type': 'multipart/form-data; boundary=b' },
    ],
    ['a batch in gzip', '/batch', { ...BATCH_TYPE, 'content-encoding': 'gzip' }],
    ['a batch of an unknown coding', '/batch', { ...BATCH_TYPE, 'content-encoding': 'br' }],
  ];

  test.each(PLACES)(
    '%s is refused before its body is read, without a token and with a text that is none',
    async (_what, path, headers) => {
      for (const authorization of [{}, { authorization: 'Bearer x' }, { authorization: 'Basic dXNlcjpwYXNz' }]) {
        const { seen, body } = unread();
        const answer = await caller().send(path, { method: 'POST', headers: { ...headers, ...authorization }, body });
        expect([answer.status >= 401 && answer.status < 405, seen.pulls]).toEqual([true, 0]);
      }
    },
  );

  test.each(PLACES)(
    '%s with a token that is good for nothing is 401, and nothing of it is inflated or held',
    async (_what, path, headers) => {
      const inflated: string[] = [];
      class Seen extends DecompressionStream {
        constructor(format: ConstructorParameters<typeof DecompressionStream>[0]) {
          super(format);
          inflated.push(format);
        }
      }
      vi.stubGlobal('DecompressionStream', Seen);
      const body = await gzipOf(' '.repeat(100_000));
      const answer = await caller().send(path, {
        method: 'POST',
        headers: { ...headers, 'content-encoding': 'gzip', authorization: `Bearer ${unknownToken()}` },
        body,
      });
      expect([answer.status === 401 || answer.status === 404, inflated.length]).toEqual([true, 0]);
    },
  );

  test('K4: a batch whose parts bring their own tokens is taken without one of its own, up to 256 KiB', async () => {
    const part = `--b\r\nContent-Type: application/http\r\n\r\nGET ${LIST} HTTP/1.1\r\nAuthorization: Bearer ${tokenFor()}\r\n\r\n\r\n`;
    const body = `${part}--b--\r\n`;
    const { send } = caller();
    const small = await send('/batch', { method: 'POST', headers: BATCH_TYPE, body });
    expect([small.status, (await small.text()).includes('HTTP/1.1 200')]).toEqual([200, true]);
    const large = { method: 'POST', headers: BATCH_TYPE, body: `${' '.repeat(256 * 1_024)}\r\n${body}` };
    const refused = await send('/batch', large);
    expect([refused.status, refused.headers.get('www-authenticate') !== null]).toEqual([401, true]);
    const vouched = await send('/batch', {
      ...large,
      headers: { ...BATCH_TYPE, authorization: `Bearer ${tokenFor()}` },
    });
    expect(vouched.status).toBe(200);
  });

  test('a batch whose own token is good for nothing is refused as a whole, before it is read', async () => {
    const { seen, body } = unread();
    const wrong = caller();
    const answer = await wrong.send('/batch', {
      method: 'POST',
      headers: { ...BATCH_TYPE, authorization: 'Bearer x' },
      body,
    });
    expect([answer.status, seen.pulls, wrong.asked]).toEqual([401, 0, []]);
  });
});
