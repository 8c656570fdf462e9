import { env } from 'cloudflare:workers';
import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { getSessionRegistryName } from '../../../../src/mcp/session.ts';
import { McpSession } from '../../../../durable-objects/mcp-session.ts';
import { buildOrderRequest } from '../../../../src/sales/mcp/mcp-tools.ts';
import { type Env, readSettings } from '../../../../routes/api/bindings/env.ts';
import { messagesOf, type Rpc, rpcOf, send, type Sent } from './world.ts';
import { decode, PAYER, signedCredential, type World, world } from '../world.ts';
import { buildToolTable } from '../../../../src/mcp/tools.ts';

/** Tools that `/mcp` lists. */
const TOOL_COUNT = buildToolTable({ payTo: undefined, door: 'open' }).length;

let seen: World;
beforeEach(() => {
  seen = world();
});
afterEach(() => {
  vi.restoreAllMocks();
});

const SITE = { url: 'https://shop.example/' };
let callers = 0;

type Client = {
  sessionId: string;
  ask: (method: string, params?: Record<string, unknown>, sent?: Sent) => Promise<Response>;
  headers: Record<string, string>;
};

const initialize = (protocolVersion: string) => ({
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion, capabilities: {}, clientInfo: { name: 'old', version: '1' } },
});

/** A client of the 2025 era: initializes, and sends every request under its session. */
async function client(protocolVersion = '2025-11-25', caller?: string): Promise<Client> {
  callers += 1;
  const address = caller ?? `192.0.2.${callers % 250}`;
  const answer = await send({ headers: { 'cf-connecting-ip': address }, body: initialize(protocolVersion) });
  expect(answer.status).toBe(200);
  const sessionId = answer.headers.get('mcp-session-id') ?? '';
  expect((await rpcOf(answer)).result).toMatchObject({ protocolVersion, serverInfo: { name: 'sightline' } });
  const headers = {
    'cf-connecting-ip': address,
    'mcp-session-id': sessionId,
    'mcp-protocol-version': protocolVersion,
  };
  const ask: Client['ask'] = (method, params = {}, sent = {}) =>
    send({
      ...sent,
      headers: { ...headers, ...sent.headers },
      body: { jsonrpc: '2.0', id: 1, method, params },
    });
  await send({ headers, body: { jsonrpc: '2.0', method: 'notifications/initialized' } });
  return { sessionId, ask, headers };
}

const toolsOf = ({ result }: Rpc): unknown[] => result?.['tools'] as unknown[];

/** What the session objects receive from now on. */
function spyOnSessions() {
  const { calls } = vi.spyOn(McpSession.prototype, 'serve').mock;
  return () => calls.map(([request]) => request);
}

/** Makes a session that much older for its own object, in milliseconds. */
const aged = (sessionId: string, ageMs: number): Promise<void> =>
  runInDurableObject(env.MCP_SESSION.getByName(sessionId), async (_object, { storage }) => {
    const state = storage.kv.get<{ seenMs: number }>('state');
    if (!state) throw new Error('no state');
    storage.kv.put('state', { ...state, seenMs: state.seenMs - ageMs });
  });

const registryFor = (holder: string) => env.MCP_SESSION_REGISTRY.getByName(getSessionRegistryName(holder));
const inRegistry = <T>(holder: string, work: (sql: SqlStorage) => T): Promise<T> =>
  runInDurableObject(registryFor(holder), (_object, { storage }) => work(storage.sql));

const rowsOf = async (holder: string): Promise<number> => {
  await registryFor(holder).release('none'); // A registry has its table from its first call on.
  return inRegistry(holder, (sql) => sql.exec('SELECT id FROM sessions WHERE holder = ?', holder).toArray().length);
};
const seenOf = (holder: string, id: string): Promise<unknown> =>
  inRegistry(holder, (sql) => sql.exec('SELECT seen_ms FROM sessions WHERE id = ?', id).toArray()[0]?.['seen_ms']);
const setSeen = (holder: string, id: string, seenMs: number): Promise<unknown> =>
  inRegistry(holder, (sql) => sql.exec('UPDATE sessions SET seen_ms = ? WHERE id = ?', seenMs, id).toArray());

