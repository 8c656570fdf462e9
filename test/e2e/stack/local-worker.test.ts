import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { PortTaken } from '../../../local/ports.ts';
import { startWorker, type LocalWorker } from '../../../local/worker.ts';
import {
  API_RESOURCES,
  COMPATIBILITY_DATE,
  COMPATIBILITY_FLAGS,
  CONTROL_RESOURCES,
  WEBHOOK_RESOURCES,
  type WorkerResources,
} from '../../../local/worker-resources-data.ts';

const ENTRY = fileURLToPath(new URL('../../durable-objects/support/counting-worker.ts', import.meta.url));
const FAILED_PAYMENTS_A_MINUTE = 10;

type RateLimited = { namespace_id: string; simple: { limit: number; period: number } };

const folders: string[] = [];
const running: LocalWorker[] = [];
const logged: string[] = [];
let worker: LocalWorker;

beforeAll(async () => {
  worker = await startWorker({ entry: ENTRY, bindings: { BASE_URL: 'http://base.test' }, logs: keepLine });
});

afterAll(async () => {
  await worker.stop();
  for (const path of folders) rmSync(path, { recursive: true, force: true });
});

afterEach(async () => {
  for (const one of running.splice(0)) await one.stop();
});

test('the Worker answers on a socket of its own, bound to loopback', async () => {
  expect(worker.url).toBe(`http://127.0.0.1:${worker.port}`);
  expect(await text('/base-url')).toBe('http://base.test');
});

test("an unknown path is the Worker's own 404", async () => {
  const response = await fetch(`${worker.url}/nothing`);
  expect([response.status, await response.text()]).toEqual([404, 'no such route']);
});

test('nothing is looked up about the caller', async () => {
  expect(await (await fetch(`${worker.url}/cf`)).json()).toEqual({ country: null });
});

test('reports are kept in R2', async () => {
  expect(await text('/read')).toBe('absent');
  await fetch(`${worker.url}/write`);
  expect(await text('/read')).toBe('kept');
});

test('failed payments are limited', async () => {
  let passed = 0;
  let status = 200;
  while (status === 200 && passed <= 2 * FAILED_PAYMENTS_A_MINUTE) {
    ({ status } = await fetch(`${worker.url}/limited`));
    if (status === 200) passed += 1;
  }
  expect(status).toBe(429);
  // The limiter's minute is the clock's: one that ends in the middle of the requests lets as many again pass.
  expect(passed).toBeGreaterThanOrEqual(FAILED_PAYMENTS_A_MINUTE);
  expect(passed).toBeLessThanOrEqual(2 * FAILED_PAYMENTS_A_MINUTE);
});

test('log lines of the Worker reach the caller of startWorker', async () => {
  await fetch(`${worker.url}/log`);
  await expect.poll(() => logged).toContain('warn: a line from the Worker');
});

test.each<[string, (one: LocalWorker) => Promise<unknown>]>([
  ['crash()', (one) => one.crash()],
  ['restart()', (one) => one.restart()],
  ['kill -9 from outside', (one) => killAndWait(one)],
])('after %s the Worker runs in another process on the same port and state', async (_what, disturb) => {
  const one = await startWorker({ entry: ENTRY, bindings: {}, persistTo: folder() });
  running.push(one);
  expect(await hits(one)).toBe(1);
  const before = one.pid();
  await disturb(one);
  expect(one.pid()).not.toBe(before);
  expect(await hits(one)).toBe(2);
});

test('a Worker started later on the same folder finds the state', async () => {
  const persistTo = folder();
  const first = await startWorker({ entry: ENTRY, bindings: {}, persistTo });
  expect(await hits(first)).toBe(1);
  await first.stop();
  const second = await startWorker({ entry: ENTRY, bindings: {}, persistTo });
  running.push(second);
  expect(await hits(second)).toBe(2);
});

test('state without a folder is temporary', async () => {
  const first = await startWorker({ entry: ENTRY, bindings: {} });
  expect(await hits(first)).toBe(1);
  await first.stop();
  const second = await startWorker({ entry: ENTRY, bindings: {} });
  running.push(second);
  expect(await hits(second)).toBe(1);
});

test('after stop() nothing listens and no process is left', async () => {
  const one = await startWorker({ entry: ENTRY, bindings: {} });
  const pid = one.pid();
  await one.stop();
  expect(pid !== undefined && isAlive(pid)).toBe(false);
  await expect(fetch(one.url)).rejects.toThrow('fetch failed');
});

