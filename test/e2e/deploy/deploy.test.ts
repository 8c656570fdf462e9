import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { VERSION } from '../../../src/lib/product.ts';
import { newBrowser } from '../../conformance/support/browser.ts';
import { discover, grant, refresh } from '../../conformance/support/oauth.ts';
import { signIn } from '../../conformance/support/person.ts';
import { dialStandIn } from '../../support/cloudflare/dial-stand-in.ts';
import { failOnce, type ReceivedCall } from '../../support/cloudflare/faults.ts';
import { type OutsideWorld, startOutsideWorld } from '../../support/cloudflare/outside-world.ts';
import { runWrangler } from '../../support/cloudflare/run-wrangler.ts';
import { type CloudflareStandIn, startCloudflareStandIn } from '../../support/cloudflare/stand-in.ts';
import {
  createTestClone,
  type DeployOptions,
  type DeployRun,
  type TestClone,
} from '../../support/cloudflare/test-clone.ts';
import { credentialOf } from '../../support/stack/presenting.ts';
import { PACK, PACKED, readFacts, type Secrets } from '../../support/stored/facts.ts';
import { unpack } from '../../support/stored/pack.ts';

const CONFIGURATION_BEFORE = new URL('../../data/deploy/wrangler-before.toml', import.meta.url);
const WORKERS = ['models', 'api', 'pdf', 'webhook', 'control'];
const origin = (name: string): string => `https://${name}.tester.workers.dev`;
let world: OutsideWorld;
let standIn: CloudflareStandIn;
let standInFolder: string;
let clone: TestClone;
let stopDialling: () => void;

beforeAll(async () => {
  world = await startOutsideWorld();
  standInFolder = mkdtempSync(join(tmpdir(), 'stand-in-'));
  standIn = await startCloudflareStandIn({ zones: ['own.example'], outside: world.outside, folder: standInFolder });
  clone = createTestClone(world.settings);
  stopDialling = dialStandIn(standIn);
});
afterAll(async () => {
  stopDialling();
  await standIn.close();
  rmSync(standInFolder, { recursive: true, force: true });
  clone.remove();
  await world.stop();
});

type Words = readonly string[];
const reachStandIn = ({ apiUrl, edgeUrl }: CloudflareStandIn): Words => [
  '--api-base',
  apiUrl,
  '--resolve',
  `*=${edgeUrl}`,
];
const deploy = (env: string, words: Words = [], options?: DeployOptions, of = standIn): Promise<DeployRun> => {
  of.forgetCalls();
  const given = ['--secrets-file', clone.secretsFile, ...reachStandIn(of)];
  return clone.run(of, ['deploy', '--env', env, ...given, ...words], options);
};

const reportSchema = z.looseObject({
  isChanged: z.boolean(),
  report: z.looseObject({
    results: z.array(z.looseObject({ id: z.string(), status: z.string(), detail: z.string() })),
  }),
});

type DeployedEnd = { isChanged: boolean; notPassed: readonly string[]; workers: string | undefined };
const deployWhole = async (env: string, words: Words = [], options?: DeployOptions): Promise<DeployedEnd> =>
  readEnd(await deploy(env, ['--json', ...words], options));

/** A run that ended well: the ids of the checks that did not pass, and the version of each Worker. */
function readEnd({ code, output }: DeployRun): DeployedEnd {
  expect(`${code}\n${output}`).toMatch(/^0\n/);
  const { isChanged, report } = reportSchema.parse(JSON.parse(output));
  const notPassed = report.results.filter(({ status }) => status !== 'pass');
  expect(notPassed.filter(({ status }) => status !== 'warn')).toEqual([]);
  const workers = report.results.find(({ id }) => id === 'version.workers')?.detail;
  return { isChanged, notPassed: notPassed.map(({ id }) => id), workers };
}

/** Buys an audit as an agent does. */
async function buyReport(service: string, buyer: Parameters<typeof credentialOf>[1]): Promise<string> {
  const ask = (headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`${service}/api/agent/check_health`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ url: world.site }),
    });
  const bought = await ask({ 'payment-signature': await credentialOf(await ask(), buyer) });
  const text = await bought.text();
  expect(`${bought.status}\n${text}`).toMatch(/^200\n/);
  return z.looseObject({ report_id: z.string() }).parse(JSON.parse(text)).report_id;
}

