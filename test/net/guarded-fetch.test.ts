import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { createNodeFetch } from '../../src/cli/core/node-fetch.ts';
import { allowLoopbackExcept, allowPublicAnd, allowPublicOnly } from '../../src/net/address-policy.ts';
import type { Fetched, FetchTarget } from '../../src/net/fetched.ts';
import {
  type FetchFunction,
  type GuardedFetchOptions,
  formatBotUserAgent,
  createGuardedFetch,
} from '../../src/net/guarded-fetch.ts';
import { type Running, startFaultServer, startRawServer } from './fault-server.ts';

let site: Running;
beforeAll(async () => {
  site = await startFaultServer();
});
afterAll(async () => {
  await site.close();
});
beforeEach(() => {
  site.seen.length = 0;
  site.brokenOff.length = 0;
});

/** How long a test waits for the server to notice something. */
const WAIT = { timeout: 10_000, interval: 5 };

const clock = (): number => Date.now();
const text = (fetched: Fetched): string =>
  fetched.ok ? new TextDecoder().decode(fetched.bytes) : `! ${fetched.reason}`;
const reason = (fetched: Fetched): string => (fetched.ok ? `status ${fetched.status}` : fetched.reason);

/** A guarded fetch for the fault server, which stands on loopback. */
function guarded(options: Partial<GuardedFetchOptions> = {}) {
  const policy = allowLoopbackExcept([]);
  return createGuardedFetch({ fetch: createNodeFetch(policy), policy, clock, ...options });
}
const get = (path: string, more: Omit<FetchTarget, 'url'> = {}): FetchTarget => ({
  url: `${site.origin}${path}`,
  ...more,
});

/**
 * Real HTTP to the fault server under any public host name: what DNS would do if the fault server were on the public
 * internet. Only the connection is moved; a request that the guard refuses never comes here.
 */
function asPublicSite(dialled: string[]): FetchFunction {
  return (url, init) => {
    const { origin, hostname, pathname, search } = new URL(url);
    dialled.push(origin);
    return fetch(`${site.origin}${pathname}${search}`, { ...init, headers: { ...init.headers, 'x-host': hostname } });
  };
}

describe('an answer', () => {
  test('holds final URL, status, lower-case headers and bytes', async () => {
    const fetched = await guarded()(get('/ok#part'));
    expect(fetched).toMatchObject({ ok: true, url: `${site.origin}/ok`, status: 200, truncated: false, redirects: [] });
    expect(fetched.ok && fetched.headers['x-upper']).toBe('Yes');
    expect(text(fetched)).toBe('hello');
  });

  test.each([
    ['/missing', 404, 'not here'],
    ['/empty', 204, ''],
    ['/gzip', 200, 'packed'],
    ['/no-location', 302, 'nowhere'],
    ['/coding?as=identity', 200, 'x'],
    ['/redirect-coding', 200, 'hello'],
  ])('%s is an answer with status %d', async (path, status, body) => {
    const fetched = await guarded()(get(path));
    expect([reason(fetched), text(fetched)]).toEqual([`status ${status}`, body]);
  });

  test('to HEAD has no bytes', async () => {
    expect(await guarded()(get('/ok', { method: 'HEAD' }))).toMatchObject({
      ok: true,
      status: 200,
      bytes: new Uint8Array(),
    });
    expect(site.seen[0]).toMatch(/^HEAD /);
  });

  test('tells the time it took by the clock it was given', async () => {
    let now = 1_000;
    const fetched = await guarded({ clock: () => (now += 5) })(get('/ok'));
    expect(fetched.elapsedMs).toBeGreaterThan(0);
    expect(fetched.elapsedMs % 5).toBe(0);
  });
});

const echoed = z.object({ method: z.string(), body: z.string(), headers: z.record(z.string(), z.string()) });
const readEcho = (fetched: Fetched) => echoed.parse(JSON.parse(text(fetched)));
const deaf: FetchFunction = () => new Promise(() => undefined);

const echo = async (options: Partial<GuardedFetchOptions>, more: Omit<FetchTarget, 'url'> = {}) =>
  readEcho(await guarded(options)(get('/echo', more)));

