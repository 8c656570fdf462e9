import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createApp } from '../../routes/app.ts';
import { publicOnly } from '../../src/net/address-policy.ts';
import { localEngines } from '../../src/visibility/engines/registry-local.ts';
import type { ServiceLimits } from '../../src/management/quota/service-limits.ts';
import { envelope, MODERN } from './mcp-world.ts';
import { ledgerRows, signedCredential, type World, world } from './world.ts';

let seen: World;
let nowMs = 0;
beforeEach(() => {
  seen = world();
  nowMs = Date.now();
  vi.spyOn(Date, 'now').mockImplementation(() => nowMs);
});
afterEach(() => {
  vi.restoreAllMocks();
});

const app = createApp({ policy: () => publicOnly({ alternatePorts: true }), local: false, engines: localEngines });

type Call = { path?: string; method?: string; headers?: Record<string, string>; body?: unknown };

/** The app beside a control Worker whose operator chose `limits`, known before the first request of a test. */
async function deployed(limits: ServiceLimits | Error, changes: Record<string, unknown> = {}) {
  const chosen = { limits, reads: 0 };
  const QUOTAS = {
    read: async () => {
      chosen.reads += 1;
      if (chosen.limits instanceof Error) throw chosen.limits;
      return chosen.limits;
    },
  };
  const bindings = { ...env, QUOTAS, TELEMETRY: 'control', CONTROL_TELEMETRY: undefined, ...changes };
  const call = async (caller: string, { path = '/llms.txt', method = 'GET', headers = {}, body }: Call = {}) => {
    const context = createExecutionContext();
    const request = new Request(`${env.BASE_URL}${path}`, {
      method,
      headers: { 'cf-connecting-ip': caller, ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const answer = await app.fetch(request, bindings, context);
    await waitOnExecutionContext(context);
    if (answer.status === 500) throw new Error(seen.logs.join('\n'));
    return answer;
  };
  await call('192.0.2.1');
  return { call, chosen };
}

type Deployed = Awaited<ReturnType<typeof deployed>>;

async function statuses({ call }: Deployed, caller: string, times: number, sent: Call = {}): Promise<number[]> {
  const found: number[] = [];
  for (let n = 0; n < times; n += 1) found.push((await call(caller, sent)).status);
  return found;
}

const repeated = (status: number, times: number): number[] => Array.from({ length: times }, () => status);

describe('free routes', () => {
  test('with a preference of the operator a counter of ours decides, and says what is left', async () => {
    const worker = await deployed({ free: 12 });
    const first = await worker.call('192.0.2.10');
    expect(first.headers.get('ratelimit-policy')).toBe('"free";q=12;w=60');
    expect(first.headers.get('ratelimit')).toBe('"free";r=11;t=60');
    expect(await statuses(worker, '192.0.2.10', 12)).toEqual([...repeated(200, 11), 429]);
    nowMs += 20_000;
    const refused = await worker.call('192.0.2.10');
    expect(refused.headers.get('retry-after')).toBe('40');
    expect(refused.headers.get('ratelimit')).toBe('"free";r=0;t=40');
    expect(await refused.json()).toMatchObject({ code: 'rate_limited', status: 429, retry_after_s: 40 });
    expect((await worker.call('192.0.2.11')).status).toBe(200);
    nowMs += 40_000;
    expect((await worker.call('192.0.2.10')).status).toBe(200);
  });

  test('without one the platform decides as before, and no count of ours is told', async () => {
    const worker = await deployed({});
    expect(await statuses(worker, '192.0.2.20', 25)).toEqual(repeated(200, 25));
    const answer = await worker.call('192.0.2.20');
    expect(answer.headers.get('ratelimit-policy')).toBe('"free";q=300;w=60');
    expect(answer.headers.get('ratelimit')).toBeNull();
  });

  test('a preference that is changed is felt after half a minute, and lifts a refusal', async () => {
    const worker = await deployed({ free: 10 });
    expect(await statuses(worker, '192.0.2.30', 11)).toEqual([...repeated(200, 10), 429]);
    worker.chosen.limits = { free: 15 };
    nowMs += 29_999;
    expect((await worker.call('192.0.2.30')).status).toBe(429);
    nowMs += 1;
    expect((await worker.call('192.0.2.30')).status).toBe(429); // This one has it read anew, and does not wait.
    expect(await statuses(worker, '192.0.2.30', 6)).toEqual([...repeated(200, 5), 429]);
    expect(worker.chosen.reads).toBe(2);
  });

  test('K2: what is told beyond floor and ceiling is cut', async () => {
    const worker = await deployed({ free: 1 });
    expect((await worker.call('192.0.2.40')).headers.get('ratelimit-policy')).toBe('"free";q=10;w=60');
  });

  test.each([
    ['the control Worker fails', new Error('down'), {}],
    ['there is no control Worker', { free: 10 }, { QUOTAS: undefined }],
    ['the deployment is not told to ask it', { free: 10 }, { TELEMETRY: 'none' }],
  ])('%s: the defaults hold', async (_what, limits, changes) => {
    const worker = await deployed(limits, changes);
    const answer = await worker.call('192.0.2.50');
    expect([answer.status, answer.headers.get('ratelimit-policy')]).toEqual([200, '"free";q=300;w=60']);
  });

  test('a control Worker that fails later leaves what was known', async () => {
    const worker = await deployed({ free: 10 });
    worker.chosen.limits = new Error('down');
    nowMs += 30_000;
    await worker.call('192.0.2.51');
    expect((await worker.call('192.0.2.51')).headers.get('ratelimit-policy')).toBe('"free";q=10;w=60');
  });

  test('a counter that fails lets requests through', async () => {
    const failing = { getByName: () => ({ take: () => Promise.reject(new Error('down')) }) };
    const worker = await deployed({ free: 10 }, { RATE_COUNTER: failing });
    expect(await statuses(worker, '192.0.2.60', 15)).toEqual(repeated(200, 15));
  });

  test('a large quota is counted in blocks, and still is the quota', async () => {
    const asked: number[] = [];
    const RATE_COUNTER = {
      getByName: (name: string) => {
        asked.push(1);
        return env.RATE_COUNTER.getByName(name);
      },
    };
    const worker = await deployed({ free: 400 }, { RATE_COUNTER });
    asked.length = 0;
    const found = await statuses(worker, '192.0.2.70', 402);
    expect(found).toEqual([...repeated(200, 400), 429, 429]);
    expect(asked.length).toBe(80); // In fives; that nothing is left is remembered.
  });

  test('requests that come at once get no more than the quota', async () => {
    const worker = await deployed({ free: 300 });
    const answers = await Promise.all(Array.from({ length: 350 }, () => worker.call('192.0.2.80')));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(300);
  });
});

const tools = (method: string, params: Record<string, unknown> = {}): Call => ({
  path: '/mcp',
  method: 'POST',
  headers: {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': MODERN,
    'mcp-method': method,
    ...(typeof params['name'] === 'string' ? { 'mcp-name': params['name'] } : {}),
  },
  body: { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: envelope } },
});
const INDEX = tools('tools/call', { name: 'index', arguments: {} });

describe('MCP', () => {
  test('has a quota of its own', async () => {
    const worker = await deployed({ mcp: 10 });
    const first = await worker.call('192.0.2.110', INDEX);
    expect(first.headers.get('ratelimit')).toBe('"mcp";r=9;t=60');
    expect(first.headers.get('ratelimit-policy')).toBe('"mcp";q=10;w=60');
    expect(await statuses(worker, '192.0.2.110', 10, INDEX)).toEqual([...repeated(200, 9), 429]);
    const refused = await worker.call('192.0.2.110', INDEX);
    expect(refused.headers.get('retry-after')).toBe('60');
    expect(await refused.json()).toMatchObject({ error: { code: -32_000 } });
    expect((await worker.call('192.0.2.110')).status).toBe(200);
  });

  test('a batch of n counts n', async () => {
    const worker = await deployed({ mcp: 10 });
    const batch = { ...INDEX, body: Array.from({ length: 9 }, () => INDEX.body) };
    expect((await worker.call('192.0.2.120', batch)).status).toBe(400);
    expect(await statuses(worker, '192.0.2.120', 2, INDEX)).toEqual([200, 429]);
    expect((await worker.call('192.0.2.121', { ...batch, body: repeated(1, 11) })).status).toBe(429);
  });
});

const paid = (credential: string): Call => ({
  path: '/api/agent/check_health',
  method: 'POST',
  headers: { 'content-type': 'application/json', 'payment-signature': credential },
  body: { url: 'https://shop.example/' },
});

describe('paid calls', () => {
  test('meet no limit of free requests', async () => {
    const worker = await deployed({ free: 10 });
    expect(await statuses(worker, '192.0.2.210', 11)).toContain(429);
    const answer = await worker.call('192.0.2.210', paid(await signedCredential()));
    expect([answer.status, answer.headers.get('ratelimit')]).toEqual([200, null]);
  });

  test('above the operator’s ceiling are refused before the payment is looked at', async () => {
    const worker = await deployed({ paid: 30 });
    const wrong = paid('x');
    const before = await statuses(worker, '192.0.2.220', 30, wrong);
    expect(before).not.toContain(200);
    const rows = await ledgerRows();
    const credential = await signedCredential();
    const refused = await worker.call('192.0.2.220', paid(credential));
    expect(refused.headers.get('ratelimit')).toBe('"paid";r=0;t=60');
    expect(await refused.json()).toMatchObject({
      code: 'rate_limited',
      detail: 'The payment was not looked at: send the same request again later',
    });
    expect([seen.calls.verify, seen.calls.settle, await ledgerRows()]).toEqual([[], [], rows]);
    expect((await worker.call('192.0.2.221', paid(credential))).status).toBe(200);
  });

  test('come through MCP under the same ceiling', async () => {
    const worker = await deployed({ paid: 30 });
    await statuses(worker, '192.0.2.230', 30, paid('x'));
    const call = tools('tools/call', { name: 'check_health', arguments: { url: 'https://shop.example/' } });
    const headers = { ...call.headers, 'payment-signature': await signedCredential() };
    expect((await worker.call('192.0.2.230', { ...call, headers })).status).toBe(429);
    expect(seen.calls.verify).toEqual([]);
  });
});
