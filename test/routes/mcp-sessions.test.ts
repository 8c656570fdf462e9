import { env } from 'cloudflare:workers';
import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { messagesOf, type Rpc, rpcOf, send, type Sent } from './mcp-world.ts';
import { decode, PAYER, signedCredential, type World, world } from './world.ts';

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

describe('sessions of 2025-era clients', () => {
  test.each(['2025-11-25', '2025-06-18'])('revision %s initializes, lists and calls a free tool', async (version) => {
    const { sessionId, ask } = await client(version);
    expect(sessionId).toMatch(/^[0-9a-f]{32}$/);
    expect(toolsOf(await rpcOf(await ask('tools/list')))).toHaveLength(20);
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
    expect(toolsOf(await rpcOf(await ask('tools/list')))).toHaveLength(20);
    expect((await rpcOf(await ask('ping'))).result).toEqual({});
  });

  test('A7: a session that was idle for ten minutes has ended', async () => {
    const { ask, sessionId } = await client();
    await runInDurableObject(env.MCP_SESSION.getByName(sessionId), async (_object, { storage }) => {
      const state = storage.kv.get<{ seenMs: number }>('state');
      if (!state) throw new Error('no state');
      storage.kv.put('state', { ...state, seenMs: state.seenMs - 600_000 });
    });
    expect((await ask('tools/list')).status).toBe(404);
  });

  test('A7: a caller has 100 sessions, and one more when it ends one', async () => {
    const caller = '192.0.2.251';
    const registry = env.MCP_SESSION_REGISTRY.getByName('registry');
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