describe('a request', () => {
  test('F7: says Via and who we are, and asks only for codings we can undo', async () => {
    const { headers } = await echo({ userAgent: formatBotUserAgent('https://sightline.example/') });
    expect(headers).toMatchObject({
      via: '1.1 sightline',
      'user-agent': 'SightlineBot/0.1 (+https://sightline.example/bot)',
      'accept-encoding': 'gzip, br',
    });
    expect(Object.keys(headers)).not.toContain('cookie');
  });

  test('F7: a target may choose its User-Agent but not drop Via', async () => {
    const { headers } = await echo(
      {},
      { headers: { 'User-Agent': 'GPTBot/1.2', VIA: '', 'Accept-Encoding': 'zstd', accept: 'text/markdown' } },
    );
    expect(headers).toMatchObject({
      'user-agent': 'GPTBot/1.2',
      via: '1.1 sightline',
      'accept-encoding': 'gzip, br',
      accept: 'text/markdown',
    });
  });

  test('a target cannot choose the Host that is asked', async () => {
    const sent: Record<string, string>[] = [];
    const recording: FetchFunction = (url, init) => {
      sent.push(init.headers);
      return fetch(url, init);
    };
    await guarded({ fetch: recording })(get('/ok', { headers: { Host: 'router.lan', accept: '*/*' } }));
    expect(sent).toEqual([expect.not.objectContaining({ host: 'router.lan' })]);
  });

  test('POST carries its body', async () => {
    const sent = await echo(
      {},
      { method: 'POST', body: '{"jsonrpc":"2.0"}', headers: { 'content-type': 'application/json' } },
    );
    expect(sent).toMatchObject({ method: 'POST', body: '{"jsonrpc":"2.0"}' });
  });

  test('with a header that HTTP cannot carry is a bug and throws', async () => {
    await expect(guarded()(get('/ok', { headers: { 'x-bad': 'a\r\nb: c' } }))).rejects.toThrow(TypeError);
    expect(site.seen).toEqual([]);
  });

  test('the platform fetch is called without a receiver', async () => {
    const receivers: unknown[] = [];
    const platform: FetchFunction = function (this: unknown, url, init) {
      receivers.push(this);
      return fetch(url, init);
    };
    expect(reason(await guarded({ fetch: platform })(get('/ok')))).toBe('status 200');
    expect(receivers).toEqual([undefined]);
  });
});

describe('a URL that must not be fetched', () => {
  test.each([
    ['nonsense', 'invalid_url'],
    ['ftp://example.com/', 'scheme_refused'],
    ['http://u:p@example.com/', 'credentials_refused'],
    ['http://example.com:25/', 'port_refused'],
    ['http://127.0.0.1/', 'private_target'],
    ['http://[::ffff:169.254.169.254]/', 'private_target'],
  ])('%s answers %s and nothing is dialled', async (url, expected) => {
    const dialled: string[] = [];
    const fetched = await guarded({ fetch: asPublicSite(dialled), policy: allowPublicOnly() })({ url });
    expect(fetched).toMatchObject({ ok: false, reason: expected, redirects: [] });
    expect(dialled).toEqual([]);
  });
});

