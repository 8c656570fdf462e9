import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@modelcontextprotocol/client';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import type { Account } from '../../../local/chain/chain.ts';
import { type Stack, startStack } from '../../../local/stack.ts';
import { type Browser, newBrowser } from '../../conformance/support/browser.ts';
import { connect } from '../../conformance/support/mcp-client.ts';
import { discover, grant } from '../../conformance/support/oauth.ts';
import { decide, signIn } from '../../conformance/support/person.ts';
import { sightlineIn } from '../../support/stack/login-cli.ts';
import {
  buyCredits,
  type Hooks,
  nameNextMinute,
  RUN_WITHIN_MS,
  startHooks,
  startWatchedSite,
  type WatchedSite,
} from '../../support/stack/watched-site.ts';

const POLL_MS = 500;
const ROBOTS_CHECK = 'aeo.robots.ai-search-bots';
const SCOPES = 'audit:run credits:use';

const receiver = z.object({ kind: z.string(), url: z.string(), secret: z.string().optional() });
const run = z.object({ id: z.string(), state: z.string(), reason: z.string().nullable(), cause: z.string() });
const monitor = z.object({
  id: z.string(),
  state: z.string(),
  paused_because: z.string().nullable(),
  revision: z.number(),
  receivers: z.tuple([receiver]),
  last_run: run.nullable(),
});
const excerpt = z.object({ url: z.string(), line: z.number().optional(), excerpt: z.string().optional() });
const alert = z.object({
  kind: z.string(),
  changes: z.array(z.object({ id: z.string() })),
  evidence: z.object({ changes: z.array(z.object({ id: z.string(), after: z.array(excerpt) })) }),
});
const whole = z.object({ monitor, runs: z.array(run), alerts: z.array(alert) });

type Monitor = z.infer<typeof monitor>;
type Whole = z.infer<typeof whole>;

/** A way to watch a site: each does the same by its own means. */
type Door = {
  create: (hookUrl: string) => Promise<Monitor>;
  show: (id: string) => Promise<Whole>;
  resume: (id: string) => Promise<Monitor>;
  /** Due every day at this time, such as `07:30`. */
  schedule: (id: string, at: string) => Promise<void>;
  pause: (id: string) => Promise<Monitor>;
  delete: (id: string) => Promise<void>;
};
const doorNames = ['api', 'mcp', 'cli'] as const;
type DoorName = (typeof doorNames)[number];

let stack: Stack;
let site: WatchedSite;
let hooks: Hooks;
let payer: Account;
let person: Browser;
let folder = '';
let apiToken = '';
let mcp: Client;
const made = new Map<DoorName, Monitor>();

beforeAll(async () => {
  stack = await startStack();
  folder = mkdtempSync(join(tmpdir(), 'sightline-monitors-'));
  [site, hooks] = await Promise.all([startWatchedSite(stack.sites.good), startHooks()]);
  payer = await stack.chain.freshAccount(20_000_000n);
  person = newBrowser(stack.api.url);
  await signIn(person, privateKeyToAccount(payer.privateKey));
  const world = await discover(stack.api.url);
  const asked = { scope: SCOPES, cap_usd: '5' };
  const ofMonitors = await grant({ ...world, resource: `${stack.api.url}/api/monitors` }, person, asked);
  apiToken = ofMonitors.tokens.access_token;
  const { tokens } = await grant(world, person, asked);
  mcp = await connect(`${stack.api.url}/mcp-account`, 'modern', { authorization: `Bearer ${tokens.access_token}` });
  await sightlineIn(folder, ['login', '--monitors', '--base', stack.api.url, '--no-browser'], async (url) =>
    fetch((await decide(person, await person.open(url.href), 'allow')).url),
  );
});
afterAll(async () => {
  await mcp.close();
  await Promise.all([site.stop(), hooks.stop()]);
  await stack.stop();
  rmSync(folder, { recursive: true, force: true });
});

