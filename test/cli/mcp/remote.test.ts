import { createMcpHandler, ResourceNotFoundError, Server } from '@modelcontextprotocol/server';
import { afterEach, describe, expect, test } from 'vitest';
import { type HttpServer, readBody, sendJson, startHttpServer } from '../../../local/http-server.ts';
import { fetchWithin, createRemoteHost } from '../../../src/cli/mcp/remote.ts';
import type { ToolCall } from '../../../src/mcp/tool-host.ts';

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
    server.setRequestHandler('tools/call', ({ params }) => {
      if (params.name === 'unpaid')
        return {
          isError: true,
          content: [],
          structuredContent: PAYMENT_REQUIRED,
          _meta: { 'x402/error': PAYMENT_REQUIRED },
        };
      if (params.name === 'running')
        return { isError: true, content: [], structuredContent: { code: 'call_in_progress' } };
      return {
        content: [{ type: 'text', text: 'done' }],
        structuredContent: { given: params.arguments, meta: params._meta },
      };
    });
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
  const result = await createRemoteHost({ url: at.url, token: 'slm_secret-marker', fetch }).callTool(call('any'));
  expect(result).toMatchObject({ content: [{ type: 'text', text: 'done' }], structuredContent: { given: { a: 1 } } });
  expect(new Set(at.seen.map(({ authorization }) => authorization))).toEqual(new Set(['Bearer slm_secret-marker']));
  expect(at.seen.map(({ body, path }) => `${path} ${body}`).join()).not.toContain('secret-marker');
  expect(JSON.stringify(result)).not.toContain('secret-marker');
});

test('without a token none is sent, a payment travels, and what else stands in _meta does not', async () => {
  const at = await service();
  const meta = { 'x402/payment': { x402Version: 2 }, 'example.com/trace': 'local-marker' };
  const result = await createRemoteHost({ url: at.url, fetch }).callTool(call('any', { meta }));
  expect(result.structuredContent).toMatchObject({ meta: { 'x402/payment': { x402Version: 2 } } });
  expect(new Set(at.seen.map(({ authorization }) => authorization))).toEqual(new Set([undefined]));
  expect(JSON.stringify(at.seen)).not.toContain('local-marker');
});

test('the terms of an unpaid call come back in-band, so that a host that pays can pay', async () => {
  const at = await service();
  expect(await createRemoteHost({ url: at.url, fetch }).callTool(call('unpaid'))).toMatchObject({
    isError: true,
    structuredContent: PAYMENT_REQUIRED,
    _meta: { 'x402/error': PAYMENT_REQUIRED },
  });
});

test('a stored report is read from the service', async () => {
  const at = await service();
  const read = await createRemoteHost({ url: at.url, fetch }).readResource('sightline://reports/1');
  expect(read).toMatchObject({ contents: [{ text: 'report' }], isShared: false });
  expect(await createRemoteHost({ url: at.url, fetch }).readResource('sightline://reports/missing')).toBeUndefined();
  await expect(createRemoteHost({ url: at.url, fetch }).readResource('sightline://reports/failing')).rejects.toThrow(
    /^The service did not answer as expected$/,
  );
});

test.each([
  [401, 'token_refused'],
  [403, 'insufficient_scope'],
  [500, 'service_unreachable'],
])('a service that answers %d is an error result %s in our words', async (status, code) => {
  const at = await service(status);
  const result = await createRemoteHost({ url: at.url, token: 'slm_secret-marker', fetch }).callTool(call('any'));
  expect(result).toMatchObject({ isError: true, structuredContent: { code } });
  expect(JSON.stringify(result)).not.toMatch(/marker/);
});

test('a redirect to another origin is not followed: neither call nor token goes there', async () => {
  const other = await service();
  const at = await service(302, other.url);
  const result = await createRemoteHost({ url: at.url, token: 'slm_secret-marker', fetch }).callTool(call('any'));
  expect(result).toMatchObject({ isError: true, structuredContent: { code: 'service_unreachable' } });
  expect(other.seen).toEqual([]);
});

test('after a failure the next call connects anew', async () => {
  const at = await service();
  let failing = true;
  const host = createRemoteHost({
    url: at.url,
    fetch: (...given) => (failing ? Promise.reject(new TypeError('no network')) : fetch(...given)),
  });
  expect(await host.callTool(call('any'))).toMatchObject({ structuredContent: { code: 'service_unreachable' } });
  failing = false;
  expect((await host.callTool(call('any'))).isError).toBeUndefined();
});

test.each(['https://other.example/mcp', 'http://service.example/mcp', 'https://service.example:8443/mcp'])(
  'P8: nothing is sent to %s, whoever names it, and no redirect is followed',
  async (target) => {
    const sent: unknown[] = [];
    const within = fetchWithin('https://service.example', async (url, init) => {
      sent.push([url, init?.redirect]);
      return new Response();
    });
    for (const form of [target, new URL(target), new Request(target)])
      await expect(within(form)).rejects.toThrow('another origin');
    await within('https://service.example/mcp', { redirect: 'follow' });
    expect(sent).toEqual([['https://service.example/mcp', 'manual']]);
  },
);