describe('redirects', () => {
  test('are followed up to five, and each hop is told', async () => {
    const fetched = await guarded()(get('/chain?n=5'));
    expect(text(fetched)).toBe('end of chain');
    expect(fetched.ok && fetched.url).toBe(`${site.origin}/chain?n=0`);
    expect(fetched.redirects).toHaveLength(5);
    expect(fetched.redirects[0]).toEqual({
      url: `${site.origin}/chain?n=5`,
      status: 302,
      location: `${site.origin}/chain?n=4`,
    });
  });

  test('a sixth is not followed', async () => {
    const fetched = await guarded()(get('/chain?n=6'));
    expect([reason(fetched), fetched.redirects.length, site.seen.length]).toEqual(['too_many_redirects', 5, 6]);
  });

  test('a loop is found when it closes, whatever its fragment', async () => {
    const fetched = await guarded()(get('/loop-a'));
    expect([reason(fetched), site.seen.length]).toEqual(['redirect_loop', 2]);
  });

  test.each([
    ['file:///etc/passwd', 'scheme_refused'],
    ['ftp://example.com/x', 'scheme_refused'],
    ['javascript:alert(1)', 'scheme_refused'],
    ['http://u:p@127.0.0.1/', 'credentials_refused'],
    ['http://example.com:22/', 'port_refused'],
    ['http://', 'bad_redirect'],
    ['http://a..b/', 'bad_redirect'],
    ['http://169.254.169.254/latest/', 'private_target'],
    ['http://10.0.0.1/', 'private_target'],
    ['http://localhost./', 'status 404'],
    ['', 'redirect_loop'],
  ])('to %j ends as %s', async (location, expected) => {
    const dialled: string[] = [];
    const fetch = asPublicSite(dialled);
    const fetched = await guarded({ fetch })(get(`/to?url=${encodeURIComponent(location)}`));
    expect(reason(fetched)).toBe(expected);
    expect(dialled).toHaveLength(fetched.redirects.length + 1);
  });

  test.each([301, 302, 303, 307, 308])(
    'of status %d are followed for GET and HEAD, with the method kept',
    async (status) => {
      const path = `/to?status=${status}&url=/ok`;
      expect(await guarded()(get(path))).toMatchObject({ ok: true, status: 200, redirects: [{ status }] });
      await guarded()(get(path, { method: 'HEAD' }));
      expect(site.seen.at(-1)).toMatch(/^HEAD .*\/ok$/);
    },
  );

  test.each([302, 307])('of a POST are returned as they are: status %d', async (status) => {
    const fetched = await guarded()(get(`/to?status=${status}&url=/echo`, { method: 'POST', body: 'x' }));
    expect(fetched).toMatchObject({ ok: true, status, redirects: [] });
    expect(fetched.ok && fetched.headers['location']).toBe('/echo');
    expect(site.seen).toHaveLength(1);
  });

  test.each(['GET', 'HEAD'] as const)('of a %s that is not to follow them are returned as they are', async (method) => {
    const fetched = await guarded()(get('/to?status=302&url=/echo', { method, follow: false }));
    expect(fetched).toMatchObject({ ok: true, status: 302, redirects: [], headers: { location: '/echo' } });
    expect(site.seen).toHaveLength(1);
  });

  test('to another scheme of the web are followed, and to another origin without origin-bound headers', async () => {
    const dialled: string[] = [];
    const options = { fetch: asPublicSite(dialled), policy: allowPublicOnly() };
    const url = `https://example.com/to?url=${encodeURIComponent('http://example.com/echo')}`;
    const fetched = await guarded(options)({ url, headers: { authorization: 'Bearer probe', accept: 'text/html' } });
    expect(fetched).toMatchObject({ ok: true, url: 'http://example.com/echo' });
    const { headers } = readEcho(fetched);
    expect([headers['authorization'], headers['accept']]).toEqual([undefined, 'text/html']);
    expect(dialled).toEqual(['https://example.com', 'http://example.com']);
  });

  test.each([
    ['http://169.254.169.254/latest/meta-data/', []],
    ['http://127.0.0.1:2375/', []],
    ['http://localhost:3000/', ['http://localhost:3000']],
    ['http://169.254.169.254/', ['http://169.254.169.254']],
    ['http://metadata.google.internal/', []],
    ['http://[::ffff:7f00:1]/', []],
    ['http://192.168.0.1./', []],
  ])(
    'F1: a public page that redirects to %s, typed origins %j, is private_target and never a fetch',
    async (location, typed) => {
      const dialled: string[] = [];
      const options = { fetch: asPublicSite(dialled), policy: allowPublicAnd(['https://example.com', ...typed]) };
      const fetched = await guarded(options)({ url: `https://example.com/to?url=${encodeURIComponent(location)}` });
      expect(reason(fetched)).toBe('private_target');
      expect(dialled).toEqual(['https://example.com']);
    },
  );

  test('F1: a typed private origin is read, another private origin that it redirects to is not', async () => {
    const policy = allowPublicAnd([site.origin]);
    const options = { fetch: createNodeFetch(policy), policy };
    expect(text(await guarded(options)(get('/ok')))).toBe('hello');
    const elsewhere = await startFaultServer();
    expect(reason(await guarded(options)(get(`/to?url=${elsewhere.origin}/ok`)))).toBe('private_target');
    expect(elsewhere.seen).toEqual([]);
    await elsewhere.close();
  });

  test('F3: a site on loopback that redirects to a port of the stack is refused', async () => {
    const stack = await startFaultServer();
    const policy = allowLoopbackExcept([stack.port]);
    const fetched = await guarded({ fetch: createNodeFetch(policy), policy })(get(`/to?url=${stack.origin}/ok`));
    expect([reason(fetched), stack.seen]).toEqual(['private_target', []]);
    await stack.close();
  });
});

