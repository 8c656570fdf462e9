import { mkdtempSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { monitorCalls } from '../../../src/cli/monitor/calls.ts';
import { printWhole } from '../../../src/cli/monitor/print.ts';
import { formatMonitor } from '../../../src/monitors/core/monitor-wire.ts';
import { formatAlert, formatRun } from '../../../src/monitors/core/run-wire.ts';
import { buildProblemBody } from '../../../src/problems/problem.ts';
import { deleteMonitor, runMonitor } from '../../../src/sales/monitor-api/act-on-monitor.ts';
import { switchMonitor } from '../../../src/sales/monitor-api/change-monitor.ts';
import { createMonitor } from '../../../src/sales/monitor-api/create-monitor.ts';
import type { MonitorAnswer } from '../../../src/sales/monitor-api/ports.ts';
import {
  listMonitorAlerts,
  listMonitorRuns,
  listMonitors,
  readMonitor,
} from '../../../src/sales/monitor-api/read-monitor.ts';
import { runCli } from '../../support/runner/run-cli.ts';
import { accountCaller, openMonitorApi } from '../../sales/monitor-api/world.ts';

const TOKEN = `smt_${'t'.repeat(43)}`;
const { ports, bookOf } = openMonitorApi();
const caller = accountCaller();
const { baseUrl } = ports;
const seen: { authorization: string | undefined; key: string | undefined }[] = [];

/** A monitor that ran a moment ago. */
const BUSY = `mon_${'f'.repeat(24)}`;

/** The interface of monitors over the real calls, on a socket. */
const server = createServer(async (request, response) => {
  const send = (status: number, body?: unknown, headers: Record<string, string> = {}): void => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(body === undefined ? '' : JSON.stringify(body));
  };
  const answer = <T>(given: MonitorAnswer<T>, format: (value: T) => unknown, status = 200): void =>
    given.ok
      ? send(status, format(given.value))
      : send(given.problem.status, buildProblemBody('id', baseUrl, given.problem));
  const { headers, method } = request;
  seen.push({ authorization: headers.authorization, key: headers['idempotency-key'] as string | undefined });
  if (headers.authorization !== `Bearer ${TOKEN}`) return send(401, { error: 'invalid_token' });
  const [, id = '', act = ''] = /^\/api\/monitors(?:\/([^/?]+))?(?:\/(\w+))?/.exec(request.url ?? '') ?? [];
  if (id === BUSY) return send(429, { code: 'rate_limited', detail: 'Not now' }, { 'retry-after': '353' });
  if (id === '' && method === 'POST')
    return answer(
      await createMonitor(ports, caller, {
        body: await readBody(request),
        idempotencyKey: headers['idempotency-key'] as string,
      }),
      ({ overview }) => formatMonitor(overview, baseUrl, 'all'),
      201,
    );
  if (id === '')
    return answer(await listMonitors(ports, caller, {}), ({ items }) => ({
      monitors: items.map((one) => formatMonitor(one, baseUrl)),
    }));
  if (method === 'DELETE') return answer(await deleteMonitor(ports, caller, id), () => undefined, 204);
  if (act === 'runs')
    return answer(await listMonitorRuns(ports, caller, id, {}), ({ items }) => ({
      runs: items.map((run) => formatRun(run, baseUrl)),
      next_cursor: 'older',
    }));
  if (act === 'alerts')
    return answer(await listMonitorAlerts(ports, caller, id, {}), ({ items }) => ({
      alerts: items.map((one) => formatAlert(one, baseUrl)),
    }));
  if (act === 'run') return answer(await runMonitor(ports, caller, id), (run) => formatRun(run, baseUrl), 202);
  if (act === 'pause' || act === 'resume')
    return answer(await switchMonitor(ports, caller, id, act === 'pause' ? 'paused' : 'active'), (one) =>
      formatMonitor(one, baseUrl),
    );
  return answer(await readMonitor(ports, caller, id), (one) => formatMonitor(one, baseUrl));
});

async function readBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString()) as unknown;
}