test.each(['monitors', 'hosts'])('sightline login --%s and token --%s open /api/%s', async (name) => {
  await sightlineIn(folder, ['login', `--${name}`, '--base', stack.api.url, '--no-browser'], async (url) =>
    fetch((await decide(person, await person.open(url.href), 'allow')).url),
  );
  const { status, out } = await sightlineIn(folder, ['token', `--${name}`, '--base', stack.api.url]);
  const opened = await fetch(`${stack.api.url}/api/${name}`, { headers: { authorization: `Bearer ${out.trim()}` } });
  expect([status, opened.status]).toEqual([0, 200]);
});

const order = (hookUrl: string) => ({
  subject: { kind: 'site', url: site.url },
  interval: { every: 'daily' },
  receivers: [{ kind: 'webhook', url: hookUrl }],
});

async function callApi(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
  const answer = await fetch(`${stack.api.url}/api/monitors${path}`, {
    method,
    headers: { authorization: `Bearer ${apiToken}`, 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  expect([answer.ok, text]).toEqual([true, text]);
  return text === '' ? undefined : (JSON.parse(text) as unknown);
}

const api: Door = {
  create: async (hookUrl) =>
    monitor.parse(await callApi('POST', '', order(hookUrl), { 'idempotency-key': 'watch-by-api' })),
  show: async (id) => {
    const [one, runs, alerts] = await Promise.all([
      callApi('GET', `/${id}`),
      callApi('GET', `/${id}/runs`),
      callApi('GET', `/${id}/alerts`),
    ]);
    return whole.parse({ monitor: one, ...Object(runs), ...Object(alerts) });
  },
  resume: async (id) => monitor.parse(await callApi('POST', `/${id}/resume`)),
  schedule: async (id, at) => {
    const { revision } = monitor.parse(await callApi('GET', `/${id}`));
    await callApi('PATCH', `/${id}`, { interval: { every: 'daily', at } }, { 'if-match': `"${revision}"` });
  },
  pause: async (id) => monitor.parse(await callApi('POST', `/${id}/pause`)),
  delete: async (id) => void (await callApi('DELETE', `/${id}`)),
};

async function callTool(name: string, given: Record<string, unknown>) {
  const { isError = false, structuredContent } = await mcp.callTool({ name, arguments: given });
  expect([isError, structuredContent]).toEqual([false, structuredContent]);
  return z
    .object({ monitor: z.unknown().optional(), runs: z.unknown().optional(), evidence: z.unknown().optional() })
    .parse(structuredContent);
}

const byTools: Door = {
  create: async (hookUrl) => monitor.parse((await callTool('create_monitor', order(hookUrl))).monitor),
  show: async (id) => {
    const { evidence, ...shown } = await callTool('get_monitor', { id });
    return whole.parse({ ...shown, ...Object(evidence) });
  },
  resume: async (id) => monitor.parse((await callTool('update_monitor', { id, state: 'active' })).monitor),
  schedule: async (id, at) => void (await callTool('update_monitor', { id, interval: { every: 'daily', at } })),
  pause: async (id) => monitor.parse((await callTool('update_monitor', { id, state: 'paused' })).monitor),
  delete: async (id) => void (await callTool('delete_monitor', { id })),
};

async function sightline(...words: string[]): Promise<unknown> {
  const ended = await sightlineIn(folder, ['monitor', ...words, '--base', stack.api.url, '--json']);
  expect(ended).toMatchObject({ status: 0, err: '' });
  return JSON.parse(ended.out) as unknown;
}

const byCommands: Door = {
  create: async (hookUrl) => monitor.parse(await sightline('create', site.url, '--webhook', hookUrl)),
  show: async (id) => whole.parse(await sightline('show', id)),
  resume: async (id) => monitor.parse(await sightline('resume', id)),
  schedule: api.schedule, // The command line changes no schedule.
  pause: async (id) => monitor.parse(await sightline('pause', id)),
  delete: async (id) => void (await sightline('delete', id)),
};

const doors: Readonly<Record<DoorName, Door>> = { api, mcp: byTools, cli: byCommands };

/** Does the same by all ways at once. */
const byAll = <T>(act: (door: Door, id: string, name: DoorName) => Promise<T>): Promise<T[]> =>
  Promise.all(doorNames.map((name) => act(doors[name], made.get(name)?.id ?? '', name)));

/** Until every monitor is so: the list of the account has them all. */
async function waitForAll(isSo: (one: Monitor) => boolean): Promise<void> {
  const endMs = Date.now() + RUN_WITHIN_MS;
  let listed: readonly Monitor[] = [];
  do {
    await sleep(POLL_MS);
    ({ monitors: listed } = z.object({ monitors: z.array(monitor) }).parse(await callApi('GET', '')));
  } while (!listed.every(isSo) && Date.now() < endMs);
  expect(listed.filter((one) => !isSo(one))).toEqual([]);
  expect(listed).toHaveLength(doorNames.length);
}

/** Each is due at the next minute, and its run is stored. */
async function runAllSoon(): Promise<void> {
  const before = (await byAll((door, id) => door.show(id))).map(({ runs: [newest] }) => newest?.id);
  const at = nameNextMinute();
  await byAll((door, id) => door.schedule(id, at));
  await waitForAll(({ last_run: last }) => last !== null && !before.includes(last.id) && last.state !== 'reserved');
}

test('a monitor made without credits is paused by its first run, and its webhook hears why', async () => {
  await byAll(async (door, _id, name) => made.set(name, await door.create(`${hooks.url}/${name}`)));
  await waitForAll(({ state }) => state === 'paused');
  for (const shown of await byAll((door, id) => door.show(id))) {
    expect(shown.monitor).toMatchObject({ paused_because: 'insufficient_credits' });
    expect(shown.monitor.receivers).toEqual([{ kind: 'webhook', url: `${hooks.url}/…` }]);
    expect(shown.runs).toMatchObject([{ state: 'failed', cause: 'first' }]);
    expect(shown.alerts.map(({ kind }) => kind)).toContain('paused');
  }
  for (const name of doorNames) await expect.poll(() => hooks.count(`/${name}`), { timeout: 20_000 }).toBe(1);
});

test('with credits it is resumed and runs at its time, once and paid once', async () => {
  expect(await buyCredits(stack, payer)).toBe(200);
  for (const resumed of await byAll((door, id) => door.resume(id)))
    expect(resumed).toMatchObject({ state: 'active', paused_because: null });
  await runAllSoon();
  for (const { runs } of await byAll((door, id) => door.show(id)))
    expect(runs).toMatchObject([
      { state: 'stored', cause: 'schedule', reason: null },
      { state: 'failed', cause: 'first' },
    ]);
  expect((await person.open('/account')).html).toContain('$3.95');
});

test('a changed line of robots.txt rings: the alert names check and line, and the signed webhook has it', async () => {
  const before = doorNames.map((name) => hooks.count(`/${name}`));
  site.refuseCrawler();
  await runAllSoon();
  const changes = [{ after: [{ url: `${site.url}/robots.txt`, line: expect.any(Number) as number }] }];
  const rings = { kind: 'verdict_changed', changes: [{ id: ROBOTS_CHECK }], evidence: { changes } };
  for (const { alerts } of await byAll((door, id) => door.show(id))) expect(alerts[0]).toMatchObject(rings);
  for (const [at, name] of doorNames.entries()) {
    await expect.poll(() => hooks.count(`/${name}`), { timeout: 20_000 }).toBeGreaterThan(before[at] ?? 0);
    const said = hooks.verify(`/${name}`, made.get(name)?.receivers[0].secret ?? '');
    expect(said.at(-1)).toMatchObject({ type: 'monitor.alert', data: rings });
  }
  expect((await person.open('/account')).html).toContain('$2.90');
});

test('it is paused, and deleted', async () => {
  for (const paused of await byAll((door, id) => door.pause(id)))
    expect(paused).toMatchObject({ state: 'paused', paused_because: 'by_owner', last_run: { state: 'stored' } });
  await byAll((door, id) => door.delete(id));
  expect(await callApi('GET', '')).toEqual({ monitors: [] });
});