describe('names that resolve inside', () => {
  test.each([
    [['93.184.216.34'], 'status 200'],
    [['93.184.216.34', '2606:4700::1'], 'status 200'],
    [['127.0.0.1'], 'private_target'],
    [['93.184.216.34', '10.0.0.1'], 'private_target'],
    [['::ffff:169.254.169.254'], 'private_target'],
    [[], 'connection_failed'],
  ])('with a resolver, a name at %j ends as %s', async (addresses, expected) => {
    const dialled: string[] = [];
    const resolve = async (): Promise<readonly string[]> => addresses;
    const options = { fetch: asPublicSite(dialled), policy: allowPublicOnly(), resolve };
    expect(reason(await guarded(options)({ url: 'https://example.com/ok' }))).toBe(expected);
    expect(dialled).toHaveLength(expected === 'status 200' ? 1 : 0);
  });

  test('a resolver that fails or hangs is a failed fetch, and IP literals are not asked about', async () => {
    const options = { fetch: asPublicSite([]), policy: allowPublicOnly() };
    const failing = guarded({
      ...options,
      resolve: () => Promise.reject(Object.assign(new Error('x'), { code: 'ENOTFOUND' })),
    });
    expect(await failing({ url: 'https://example.com/ok' })).toMatchObject({
      reason: 'connection_failed',
      detail: 'no answer came (ENOTFOUND)',
    });
    expect(reason(await failing({ url: 'https://8.8.8.8/ok' }))).toBe('status 200');
    const hanging = guarded({ ...options, limits: { firstByteMs: 30 }, resolve: () => new Promise(() => undefined) });
    expect(reason(await hanging({ url: 'https://example.com/ok' }))).toBe('timeout');
  });
});

describe('F12: hostile bodies and headers', () => {
  test.each(['/gzip-bomb', '/br-bomb', '/endless', '/bytes?n=100001'])(
    '%s is cut at the cap on decoded bytes',
    async (path) => {
      const fetched = await guarded()(get(path, { maxBytes: 100_000 }));
      expect(fetched).toMatchObject({ ok: true, truncated: true });
      expect(fetched.ok && fetched.bytes.byteLength).toBe(100_000);
    },
  );

  test.each(['/endless', '/redirect-endless', '/coded-endless'])(
    '%s is told to stop: nobody reads the rest',
    async (path) => {
      await guarded()(get(path, { maxBytes: 1_000 }));
      await vi.waitFor(() => expect(site.brokenOff).toContain(path), WAIT);
    },
  );

  test('the cap is 5 MiB where the target names none', async () => {
    const fetched = await guarded()(get('/gzip-bomb'));
    expect(fetched.ok && [fetched.bytes.byteLength, fetched.truncated]).toEqual([5 * 1024 * 1024, true]);
  });

  test.each([0, 1, 99_999, 100_000])('a body of %d bytes under a cap of 100,000 is whole', async (size) => {
    const fetched = await guarded()(get(`/bytes?n=${size}`, { maxBytes: 100_000 }));
    expect(fetched.ok && [fetched.bytes.byteLength, fetched.truncated]).toEqual([size, false]);
  });

  test.each([
    'gzip, gzip',
    'gzip, br',
    'identity, gzip',
    'zstd',
    'deflate',
    'compress',
    'aes128gcm',
    'gzip;q=1',
    'GZIP',
    'x-gzip',
  ])('content-encoding "%s" is refused', async (coding) => {
    expect(reason(await guarded()(get(`/coding?as=${encodeURIComponent(coding)}`)))).toBe('encoding_refused');
  });

  test.each([
    ['/gzip-lie', 'body_failed'],
    ['/early-close', 'body_failed'],
    ['/no-answer', 'connection_failed'],
    ['/big-header', 'connection_failed'],
  ])('%s ends as %s', async (path, expected) => {
    const fetched = await guarded()(get(path));
    expect(reason(fetched)).toBe(expected);
    expect(fetched.ok ? '' : fetched.detail).toMatch(/ \(\w+\)$/);
  });

  test('headers over the limit are a finding where the transport let them through', async () => {
    const fetched = await guarded({ limits: { headerBytes: 1_000 } })(get('/some-headers'));
    expect(fetched).toMatchObject({
      ok: false,
      reason: 'connection_failed',
      detail: 'the headers are larger than 1000 bytes',
    });
  });

  test.each([
    ['not HTTP at all\r\n\r\n', 'connection_failed'],
    ['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n', 'body_failed'],
    ['HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nabc', 'body_failed'],
    ['HTTP/1.1 200 OK\r\nbroken header line\r\n\r\n', 'connection_failed'],
    ['', 'connection_failed'],
  ])('the raw answer %j ends as %s', async (answer, expected) => {
    const raw = await startRawServer(answer);
    expect(reason(await guarded()({ url: raw.origin }))).toBe(expected);
    await raw.close();
  });

  test('a failure without a name of its own has none in its detail', async () => {
    const fetch = () => Promise.reject(new Error('internal text of a transport'));
    expect(await guarded({ fetch })(get('/ok'))).toMatchObject({
      reason: 'connection_failed',
      detail: 'no answer came',
    });
  });

  test('a closed port is connection_failed and says why', async () => {
    const gone = await startFaultServer();
    await gone.close();
    expect(await guarded()({ url: gone.origin })).toMatchObject({
      reason: 'connection_failed',
      detail: 'no answer came (ECONNREFUSED)',
    });
  });
});

