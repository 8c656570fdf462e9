import { createMcpHandler, ResourceNotFoundError, Server } from '@modelcontextprotocol/server';
import { afterEach, expect, test } from 'vitest';
import { type HttpServer, readBody, sendJson, startHttpServer } from '../../local/http-server.ts';
import { remoteHost } from '../../src/cli/mcp-remote.ts';
import type { ToolCall } from '../../src/mcp/tool-host.ts';

const started: HttpServer[] = [];
afterEach(async () => {
  for (const one of started.splice(0)) await one.stop();
});

type Seen = { authorization: string | undefined; body: string; path: string };

const PAYMENT_REQUIRED = { x402Version: 2, accepts: [], error: 'Payment required' };

/** A service's MCP endpoint: says back what a call brought, or answers `status` to everything. */
async function service(status?: number, location = ''): Promise<{ url: string; seen: Seen[] }> {
  const seen: Seen[] = [];
  const handler = createMcpHandler(() => {
    const server = new Server({ name: 'service', version: '1' }, { capabilities: { tools: {}, resources: {} } });
    server.setRequestHandler('tools/list', () => ({ tools: [] }));
    server.setRequestHandler('tools/call', ({ params }) =>
      params.name === 'unpaid'
        ? { isError: true, content: [], structuredContent: PAYMENT_REQUIRED, _meta: { 'x402/error': PAYMENT_REQUIRED } }
        : {
            content: [{ type: 'text', text: 'done' }],
            structuredContent: { given: params.arguments, meta: params._meta },
          },
    );
    server.setRequestHandler('resources/read', ({ params }) => {
      if (params.uri.endsWith('missing')) throw new ResourceNotFoundError(params.uri);
      if (params.uri.endsWith('failing')) throw new Error('hostile-marker');
      return { contents: [{ uri: params.uri, text: 'report' }] };
    });
    return server;
  });
  const server = await startHttpServer(async (request, response) => {
    const body = await readBody(request);
    seen.push({ authorization: request.headers.authorization, body, path: request.url ?? '' });
    if (status === 302) return void response.writeHead(302, { location }).end();
    if (status !== undefined) return sendJson(response, status, { error: 'hostile-marker' });
    const headers = Object.entries(request.headers).map(([name, value]): [string, string] => [name, String(value)]);
    const answer = await handler.fetch(
      new Request(`http://${request.headers.host}/mcp`, {
        method: request.method ?? 'POST',
        headers,
        ...(body === '' ? {} : { body }),
      }),
    );
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    return void response.end(await answer.text());
  });
  started.push(server);
  return { url: `${server.url}/mcp`, seen };
}

const call = (name: string, more: Partial<ToolCall> = {}): ToolCall => ({
  name,
  arguments: { a: 1 },
  meta: {},
  ...more,
});

test('a call is handed on with its token in the Authorization header and nowhere else', async () => {
  const at = await service();
  const result = await remoteHost({ url: at.url, token: 'slm_secret-marker', fetch }).callTool(call('any'));
  expect(result).toMatchObject({ content: [{ type: 'text', text: 'done' }], structuredContent: { given: { a: 1 } } });
  expect(new Set(at.seen.map(({ authorization }) => authorization))).toEqual(new Set(['Bearer slm_secret-marker']));
  expect(at.seen.map(({ body, path }) => `${path} ${body}`).join()).not.toContain('secret-marker');
  expect(JSON.stringify(result)).not.toContain('secret-marker');
});

test('without a token none is sent, a payment travels, and what else stands in _meta does not', async () => {
  const at = await service();
  const meta = { 'x402/payment': { x402Version: 2 }, 'example.com/trace': 'local-marker' };
  const result = await remoteHost({ url: at.url, fetch }).callTool(call('any', { meta }));
  expect(result.structuredContent).toMatchObject({ meta: { 'x402/payment': { x402Version: 2 } } });
  expect(new Set(at.seen.map(({ authorization }) => authorization))).toEqual(new Set([undefined]));
  expect(JSON.stringify(at.seen)).not.toContain('local-marker');
});

test('the terms of an unpaid call come back in-band, so that a host that pays can pay', async () => {
  const at = await service();
  expect(await remoteHost({ url: at.url, fetch }).callTool(call('unpaid'))).toMatchObject({
    isError: true,
    structuredContent: PAYMENT_REQUIRED,
    _meta: { 'x402/error': PAYMENT_REQUIRED },
  });
});

test('a stored report is read from the service', async () => {
  const at = await service();
  const read = await remoteHost({ url: at.url, fetch }).readResource('sightline://reports/1');
  expect(read).toMatchObject({ contents: [{ text: 'report' }], isShared: false });
  expect(await remoteHost({ url: at.url, fetch }).readResource('sightline://reports/missing')).toBeUndefined();
  await expect(remoteHost({ url: at.url, fetch }).readResource('sightline://reports/failing')).rejects.toThrow(
    /^The service did not answer as expected$/,
  );
});

test.each([
  [401, 'token_refused'],
  [403, 'insufficient_scope'],
  [500, 'service_unreachable'],
])('a service that answers %d is an error result %s in our words', async (status, code) => {
  const at = await service(status);
  const result = await remoteHost({ url: at.url, token: 'slm_secret-marker', fetch }).callTool(call('any'));
  expect(result).toMatchObject({ isError: true, structuredContent: { code } });
  expect(JSON.stringify(result)).not.toMatch(/marker/);
});

test('a redirect to another origin is not followed: neither call nor token goes there', async () => {
  const other = await service();
  const at = await service(302, other.url);
  const result = await remoteHost({ url: at.url, token: 'slm_secret-marker', fetch }).callTool(call('any'));
  expect(result).toMatchObject({ isError: true, structuredContent: { code: 'service_unreachable' } });
  expect(other.seen).toEqual([]);
});

test('after a failure the next call connects anew', async () => {
  const at = await service();
  let failing = true;
  const host = remoteHost({
    url: at.url,
    fetch: (...given) => (failing ? Promise.reject(new TypeError('no network')) : fetch(...given)),
  });
  expect(await host.callTool(call('any'))).toMatchObject({ structuredContent: { code: 'service_unreachable' } });
  failing = false;
  expect((await host.callTool(call('any'))).isError).toBeUndefined();
});