async function expectReports(service: string, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    const report = await fetch(`${service}/reports/${id}`, { headers: { accept: 'application/json' } });
    const text = await report.text();
    expect(`${report.status}\n${text}`).toMatch(/^200\n/);
    expect(JSON.parse(text)).toMatchObject({ report_id: id });
  }
}

/** Calls that changed something, but for the lock of the deployment. */
const listWrites = (): readonly string[] =>
  standIn.calls
    .filter(({ isWrite, path }) => isWrite && !path.includes('/d1/'))
    .map(({ method, path }) => `${method} ${path}`);

/** Environments whose deployment is locked. */
const listLocks = (): readonly unknown[] =>
  standIn.account.databases.flatMap(({ rows }) => rows.prepare('SELECT env FROM deployments').all());

const listVersions = (suffix: string): readonly (string | undefined)[] =>
  WORKERS.map((name) => standIn.account.scripts.get(`sightline-${name}${suffix}`)?.deployments.at(-1)?.id);

/** One account, step by step: each test goes on where the one before ended. */
test('a dry run prints every call, no secret, and changes nothing', async () => {
  const { code, output } = await deploy('staging', ['--dry-run']);
  expect(`${code}\n${output}`).toMatch(/^0\n/);
  expect(output).toContain('wrangler secret bulk');
  for (const value of Object.values(world.settings)) expect(output).not.toContain(value);
  expect(standIn.calls.filter(({ isWrite }) => isWrite)).toEqual([]);
});

test('a run that is asked to end gives its lock back; one that is killed is continued, and so is one whose network ends', async () => {
  const isQueue = ({ method, path }: ReceivedCall): boolean => method === 'POST' && path.endsWith('/queues');
  let stops = 0;
  const stopped = await deploy('staging', [], { stopAt: (call) => isQueue(call) && ++stops === 1 });
  expect(`${stopped.code}\n${stopped.output}`).toMatch(/^1\n/);
  expect(stopped.output).toContain('it goes on where this run stopped');
  expect(listLocks()).toEqual([]);
  let queues = 0;
  const killed = await deploy('staging', [], { killAt: (call) => isQueue(call) && ++queues === 2 });
  expect(killed.code).toBeUndefined();
  expect(standIn.account.queues).not.toEqual([]);
  expect(listLocks()).toHaveLength(1);
  standIn.setFaults((call) => (isQueue(call) ? 'cut after' : undefined));
  const cut = await deploy('staging');
  expect(`${cut.code}\n${cut.output}`).toMatch(/^3\n/);
  expect(cut.output).toContain('Run the same command again');
  standIn.setFaults(undefined);
});

test('an upload whose triggers failed is said to have failed, and is done again', async () => {
  // Of the Worker that is uploaded next.
  const isWoken = ({ path }: ReceivedCall): boolean =>
    path.endsWith(
      `/${standIn.account.queues.find((one) => one.queue_name === 'sightline-wake-staging')?.queue_id}/consumers`,
    );
  standIn.setFaults((call) => (isWoken(call) ? '404 before' : undefined));
  const { code, output } = await deploy('staging');
  expect(code).toBe(1);
  expect(output).toContain('only partially updated');
  standIn.setFaults(undefined);
  const isUpload = ({ method, path }: ReceivedCall): boolean =>
    method === 'POST' && path.endsWith('/scripts/sightline-webhook-staging/versions');
  expect((await deploy('staging', [], { killAt: isUpload })).code).toBeUndefined();
});

test('the next run ends with a smoke test that passes, though an answer is lost on the way', async () => {
  standIn.setFaults(failOnce(({ path }) => path.endsWith('/secrets-bulk'), 'cut after'));
  const { isChanged, notPassed } = await deployWhole('staging');
  standIn.setFaults(undefined);
  expect(isChanged).toBe(true);
  // Certificates of this test end soon; the directory and its receivers are not set.
  expect([...new Set(notPassed.map((id) => id.split('.')[0]))].toSorted()).toEqual(['certificate', 'settings']);
});

test('the same command again changes nothing, and meanwhile another run is refused', async () => {
  const before = listVersions('-staging');
  let other: DeployRun | undefined;
  const holdAt = {
    isMeant: ({ path }: ReceivedCall): boolean => path.endsWith('/queues'),
    meanwhile: async () => void (other = await deploy('staging')),
  };
  expect(await deployWhole('staging', [], { holdAt })).toMatchObject({ isChanged: false });
  expect(`${other?.code}\n${other?.output}`).toMatch(/^1\n[^]*staging is being deployed by \S+ on \S+ \(process \d+\)/);
  expect(listWrites()).toEqual([]);
  expect(listVersions('-staging')).toEqual(before);
});