describe('time', () => {
  test.each([
    ['/silent', { firstByteMs: 40 }, 'timeout', 'no first byte within 40 ms'],
    ['/silent', { fetchMs: 40 }, 'timeout', 'no complete answer within 40 ms'],
    ['/drip', { fetchMs: 80 }, 'timeout', 'no complete answer within 80 ms'],
    ['/silent', { wallMs: 40 }, 'budget_exhausted', 'the time for the fetches of this audit is over'],
    ['/drip', { wallMs: 80 }, 'budget_exhausted', 'the time for the fetches of this audit is over'],
  ])('%s under %j ends as %s', async (path, limits, expected, detail) => {
    expect(await guarded({ limits })(get(path))).toMatchObject({ ok: false, reason: expected, detail });
  });

  test('a body that is slower than the first-byte limit is still read', async () => {
    const fetched = await guarded({ limits: { firstByteMs: 300 } })(get('/drip', { maxBytes: 25 }));
    expect(fetched).toMatchObject({ ok: true, truncated: true });
  });

  test('a target that wants no bytes waits for none: an event stream may be silent for ever', async () => {
    const silent = (): Promise<Response> => Promise.resolve(new Response(new ReadableStream()));
    const fetched = await guarded({ fetch: silent, limits: { fetchMs: 200 } })(get('/ok', { maxBytes: 0 }));
    expect(fetched).toMatchObject({ ok: true, status: 200, truncated: true });
    expect(fetched.ok && fetched.bytes.byteLength).toBe(0);
  });

  test('the caller can stop an audit before and during a fetch', async () => {
    const controller = new AbortController();
    const fetch = guarded({ signal: controller.signal });
    const running = fetch(get('/silent'));
    await vi.waitFor(() => expect(site.seen).toHaveLength(1), WAIT);
    controller.abort();
    expect(await running).toMatchObject({ reason: 'budget_exhausted', detail: 'the audit was stopped' });
    expect(await fetch(get('/ok'))).toMatchObject({ reason: 'budget_exhausted', detail: 'the audit was stopped' });
    expect(site.seen).toHaveLength(1);
  });

  test('a fetch that ignores its signal is left behind', async () => {
    expect(reason(await guarded({ fetch: deaf, limits: { firstByteMs: 20 } })(get('/ok')))).toBe('timeout');
  });
});

