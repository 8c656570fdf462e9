import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createControlApp } from '../../../routes/control/app.ts';
import { readServiceLimits } from '../../../routes/control/bindings/service-limits.ts';
import type { ControlEnv } from '../../../routes/control/bindings/env.ts';
import type { ServiceLimits } from '../../../src/rate-limits/service-limits.ts';
import { contextOfTest } from '../../support/workers/behind-answers.ts';
import { CONTROL_URL, tokenFor } from '../../support/workers/control-tokens.ts';
import { json } from './world.ts';

/** Of each test by itself: an isolate remembers tenants, whose registry is emptied between tests. */
let operator = '';
let stranger = '';
let project = '';
let tests = 0;
const QUOTA = 'ManagementRequestsPerMinutePerTenant';
const IGNORE = 'ignoreSafetyChecks=QUOTA_DECREASE_PERCENTAGE_TOO_HIGH';

let nowMs = 0;
/** What the api Worker was given. */
let handed: ServiceLimits[] = [];
beforeEach(() => {
  handed = [];
  tests += 1;
  operator = `C000quota${tests}`;
  stranger = `C000other${tests}`;
  project = `ops-${tests}`;
  nowMs = Date.now();
  vi.spyOn(Date, 'now').mockImplementation(() => nowMs);
});
afterEach(() => {
  vi.restoreAllMocks();
});

type Sent = { method?: string; tenant?: string; body?: unknown; headers?: Record<string, string>; text?: string };

/** The control Worker of an operator, in an isolate that asked for no limits yet. */
function worker(changes: Record<string, unknown> = {}) {
  const counters = { getByName: (name: string) => env.RATE_COUNTER.getByName(name) };
  const bindings = {
    ...env,
    OPERATOR_TENANT: operator,
    OPERATOR_PROJECT: project,
    TELEMETRY: 'control',
    RATE_COUNTER: counters,
    OPERATIONS: { chooseLimits: async (limits: ServiceLimits) => void handed.push(limits) },
    ...changes,
  } as unknown as ControlEnv;
  const call = async (path: string, { method = 'GET', tenant = operator, body, text, headers = {} }: Sent = {}) => {
    const sent = text ?? (body === undefined ? undefined : JSON.stringify(body));
    const request = new Request(`${CONTROL_URL}${path}`, {
      method,
      headers: { authorization: `Bearer ${tokenFor({ tenant })}`, 'content-type': 'application/json', ...headers },
      ...(sent === undefined ? {} : { body: sent }),
    });
    return createControlApp().fetch(request, bindings, contextOfTest);
  };
  const prefer = (quotaId: string, value: number, { tenant = operator, into = project } = {}) =>
    call(`/v1/projects/${into}/locations/global/quotaPreferences?${IGNORE}`, {
      method: 'POST',
      tenant,
      body: { service: 'sightline', quotaId, quotaConfig: { preferredValue: String(value) } },
    });
  return { call, prefer, limits: () => readServiceLimits(bindings) };
}

const listOf = (name: string): string => `/v1/projects/${name}/locations/global/quotaPreferences`;
const ours = (answer: Response): (string | null)[] => [
  answer.headers.get('ratelimit-policy'),
  answer.headers.get('ratelimit'),
];

describe('limits that the operator chose', () => {
  test('are what was granted in its project', async () => {
    const { prefer, limits } = worker();
    expect(await limits()).toEqual({});
    expect((await prefer('FreeRequestsPerMinutePerCaller', 12)).status).toBe(200);
    expect((await prefer('McpRequestsPerMinutePerCaller', 20)).status).toBe(200);
    expect(await limits()).toEqual({ free: 12, mcp: 20 });
  });

  test('K2: preferences of another tenant and of another project set none', async () => {
    const { prefer, limits } = worker();
    const quotaId = 'FreeRequestsPerMinutePerCaller';
    expect((await prefer(quotaId, 12, { tenant: stranger, into: `theirs-${tests}` })).status).toBe(200);
    expect((await prefer(quotaId, 12, { into: `another-${tests}` })).status).toBe(200);
    expect(await limits()).toEqual({});
    expect((await prefer(quotaId, 12, { tenant: stranger })).status).toBe(403);
  });

  test.each([
    ['there is no operator', { OPERATOR_TENANT: '' }],
    ['it has no project', { OPERATOR_PROJECT: '' }],
  ])('%s: none', async (_what, changes) => {
    expect(await worker(changes).limits()).toEqual({});
  });

  test.each([
    ['before it had one', { OPERATOR_PROJECT: '' }, 200],
    ['before it wrote anything', {}, 403],
  ])('K1: its project is the operator’s, whoever named it %s', async (_when, changes, status) => {
    const { call } = worker({ TELEMETRY: 'none', ...changes });
    expect((await call(listOf(project), { tenant: stranger })).status).toBe(status);
    const { prefer, limits, call: later } = worker();
    expect((await prefer('FreeRequestsPerMinutePerCaller', 12)).status).toBe(200);
    expect(await limits()).toEqual({ free: 12 });
    const refused = await later(listOf(project), { tenant: stranger });
    expect([refused.status, await json(refused)]).toMatchObject([
      403,
      { error: { status: 'PERMISSION_DENIED', message: 'The caller does not have permission' } },
    ]);
  });

  test('K1: what was the operator’s project stays its own under other settings', async () => {
    await worker().call(listOf(project));
    const later = worker({ OPERATOR_PROJECT: `later-${tests}` });
    expect((await later.call(listOf(project), { tenant: stranger })).status).toBe(403);
    expect((await later.call(listOf(project))).status).toBe(200);
  });
});

