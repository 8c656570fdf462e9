import { describe, expect, test } from 'vitest';
import { checkMcp } from '../../../src/deploy/checks/mcp.ts';
import { API, type Answers, bodyOf, fakePorts, found, json, shortly } from './answers.ts';

const SESSION = 'f'.repeat(32);
const rpc = (result: unknown) => ({ jsonrpc: '2.0', id: 1, result });
const initialized = rpc({ protocolVersion: '2025-11-25', serverInfo: { name: 'sightline', version: '0.1.0' } });
const tools = (...names: string[]) => rpc({ tools: names.map((name) => ({ name })) });

type Asked = { method: string; params: { cursor?: string } };
const readAsked = (init: RequestInit): Asked => JSON.parse(bodyOf(init)) as Asked;

const server = (list: (asked: Asked) => unknown = () => tools('index', 'full_audit')): Answers => ({
  'GET /api/agent/index': json({ capabilities: { full_audit: {} } }),
  'POST /mcp': (init) => {
    const asked = readAsked(init);
    if (asked.method === 'initialize') return Response.json(initialized, { headers: { 'mcp-session-id': SESSION } });
    return new Response(`event: message\ndata: ${JSON.stringify(list(asked))}\n\n`);
  },
  'DELETE /mcp': () => new Response(null, { status: 204 }),
});

const check = (answers: Answers) => checkMcp({ addresses: { api: API } }, fakePorts(answers));

describe('the MCP endpoint', () => {
  test('that answers with and without a session passes, and the session is ended', async () => {
    const ports = fakePorts(server());
    const results = await checkMcp({ addresses: { api: API } }, ports);
    expect(shortly(results)).toEqual(['pass mcp.initialize', 'pass mcp.tools', 'pass mcp.stateless']);
    expect(ports.asked.at(-1)).toBe('DELETE /mcp');
    expect(new Headers(ports.sent.at(-1)?.headers).get('mcp-session-id')).toBe(SESSION);
  });

  test('tools are read over pages', async () => {
    const paged = server(({ params: { cursor } }) =>
      cursor === undefined ? rpc({ tools: [{ name: 'index' }], nextCursor: '2' }) : tools('full_audit'),
    );
    expect(found(await check(paged), 'mcp.tools').detail).toBe('2 tools');
  });

  test('pages without end do end', async () => {
    const results = await check(server(() => rpc({ tools: [{ name: 'index' }], nextCursor: 'again' })));
    expect(found(results, 'mcp.tools').status).toBe('fail');
  });

  test('a capability that is no tool fails', async () => {
    expect(found(await check(server(() => tools('index'))), 'mcp.tools').detail).toContain('full_audit');
  });

  test('an answer without a session, or that is no JSON-RPC, fails', async () => {
    for (const answer of [json(initialized), json({ error: 'x' }, 500), () => new Response('<html>')])
      expect(shortly(await check({ ...server(), 'POST /mcp': answer }))).toEqual(['fail mcp.initialize']);
  });

  test('no answer, and a limit that was reached, are unknown', async () => {
    expect((await check({})).every(({ status }) => status === 'unknown')).toBe(true);
    expect(shortly(await check({ ...server(), 'POST /mcp': json({}, 429) }))).toEqual(['unknown mcp.initialize']);
  });
});