test('a taken port is refused with the option that changes it', async () => {
  const blocker = createServer().listen(0, '127.0.0.1');
  await once(blocker, 'listening');
  const address = blocker.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const refused = startWorker({ entry: ENTRY, bindings: {}, port });
  await expect(refused).rejects.toThrow(PortTaken);
  await expect(refused).rejects.toThrow(/--port/);
  blocker.close();
});

test('an entry that does not build is refused', async () => {
  await expect(startWorker({ entry: join(folder(), 'absent.ts'), bindings: {} })).rejects.toThrow('Could not resolve');
});

test.each(['SIGKILL', 'SIGTERM'] as const)('workerd and anvil end when their parent gets %s', async (signal) => {
  const parent = spawn(
    process.execPath,
    [fileURLToPath(new URL('../../support/stack/parent.ts', import.meta.url)), ENTRY],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const [line] = z.tuple([z.string()]).parse(await once(parent.stdout.setEncoding('utf8'), 'data'));
  const pids = line.trim().split(' ').map(Number);
  expect(pids.map(isAlive)).toEqual([true, true]);
  parent.kill(signal);
  await expect.poll(() => pids.filter(isAlive), { timeout: 10_000 }).toEqual([]);
});

test.each<[string, string, WorkerResources]>([
  ['api', 'wrangler.toml', API_RESOURCES],
  ['control', 'wrangler.control.toml', CONTROL_RESOURCES],
  ['webhook', 'wrangler.webhook.toml', WEBHOOK_RESOURCES],
])('the local %s Worker has the settings and bindings of production in %s', (_name, file, resources) => {
  const config = readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8');
  expect(config).toContain(`compatibility_date = "${COMPATIBILITY_DATE}"`);
  for (const flag of COMPATIBILITY_FLAGS) expect(config).toContain(`"${flag}"`);
  const { durableObjects } = resources;
  expect(namesIn(config, 'durable_objects.bindings', 'name')).toEqual(Object.keys(durableObjects));
  expect(namesIn(config, 'durable_objects.bindings', 'class_name')).toEqual(
    Object.values(durableObjects).map(({ className }) => className),
  );
  const r2Buckets = 'r2Buckets' in resources ? resources.r2Buckets : {};
  expect(namesIn(config, 'r2_buckets', 'binding')).toEqual(Object.keys(r2Buckets));
  const services = 'serviceBindings' in resources ? Object.entries(resources.serviceBindings) : [];
  expect(namesIn(config, 'services', 'binding')).toEqual(services.map(([binding]) => binding));
  expect(namesIn(config, 'services', 'service')).toEqual(services.map(([, { name }]) => name));
  expect(namesIn(config, 'services', 'entrypoint')).toEqual(services.map(([, { entrypoint }]) => entrypoint));
  const ratelimits = 'ratelimits' in resources ? resources.ratelimits : {};
  expect(namesIn(config, 'ratelimits', 'name')).toEqual(Object.keys(ratelimits));
  for (const { namespace_id: id, simple } of Object.values<RateLimited>(ratelimits)) {
    expect(config).toContain(`namespace_id = "${id}"\nsimple = { limit = ${simple.limit}, period = ${simple.period} }`);
  }
});

const keepLine = (level: string, message: string): void => void logged.push(`${level}: ${message}`);

const text = async (path: string): Promise<string> => (await fetch(`${worker.url}${path}`)).text();

async function hits(one: LocalWorker): Promise<unknown> {
  const body: unknown = await (await fetch(`${one.url}/hit`)).json();
  return typeof body === 'object' && body !== null && 'hits' in body ? body.hits : body;
}

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'sightline-test-'));
  folders.push(made);
  return made;
}

async function killAndWait(one: LocalWorker): Promise<void> {
  const pid = one.pid();
  if (pid === undefined) throw new Error('no workerd to kill');
  process.kill(pid, 'SIGKILL');
  const answers = async (): Promise<boolean> =>
    one.pid() !== pid && (await fetch(one.url).catch(() => undefined)) !== undefined;
  await expect.poll(answers, { timeout: 10_000 }).toBe(true);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Values of `key` in the tables `[[table]]` of production in a TOML text. */
function namesIn(config: string, table: string, key: string): string[] {
  return config
    .split(/^\[\[/m)
    .filter((part) => part.startsWith(`env.production.${table}]]`))
    .map((part) => new RegExp(`^${key} = "(.*)"$`, 'm').exec(part)?.[1] ?? 'absent');
}