describe('the api Worker', () => {
  test('has a changed limit before the operator has the answer, in each version of the interface', async () => {
    const { prefer, call } = worker();
    await prefer('FreeRequestsPerMinutePerCaller', 12);
    expect(handed).toEqual([{ free: 12 }]);
    const { quotaPreferences } = await json<{ quotaPreferences: { name: string; etag: string }[] }>(
      call(listOf(project)),
    );
    const [{ name, etag } = { name: '', etag: '' }] = quotaPreferences;
    const body = { etag, contactEmail: 'ops@example.com', quotaConfig: { preferredValue: '11' } };
    const patched = await call(`/v1beta/${name}?updateMask=quotaConfig.preferredValue&${IGNORE}`, {
      method: 'PATCH',
      body,
    });
    expect([patched.status, await patched.text()]).toMatchObject([200, expect.stringContaining('11')]);
    expect(handed).toEqual([{ free: 12 }, { free: 11 }]);
  });

  test('K2: hears of no preference of another tenant', async () => {
    const { prefer } = worker();
    await prefer('FreeRequestsPerMinutePerCaller', 12, { tenant: stranger, into: `theirs-${tests}` });
    expect(handed).toEqual([]);
  });

  test('that cannot be reached fails no call', async () => {
    const OPERATIONS = { chooseLimits: () => Promise.reject(new Error('down')) };
    const { prefer } = worker({ OPERATIONS });
    expect((await prefer('FreeRequestsPerMinutePerCaller', 12)).status).toBe(200);
  });
});

describe('management calls', () => {
  test('without a preference the platform decides', async () => {
    expect(ours(await worker().call(listOf(project)))).toEqual(['"management";q=60000;w=60', null]);
  });

  test.each([
    ['/health', 'GET', 200],
    ['/.well-known/oauth-protected-resource', 'GET', 200],
    ['/discovery/v1/apis', 'GET', 200],
    ['/$discovery/rest?version=v1', 'GET', 200],
    ['/nothing-here', 'GET', 404],
    ['/batch', 'POST', 400],
  ])('the answer to %s by %s tells the limit', async (path, method, status) => {
    const { call, prefer } = worker();
    const answer = await call(path, { method });
    expect([answer.status, ...ours(answer)]).toEqual([status, '"management";q=60000;w=60', null]);
    await prefer(QUOTA, 600);
    nowMs += 30_000;
    await call(listOf(project));
    expect(ours(await call(path, { method }))).toEqual(['"management";q=600;w=60', null]);
  });

  test('with one a counter of ours decides, each tenant by itself', async () => {
    const { call, prefer } = worker();
    await prefer(QUOTA, 600);
    nowMs += 30_000;
    expect(ours(await call(listOf(project)))).toEqual(['"management";q=600;w=60', '"management";r=599;t=60']);
    for (let n = 0; n < 599; n += 1) expect((await call(listOf(project))).status).toBe(200);
    const refused = await call(listOf(project));
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60']);
    expect(ours(refused)).toEqual(['"management";q=600;w=60', '"management";r=0;t=60']);
    expect(await json(refused)).toMatchObject({ error: { status: 'RESOURCE_EXHAUSTED' } });
    expect((await call(listOf(`theirs-${tests}`), { tenant: stranger })).status).toBe(200);
    expect((await call(`/v1/tenants/${operator}`)).status).toBe(429);
  });

  test('a batch of n counts n', async () => {
    const { call, prefer } = worker();
    await prefer(QUOTA, 600);
    nowMs += 30_000;
    const parts = Array.from(
      { length: 60 },
      () => `--b\r\nContent-Type: application/http\r\n\r\nGET ${listOf(project)} HTTP/1.1\r\n\r\n`,
    );
    const batch = {
      method: 'POST',
      text: `${parts.join('')}--b--\r\n`,
      headers: { 'content-type': 'multipart/mixed; boundary=b' },
    };
    const statuses: (string | undefined)[] = [];
    for (let n = 0; n < 11; n += 1) {
      const text = new TextDecoder().decode(await (await call('/batch', batch)).arrayBuffer());
      statuses.push(...[...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status));
    }
    expect([statuses.filter((status) => status === '200').length, statuses.length]).toEqual([600, 660]);
  });

  test('K2: the operator cannot lock itself out', async () => {
    const { call, prefer } = worker();
    await prefer(QUOTA, 0);
    nowMs += 30_000;
    expect(ours(await call(listOf(project)))[0]).toBe('"management";q=600;w=60');
  });

  test('a counter that fails lets calls through; so do limits that cannot be read', async () => {
    const failing = { getByName: () => ({ take: () => Promise.reject(new Error('down')) }) };
    const { call, prefer } = worker({ RATE_COUNTER: failing });
    await prefer(QUOTA, 600);
    nowMs += 30_000;
    expect((await call(listOf(project))).status).toBe(200);
    const store = { idFromName: () => 'id', get: () => ({ call: () => Promise.reject(new Error('down')) }) };
    const answer = await worker({ RESOURCE_STORE: store }).call('/admin/directory/v1/users/a@example.com');
    expect(ours(answer)[0]).toBe('"management";q=60000;w=60');
  });
});
