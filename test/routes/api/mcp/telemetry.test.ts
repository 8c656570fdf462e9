import { env as bindings } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { OperationsRegister } from '../../../../durable-objects/operations-register.ts';
import { createApp } from '../../../../routes/api/app.ts';
import type { Env } from '../../../../routes/api/bindings/env.ts';
import { HOUR_MS } from '../../../../src/lib/time.ts';
import { allowPublicOnly } from '../../../../src/net/address-policy.ts';
import { emptyBuffer, shortenWaits, telling } from '../../shared/telemetry-world.ts';
import { decode, PAYER, post, signedCredential, type World, world } from '../world.ts';
import { call, envelope, MODERN, messagesOf, send } from './world.ts';

const SITE = { url: 'https://shop.example/' };
const app = createApp({ policy: () => allowPublicOnly(), local: false, engines: { isLocal: false, factories: {} } });
const env = bindings as unknown as Env; // The project's settings hold all that it names.

let seen: World;
let nowMs = Date.now();
beforeEach(() => {
  shortenWaits();
  seen = world();
});
afterEach(() => {
  vi.restoreAllMocks();
});

type Counts = readonly { capability: string; count: number }[];

/** Has what this isolate has counted until now sent, by a price that is asked for later. */
async function flush(calls: readonly (readonly [Counts])[]): Promise<void> {
  const before = calls.length;
  const ask = async (): Promise<number> => {
    nowMs = Math.max(nowMs, Date.now()) + HOUR_MS;
    vi.spyOn(Date, 'now').mockReturnValue(nowMs);
    await post({ capability: 'full_audit' });
    return calls.length;
  };
  await expect.poll(ask).toBeGreaterThan(before);
}

test('a call without a payment counts as a price asked, like an answer 402 over HTTP, and a paid one does not', async () => {
  const { calls } = vi.spyOn(OperationsRegister.prototype, 'countUnpaid').mock;
  const tool = 'generate_llms_txt';
  const countSent = (): number =>
    calls
      .flatMap(([counts]) => counts)
      .filter(({ capability }) => capability === tool)
      .reduce((sum, { count }) => sum + count, 0);
  // What other tests of this isolate asked for is sent first, or it would be counted here.
  await flush(calls);
  const before = countSent();
  // What signs a payment here asks over HTTP first, once.
  const paid = await call(tool, SITE, { meta: { 'x402/payment': decode(await signedCredential(tool)) } });
  expect(paid.isError).toBeUndefined();
  for (let asked = 0; asked < 2; asked += 1) expect(await call(tool, SITE)).toMatchObject({ isError: true });
  await flush(calls);
  await expect.poll(countSent).toBe(before + 1 + 2);
  await flush(calls);
  expect(countSent()).toBe(before + 1 + 2);
});

/** A call of `check_health` at the open endpoint, with the progress that makes its answer a stream of events. */
const calling = (meta: Record<string, unknown> = {}): Request =>
  new Request(`${bindings.BASE_URL}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': MODERN,
      'mcp-method': 'tools/call',
      'mcp-name': 'check_health',
      'cf-connecting-ip': '198.51.100.77',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'check_health', arguments: SITE, _meta: { ...envelope, ...meta } },
    }),
  });

describe('the record of a call over MCP names what it was of and what it came to', () => {
  beforeEach(() => emptyBuffer(app, env));

  test('where nothing was paid', async () => {
    const told = telling(app, env);
    await told.send(calling());
    expect(told.spans().find(({ kind }) => kind === 'SERVER')).toMatchObject({
      name: 'tools/call check_health',
      attributes: {
        'mcp.method.name': 'tools/call',
        'sightline.capability': 'check_health',
        'sightline.status': 402,
        'http.response.status_code': 200,
      },
    });
    const entry = told.lines().find(({ line }) => line.includes('"event":"request"'));
    expect(JSON.parse(entry?.line ?? '{}')).toMatchObject({
      capability: 'check_health',
      mcp_method: 'tools/call',
      status: 402,
    });
  });

  test.each([
    ['one message', {}],
    ['events', { progressToken: 'p' }],
  ])('where it was sold, with the beginning of its payer, by an answer as %s', async (_name, meta) => {
    const told = telling(app, env);
    const answer = await told.send(calling({ ...meta, 'x402/payment': decode(await signedCredential()) }));
    expect((await messagesOf(answer)).at(-1)?.result?.['isError']).toBeUndefined();
    expect(told.spans().find(({ kind }) => kind === 'SERVER')).toMatchObject({
      name: 'tools/call check_health',
      attributes: { 'sightline.status': 200, 'sightline.payer': PAYER.slice(0, 6) },
    });
  });

  test('in a session, whose request is answered elsewhere, by a line of its own', async () => {
    const headers = { 'cf-connecting-ip': '198.51.100.78', 'mcp-protocol-version': '2025-11-25' };
    const params = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'old', version: '1' },
    };
    const opened = await send({ headers, body: { jsonrpc: '2.0', id: 0, method: 'initialize', params } });
    await opened.text();
    const own = { ...headers, 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
    await send({ headers: own, body: { jsonrpc: '2.0', method: 'notifications/initialized' } });
    const order = { name: 'check_health', arguments: SITE };
    const answer = await send({ headers: own, body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: order } });
    expect((await messagesOf(answer)).at(-1)?.result).toMatchObject({ isError: true });
    const line = seen.logs.find((each) => each.includes('"event":"tool_call"')) ?? '{}';
    expect(JSON.parse(line)).toEqual({
      event: 'tool_call',
      request_id: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
      capability: 'check_health',
      mcp_method: 'tools/call',
      status: 402,
    });
  });
});
