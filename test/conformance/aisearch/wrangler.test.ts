import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import type { HttpServer } from '../../../local/http-server.ts';
import { type Sites, startSites } from '../../../local/sites/sites.ts';
import { type ControlStack, joinControlStack } from '../support/control-stack.ts';
import { startSlowSite } from '../support/slow-site.ts';

const ROOT = join(import.meta.dirname, '../../..');
const WRANGLER = join(ROOT, 'node_modules/wrangler/bin/wrangler.js');
const RUN_MS = 60_000;

let stack: Omit<ControlStack, 'crash'>;
let sites: Sites;
let slow: HttpServer;
let folder = '';
let account = '';
/** Commands that were called, without what they were called with. */
const called = new Set<string>();

beforeAll(async () => {
  [stack, sites, slow] = await Promise.all([joinControlStack(), startSites(), startSlowSite()]);
  folder = mkdtempSync(join(tmpdir(), 'sightline-wrangler-'));
  account = `a${stack.world.customer.toLowerCase()}`;
});
afterAll(async () => {
  await Promise.all([stack?.stop(), sites?.stop(), slow?.stop()]);
  rmSync(folder, { recursive: true, force: true });
});

type Output = { stdout: string; stderr: string; code: number };

/** As its users run it: unchanged, with variables that name the account and the Worker. */
const execute = (file: string, args: readonly string[], env: Record<string, string> = {}): Promise<Output> =>
  new Promise((resolve) => {
    const settings = {
      PATH: process.env['PATH'] ?? '',
      HOME: folder,
      XDG_CONFIG_HOME: folder,
      CI: 'true',
      NO_COLOR: '1',
      WRANGLER_SEND_METRICS: 'false',
      WRANGLER_HIDE_BANNER: 'true',
      ...env,
    };
    execFile(file, [...args], { cwd: folder, env: settings, timeout: RUN_MS }, (error, stdout, stderr) =>
      resolve({ stdout, stderr, code: error === null ? 0 : 1 }),
    );
  });

const wrangler = (...args: readonly string[]): Promise<Output> =>
  execute(process.execPath, [WRANGLER, 'ai-search', ...args], {
    CLOUDFLARE_API_BASE_URL: `${stack.world.url}/client/v4`,
    CLOUDFLARE_API_TOKEN: stack.world.token,
    CLOUDFLARE_ACCOUNT_ID: account,
  });

const GROUPS = new Set(['namespace', 'jobs']);
const nameCommand = ([first = '', second = '']: readonly string[]): string =>
  GROUPS.has(first) ? `${first} ${second}` : first;

/** A command that must work. */
async function run(...args: readonly string[]): Promise<string> {
  called.add(nameCommand(args));
  const { stdout, stderr, code } = await wrangler(...args);
  if (code !== 0) throw new Error(`${args.join(' ')}: ${stdout}${stderr}`);
  return stdout;
}

/** What a command shows as JSON. */
const show = async (...args: readonly string[]): Promise<unknown> =>
  JSON.parse(await run(...args, '--json')) as unknown;

/** What a command that must fail says. */
async function fail(...args: readonly string[]): Promise<string> {
  const { stdout, stderr, code } = await wrangler(...args);
  expect(code).not.toBe(0);
  return `${stdout}${stderr}`;
}

const jobList = z.array(z.looseObject({ id: z.string(), source: z.string(), ended_at: z.string().nullish() }));
const listJobs = async (...args: readonly string[]) => jobList.parse(await show('jobs', 'list', ...args));

/** Waits, without a start of wrangler each time, until the newest job of an instance has ended. @returns its id */
async function waitForJob(instance: string): Promise<string> {
  const url = `${stack.world.url}/client/v4/accounts/${account}/ai-search/instances/${instance}/jobs`;
  const ended = async (): Promise<string> => {
    const response = await fetch(url, { headers: { authorization: `Bearer ${stack.world.token}` } });
    const [job] = z.object({ result: jobList }).parse(await response.json()).result;
    return job?.ended_at == null ? '' : job.id;
  };
  await expect.poll(ended, { timeout: RUN_MS }).not.toBe('');
  return ended();
}

/** Moves the tenant's clock on: it is frozen from then on. */
async function setClock(nowMs: number): Promise<void> {
  const { url, token, customer } = stack.world;
  const response = await fetch(`${url}/v1/tenants/${customer}:clock`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ mode: 'frozen', nowMs }),
  });
  expect(response.status).toBe(200);
}