describe('P6: the name of a call', () => {
  const KEY = 'sightline/idempotency-key';

  /** The bodies of the tool calls that reached the service. */
  const callsOf = (seen: readonly Seen[]) =>
    seen
      .filter(({ body }) => body.includes('"tools/call"'))
      .map(({ body }) => (JSON.parse(body) as { params: { _meta: Record<string, unknown> } }).params._meta[KEY]);

  const isToolCall = (init: RequestInit | undefined): boolean =>
    typeof init?.body === 'string' && init.body.includes('"tools/call"');

  /** A fetch that loses the connection after the service got a tool call, the first `times` times. */
  const losing = (times: number): typeof fetch => {
    let left = times;
    return async (...given) => {
      const answer = await fetch(...given);
      if (left === 0 || !isToolCall(given[1])) return answer;
      left -= 1;
      await answer.body?.cancel();
      throw new TypeError('fetch failed');
    };
  };

  test('goes along as the host gave it', async () => {
    const at = await service();
    await createRemoteHost({ url: at.url, token: 'slm_t', fetch }).callTool(
      call('any', { meta: { [KEY]: 'of-monday' } }),
    );
    expect(callsOf(at.seen)).toEqual(['of-monday']);
  });

  test('is a new one for each call when the host gave none', async () => {
    const at = await service();
    const host = createRemoteHost({ url: at.url, token: 'slm_t', fetch });
    await host.callTool(call('any'));
    await host.callTool(call('any'));
    const [first, second] = callsOf(at.seen);
    expect(first).toMatch(/^[0-9a-f-]{36}$/);
    expect(second).toMatch(/^[0-9a-f-]{36}$/);
    expect(second).not.toBe(first);
  });

  test('stays when the connection was lost: the call is sent again, once, and its answer is the answer', async () => {
    const at = await service();
    const result = await createRemoteHost({ url: at.url, token: 'slm_t', fetch: losing(1) }).callTool(call('any'));
    expect(result).toMatchObject({ content: [{ type: 'text', text: 'done' }] });
    const keys = callsOf(at.seen);
    expect(keys).toHaveLength(2);
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(keys[1]).toBe(keys[0]);
  });

  test('is told when both were lost, for a debit is possible', async () => {
    const at = await service();
    const result = await createRemoteHost({ url: at.url, token: 'slm_t', fetch: losing(9) }).callTool(call('any'));
    const keys = callsOf(at.seen);
    expect(keys).toHaveLength(2);
    expect(result).toMatchObject({ isError: true, structuredContent: { code: 'debit_possible', status: 503 } });
    expect(JSON.stringify(result.content)).toContain(String(keys[0]));
    expect(JSON.stringify(result.content)).toContain('may have been charged');
  });

  test('is told when the first call still runs at the service', async () => {
    const at = await service();
    const meta = { [KEY]: 'of-monday' };
    const host = createRemoteHost({ url: at.url, token: 'slm_t', fetch: losing(1) });
    const result = await host.callTool(call('running', { meta }));
    expect(result).toMatchObject({ isError: true, structuredContent: { code: 'debit_possible' } });
    expect(JSON.stringify(result.content)).toContain('of-monday');
  });

  test('a payment of its own is the name of a call: it is sent again, and told as possible', async () => {
    const at = await service();
    const meta = { 'x402/payment': { x402Version: 2 } };
    const result = await createRemoteHost({ url: at.url, fetch: losing(9) }).callTool(call('any', { meta }));
    expect(callsOf(at.seen)).toEqual([undefined, undefined]);
    expect(result).toMatchObject({ structuredContent: { code: 'debit_possible' } });
  });

  test('without token and payment nothing can be charged, and nothing of the kind is said', async () => {
    const at = await service();
    const result = await createRemoteHost({ url: at.url, fetch: losing(9) }).callTool(call('any'));
    expect(result).toMatchObject({ structuredContent: { code: 'service_unreachable' } });
  });

  test('a refusal of the service is an answer: nothing is sent again', async () => {
    const at = await service();
    let asked = 0;
    const refusing: typeof fetch = async (...given) => {
      if (!isToolCall(given[1])) return fetch(...given);
      asked += 1;
      return new Response('no', { status: 403 });
    };
    const result = await createRemoteHost({ url: at.url, token: 'slm_t', fetch: refusing }).callTool(call('any'));
    expect(result).toMatchObject({ structuredContent: { code: 'insufficient_scope' } });
    expect(asked).toBe(1);
  });

  test('a call that its host called off is not sent again', async () => {
    const at = await service();
    const off = new AbortController();
    const lost: typeof fetch = async (...given) => {
      if (isToolCall(given[1])) off.abort();
      return fetch(...given);
    };
    await createRemoteHost({ url: at.url, token: 'slm_t', fetch: lost }).callTool(call('any', { signal: off.signal }));
    expect(callsOf(at.seen).length).toBeLessThan(2);
  });
});
