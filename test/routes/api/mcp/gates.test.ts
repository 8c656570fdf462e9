import { env, exports } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { envelope, modern, MODERN, rpcOf, send } from './world.ts';
import { world } from '../world.ts';

beforeEach(() => {
  world();
});
afterEach(() => {
  vi.restoreAllMocks();
});

const list = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: envelope } };
const index = { name: 'index', arguments: {} };

describe.each(['/mcp', '/mcp-account'])('the gates of %s', (path) => {
  test.each(['https://evil.example', 'null', 'http://sightline.test', 'https://sightline.test.evil.example'])(
    'Y1: the foreign Origin %s is 403',
    async (origin) => {
      const answer = await send({ path, headers: { origin }, body: list });
      expect(answer.status).toBe(403);
      expect((await rpcOf(answer)).error?.code).toBe(-32_000);
    },
  );

  test('Y1: a foreign Host is 403', async () => {
    const answer = await exports.default.fetch(new Request(`https://evil.example${path}`, { method: 'POST' }));
    expect(answer.status).toBe(403);
  });

  test('the preflight of a browser passes and names all headers of both eras', async () => {
    const answer = await send({ path, method: 'OPTIONS', headers: { origin: 'https://sightline.test' } });
    expect(answer.status).toBe(204);
    const allowed = (answer.headers.get('access-control-allow-headers') ?? '').split(', ');
    for (const name of [
      'authorization',
      'content-type',
      'mcp-protocol-version',
      'mcp-method',
      'mcp-name',
      'mcp-session-id',
      'last-event-id',
      'payment-signature',
    ])
      expect(allowed).toContain(name);
    const exposed = answer.headers.get('access-control-expose-headers') ?? '';
    for (const name of ['WWW-Authenticate', 'Mcp-Session-Id', 'Retry-After', 'PAYMENT-RESPONSE'])
      expect(exposed).toContain(name);
  });
});

describe('bad input at the open endpoint', () => {
  test('Y1: our own Origin passes, and so does one that the deployment names', async () => {
    expect((await send({ headers: { origin: env.BASE_URL, ...modernHeaders }, body: list })).status).toBe(200);
    const { isAllowed } = await import('../../../../routes/api/mcp/gates.ts');
    expect(isAllowed('https://a.example', 'https://b.example, https://a.example')).toBe(true);
    expect(isAllowed('https://a.example', 'https://a.example.evil')).toBe(false);
    expect(isAllowed('https://a.example', undefined)).toBe(false);
  });

  const modernHeaders = { 'mcp-protocol-version': MODERN, 'mcp-method': 'tools/list' };
  test.each([
    { what: 'no JSON', text: '{"jsonrpc":', status: 400, code: -32_700 },
    { what: 'nothing', text: '', status: 400, code: -32_700 },
    { what: 'a number', text: '7', status: 400, code: -32_600 },
    { what: 'a batch', text: `[${JSON.stringify(list)}]`, status: 400, code: -32_600 },
    { what: 'a batch of 100,000', text: `[${'1,'.repeat(99_999)}1]`, status: 400, code: -32_600 },
    { what: 'JSON nested 50,000 deep', text: '['.repeat(50_000), status: 400, code: -32_700 },
    { what: 'Y7: 4 MiB', text: `{"x":"${'a'.repeat(4 * 1024 * 1024)}"}`, status: 413, code: -32_000 },
  ])('$what is $status', async ({ text, status, code }) => {
    const answer = await send({ text, headers: modernHeaders });
    expect(answer.status).toBe(status);
    expect((await rpcOf(answer)).error?.code).toBe(code);
  });

  test.each([
    { what: 'another media type', headers: { 'content-type': 'text/plain' }, status: 415 },
    { what: 'a form', headers: { 'content-type': 'application/x-www-form-urlencoded' }, status: 415 },
    {
      what: 'Y2: a method that is not the body’s',
      headers: { 'mcp-method': 'tools/call' },
      status: 400,
      code: -32_020,
    },
    { what: 'Y2: another revision than the body’s', headers: { 'mcp-protocol-version': '2025-11-25' }, status: 400 },
  ])('$what is $status', async ({ headers, status, code }) => {
    const answer = await modern('tools/list', {}, { headers });
    expect(answer.status).toBe(status);
    if (code !== undefined) expect((await rpcOf(answer)).error?.code).toBe(code);
  });

  test('Y2: Mcp-Name that is not the tool of the body is 400 -32020', async () => {
    const answer = await modern('tools/call', index, { headers: { 'mcp-name': 'check_health' } });
    expect(answer.status).toBe(400);
    expect((await rpcOf(answer)).error?.code).toBe(-32_020);
  });

  test('a revision that nobody knows is 400 -32022 and names what is served', async () => {
    const _meta = { 'io.modelcontextprotocol/protocolVersion': '2099-01-01' };
    const answer = await modern('tools/list', { _meta }, { headers: { 'mcp-protocol-version': '2099-01-01' } });
    expect(answer.status).toBe(400);
    expect((await rpcOf(answer)).error).toMatchObject({ code: -32_022, data: { supported: ['2026-07-28'] } });
  });

  test('an unknown method is 404 -32601', async () => {
    const answer = await modern('no/such');
    expect(answer.status).toBe(404);
    expect((await rpcOf(answer)).error?.code).toBe(-32_601);
  });

  test.each(['tasks/get', 'tasks/list', 'roots/list', 'logging/setLevel'])('Y3: %s is not served', async (method) => {
    expect((await rpcOf(await modern(method))).error?.code).toBe(-32_601);
  });

  test.each(['PUT', 'PATCH'])('%s is 405', async (method) => {
    expect((await send({ method })).status).toBe(405);
  });

  test.each(['/mcp/', '/mcp/sub', '/MCP', '/mcp-account/x'])('%s is a JSON 404', async (path) => {
    const answer = await send({ path, body: list });
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({ code: 'not_found' });
  });

  test('free calls of one caller have a limit; the refusal says when to come back', async () => {
    const headers = { 'cf-connecting-ip': '198.18.7.7' };
    let answer = await send({ text: '{}', headers });
    const { status: usual } = answer;
    // The minute may turn over in the midst of them, and an isolate lets the first 30 of a minute pass: twice 330 at most.
    for (let asked = 0; asked <= 700 && answer.status === usual; asked += 1)
      answer = await send({ text: '{}', headers });
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '60']);
  });
});
