import { env, exports } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { computeShardOfAccount } from '../../../../src/monitors/book/ids.ts';
import { formatShardName } from '../../../../src/monitors/core/monitor.ts';
import { MCP, signedIn } from '../../../durable-objects/authorization-world.ts';
import { type World, world } from '../world.ts';

let seen: World;
beforeEach(() => {
  seen = world();
});
afterEach(() => {
  vi.restoreAllMocks();
});

const RESOURCE = 'https://sightline.test/api/monitors';
const ALL = ['audit:run', 'credits:use'];
const BODY = {
  subject: { kind: 'site', url: 'shop.example' },
  interval: { every: 'weekly', time_zone: 'Europe/Berlin' },
  receivers: [{ kind: 'webhook', url: 'https://hooks.example/secret-path' }, { kind: 'feed' }],
};

type Sent = { method?: string; token?: string; headers?: Record<string, string>; body?: unknown };
let callers = 0;

function send(path: string, { method = 'GET', token, headers = {}, body }: Sent = {}): Promise<Response> {
  callers += 1;
  return exports.default.fetch(
    new Request(`https://sightline.test/api/monitors${path}`, {
      method,
      headers: {
        'cf-connecting-ip': `198.51.${Math.floor(callers / 250)}.${callers % 250}`,
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    }),
  );
}

const readJson = async (answer: Response): Promise<Record<string, any>> => answer.json();
const readProblem = async (answer: Response) => `${answer.status} ${String((await readJson(answer))['code'])}`;

let addresses = 0;
/** An account of its own, with a token for this interface. */
async function holder(scope: string[] = ALL, resource = RESOURCE) {
  addresses += 1;
  const address = `0x${addresses.toString(16).padStart(40, 'b')}`;
  const { access, userId } = await signedIn({ scope, resource, address });
  return { token: access, userId };
}

let keys = 0;
const create = (token: string, body: unknown = BODY, key = `key-${(keys += 1)}`) =>
  send('', { method: 'POST', token, body, headers: { 'idempotency-key': key } });

async function made() {
  const owner = await holder();
  const answer = await create(owner.token);
  expect(answer.status).toBe(201);
  const monitor = (await answer.json()) as {
    id: string;
    receivers: { id: string; kind: string; secret?: string; feed_url?: string; url?: string }[];
  };
  return { ...owner, monitor };
}

describe('who may ask', () => {
  test('the metadata names this resource, and the authorization server lists it', async () => {
    const about = await exports.default.fetch(
      new Request('https://sightline.test/.well-known/oauth-protected-resource/api/monitors'),
    );
    expect(await about.json()).toMatchObject({
      resource: RESOURCE,
      authorization_servers: ['https://sightline.test'],
    });
    const server = await exports.default.fetch(
      new Request('https://sightline.test/.well-known/oauth-authorization-server'),
    );
    expect(await server.json()).toMatchObject({ protected_resources: expect.arrayContaining([RESOURCE, MCP]) });
  });

  test('a call without a token, and one with a token for another resource, are challenged', async () => {
    const { token: other } = await holder(ALL, MCP);
    for (const sent of [{}, { token: other }, { token: 'nonsense' }, { token: `smt_${'a'.repeat(43)}` }]) {
      const answer = await send('', sent);
      expect(answer.status).toBe(401);
      expect(answer.headers.get('www-authenticate')).toContain(
        'resource_metadata="https://sightline.test/.well-known/oauth-protected-resource/api/monitors"',
      );
      expect(answer.headers.get('content-type')).toBe('application/problem+json');
      expect(await readJson(answer)).toMatchObject({ code: 'token_required' });
    }
  });

  test('a token for this interface opens no other endpoint', async () => {
    const { token } = await holder();
    const answer = await exports.default.fetch(
      new Request('https://sightline.test/mcp-account', {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
      }),
    );
    expect(answer.status).toBe(401);
  });

  test('creating needs the scope to spend, which the challenge names', async () => {
    const { token } = await holder(['audit:run']);
    expect((await send('', { token })).status).toBe(200);
    const answer = await create(token);
    expect(answer.headers.get('www-authenticate')).toMatch(/insufficient_scope.*credits:use/);
    expect(await readProblem(answer)).toBe('403 insufficient_scope');
  });

  test('F7: an audit of ours starts nothing', async () => {
    const { token } = await holder();
    const answer = await send('', {
      method: 'POST',
      token,
      body: BODY,
      headers: { via: '1.1 sightline', 'idempotency-key': 'k' },
    });
    expect(await readProblem(answer)).toBe('508 loop_detected');
  });
});

describe('a monitor', () => {
  test('is created once for a key, and shows its secrets once', async () => {
    const { token } = await holder();
    const answer = await create(token, BODY, 'once');
    expect(answer.status).toBe(201);
    expect(answer.headers.get('etag')).toBe('"1"');
    expect(answer.headers.get('cache-control')).toBe('private, no-store');
    const text = await answer.clone().text();
    const monitor = await readJson(answer);
    expect(answer.headers.get('location')).toBe(`${RESOURCE}/${String(monitor['id'])}`);
    expect(monitor).toMatchObject({
      name: 'shop.example',
      subject: { kind: 'site', url: 'https://shop.example/' },
      state: 'active',
      price_usd: '0.350000',
      receivers: [
        { kind: 'webhook', url: 'https://hooks.example/…', secret: expect.stringMatching(/^whsec_/) },
        { kind: 'feed', feed_url: expect.stringMatching(/^https:\/\/sightline\.test\/monitors\/mon_/) },
      ],
    });
    expect(text).not.toContain('secret-path');
    const repeat = await create(token, BODY, 'once');
    expect(repeat.status).toBe(200);
    expect(await repeat.text()).not.toContain('whsec_');
    const read = await send(`/${String(monitor['id'])}`, { token });
    expect(await read.clone().json()).toMatchObject({ last_run: { cause: 'first' } });
    const shown = await read.text();
    expect(shown).not.toContain('whsec_');
    expect(shown).not.toContain('/feed/');
    expect(seen.logs.join('\n')).not.toMatch(/secret-path|whsec_|\/feed\//);
  });

  test('is changed by the state that its owner knows', async () => {
    const { token, monitor } = await made();
    const change = (body: unknown, headers: Record<string, string> = {}) =>
      send(`/${monitor.id}`, { method: 'PATCH', token, body, headers });
    expect(await readProblem(await change({ name: 'New' }))).toBe('428 precondition_required');
    for (const tag of ['"7"', 'W/"1"', '"x"'])
      expect(await readProblem(await change({ name: 'New' }, { 'if-match': tag }))).toBe('412 precondition_failed');
    const added = { receivers: [{ id: monitor.receivers[0]?.id }, { kind: 'feed' }] };
    const changed = await change(added, { 'if-match': '"9", "1"' });
    expect(changed.status).toBe(200);
    expect(changed.headers.get('etag')).toBe('"2"');
    const text = await changed.text();
    expect(text).toContain('/feed/');
    expect(text).not.toContain('whsec_');
    expect((await change({ state: 'paused' }, { 'if-match': '*' })).status).toBe(200);
    expect(await readProblem(await change('{', { 'if-match': '*' }))).toBe('400 invalid_json');
    const typed = await change({ name: 'x' }, { 'if-match': '*', 'content-type': 'text/plain' });
    expect(await readProblem(typed)).toBe('415 unsupported_media_type');
  });

  test('is refused by its members', async () => {
    const { token } = await holder();
    const answer = await create(token, {
      ...BODY,
      interval: { cron: '0 6 30 2 *' },
      receivers: [{ kind: 'slack', url: 'https://10.0.0.1/' }],
    });
    expect(answer.status).toBe(422);
    expect(await readJson(answer)).toMatchObject({
      code: 'invalid_body',
      errors: [{ pointer: '/interval/cron' }, { pointer: '/receivers/0/url' }],
    });
    const body = `{"name":"${'x'.repeat(70_000)}"}`;
    expect(await readProblem(await create(token, body))).toBe('413 body_too_large');
  });

  test('pauses, resumes, runs, and is deleted', async () => {
    const { token, monitor } = await made();
    const post = (act: string) => send(`/${monitor.id}${act}`, { method: 'POST', token });
    expect(await (await post('/pause')).json()).toMatchObject({
      state: 'paused',
      paused_because: 'by_owner',
      next_run_at: null,
    });
    expect(await (await post('/resume')).json()).toMatchObject({ state: 'active', paused_because: null });
    expect(await readProblem(await post('/run'))).toBe('429 rate_limited');
    // The first run begins by itself, and finds no credits, before or after this look.
    const { alerts } = await readJson(await send(`/${monitor.id}/alerts`, { token }));
    expect(alerts.flatMap(({ changes }: { changes: { id: string }[] }) => changes.map(({ id }) => id))).toSatisfy(
      (ids: readonly string[]) => ids.every((id) => id === 'insufficient_credits'),
    );
    const { runs } = (await (await send(`/${monitor.id}/runs`, { token })).json()) as { runs: { id: string }[] };
    expect(await (await send(`/${monitor.id}/runs/${runs[0]?.id}`, { token })).json()).toMatchObject({
      cause: 'first',
    });
    expect((await send(`/${monitor.id}`, { method: 'DELETE', token })).status).toBe(204);
    expect(await readProblem(await send(`/${monitor.id}`, { token }))).toBe('404 monitor_not_found');
    expect(await readProblem(await send('/mon_nonsense', { token }))).toBe('404 monitor_not_found');
  });

  test('of another account is not there', async () => {
    const { monitor } = await made();
    const { token } = await holder();
    for (const [method, path] of [
      ['GET', ''],
      ['DELETE', ''],
      ['POST', '/pause'],
      ['POST', '/token'],
      ['GET', '/runs'],
    ] as const)
      expect(await readProblem(await send(`/${monitor.id}${path}`, { method, token }))).toBe('404 monitor_not_found');
    expect(await (await send('', { token })).json()).toEqual({ monitors: [] });
  });

  test('has receivers that are tested, rotated and sent to again', async () => {
    const { token, monitor } = await made();
    const [webhook, feed] = monitor.receivers;
    const post = (path: string) => send(`/${monitor.id}${path}`, { method: 'POST', token });
    const tested = await post(`/receivers/${webhook?.id}/test`);
    expect([tested.status, seen.logs.filter((line) => line.includes('monitors_failed'))]).toEqual([202, []]);
    const { id } = (await tested.json()) as { id: string };
    expect((await post(`/receivers/${webhook?.id}/test`)).status).toBe(429);
    expect(await (await send(`/${monitor.id}/deliveries`, { token })).json()).toMatchObject({
      deliveries: expect.arrayContaining([expect.objectContaining({ id, kind: 'test' })]),
    });
    expect((await post(`/deliveries/${id}/replay`)).status).toBeLessThan(500);
    const rotated = (await (await post(`/receivers/${webhook?.id}/rotate`)).json()) as { secret: string };
    expect(rotated.secret).toMatch(/^whsec_/);
    expect(rotated.secret).not.toBe(webhook?.secret);
    expect(await (await post(`/receivers/${feed?.id}/rotate`)).json()).not.toMatchObject({ feed_url: feed?.feed_url });
    expect(await readProblem(await post('/receivers/rcv_ffffffffffffffff/rotate'))).toBe('404 not_found');
  });
});

describe('history', () => {
  test('has series and marks, a file, and two runs compared', async () => {
    const { token, userId, monitor } = await made();
    const object = env.MONITOR_SHARD.getByName(formatShardName(await computeShardOfAccount(userId)));
    const { items } = (await object.runs(userId, monitor.id, { limit: 1 })) ?? { items: [] };
    const [run] = items;
    expect(await (await send(`/${monitor.id}/history`, { token })).json()).toMatchObject({
      series: [],
      marks: expect.any(Array),
    });
    const file = await send(`/${monitor.id}/history.csv`, { token });
    expect(file.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(await file.text()).toMatch(/^at,run,report,/);
    expect(await readProblem(await send(`/${monitor.id}/compare?from=${run?.id}&to=${run?.id}`, { token }))).toBe(
      '422 not_comparable',
    );
    expect(await readProblem(await send(`/${monitor.id}/compare?from=${run?.id}`, { token }))).toBe('404 not_found');
  });
});

describe('lists', () => {
  test('come in pages, linked to the next one', async () => {
    const { token } = await holder();
    for (const host of ['a.example', 'b.example', 'c.example'])
      await create(token, { ...BODY, subject: { kind: 'site', url: host } });
    const first = await send('?limit=2', { token });
    const { monitors, next_cursor: cursor } = (await first.json()) as {
      monitors: { name: string }[];
      next_cursor: string;
    };
    expect(monitors.map(({ name }) => name)).toEqual(['c.example', 'b.example']);
    expect(first.headers.get('link')).toBe(`<${RESOURCE}?cursor=${cursor}&limit=2>; rel="next"`);
    const second = await send(`?limit=2&cursor=${cursor}`, { token });
    expect(await second.json()).toMatchObject({ monitors: [{ name: 'a.example' }] });
    expect(second.headers.get('link')).toBeNull();
    expect(await readProblem(await send('?cursor=nonsense', { token }))).toBe('400 invalid_cursor');
  });
});

describe('the token of a monitor', () => {
  test('opens that monitor at its own addresses, until the next one is issued', async () => {
    const [{ token, monitor, userId }, other] = [await made(), await made()];
    const issue = async () => {
      const answer = await send(`/${monitor.id}/token`, { method: 'POST', token });
      return ((await answer.json()) as { token: string }).token;
    };
    const own = await issue();
    expect((await send(`/${monitor.id}`, { token: own })).status).toBe(200);
    expect((await send(`/${monitor.id}/pause`, { method: 'POST', token: own })).status).toBe(200);
    expect(await readProblem(await send(`/${other.monitor.id}`, { token: own }))).toBe('401 token_required');
    expect(await readProblem(await send('', { token: own }))).toBe('401 token_required');
    const change = { method: 'PATCH', token: own, body: { name: 'x' }, headers: { 'if-match': '*' } };
    expect(await readProblem(await send(`/${monitor.id}`, change))).toBe('403 insufficient_scope');
    const next = await issue();
    expect(await readProblem(await send(`/${monitor.id}`, { token: own }))).toBe('401 token_required');
    expect((await send(`/${monitor.id}`, { method: 'DELETE', token: next })).status).toBe(204);
    const object = env.MONITOR_SHARD.getByName(formatShardName(await computeShardOfAccount(userId)));
    expect(await object.list(userId, { limit: 10 })).toEqual({ items: [], next: null });
  });
});

test('other methods are refused by what is allowed', async () => {
  const { token } = await holder();
  const answer = await send('', { method: 'PUT', token, body: {} });
  expect(answer.headers.get('allow')).toBe('POST, GET, HEAD, OPTIONS');
  expect(await readProblem(answer)).toBe('405 method_not_allowed');
});