test('a payer proof over MCP signs the SHA-256 of the canonical JSON of the arguments', async () => {
  const args = { url: 'https://shop.example/', competitor: 'https://other.example/' };
  const bindings = env as unknown as Env; // The same, under the types of the Worker.
  const { BASE_URL } = readSettings(bindings);
  const text = await buildOrderRequest(BASE_URL, { name: 'compare', arguments: args }).text();
  expect(text).toBe('{"competitor":"https://other.example/","url":"https://shop.example/"}');
});

describe('sessions of 2025-era clients', () => {
  test.each(['2025-11-25', '2025-06-18'])('revision %s initializes, lists and calls a free tool', async (version) => {
    const { sessionId, ask } = await client(version);
    expect(sessionId).toMatch(/^[0-9a-f]{32}$/);
    expect(toolsOf(await rpcOf(await ask('tools/list')))).toHaveLength(TOOL_COUNT);
    const { result } = await rpcOf(await ask('tools/call', { name: 'index', arguments: {} }));
    expect(result?.['structuredContent']).toMatchObject({ name: 'Sightline' });
    expect((await rpcOf(await ask('ping'))).result).toEqual({});
  });

  test('a client that asks for another revision is offered 2025-11-25', async () => {
    const answer = await send({ body: initialize('1999-01-01') });
    expect((await rpcOf(answer)).result).toMatchObject({ protocolVersion: '2025-11-25' });
  });

  test('a paid call is asked for payment, bought, and delivered once, with progress', async () => {
    const { ask } = await client();
    const unpaid = await rpcOf(await ask('tools/call', { name: 'check_health', arguments: SITE }));
    expect(unpaid.result).toMatchObject({ isError: true, structuredContent: { x402Version: 2 } });
    const _meta = { 'x402/payment': decode(await signedCredential()), progressToken: 'p' };
    const messages = await messagesOf(await ask('tools/call', { name: 'check_health', arguments: SITE, _meta }));
    expect(messages.filter(({ method }) => method === 'notifications/progress').length).toBeGreaterThan(0);
    const result = messages.at(-1)?.result;
    expect(result?.['_meta']).toMatchObject({ 'x402/payment-response': { success: true, payer: PAYER } });
    expect(seen.calls.settle).toHaveLength(1);
  });

  test('PAYMENT-SIGNATURE of one request pays for that request alone', async () => {
    const { ask } = await client();
    const headers = { 'payment-signature': await signedCredential() };
    const bought = await rpcOf(await ask('tools/call', { name: 'check_health', arguments: SITE }, { headers }));
    expect(bought.result?.['isError']).toBeUndefined();
    const next = await rpcOf(await ask('tools/call', { name: 'check_health', arguments: SITE }));
    expect(next.result).toMatchObject({ isError: true, structuredContent: { x402Version: 2 } });
  });

  test('A6: resources are the catalogue, the template and reports by their id', async () => {
    const { ask } = await client();
    const list = await rpcOf(await ask('resources/list'));
    expect(list.result?.['resources']).toHaveLength(1);
    const read = await rpcOf(await ask('resources/read', { uri: 'sightline://catalogue' }));
    expect(read.result?.['contents']).toHaveLength(1);
    const none = await rpcOf(await ask('resources/read', { uri: `sightline://reports/${'0'.repeat(32)}` }));
    expect(none.error?.code).toBe(-32_602);
  });

  test('A7: a session belongs to the caller that made it: another one meets 404', async () => {
    const { ask, sessionId } = await client();
    const stolen = await ask('tools/list', {}, { headers: { 'cf-connecting-ip': '198.18.0.9' } });
    expect(stolen.status).toBe(404);
    expect((await rpcOf(stolen)).error?.code).toBe(-32_001);
    expect(await (await ask('tools/list')).text()).toContain('check_health');
    expect(sessionId).not.toBe('');
  });

  test.each([
    { what: 'an id that nobody was given', id: 'f'.repeat(32) },
    { what: 'an id of another form', id: 'not-a-session' },
    { what: 'an id of 4 KB', id: 'a'.repeat(4096) },
  ])('A7: $what answers 404', async ({ id }) => {
    const answer = await send({
      headers: { 'mcp-session-id': id },
      body: { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} },
    });
    expect(answer.status).toBe(404);
  });

  test.each(['f'.repeat(32), 'not-a-session'])(
    'A7: initialize under the made-up id %s makes no session: ids are ours',
    async (id) => {
      const headers = { 'mcp-session-id': id, 'cf-connecting-ip': '192.0.2.253' };
      const answer = await send({ headers, body: initialize('2025-11-25') });
      expect(answer.status).toBe(404);
      expect((await rpcOf(answer)).error?.code).toBe(-32_001);
      const list = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
      expect((await send({ headers, body: list })).status).toBe(404);
      expect(await rowsOf('open:192.0.2.253')).toBe(0);
    },
  );

  test('A7: initialize under an id that was ended makes none either', async () => {
    const { headers, sessionId } = await client();
    expect((await send({ method: 'DELETE', headers })).status).toBe(200);
    expect((await send({ headers, body: initialize('2025-11-25') })).status).toBe(404);
    await runInDurableObject(env.MCP_SESSION.getByName(sessionId), async (_object, { storage }) => {
      expect(storage.kv.get('state')).toBeUndefined();
    });
  });

  test('a second initialize inside a session is refused, also after its object was evicted, and ends nothing', async () => {
    const { ask, headers, sessionId } = await client();
    const again = async (): Promise<Rpc & { status: number }> => {
      const answer = await send({ headers, body: initialize('2025-11-25') });
      return { status: answer.status, ...(await rpcOf(answer)) };
    };
    expect(await again()).toMatchObject({ status: 400, error: { code: -32_600 } });
    await evictDurableObject(env.MCP_SESSION.getByName(sessionId));
    expect(await again()).toMatchObject({ status: 400, error: { code: -32_600 } });
    expect(toolsOf(await rpcOf(await ask('tools/list')))).toHaveLength(TOOL_COUNT);
  });

  test.each([
    { what: 'that takes no events', headers: { accept: 'application/json' }, params: initialize('2025-11-25').params },
    { what: 'without params', headers: {}, params: undefined },
  ])('A7: an initialize $what fails and keeps nothing', async ({ headers, params }) => {
    const received = spyOnSessions();
    const caller = { 'cf-connecting-ip': '192.0.2.254', ...headers };
    const answer = await send({ headers: caller, body: { jsonrpc: '2.0', id: 0, method: 'initialize', params } });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    const [begun] = received();
    expect(begun?.isNew).toBe(true);
    await runInDurableObject(env.MCP_SESSION.getByName(begun?.sessionId ?? ''), async (_object, { storage }) => {
      expect(storage.kv.get('state')).toBeUndefined();
      expect(await storage.getAlarm()).toBeNull();
    });
    expect(await rowsOf('open:192.0.2.254')).toBe(0);
  });

  test('a start that failed is tried again by the next request', async () => {
    const { ask, sessionId } = await client();
    await evictDurableObject(env.MCP_SESSION.getByName(sessionId));
    const prototype = McpSession.prototype as unknown as { newServer: () => unknown };
    vi.spyOn(prototype, 'newServer').mockImplementationOnce(() => {
      throw new Error('no server now');
    });
    expect((await ask('tools/list')).status).toBe(500);
    expect(toolsOf(await rpcOf(await ask('tools/list')))).toHaveLength(TOOL_COUNT);
  });

  test('A7, A12: no token, cookie or payment of a header reaches the session object', async () => {
    const received = spyOnSessions();
    const { ask } = await client();
    await ask('tools/list', {}, { headers: { authorization: 'Bearer secret-token', cookie: 'session=secret-cookie' } });
    const names = new Set(received().flatMap(({ headers }) => headers.map(([name]) => name)));
    expect([...names].toSorted()).toEqual(['accept', 'content-type', 'mcp-protocol-version']);
    expect(received().length).toBeGreaterThan(2);
    expect(JSON.stringify(received())).not.toContain('secret-');
  });

  test('A7: the alarm ends an idle session, and leaves a busy one with another alarm', async () => {
    const idle = await client();
    const busy = await client();
    const [ended, kept] = [idle, busy].map(({ sessionId }) => env.MCP_SESSION.getByName(sessionId));
    if (!ended || !kept) throw new Error('no sessions');
    await aged(idle.sessionId, 600_000);
    expect(await runDurableObjectAlarm(ended)).toBe(true);
    expect(await runDurableObjectAlarm(kept)).toBe(true);
    await runInDurableObject(ended, async (_object, { storage }) => {
      expect(storage.kv.get('state')).toBeUndefined();
      expect(await storage.getAlarm()).toBeNull();
    });
    await runInDurableObject(kept, async (_object, { storage }) => expect(await storage.getAlarm()).not.toBeNull());
    const holder = ({ headers }: Client) => `open:${headers['cf-connecting-ip']}`;
    expect(await seenOf(holder(busy), busy.sessionId)).toBeDefined();
    expect(await rowsOf(holder(idle))).toBe(0);
  });

  test('A7: a session that is used is seen by its registry, at most once a minute', async () => {
    const { ask, sessionId, headers } = await client();
    const holder = `open:${headers['cf-connecting-ip']}`;
    await setSeen(holder, sessionId, 1);
    await (await ask('tools/list')).text();
    expect(await seenOf(holder, sessionId)).toBe(1);
    await aged(sessionId, 60_000);
    await (await ask('tools/list')).text();
    expect(await seenOf(holder, sessionId)).toBeGreaterThan(1);
  });

  test('A7: a registry forgets what gave no sign, at its alarm and before it counts, and at last all', async () => {
    const holder = 'open:192.0.2.1';
    const registry = registryFor(holder);
    const ids = ['a', 'b', 'c'].map((letter) => letter.repeat(32));
    const [first = '', second = '', third = ''] = ids;
    const seenAll = (some: string[]) => Promise.all(some.map((id) => seenOf(holder, id)));
    for (const id of ids) await registry.admit(id, holder);
    await setSeen(holder, first, Date.now() - 13 * 60_000);
    expect(await runDurableObjectAlarm(registry)).toBe(true);
    expect(await seenAll(ids)).toEqual([undefined, expect.any(Number), expect.any(Number)]);
    await setSeen(holder, second, Date.now() - 13 * 60_000);
    await registry.admit('d'.repeat(32), holder);
    expect(await seenAll([second, third])).toEqual([undefined, expect.any(Number)]);
    for (const id of [third, 'd'.repeat(32)]) await registry.release(id);
    expect(await runDurableObjectAlarm(registry)).toBe(true);
    await runInDurableObject(registry, async (_object, { storage }) => {
      expect(storage.sql.exec("SELECT name FROM sqlite_master WHERE name LIKE '%session%'").toArray()).toEqual([]);
    });
    expect(await registry.admit(first, holder)).toBe('admitted');
  });

  test('A7: callers of one IPv6 /48 have 200 sessions together, and their neighbour has its own', async () => {
    const admit = (index: number, network: string) => {
      const holder = `open:${network}:${(index % 50).toString(16)}::/64`;
      return registryFor(holder).admit(index.toString(16).padStart(32, '0'), holder);
    };
    for (let index = 0; index < 200; index += 1) expect(await admit(index, '2001:db8:7')).toBe('admitted');
    expect(await admit(200, '2001:db8:7')).toBe('full');
    expect(await admit(201, '2001:db8:8')).toBe('admitted');
    await registryFor('open:2001:db8:7:1::/64').release('0'.repeat(32));
    expect(await admit(202, '2001:db8:7')).toBe('admitted');
  });

  test('B6: strangers with 101 addresses and 10,100 sessions close the endpoint for nobody else', async () => {
    for (let caller = 0; caller < 101; caller += 1) {
      const holder = `open:198.18.1.${caller}`;
      await registryFor(holder).admit('0'.repeat(32), holder);
      await inRegistry(holder, (sql) =>
        sql.exec(
          `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 99)
           INSERT INTO sessions SELECT 'x' || i, ?, ? FROM n`,
          holder,
          Date.now(),
        ),
      );
      expect(await registryFor(holder).admit('1'.repeat(32), holder)).toBe('full');
    }
    expect((await client()).sessionId).not.toBe('');
  });

  test('B6: the one registry of earlier versions ends with its alarm', async () => {
    const registry = env.MCP_SESSION_REGISTRY.getByName('registry');
    await runInDurableObject(registry, async (_object, { storage }) => {
      storage.sql.exec(
        'CREATE TABLE live (id TEXT PRIMARY KEY, holder TEXT, network TEXT, door TEXT, seen_ms INTEGER)',
      );
      storage.sql.exec("INSERT INTO live VALUES ('x', 'open:1', 'open:1', 'open', 1)");
      await storage.setAlarm(Date.now() + 60_000);
    });
    expect(await runDurableObjectAlarm(registry)).toBe(true);
    await runInDurableObject(registry, async (_object, { storage }) => {
      expect(storage.sql.exec("SELECT name FROM sqlite_master WHERE name = 'live'").toArray()).toEqual([]);
      expect(await storage.getAlarm()).toBeNull();
    });
  });

  test('A7: DELETE ends a session, and only its owner can', async () => {
    const { ask, headers } = await client();
    const foreign = await send({ method: 'DELETE', headers: { ...headers, 'cf-connecting-ip': '198.18.0.8' } });
    expect(foreign.status).toBe(404);
    expect((await ask('tools/list')).status).toBe(200);
    expect((await send({ method: 'DELETE', headers })).status).toBe(200);
    expect((await ask('tools/list')).status).toBe(404);
  });

  test('A7: after its object was evicted a session goes on', async () => {
    const { ask, sessionId } = await client();
    await (await ask('tools/list')).text();
    await evictDurableObject(env.MCP_SESSION.getByName(sessionId));
    expect(toolsOf(await rpcOf(await ask('tools/list')))).toHaveLength(TOOL_COUNT);
    expect((await rpcOf(await ask('ping'))).result).toEqual({});
  });

  test('A7: a session that was idle for ten minutes has ended', async () => {
    const { ask, sessionId } = await client();
    await aged(sessionId, 600_000);
    expect((await ask('tools/list')).status).toBe(404);
  });

  test('A7: a caller has 100 sessions, and one more when it ends one', async () => {
    const caller = '192.0.2.251';
    const registry = registryFor(`open:${caller}`);
    const kept = await client('2025-11-25', caller);
    for (let index = 1; index < 100; index += 1) {
      expect(await registry.admit(index.toString(16).padStart(32, '0'), `open:${caller}`)).toBe('admitted');
    }
    const refused = await send({ headers: { 'cf-connecting-ip': caller }, body: initialize('2025-11-25') });
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('60');
    expect((await client('2025-11-25', '192.0.2.252')).sessionId).not.toBe('');
    await send({ method: 'DELETE', headers: kept.headers });
    expect((await client('2025-11-25', caller)).sessionId).not.toBe('');
  });

  test('GET opens one stream for messages of the server', async () => {
    const { headers } = await client();
    const stream = await send({ method: 'GET', headers: { ...headers, accept: 'text/event-stream' } });
    expect(stream.status).toBe(200);
    expect(stream.headers.get('content-type')).toBe('text/event-stream');
    const second = await send({ method: 'GET', headers: { ...headers, accept: 'text/event-stream' } });
    expect(second.status).toBe(409);
    await stream.body?.cancel();
  });

  test.each([
    { what: 'GET', method: 'GET', status: 405 },
    { what: 'DELETE', method: 'DELETE', status: 405 },
  ])('$what without a session is $status', async ({ method, status }) => {
    const answer = await send({ method });
    expect(answer.status).toBe(status);
    expect(answer.headers.get('allow')).toBe('POST');
  });

  test('a request of the 2025 era without a session is 400 and says what to do', async () => {
    const answer = await send({ body: { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} } });
    expect(answer.status).toBe(400);
    expect((await rpcOf(answer)).error?.message).toContain('Mcp-Session-Id');
  });

  test('an unsupported MCP-Protocol-Version inside a session is 400', async () => {
    const { ask } = await client();
    const answer = await ask('tools/list', {}, { headers: { 'mcp-protocol-version': '2024-01-01' } });
    expect(answer.status).toBe(400);
  });

  test('Y8: a call that is cancelled before it is paid charges nothing', async () => {
    const { ask, headers } = await client();
    // No promise may pass between the contexts of two requests, so each side looks again and again.
    const site = { isReached: false, isReleased: false };
    seen.site = async () => {
      site.isReached = true;
      while (!site.isReleased) await scheduler.wait(10);
      return new Response('<title>x</title>', { headers: { 'content-type': 'text/html' } });
    };
    const _meta = { 'x402/payment': decode(await signedCredential()) };
    const running = await ask('tools/call', { name: 'check_health', arguments: SITE, _meta });
    await vi.waitFor(() => expect(site.isReached).toBe(true));
    const notice = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1, reason: 'enough' } };
    expect((await send({ headers, body: notice })).status).toBe(202);
    site.isReleased = true;
    await vi.waitFor(() => expect(seen.logs.some((line) => line.includes('"cancelled"'))).toBe(true));
    await running.body?.cancel();
    expect(seen.calls.settle).toEqual([]);
  });
});