describe('wrangler ai-search', () => {
  test('makes an instance where nothing was before, shows, changes, searches and deletes it', async () => {
    const source = `${sites.good}/`;
    const made = ['--type', 'web-crawler', '--source', source, '--parse-type', 'discover', '--chunk-size', '128'];
    expect(await show('create', 'tide', ...made, '--custom-metadata', 'author:text')).toMatchObject({
      id: 'tide',
      type: 'web-crawler',
      source,
      chunk_size: 128,
      custom_metadata: [{ field_name: 'author', data_type: 'text' }],
      source_params: { web_crawler: { parse_type: 'discover' } },
    });
    expect(await show('list')).toMatchObject([{ id: 'tide', source }]);
    expect(await show('get', 'tide')).toMatchObject({ id: 'tide', chunk_size: 128, namespace: 'default' });
    await waitForJob('tide');
    expect(await show('stats', 'tide')).toMatchObject({ completed: expect.any(Number) as number, error: 0, queued: 0 });
    const query = ['--query', 'How often must I set the clock?', '--max-num-results', '3', '--score-threshold', '0.1'];
    const found = z
      .object({ chunks: z.array(z.object({ text: z.string(), item: z.object({ key: z.string() }) })).max(3) })
      .parse(await show('search', 'tide', ...query));
    expect(found.chunks.map(({ text }) => text).join(' ')).toContain('every 3 to 4 months');
    const folderOnly = ['search', 'tide', '--query', 'clock', '--filter', 'folder=/nowhere/'];
    expect(await show(...folderOnly)).toMatchObject({ chunks: [] });
    expect(await run('search', 'tide', '--query', 'clock')).toContain(sites.good);

    expect(await show('update', 'tide', '--max-num-results', '7', '--paused')).toMatchObject({ max_num_results: 7 });
    expect(await show('get', 'tide')).toMatchObject({ max_num_results: 7, paused: true, chunk_size: 128 });
    await run('delete', 'tide', '--force');
    expect(await fail('get', 'tide')).toMatch(/ai_search_not_found.*7002/s);
    expect(await show('list')).toEqual([]);
  });

  test('makes namespaces, and instances in them', async () => {
    expect(await show('namespace', 'create', 'team', '--description', 'Ours')).toMatchObject({ name: 'team' });
    expect(await show('namespace', 'update', 'team', '--description', 'Theirs')).toMatchObject({
      description: 'Theirs',
    });
    expect(await show('namespace', 'get', 'team')).toMatchObject({ name: 'team', description: 'Theirs' });
    const listed = z.array(z.looseObject({ name: z.string() })).parse(await show('namespace', 'list'));
    expect(listed.map(({ name }) => name)).toEqual(['default', 'team']);
    expect(await show('create', 'inside', '--type', 'builtin', '--namespace', 'team')).toMatchObject({ type: null });
    expect(await show('list', '--namespace', 'team')).toMatchObject([{ id: 'inside', namespace: 'team' }]);
    expect(await fail('namespace', 'delete', 'team', '--force')).toContain('namespace_not_empty');
    await run('delete', 'inside', '--namespace', 'team', '--force');
    await run('namespace', 'delete', 'team', '--force');
    expect(await fail('namespace', 'get', 'team')).toContain('namespace_not_found');
  });

  test('begins jobs by the clock of the sandbox, shows them with their logs, and cancels one that runs', async () => {
    const beginMs = Date.now();
    await setClock(beginMs);
    await show('create', 'often', '--type', 'web-crawler', '--source', `${sites.good}/`);
    const first = await waitForJob('often');
    expect(await fail('jobs', 'cancel', 'often', first, '--force')).toMatch(/job_cannot_be_cancelled.*7046/s);
    expect(await fail('jobs', 'create', 'often')).toMatch(/sync_in_cooldown.*7020/s);
    await setClock(beginMs + 30_000);
    const { id } = z.object({ id: z.string() }).parse(await show('jobs', 'create', 'often', '--description', 'Again'));
    expect(await show('jobs', 'get', 'often', id)).toMatchObject({ id, source: 'user', description: 'Again' });
    expect((await listJobs('often')).map((job) => job.id)).toEqual([id, first]);
    expect(await waitForJob('often')).toBe(id);
    const lines = z.array(z.looseObject({ message: z.string() })).parse(await show('jobs', 'logs', 'often', id));
    expect(lines.map(({ message }) => message).join('\n')).toContain('The job has ended: completed');

    await setClock(beginMs + 60_000);
    await show('create', 'slow', '--type', 'web-crawler', '--source', `${slow.url}/`, '--parse-type', 'discover');
    const [running] = await listJobs('slow');
    await run('jobs', 'cancel', 'slow', running?.id ?? '', '--force');
    expect(await show('jobs', 'get', 'slow', running?.id ?? '')).toMatchObject({ end_reason: 'cancelled' });
    for (const name of ['often', 'slow']) await run('delete', name, '--force');
  });

  test('is told that there are no buckets', async () => {
    expect(await fail('create', 'bucket', '--type', 'r2', '--source', 'my-bucket')).toMatch(/type.*7\d{3}/s);
    expect(await fail('get', 'bucket')).toContain('ai_search_not_found');
  });

  test('works as docs/platform/ai-search.md says', async () => {
    const page = readFileSync(join(ROOT, 'docs/platform/ai-search.md'), 'utf8');
    const [settings = '', commands = ''] = [...page.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, lines]) => lines);
    expect(commands.trim().split('\n')).toHaveLength(5);
    mkdirSync(join(folder, '.local'));
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    const { url: control, token } = stack.world;
    const known = { control, operator: { token }, sites: { good: sites.good } };
    writeFileSync(join(folder, '.local/stack.json'), JSON.stringify(known));
    const script = `set -e\n${settings}${commands}`.replaceAll(
      'CLOUDFLARE_ACCOUNT_ID=demo',
      `CLOUDFLARE_ACCOUNT_ID=${account}`,
    );
    const { stdout, stderr, code } = await execute('sh', ['-c', script]);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('Successfully created AI Search instance "tidewater"');
    expect(stdout).toContain('Successfully deleted AI Search instance "tidewater"');
  });

  test('has no command that was not called', async () => {
    const commands = async (...group: readonly string[]): Promise<readonly string[]> => {
      const { stdout } = await wrangler(...group, '--help');
      return [...stdout.matchAll(/^ {2}wrangler ai-search ((?:namespace|jobs)? ?[a-z]+)/gm)].map(([, name = '']) =>
        name.trim(),
      );
    };
    const all = await Promise.all([commands(), commands('namespace'), commands('jobs')]);
    const listed = all.flat().filter((name) => !GROUPS.has(name));
    expect(listed.length).toBeGreaterThan(15);
    expect([...called].toSorted()).toEqual([...new Set(listed)].toSorted());
  });
});
