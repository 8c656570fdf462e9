import { env, exports } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { getHostsResource } from '../../../src/authorization/oauth/resources.ts';
import { DAY_MS, MINUTE_MS } from '../../../src/lib/time.ts';
import { signedIn } from '../../durable-objects/authorization-world.ts';
import { PAYER, world } from './world.ts';

const OTHER = '0x2222222222222222222222222222222222222222';
const hostSchema = z.object({
  host: z.string(),
  state: z.string(),
  proof: z.object({ dns: z.object({ names: z.array(z.string()), value: z.string() }) }),
});
const tokenSchema = z.object({ token: z.string(), send_to: z.string() });

/** What the resolver answers; absent names have no record. */
let records: Map<string, string>;

beforeEach(() => {
  records = new Map();
  const around = world();
  around.site = (url) => {
    if (!url.searchParams.has('name')) return new Response('not found', { status: 404 });
    const text = records.get(url.searchParams.get('name') ?? '');
    return Response.json({
      Status: text === undefined ? 3 : 0,
      ...(text === undefined ? {} : { Answer: [{ type: 16, data: `"${text}"` }] }),
    });
  };
});
afterEach(() => {
  vi.restoreAllMocks();
});

let turn = 0;
const newHost = (): string => {
  turn += 1;
  return `shop-${turn}.example`;
};

