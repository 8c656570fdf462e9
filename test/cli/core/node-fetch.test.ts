import { once } from 'node:events';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:tls';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ResolveName, createNodeFetch } from '../../../src/cli/core/node-fetch.ts';
import {
  type AddressPolicy,
  allowLoopbackExcept,
  allowPublicAnd,
  allowPublicOnly,
} from '../../../src/net/address-policy.ts';
import { findStop } from '../../../src/net/fetched.ts';
import { createGuardedFetch } from '../../../src/net/guarded-fetch.ts';
import { type Running, portOf, startFaultServer } from '../../net/fault-server.ts';

let site: Running;
beforeAll(async () => {
  site = await startFaultServer();
});
afterAll(async () => {
  await site.close();
});
beforeEach(() => {
  site.seen.length = 0;
});

/** Answers with the rows in turn, then with the last one again; `asked` counts. */
function resolver(...answers: (readonly string[])[]): ResolveName & { asked: string[] } {
  const asked: string[] = [];
  const resolve = async (hostname: string): Promise<readonly string[]> => {
    asked.push(hostname);
    return answers[Math.min(asked.length, answers.length) - 1] ?? [];
  };
  return Object.assign(resolve, { asked });
}

const unresolvable: ResolveName = () => Promise.reject(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }));

async function outcome(policy: AddressPolicy, url: string, resolve?: ResolveName): Promise<string> {
  const fetch = createNodeFetch(policy, resolve);
  const fetched = await createGuardedFetch({ fetch, policy, clock: () => Date.now() })({ url });
  return fetched.ok ? `status ${fetched.status}` : fetched.reason;
}

describe('createNodeFetch', () => {
  test('reads an IPv4 literal, an IPv6 literal and a name of this machine', async () => {
    expect(await outcome(allowLoopbackExcept([]), `${site.origin}/ok`)).toBe('status 200');
    expect(await outcome(allowLoopbackExcept([]), `http://localhost:${site.port}/ok`)).toBe('status 200');
    const six = createServer((_, response) => response.end('six')).listen(0, '::1');
    await once(six, 'listening');
    expect(await outcome(allowLoopbackExcept([]), `http://[::1]:${portOf(six)}/`)).toBe('status 200');
    six.close();
    six.closeAllConnections();
  });

  test.each([
    [['127.0.0.1'], 'private_target'],
    [['93.184.216.34', '127.0.0.1'], 'private_target'],
    [['::ffff:127.0.0.1'], 'private_target'],
    [['169.254.169.254'], 'private_target'],
    [['64:ff9b::7f00:1'], 'private_target'],
    [[], 'connection_failed'],
  ])('F1: a public name at %j is %s, and nothing arrives', async (addresses, expected) => {
    const policy: AddressPolicy = { ...allowPublicOnly(), checkUrl: () => undefined };
    expect(await outcome(policy, `http://example.com:${site.port}/ok`, resolver(addresses))).toBe(expected);
    expect(site.seen).toEqual([]);
  });

  test('F1: what was judged is what is dialled: a name is resolved once for a connection', async () => {
    const url = `http://app.lan:${site.port}/ok`;
    const resolve = resolver(['127.0.0.1'], ['169.254.169.254']);
    const policy = allowPublicAnd([url]);
    const fetch = createGuardedFetch({ fetch: createNodeFetch(policy, resolve), policy, clock: () => Date.now() });
    expect(await fetch({ url })).toMatchObject({ ok: true, status: 200 });
    expect(resolve.asked).toEqual(['app.lan']);
    expect(site.seen).toEqual([`GET app.lan:${site.port}/ok`]);
  });

  test('F1: a name that moves to a metadata address after its first answer is refused at the next dial', async () => {
    const url = `http://app.lan:${site.port}`;
    const policy = allowPublicAnd([url]);
    const resolve = resolver(['127.0.0.1'], ['169.254.169.254']);
    const fetch = createGuardedFetch({ fetch: createNodeFetch(policy, resolve), policy, clock: () => Date.now() });
    expect(await fetch({ url: `${url}/early-close` })).toMatchObject({ reason: 'body_failed' });
    const refused = await fetch({ url: `${url}/ok` });
    expect(refused).toMatchObject({ ok: false, reason: 'private_target' });
    expect(refused).toHaveProperty('detail', expect.stringContaining('app.lan resolves to 169.254.169.254'));
    expect(resolve.asked).toHaveLength(2);
  });

  test('F1: requests to one origin share its connections, and another origin at the same address is judged by itself', async () => {
    const sockets = new Set<unknown>();
    const server = createServer((request, response) => {
      sockets.add(request.socket);
      setImmediate(() => response.end('here'));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://app.lan:${portOf(server)}`;
    const policy = allowPublicAnd([url]);
    const resolve = resolver(['127.0.0.1']);
    const fetch = createGuardedFetch({ fetch: createNodeFetch(policy, resolve), policy, clock: () => Date.now() });
    const many = Array.from({ length: 30 }, (_, index) => fetch({ url: `${url}/${index}` }));
    expect((await Promise.all(many)).filter(({ ok }) => !ok)).toEqual([]);
    expect(sockets.size).toBeLessThanOrEqual(6);
    expect(resolve.asked.length).toBe(sockets.size);
    expect(await fetch({ url: `http://other.lan:${portOf(server)}/` })).toMatchObject({ reason: 'private_target' });
    expect(sockets.size).toBeLessThanOrEqual(6);
    server.close();
    server.closeAllConnections();
  });

  test('tries the next judged address when the first does not answer', async () => {
    const url = `http://app.lan:${site.port}/ok`;
    expect(await outcome(allowPublicAnd([url]), url, resolver(['::1', '127.0.0.1']))).toBe('status 200');
  });

  test('a resolver error is connection_failed', async () => {
    expect(await outcome(allowPublicOnly(), 'http://example.com/', unresolvable)).toBe('connection_failed');
  });

  test.each([
    'http://127.0.0.1:3999/',
    'http://[::1]:3999/',
    'http://localhost:3999/',
    'http://example.com:3999/',
    'http://router/',
  ])('F1: asked for %s without the guard in front, it refuses to dial', async (url) => {
    const resolve = resolver(['93.184.216.34']);
    const fetch = createNodeFetch(allowPublicOnly(), resolve);
    const error: unknown = await fetch(url, {
      method: 'GET',
      headers: {},
      redirect: 'manual',
      signal: AbortSignal.timeout(5_000),
    }).catch((cause: unknown) => cause);
    expect(findStop(error)?.reason).toMatch(/^(?:private_target|port_refused)$/);
    expect(resolve.asked).toEqual([]);
  });

  test('the TLS server name is the host name, not the address that is dialled', async () => {
    const names: string[] = [];
    const server = createTlsServer({ SNICallback: (name, done) => (names.push(name), done(null)) });
    server.on('tlsClientError', () => undefined);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `https://app.lan:${portOf(server)}/`;
    expect(await outcome(allowPublicAnd([url]), url, resolver(['127.0.0.1']))).toBe('connection_failed');
    expect(names).toEqual(['app.lan']);
    server.close();
  });
});
