import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { answeredAtOnce, type Call, deployed, INDEX, repeated, statuses, storeOf, told, tools } from './quota-world.ts';
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

  test('a preference that is changed is felt within half a minute, and lifts a refusal', async () => {
    const worker = await deployed({ free: 10 });
    expect(await statuses(worker, '192.0.2.30', 11)).toEqual([...repeated(200, 10), 429]);
    worker.chosen.limits = { free: 15 };
    nowMs += 19_999;
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
    ['what is stored cannot be read', new Error('down'), {}],
    ['there is no control Worker, so that nothing is stored', { free: 10 }, { REPORTS: env.REPORTS }],
    ['the deployment is not told to ask it', { free: 10 }, { TELEMETRY: 'none' }],
  ])('%s: the defaults hold', async (_what, limits, changes) => {
    const worker = await deployed(limits, changes);
    const answer = await worker.call('192.0.2.50');
    expect([answer.status, answer.headers.get('ratelimit-policy')]).toEqual([200, '"free";q=300;w=60']);
  });

  test('a store that fails later leaves what was known', async () => {
    const worker = await deployed({ free: 10 });
    worker.chosen.limits = new Error('down');
    nowMs += 30_000;
    await worker.call('192.0.2.51');
    expect((await worker.call('192.0.2.51')).headers.get('ratelimit-policy')).toBe('"free";q=10;w=60');
  });

  test('a store that does not answer delays no caller: the defaults apply', async () => {
    const timer = vi.spyOn(globalThis, 'setTimeout');
    const REPORTS = storeOf(() => new Promise(() => undefined));
    const bindings = { ...env, REPORTS, TELEMETRY: 'control', TELEMETRY_QUEUE: undefined };
    for (let n = 0; n < 2; n += 1) {
      const answer = await answeredAtOnce('192.0.2.52', bindings);
      expect([answer.status, ...told(answer)]).toEqual([200, '"free";q=300;w=60', null]);
    }
    // One reading for both, which is given up after two seconds.
    expect(timer.mock.calls.map(([, ms]) => ms)).toEqual([2_000]);
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
  });

  test('a batch that a minute has no room for is told what is left, and costs one', async () => {
    const worker = await deployed({ mcp: 20 });
    const batch = (size: number): Call => ({ ...INDEX, body: repeated(1, size) });
    expect((await worker.call('192.0.2.121', batch(15))).status).toBe(400);
    const refused = await worker.call('192.0.2.121', batch(10));
    expect([refused.status, refused.headers.get('retry-after'), ...told(refused)]).toEqual([
      429,
      '60',
      '"mcp";q=20;w=60',
      '"mcp";r=4;t=60',
    ]);
    expect((await worker.call('192.0.2.121', batch(4))).status).toBe(400);
  });

  test('a batch that no minute has room for is told so, and not to come back', async () => {
    const worker = await deployed({ mcp: 20 });
    const batch = { ...INDEX, body: repeated(1, 50) };
    const refused = await worker.call('192.0.2.122', batch);
    expect([refused.status, refused.headers.get('retry-after'), refused.headers.get('ratelimit')]).toEqual([
      429,
      null,
      '"mcp";r=19;t=60',
    ]);
    expect(await refused.json()).toMatchObject({
      error: { message: 'The batch has more messages than a minute allows: send one message at a time' },
    });
    expect(await statuses(worker, '192.0.2.122', 19, batch)).toEqual(repeated(429, 19));
    expect((await worker.call('192.0.2.122', batch)).headers.get('retry-after')).toBe('60');
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
    expect([answer.status, ...told(answer)]).toEqual([200, '"free";q=10;w=60', null]);
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
      detail: 'Too many paid requests from this address. The payment was not read: send the same request again later',
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