async function account(address = PAYER, resource = getHostsResource(env.BASE_URL)) {
  const { access } = await signedIn({ resource, address });
  return (method: string, path: string, body?: unknown, token = access) =>
    exports.default.fetch(
      new Request(`${env.BASE_URL}/api/hosts${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    );
}
type Ask = Awaited<ReturnType<typeof account>>;

const codeOf = async (answer: Response): Promise<string> =>
  z.object({ code: z.string() }).parse(await answer.json()).code;

/** Claims a host and proves it by DNS. */
async function prove(ask: Ask, host: string) {
  const claimed = hostSchema.parse(await (await ask('POST', '', { host })).json());
  records.set(claimed.proof.dns.names[0] ?? '', claimed.proof.dns.value);
  const looked = await ask('POST', `/${host}/look`);
  expect(await looked.json()).toMatchObject({ state: 'proven', look: { state: 'found', place: 'dns' } });
}

const issue = async (ask: Ask, host: string) => tokenSchema.parse(await (await ask('POST', `/${host}/token`)).json());

const batch = (more: object = {}) => ({
  batch_id: crypto.randomUUID(),
  minute: new Date(Date.now() - MINUTE_MS).toISOString(),
  rows: [
    { agent: 'GPTBot', verification: 'verified', status: 200, path: '/docs?x=1', n: 3, bytes: 900 },
    { agent: 'person', status: 200, path: '/docs', n: 4, referral: 'ChatGPT' },
  ],
  ...more,
});

test('a host is claimed, proven by DNS, sends counts and shows them to its owner alone', async () => {
  const [ask, stranger] = [await account(), await account(OTHER)];
  const host = newHost();
  const claimed = await ask('POST', '', { host: `https://${host.toUpperCase()}/` });
  expect(claimed.status).toBe(201);
  expect(hostSchema.parse(await claimed.json())).toMatchObject({ host, state: 'waiting' });
  expect(await codeOf(await ask('POST', `/${host}/token`))).toBe('host_not_proven');
  await prove(ask, host);
  const { token, send_to: sendTo } = await issue(ask, host);
  expect(new URL(sendTo).pathname).toBe(`/api/hosts/${host}/counts`);
  const sent = batch();
  const first = await ask('POST', `/${host}/counts`, sent, token);
  expect([first.status, await first.json()]).toEqual([202, { counted: true, rows: 2 }]);
  const again = await ask('POST', `/${host}/counts`, sent, token);
  expect(await again.json()).toMatchObject({ counted: false });
  const report = await (await ask('GET', `/${host}/crawlers`)).json();
  expect(report).toMatchObject({
    host,
    agents: [
      { agent: 'GPTBot', verification: 'verified', requests: 3, pages: 1, top_pages: [{ path: '/docs', requests: 3 }] },
    ],
    referrals: [],
    people: { top_pages: [] },
  });
  for (const [method, path] of [
    ['GET', ''],
    ['GET', '/crawlers'],
    ['POST', '/look'],
    ['POST', '/token'],
    ['DELETE', ''],
  ] as const)
    expect(await codeOf(await stranger(method, `/${host}${path}`))).toBe('host_not_claimed');
});

describe('a token for counts', () => {
  test('is good for its host only, ends when it is replaced, and opens nothing else', async () => {
    const ask = await account();
    const [host, other] = [newHost(), newHost()];
    await prove(ask, host);
    await prove(ask, other);
    const { token } = await issue(ask, host);
    expect((await ask('POST', `/${other}/counts`, batch(), token)).status).toBe(401);
    expect((await ask('POST', `/unclaimed.example/counts`, batch(), token)).status).toBe(401);
    expect((await ask('GET', `/${host}/crawlers`, undefined, token)).status).toBe(401);
    const { token: newer } = await issue(ask, host);
    expect(await codeOf(await ask('POST', `/${host}/counts`, batch(), token))).toBe('counts_token_wrong');
    expect((await ask('POST', `/${host}/counts`, batch(), newer)).status).toBe(202);
  });

  test('ends with the proof, which is looked for again after 30 days', async () => {
    const ask = await account();
    const host = newHost();
    await prove(ask, host);
    const { token } = await issue(ask, host);
    const nowMs = Date.now();
    const clock = vi.spyOn(Date, 'now');
    clock.mockReturnValue(nowMs + 31 * DAY_MS);
    expect((await ask('POST', `/${host}/counts`, batch(), token)).status).toBe(202);
    records.clear();
    clock.mockReturnValue(nowMs + 62 * DAY_MS);
    expect((await ask('POST', `/${host}/counts`, batch(), token)).status).toBe(202);
    clock.mockReturnValue(nowMs + 66 * DAY_MS);
    expect(await codeOf(await ask('POST', `/${host}/counts`, batch(), token))).toBe('host_not_proven');
  });

  test('ends with the claim, and its counts with it', async () => {
    const ask = await account();
    const host = newHost();
    await prove(ask, host);
    const { token } = await issue(ask, host);
    await ask('POST', `/${host}/counts`, batch(), token);
    expect((await ask('DELETE', `/${host}`)).status).toBe(204);
    expect((await ask('POST', `/${host}/counts`, batch(), token)).status).toBe(401);
    await prove(ask, host);
    expect(await (await ask('GET', `/${host}/crawlers`)).json()).toMatchObject({ agents: [] });
  });
});

test('bodies with faults are refused with the place of each', async () => {
  const ask = await account();
  const host = newHost();
  await prove(ask, host);
  const { token } = await issue(ask, host);
  const refused = await ask(
    'POST',
    `/${host}/counts`,
    batch({ rows: [{ ...batch().rows[0], address: '192.0.2.1' }] }),
    token,
  );
  expect(refused.status).toBe(422);
  expect(await refused.json()).toMatchObject({ code: 'invalid_body', errors: [{ pointer: '/rows/0' }] });
  expect(await codeOf(await ask('POST', '', { host: '192.0.2.1' }))).toBe('invalid_body');
  expect(await codeOf(await ask('GET', `/${host}/crawlers?from=2026-02-30`))).toBe('invalid_range');
  expect((await ask('PUT', `/${host}`)).status).toBe(405);
});

test('tokens of other resources, and none, are refused before any host is looked up', async () => {
  const foreign = await account(PAYER, `${env.BASE_URL}/mcp-account`);
  const answer = await foreign('GET', '');
  expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([
    401,
    expect.stringContaining('/.well-known/oauth-protected-resource/api/hosts'),
  ]);
  const metadata = await exports.default.fetch(`${env.BASE_URL}/.well-known/oauth-protected-resource/api/hosts`);
  expect(await metadata.json()).toMatchObject({ resource: getHostsResource(env.BASE_URL) });
});