test('the doctor finds nothing wrong with it from outside', async () => {
  const secret = standIn.account.scripts.get('sightline-api-staging')?.versions.at(-1)?.bindings;
  const env = {
    SIGHTLINE_OPERATOR_SECRET: String(secret?.find(({ name }) => name === 'OPERATOR_SECRET')?.['text']),
  };
  const words = ['doctor', '--base', origin('sightline-api-staging'), '--json'];
  const { code, output } = await clone.run(standIn, [...words, ...reachStandIn(standIn)], { env });
  expect(`${code}\n${output}`).toMatch(/^0\n/);
  const { results } = reportSchema.shape.report.parse(JSON.parse(output));
  const passed = results.filter(({ status }) => status === 'pass').map(({ id }) => id);
  expect(passed).toEqual(expect.arrayContaining(['terms.price', 'mcp.tools', 'operator.token', 'push.self']));
  expect(output).not.toContain(env.SIGHTLINE_OPERATOR_SECRET);
});

const [today, next] = [VERSION, `${VERSION}-next`].map((version) =>
  ['api', 'control', 'webhook'].map((name) => `${name} ${version}`).join(', '),
);
const bought: string[] = [];

test('a new version is deployed, and sells', async () => {
  const { account } = await world.chain.freshAccount(1_000_000n);
  bought.push(await buyReport(origin('sightline-api-staging'), account));
  clone.edit('src/lib/product.ts', (text) => text.replace(`'${VERSION}'`, `'${VERSION}-next'`));
  // Not the PDF Worker: what a release did not change stays.
  const changed = ['--workers', 'api,webhook,control'];
  expect(await deployWhole('staging', changed)).toMatchObject({ isChanged: true, workers: next });
  bought.push(await buyReport(origin('sightline-api-staging'), account));
});

test('a rollback takes every Worker back once, and what was bought stays readable', async () => {
  const rollBack = (): Promise<DeployRun> =>
    clone.run(standIn, ['deploy', 'rollback', '--env', 'staging', '--json', ...reachStandIn(standIn)]);
  expect(readEnd(await rollBack())).toMatchObject({ isChanged: true, workers: today });
  await expectReports(origin('sightline-api-staging'), bought);
  const before = listVersions('-staging');
  expect(await rollBack()).toMatchObject({ code: 1, output: expect.stringContaining('"already_back"') });
  expect(listVersions('-staging')).toEqual(before);
});

test('the next deployment uploads what answers already too: the platform then takes settings again', async () => {
  clone.edit('src/lib/product.ts', (text) => text.replace(`'${VERSION}-next'`, `'${VERSION}'`));
  expect(await deployWhole('staging', ['--workers', 'webhook'])).toMatchObject({ isChanged: true, workers: today });
});

/** What a deployment by hand was given and has sold, before the command knows of it; and what an earlier day's code stored there. */
const byHand = {
  LEDGER_SECRET: '',
  reports: [] as string[],
  refresh: (): Promise<Response> => Promise.reject(new Error('no one signed in')),
};
const production = origin('sightline-api');

/** The code is today's; configuration and data are of before. */
test('a deployment by hand, as before there was a command, sells and signs in', async () => {
  unpack(readFileSync(PACK), standInFolder);
  const stored = JSON.parse(readFileSync(join(standInFolder, PACKED.secrets), 'utf8')) as Secrets; // The recorder wrote it.
  byHand.LEDGER_SECRET = stored.bindings['LEDGER_SECRET'] ?? '';
  const { audit, transfer, visibility } = readFacts();
  byHand.reports.push(audit.reportId, transfer.reportId, visibility.reportId);
  clone.write('wrangler-before.toml', readFileSync(CONFIGURATION_BEFORE, 'utf8'));
  const settings = { ...world.settings, BASE_URL: production, PAYMENTS_SINCE: '1700000000' };
  const secrets = JSON.stringify({ ...settings, LEDGER_SECRET: byHand.LEDGER_SECRET });
  const configuration = ['--config', 'wrangler-before.toml', '--env', 'production'];
  for (const [words, input] of [[['deploy']], [['secret', 'bulk'], secrets]] as const)
    expect(await runWrangler(standIn, clone.root, [...words, ...configuration], input)).toMatchObject({ code: 0 });
  const buyer = await world.chain.freshAccount(1_000_000n);
  byHand.reports.push(await buyReport(production, buyer.account));
  const browser = newBrowser(production);
  expect((await signIn(browser, buyer.account)).status).toBe(200);
  const authority = await discover(production);
  const { client, tokens } = await grant(authority, browser, { scope: 'audit:run' });
  byHand.refresh = () => refresh(authority, client, tokens.refresh_token ?? '');
});

