import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { newBrowser } from '../../conformance/support/browser.ts';
import { discover, grant, refresh } from '../../conformance/support/oauth.ts';
import { signIn } from '../../conformance/support/person.ts';
import { dialStandIn } from '../../support/cloudflare/dial-stand-in.ts';
import { failFrom } from '../../support/cloudflare/faults.ts';
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
  expect(code, output).toBe(0);
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

test('staging goes from nothing to a smoke test, through kills and faults on the way', async () => {
  const dry = await deploy('staging', ['--dry-run']);
  expect(dry).toMatchObject({ code: 0 });
  expect(dry.output).not.toContain(world.settings['RPC_URL']);
  expect(standIn.calls.filter(({ isWrite }) => isWrite)).toEqual([]);

  // Each run ends somewhere else, and each goes further than the one before.
  expect((await deploy('staging', [], { killAt: 22 })).code).toBeUndefined();
  standIn.setFaults(failFrom(28, 'cut after', Infinity));
  expect((await deploy('staging')).code).toBe(3);
  standIn.setFaults(({ path }) => (path.endsWith('/consumers') ? '500 before' : undefined));
  expect((await deploy('staging')).code).not.toBe(0);
  standIn.setFaults(({ path }) => (path.endsWith('/secrets-bulk') ? '500 after' : undefined));
  expect((await deploy('staging')).code).not.toBe(0);
  standIn.setFaults(undefined);
  const isUpload = (path: string): boolean => path.endsWith('/scripts/sightline-webhook-staging');
  const killed = await deploy('staging', [], { killAt: ({ method, path }) => method === 'PUT' && isUpload(path) });
  expect(killed.code).toBeUndefined();

  const { isChanged, notPassed } = await deployWhole('staging');
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

test('production grows beside it out of a deployment by hand, whose data stays', async () => {
  const buyer = await world.chain.freshAccount(1_000_000n);
  const api = origin('sightline-api');
  const secrets = {
    ...world.settings,
    BASE_URL: api,
    LEDGER_SECRET: 'a secret of the deployment before'.padEnd(48, '.'),
    PAYMENTS_SINCE: '1700000000',
  };
  const configuration = ['--config', 'wrangler.toml', '--env', 'production'];
  for (const [words, input] of [
    [['deploy', ...configuration]],
    [['secret', 'bulk', ...configuration], JSON.stringify(secrets)],
  ] as const) {
    const { code, output } = await runWrangler(standIn, clone.root, words, input);
    expect(code, output).toBe(0);
  }
  const ask = (headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`${api}/api/agent/check_health`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ url: world.site }),
    });
  const bought = await ask({ 'payment-signature': await credentialOf(await ask(), buyer.account) });
  expect(bought.status).toBe(200);
  const { report_id: id } = z.looseObject({ report_id: z.string() }).parse(await bought.json());
  const browser = newBrowser(api);
  expect((await signIn(browser, buyer.account)).status).toBe(200);
  const { client, tokens } = await grant(await discover(api), browser, { scope: 'audit:run' });

  const staging = listVersions('-staging');
  expect(await deployWhole('production')).toMatchObject({ isChanged: true });
  expect(listWrites().filter((call) => call.includes('staging'))).toEqual([]);
  expect(listVersions('-staging')).toEqual(staging);

  const report = await fetch(`${api}/reports/${id}`, { headers: { accept: 'application/json' } });
  expect(report.status).toBe(200);
  expect(await report.text()).toContain(world.site);
  expect((await refresh(await discover(api), client, tokens.refresh_token ?? '')).status).toBe(200);
  const live = standIn.account.scripts.get('sightline-api')?.versions.at(-1)?.bindings;
  expect(live?.find(({ name }) => name === 'LEDGER_SECRET')?.['text']).toBe(secrets.LEDGER_SECRET);
});

test('a rollback brings back the code of before, and the next deployment the new one', async () => {
  const file = `${clone.root}/wrangler.pdf.toml`;
  clone.edit('wrangler.pdf.toml', (text) => `${text}\n# changed\n`);
  expect(readFileSync(file, 'utf8')).toContain('# changed');
  expect(await deployWhole('staging')).toMatchObject({ isChanged: true });
  const given = ['--api-base', standIn.apiUrl, '--resolve', `*=${standIn.edgeUrl}`];
  const back = await clone.run(standIn, ['deploy', 'rollback', '--env', 'staging', ...given]);
  expect(back.code, back.output).toBe(0);
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
