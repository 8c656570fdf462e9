import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
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

const WORKERS = ['api', 'pdf', 'webhook', 'control'];
const origin = (name: string): string => `https://${name}.tester.workers.dev`;
let world: OutsideWorld;
let standIn: CloudflareStandIn;
let clone: TestClone;
let stopDialling: () => void;

beforeAll(async () => {
  world = await startOutsideWorld();
  standIn = await startCloudflareStandIn({ zones: ['own.example'], outside: world.outside });
  clone = createTestClone(world.settings);
  stopDialling = dialStandIn(standIn);
});
afterAll(async () => {
  stopDialling();
  await standIn.close();
  clone.remove();
  await world.stop();
});

type Words = readonly string[];
const deploy = (env: string, words: Words = [], options?: DeployOptions, of = standIn): Promise<DeployRun> => {
  of.forgetCalls();
  const given = ['--secrets-file', clone.secretsFile, '--api-base', of.apiUrl, '--resolve', `*=${of.edgeUrl}`];
  return clone.run(of, ['deploy', '--env', env, ...given, ...words], options);
};

const reportSchema = z.looseObject({
  isChanged: z.boolean(),
  report: z.looseObject({
    results: z.array(z.looseObject({ id: z.string(), status: z.string(), detail: z.string() })),
  }),
});

/** Deploys to the end, and gives the ids of the checks that did not pass. */
async function deployWhole(
  env: string,
  words: Words = [],
): Promise<{ isChanged: boolean; notPassed: readonly string[] }> {
  const { code, output } = await deploy(env, ['--json', ...words]);
  expect(`${code}\n${output}`).toMatch(/^0\n/);
  const { isChanged, report } = reportSchema.parse(JSON.parse(output));
  const notPassed = report.results.filter(({ status }) => status !== 'pass');
  expect(notPassed.filter(({ status }) => status !== 'warn')).toEqual([]);
  return { isChanged, notPassed: notPassed.map(({ id }) => id) };
}

/** Calls that changed something, but for the lock of the deployment. */
const listWrites = (): readonly string[] =>
  standIn.calls
    .filter(({ isWrite, path }) => isWrite && !path.includes('/d1/'))
    .map(({ method, path }) => `${method} ${path}`);

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

test('a run that is killed is continued, and so is one whose network ends', async () => {
  const isQueue = ({ method, path }: ReceivedCall): boolean => method === 'POST' && path.endsWith('/queues');
  let queues = 0;
  const killed = await deploy('staging', [], { killAt: (call) => isQueue(call) && ++queues === 2 });
  expect(killed.code).toBeUndefined();
  expect(standIn.account.queues).not.toEqual([]);
  standIn.setFaults((call) => (isQueue(call) ? 'cut after' : undefined));
  const cut = await deploy('staging');
  expect(`${cut.code}\n${cut.output}`).toMatch(/^3\n/);
  expect(cut.output).toContain('Run the same command again');
  standIn.setFaults(undefined);
});

test('an upload whose triggers failed is said to have failed, and is done again', async () => {
  standIn.setFaults(failOnce(({ path }) => path.endsWith('/consumers'), '500 after'));
  const { code, output } = await deploy('staging');
  expect(code).toBe(1);
  expect(output).toContain('only partially updated');
  standIn.setFaults(undefined);
  const isUpload = ({ method, path }: ReceivedCall): boolean =>
    method === 'PUT' && path.endsWith('/scripts/sightline-webhook-staging');
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

test('the same command again changes nothing', async () => {
  const before = listVersions('-staging');
  expect(await deployWhole('staging')).toMatchObject({ isChanged: false });
  expect(listWrites()).toEqual([]);
  expect(listVersions('-staging')).toEqual(before);
});

/** What a deployment by hand was given and has sold, before the command knows of it. */
const byHand = {
  LEDGER_SECRET: 'a secret of the deployment before'.padEnd(48, '.'),
  report: '',
  refresh: (): Promise<Response> => Promise.reject(new Error('no one signed in')),
};
const production = origin('sightline-api');

test('a deployment by hand, as before there was a command, sells and signs in', async () => {
  const settings = { ...world.settings, BASE_URL: production, PAYMENTS_SINCE: '1700000000' };
  const secrets = JSON.stringify({ ...settings, LEDGER_SECRET: byHand.LEDGER_SECRET });
  const configuration = ['--config', 'wrangler.toml', '--env', 'production'];
  await runWrangler(standIn, clone.root, ['deploy', ...configuration]);
  await runWrangler(standIn, clone.root, ['secret', 'bulk', ...configuration], secrets);
  const buyer = await world.chain.freshAccount(1_000_000n);
  const ask = (headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`${production}/api/agent/check_health`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ url: world.site }),
    });
  const bought = await ask({ 'payment-signature': await credentialOf(await ask(), buyer.account) });
  const text = await bought.text();
  expect(`${bought.status}\n${text}`).toMatch(/^200\n/);
  byHand.report = z.looseObject({ report_id: z.string() }).parse(JSON.parse(text)).report_id;
  const browser = newBrowser(production);
  expect((await signIn(browser, buyer.account)).status).toBe(200);
  const authority = await discover(production);
  const { client, tokens } = await grant(authority, browser, { scope: 'audit:run' });
  byHand.refresh = () => refresh(authority, client, tokens.refresh_token ?? '');
});

test('production grows out of it beside staging, and its data stays', async () => {
  const staging = listVersions('-staging');
  expect(await deployWhole('production')).toMatchObject({ isChanged: true });
  expect(listWrites().filter((call) => call.includes('staging'))).toEqual([]);
  expect(listVersions('-staging')).toEqual(staging);
  const report = await fetch(`${production}/reports/${byHand.report}`, { headers: { accept: 'application/json' } });
  expect(await report.text()).toContain(world.site);
  expect(report.status).toBe(200);
  expect((await byHand.refresh()).status).toBe(200);
  const live = standIn.account.scripts.get('sightline-api')?.versions.at(-1)?.bindings;
  expect(live?.find(({ name }) => name === 'LEDGER_SECRET')?.['text']).toBe(byHand.LEDGER_SECRET);
});

test('a rollback brings back the code of before, and the next deployment the new one', async () => {
  clone.edit('wrangler.pdf.toml', (text) => `${text}\n# changed\n`);
  expect(await deployWhole('staging')).toMatchObject({ isChanged: true });
  const given = ['--api-base', standIn.apiUrl, '--resolve', `*=${standIn.edgeUrl}`];
  const back = await clone.run(standIn, ['deploy', 'rollback', '--env', 'staging', ...given]);
  expect(`${back.code}\n${back.output}`).toMatch(/^0\n/);
  expect(await deployWhole('staging')).toMatchObject({ isChanged: true });
  expect(await deployWhole('staging')).toMatchObject({ isChanged: false });
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