test('production grows out of it beside staging', async () => {
  const staging = listVersions('-staging');
  expect(await deployWhole('production')).toMatchObject({ isChanged: true });
  expect(listWrites().filter((call) => call.includes('staging'))).toEqual([]);
  expect(listVersions('-staging')).toEqual(staging);
});

test('its data stays: what it has sold, who signed in, and the secret of its ledger', async () => {
  await expectReports(production, byHand.reports);
  expect((await byHand.refresh()).status).toBe(200);
  const live = standIn.account.scripts.get('sightline-api')?.versions.at(-1)?.bindings;
  expect(live?.find(({ name }) => name === 'LEDGER_SECRET')?.['text']).toBe(byHand.LEDGER_SECRET);
});

test('what cannot go well is refused before anything is changed', async () => {
  const refuse = async (
    of: CloudflareStandIn,
    reason: string,
    words: Words = [],
    options: DeployOptions = {},
  ): Promise<void> => {
    const { code, output } = await deploy('staging', words, options, of);
    expect(output).toContain(reason);
    expect(code).not.toBe(0);
    expect(of.calls.filter(({ isWrite, path }) => isWrite && !path.includes('/d1/'))).toEqual([]);
  };
  await refuse(standIn, 'of no zone in this account', ['--domain', 'api=audits.other.example']);
  await refuse(standIn, 'Authentication error', [], { env: { CLOUDFLARE_API_TOKEN: 'of-someone-else' } });
  await refuse(standIn, 'may not use the account', ['--account', '0123456789abcdef0123456789abcdef']);
  const free = await startCloudflareStandIn({ plan: 'free' });
  const taken = await startCloudflareStandIn();
  try {
    await refuse(free, 'free Workers plan');
    const foreign = { name: 'sightline-api-staging', main: 'a.js', compatibility_date: '2026-10-20' };
    clone.write('foreign.json', JSON.stringify(foreign));
    clone.write('a.js', "export default { fetch: () => new Response('not ours') };\n");
    expect(await runWrangler(taken, clone.root, ['deploy', '--config', 'foreign.json'])).toMatchObject({ code: 0 });
    await refuse(taken, 'sightline-api-staging');
    expect((await taken.request(origin('sightline-api-staging'))).text).toBe('not ours');
  } finally {
    await free.close();
    await taken.close();
  }
});

const askUnpaid = async (base: string): Promise<number> =>
  (await fetch(`${base}/api/agent/check_health`, { method: 'POST', body: '{}' })).status;
const domains = ['--domain', 'api=audits.own.example', '--domain', 'webhook=hooks.own.example'];

test('a domain that is refused leaves the deployment at its address', async () => {
  const [zone] = standIn.account.zones;
  const holdAt = {
    isMeant: ({ method, path }: ReceivedCall): boolean => method === 'PUT' && path.endsWith('/workers/domains'),
    // The name was free when it was judged.
    meanwhile: async () => void zone?.records.push({ type: 'A', name: 'audits.own.example', content: '192.0.2.1' }),
  };
  const refused = await deploy('production', domains, { holdAt });
  expect(`${refused.code}\n${refused.output}`).toMatch(/^1\n[^]*has DNS records already/);
  expect(listWrites().filter((call) => !call.endsWith('/workers/domains'))).toEqual([]);
  expect(await askUnpaid(production)).toBe(402);
  zone?.records.splice(0);
});

test('a domain that is attached becomes the address', async () => {
  expect(await deployWhole('production', domains)).toMatchObject({ isChanged: true });
  expect(listWrites()[0]).toMatch(/\/workers\/domains$/);
  expect([await askUnpaid(production), await askUnpaid('https://audits.own.example')]).toEqual([421, 402]);
});

test('later runs find the domains by themselves', async () => {
  expect(await deployWhole('production')).toMatchObject({ isChanged: false });
});