let base = '';
const cwd = mkdtempSync(join(tmpdir(), 'monitor-'));
beforeAll(async () => {
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

const sightline = (...args: string[]) =>
  runCli(['monitor', ...args], {
    cwd,
    env: { SIGHTLINE_BASE_URL: base, SIGHTLINE_TOKEN: TOKEN, XDG_CONFIG_HOME: cwd },
  });

describe('sightline monitor', () => {
  test('watches a site from creation to deletion', async () => {
    const created = await sightline(
      'create',
      'shop.example',
      '--every',
      'weekly',
      '--feed',
      '--webhook',
      'https://hooks.example/in',
      '--json',
    );
    expect([created.status, created.err]).toEqual([0, '']);
    const monitor = JSON.parse(created.out) as { id: string };
    const { id } = monitor;
    expect(monitor).toMatchObject({ subject: { url: 'https://shop.example/' }, interval: { every: 'weekly' } });
    expect(seen.at(-1)?.key).toMatch(/^[0-9a-f-]{36}$/);
    expect((await sightline('list')).out).toMatch(new RegExp(`^${id}  shop.example: active, next run .*, 0 alerts\n$`));
    expect(await sightline('run', id)).toMatchObject({
      status: 1,
      err: expect.stringMatching(/monitor_run_under_way[^]*See sightline monitor show/),
    });
    expect((await sightline('pause', id)).out).toContain('paused (by_owner)');
    expect((await sightline('show', id)).out).toContain(`You paused it.\nResume it: sightline monitor resume ${id}\n`);
    expect((await sightline('resume', id)).out).toContain(': active');
    bookOf(Number.parseInt(id.charAt(4), 16)).raise(id, {
      kind: 'paused',
      severity: 'warning',
      key: 'k',
      title: 'Paused \u001B[31mred',
      changes: [],
      since: null,
    });
    const shown = await sightline('show', id);
    expect(shown.out).toContain('https://shop.example/: Every week on Monday between 5 and 6 a.m. (UTC).');
    expect(shown.out).toContain('Each run costs 0.35 USD of credits.');
    expect(shown.out).toContain('webhook https://hooks.example/…');
    expect(shown.out).toMatch(/Alerts:\n {2}\S+ warning: Paused \[31mred/);
    expect(JSON.parse((await sightline('show', id, '--json')).out)).toEqual({
      monitor: expect.objectContaining({ id }) as object,
      runs: [expect.any(Object)],
      alerts: [expect.any(Object)],
    });
    expect(await sightline('delete', id)).toMatchObject({ status: 0, out: `Deleted ${id}.\n` });
    expect(await sightline('show', id)).toMatchObject({
      status: 1,
      err: expect.stringContaining('See sightline monitor list.'),
    });
  });

  test('shows secrets once, in the lines of create', async () => {
    const { out } = await sightline(
      'create',
      'other.example',
      '--cron',
      '30 6 * * 1-5',
      '--time-zone',
      'Europe/Berlin',
      '--feed',
      '--webhook',
      'https://hooks.example/in',
    );
    expect(out).toMatch(/secret whsec_\S+/);
    expect(out).toMatch(/feed https:\/\/sightline\.test\/monitors\/mon_\w+\/feed\/[0-9a-f]{32}/);
    expect(out).toContain('Keep secrets and feed addresses: they are shown this once.');
  });

  test('says what the service refuses, by the options that were given', async () => {
    const refused = await sightline('create', 'shop.example', '--cron', '0 6 30 2 *', '--json');
    expect([refused.status, refused.out]).toEqual([1, '']);
    expect(JSON.parse(refused.err)).toMatchObject({
      reason: 'invalid_body',
      message: 'invalid_body: --cron: No day has this date.',
    });
    const errorOf = async (...given: string[]) => (await sightline('create', 'a.example', '--feed', ...given)).err;
    expect(await errorOf('--at', '25:00')).toContain('--at: must be a time of day such as 07:30.');
    expect(await errorOf('--webhook', 'https://10.0.0.1/')).toContain('--webhook: 10.0.0.1: the address lies in');
  });

  test('says when a call may be made again', async () =>
    expect(await sightline('run', BUSY)).toMatchObject({
      status: 1,
      err: expect.stringContaining('Run it again in 6 minutes.'),
    }));

  test('names the help of the action that was used wrongly', async () => {
    const wrong = await sightline('create', 'shop.example', '--every', 'hourly');
    expect(wrong).toMatchObject({ status: 2, err: expect.stringContaining('See sightline monitor create --help') });
  });

  test('without a token says how to get one, and exits with 3 where no one answers', async () => {
    const none = await runCli(['monitor', 'list', '--base', base], { cwd, env: { XDG_CONFIG_HOME: cwd } });
    expect(none).toMatchObject({ status: 1, err: expect.stringContaining('sightline login --monitors') });
    const gone = await runCli(['monitor', 'list', '--base', 'http://127.0.0.1:9', '--token', TOKEN], { cwd });
    expect(gone.status).toBe(3);
    expect(gone.err).not.toContain('may have been done');
    const broken = createServer((request) => request.destroy()).listen(0, '127.0.0.1');
    await once(broken, 'listening');
    const at = `http://127.0.0.1:${(broken.address() as AddressInfo).port}`;
    const lost = await runCli(['monitor', 'create', 'shop.example', '--base', at, '--token', TOKEN], { cwd });
    broken.close();
    expect(lost).toMatchObject({ status: 3, err: expect.stringContaining('It may have been done all the same') });
  });
});

const monitorOf = (more: Record<string, unknown>) => ({
  id: 'mon_1',
  name: 'Shop',
  subject: { kind: 'site', url: 'https://shop.example/' },
  interval: { every: 'daily', at: '07:00', time_zone: 'Europe/Berlin' },
  state: 'active',
  paused_because: null,
  next_run_at: null,
  price_usd: '0.35',
  alerts: 1,
  receivers: [],
  links: { self: 'https://sightline.test/api/monitors/mon_1' },
  ...more,
});

test('a monitor without credits says where to add them', () => {
  const paused = monitorOf({ state: 'paused', paused_because: 'insufficient_credits' });
  expect(printWhole(paused, { runs: [] }, { alerts: [] })?.slice(0, 5)).toEqual([
    'mon_1  Shop: paused (insufficient_credits), 1 alert',
    'Your credits do not cover the next run. Add credits, then resume it.',
    'Add credits: https://sightline.test/account/credits',
    'Resume it: sightline monitor resume mon_1',
    'https://shop.example/: Every day at 07:00 (Europe/Berlin).',
  ]);
});

test('a run that could not read the site says why', () => {
  const run = { id: 'run_1', due_at: '2026-11-25T10:00:00.000Z', reason: null, alerts: 1, price_usd: '0.350000' };
  const runs = [{ ...run, state: 'stored', parts: [], summary: { unread: 'status 503' } }];
  const lines = printWhole(monitorOf({}), { runs }, { alerts: [] });
  expect(lines).toContain('  2026-11-25T10:00:00.000Z stored (status 503), 1 alert');
});

describe('what was given', () => {
  const build = (words: readonly string[], option: Record<string, string | boolean | readonly string[]> = {}) =>
    monitorCalls['create']?.({ words, option });

  test.each<[string, readonly string[], Record<string, string | boolean | readonly string[]>, object]>([
    [
      'a bare host',
      ['EXAMPLE.com'],
      {},
      { subject: { kind: 'site', url: 'https://example.com/' }, interval: { every: 'daily' }, receivers: [] },
    ],
    [
      'a brand',
      [],
      { brand: 'Desk', niche: 'software', every: 'weekly' },
      { subject: { kind: 'brand', capability: 'visibility_check', body: { brand: 'Desk', niche: 'software' } } },
    ],
    ['competitors', ['a.example'], { competitor: ['b.example'] }, { subject: { competitors: ['https://b.example/'] } }],
    [
      'receivers',
      ['a.example'],
      { slack: ['https://s.example/'], email: ['a@example.com'], feed: true },
      {
        receivers: [
          { kind: 'slack', url: 'https://s.example/' },
          { kind: 'email', address: 'a@example.com' },
          { kind: 'feed' },
        ],
      },
    ],
  ])('%s becomes a body', (_what, words, option, body) => {
    expect(build(words, option)).toMatchObject({ method: 'POST', path: '', body });
  });

  test.each<[string, readonly string[], Record<string, string | boolean | readonly string[]>]>([
    ['nothing to watch', [], {}],
    ['a brand without its market', [], { brand: 'Desk' }],
    ['a site and a brand', ['a.example'], { brand: 'Desk', niche: 'software' }],
    ['competitors of a brand', [], { brand: 'Desk', niche: 'software', competitor: ['b.example'] }],
    ['two intervals', ['a.example'], { every: 'daily', cron: '0 6 * * *' }],
    ['a time with cron fields', ['a.example'], { at: '06:00', cron: '0 6 * * *' }],
  ])('%s is refused before anything is asked', (_what, words, option) => {
    expect(build(words, option)).toMatchObject({ reason: 'usage', exit: 2 });
  });

  test('an id that is none is refused', () => {
    for (const act of ['show', 'pause', 'resume', 'run', 'delete'])
      expect(monitorCalls[act]?.({ words: ['../../x'], option: {} })).toMatchObject({ reason: 'usage' });
  });
});

describe('a monitor as a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-monitor-body-'));
  const file = join(folder, 'monitor.json');
  const body = {
    subject: { kind: 'site', url: 'https://shop.example/' },
    interval: { every: 'weekly', weekday: 1 },
    rules: { min_weight: 3 },
    quiet_hours: { from: '22:00', to: '07:00' },
  };

  test('has every member of the interface', async () => {
    writeFileSync(file, JSON.stringify(body));
    const { status, out } = await sightline('create', '--body', file, '--json');
    expect({ status, out: JSON.parse(out) as unknown }).toMatchObject({
      status: 0,
      out: { ...body, name: 'shop.example' },
    });
  });

  test('faults are named by their place', async () => {
    writeFileSync(file, JSON.stringify({ ...body, interval: { cron: '0 0 31 2 *' } }));
    expect(await sightline('create', '--body', file)).toMatchObject({
      status: 1,
      err: expect.stringContaining('/interval/cron: '),
    });
  });

  test.each([
    [['--body', join(folder, 'none.json')], 'there is no such file or folder'],
    [['--body', folder], 'it is a folder'],
    [['https://shop.example/', '--body', file], '--body has the whole monitor'],
    [['--body', file, '--feed'], '--body has the whole monitor'],
  ])('%j is refused', async (args, why) => {
    expect(await sightline('create', ...args)).toMatchObject({ status: 2, err: expect.stringContaining(why) });
  });

  test('what is no JSON object is refused', async () => {
    writeFileSync(file, '[1');
    expect(await sightline('create', '--body', file)).toMatchObject({
      status: 2,
      err: expect.stringMatching(/no JSON object/),
    });
  });
});