describe('F9: the budget of one audit', () => {
  test('requests count redirects, and all calls share them', async () => {
    const fetch = guarded({ limits: { requests: 6 } });
    expect(reason(await fetch(get('/chain?n=3')))).toBe('status 200');
    expect(reason(await fetch(get('/chain?n=2')))).toBe('budget_exhausted');
    expect(reason(await fetch(get('/ok')))).toBe('budget_exhausted');
    expect(site.seen).toHaveLength(6);
  });

  test('60 requests are the default, however many are started at once', async () => {
    const fetch = guarded();
    const all = await Promise.all(Array.from({ length: 70 }, () => fetch(get('/ok'))));
    expect(all.filter((fetched) => fetched.ok)).toHaveLength(60);
    expect(all.filter((fetched) => reason(fetched) === 'budget_exhausted')).toHaveLength(10);
    expect(site.seen).toHaveLength(60);
  });

  test('a failed fetch is not retried', async () => {
    await guarded()(get('/no-answer'));
    expect(site.seen).toHaveLength(1);
  });

  test('a refused URL costs no request', async () => {
    const fetch = guarded({ limits: { requests: 1 } });
    await fetch({ url: 'http://10.0.0.1/' });
    expect(reason(await fetch(get('/ok')))).toBe('status 200');
  });

  test('decoded bytes are counted over all fetches, and what they cut is not called truncated', async () => {
    const fetch = guarded({ limits: { totalBytes: 250_000 } });
    const outcomes = [];
    for (let call = 0; call < 4; call += 1) outcomes.push(reason(await fetch(get('/bytes?n=100000'))));
    expect(outcomes).toEqual(['status 200', 'status 200', 'budget_exhausted', 'budget_exhausted']);
  });

  test('a bomb costs the budget no more than its cap', async () => {
    const fetch = guarded({ limits: { totalBytes: 1_000_000 } });
    expect(reason(await fetch(get('/br-bomb', { maxBytes: 500_000 })))).toBe('status 200');
    expect(reason(await fetch(get('/bytes?n=300000')))).toBe('status 200');
  });

  test('after the wall time no request is made', async () => {
    let now = 0;
    const dialled: string[] = [];
    const fetch = guarded({ fetch: asPublicSite(dialled), policy: allowPublicOnly(), clock: () => now });
    const url = 'https://example.com/ok';
    expect(reason(await fetch({ url }))).toBe('status 200');
    now = 45_000;
    expect(reason(await fetch({ url }))).toBe('budget_exhausted');
    expect(dialled).toHaveLength(1);
  });

  test('ten foreign domains are visited, an eleventh is not; subdomains of one are one', async () => {
    const dialled: string[] = [];
    const fetch = guarded({ fetch: asPublicSite(dialled), policy: allowPublicOnly() });
    const visit = async (host: string): Promise<string> => reason(await fetch({ url: `https://${host}/ok` }));
    expect(await visit('www.example.com')).toBe('status 200');
    for (let index = 0; index < 10; index += 1) expect(await visit(`foreign${index}.net`)).toBe('status 200');
    expect(await visit('foreign10.net')).toBe('budget_exhausted');
    expect(await visit('api.foreign3.net')).toBe('status 200');
    expect(await visit('docs.example.com')).toBe('status 200');
    expect(dialled).not.toContain('https://foreign10.net');
  });

  test('a redirect to an eleventh foreign domain is not followed', async () => {
    const dialled: string[] = [];
    const fetch = guarded({ fetch: asPublicSite(dialled), policy: allowPublicOnly(), limits: { foreignDomains: 0 } });
    const fetched = await fetch({ url: `https://example.com/to?url=${encodeURIComponent('https://other.net/ok')}` });
    expect([reason(fetched), dialled]).toEqual(['budget_exhausted', ['https://example.com']]);
  });

  test('another audit has a budget of its own', async () => {
    const limits = { requests: 1 };
    expect(reason(await guarded({ limits })(get('/ok')))).toBe('status 200');
    expect(reason(await guarded({ limits })(get('/ok')))).toBe('status 200');
  });
});

describe('a signature', () => {
  const userAgent = formatBotUserAgent('https://sightline.test');
  const sign = async (url: string): Promise<Record<string, string>> => ({ signature: `sig1=:${btoa(url)}:` });
  const echoedSchema = z.object({ headers: z.record(z.string(), z.string()) });
  const readEchoed = (fetched: Fetched) => echoedSchema.parse(JSON.parse(text(fetched))).headers;

  test('goes with what is asked under our own name, made for each hop', async () => {
    const fetched = await guarded({ userAgent, sign })(get(`/to?url=${encodeURIComponent('/echo')}`));
    expect(fetched.redirects).toHaveLength(1);
    expect(readEchoed(fetched)['signature']).toBe(`sig1=:${btoa(`${site.origin}/echo`)}:`);
  });

  test('never goes under the name of another', async () => {
    const fetched = await guarded({ userAgent, sign })(get('/echo', { headers: { 'User-Agent': 'OtherBot/1.0' } }));
    expect(readEchoed(fetched)).toMatchObject({ 'user-agent': 'OtherBot/1.0' });
    expect(readEchoed(fetched)).not.toHaveProperty('signature');
  });
});
