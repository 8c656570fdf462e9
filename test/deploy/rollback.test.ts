import { expect, test } from 'vitest';
import { undoDeployment } from '../../src/deploy/rollback.ts';
import { createFakePorts, createMachine, deploy, type FakeMachine, order } from '../support/deploy/run-deploy.ts';
import { FakePlatform } from '../support/deploy/platform.ts';

const API = 'sightline-api-staging';
const rollBack = (platform: FakePlatform, machine: FakeMachine, withOlderSecrets = false) =>
  undoDeployment({ ...order, withOlderSecrets }, createFakePorts(platform, machine));
const readSources = (platform: FakePlatform): readonly (string | undefined)[] =>
  [...platform.workers.values()].map(({ versions, live }) =>
    versions
      .find(({ id }) => id === live)
      ?.bindings.find(({ name }) => name === 'SIGHTLINE_DEPLOYMENT')
      ?.text?.charAt(0),
  );

/** Two deployments, one after the other. */
async function deployTwice(): Promise<[FakePlatform, FakeMachine]> {
  const [platform, machine] = [new FakePlatform(), createMachine()];
  await deploy(platform, machine);
  machine.sources = 'b';
  await deploy(platform, machine);
  platform.changes.length = 0;
  return [platform, machine];
}

test('every Worker goes back to the code of before, with its settings, callers first', async () => {
  const [platform, machine] = await deployTwice();
  expect(readSources(platform)).toEqual(['b', 'b', 'b', 'b']);
  expect(await rollBack(platform, machine)).toMatchObject({ ok: true, isChanged: true });
  expect(readSources(platform)).toEqual(['a', 'a', 'a', 'a']);
  const live = platform.workers.get(API);
  const bindings = live?.versions.find(({ id }) => id === live.live)?.bindings ?? [];
  expect(bindings.some(({ name }) => name === 'LEDGER_SECRET')).toBe(true);
  expect(platform.changes.map((call) => call.split('--name ')[1]?.split(' ')[0])).toEqual(
    ['control', 'webhook', 'pdf', 'api'].map((name) => `sightline-${name}-staging`),
  );
});

test('the next deployment uploads before it sets anything, and ends whole', async () => {
  const [platform, machine] = await deployTwice();
  await rollBack(platform, machine);
  const settings = new Map([...order.settings, ['CONTACT_EMAIL', 'ada@shop.example']] as const);
  platform.changes.length = 0;
  expect(await deploy(platform, machine, { settings })).toMatchObject({ ok: true });
  const ofApi = platform.changes
    .filter((call) => call.includes('--config wrangler.toml'))
    .map((call) => call.split(' ')[1]);
  expect(ofApi).toEqual(['deploy', 'secret']);
  expect(readSources(platform)).toEqual(['b', 'b', 'b', 'b']);
});

test('a migration forbids it, for all of them', async () => {
  const [platform, machine] = [new FakePlatform(), createMachine()];
  await deploy(platform, machine);
  platform.migration = 'v2';
  machine.sources = 'b';
  await deploy(platform, machine);
  platform.changes.length = 0;
  expect(await rollBack(platform, machine)).toMatchObject({ ok: false, reason: 'migration_between' });
  expect(platform.changes).toEqual([]);
});

test('a secret that was changed since does not come back unseen', async () => {
  const [platform, machine] = await deployTwice();
  const settings = new Map([...order.settings, ['PAY_TO', `0x${'bb'.repeat(20)}`]] as const);
  await deploy(platform, machine, { settings, replace: new Set(['PAY_TO']) });
  platform.changes.length = 0;
  expect(await rollBack(platform, machine)).toMatchObject({ ok: false, reason: 'secrets_changed' });
  expect(platform.changes).toEqual([]);
  expect(await rollBack(platform, machine, true)).toMatchObject({ ok: true });
});

test('the first deployment has nothing to go back to: neither a stub nor a version without settings', async () => {
  const [platform, machine] = [new FakePlatform(), createMachine()];
  await deploy(platform, machine);
  platform.changes.length = 0;
  expect(await rollBack(platform, machine)).toMatchObject({ ok: false, reason: 'nothing_before' });
  expect(platform.changes).toEqual([]);
});

test('a version without the key of the ledger is nothing to go back to, not even by word', async () => {
  const [platform, machine] = await deployTwice();
  const { versions = [] } = platform.workers.get(API) ?? {};
  for (const version of versions.slice(0, -1))
    version.bindings = version.bindings.filter(({ name }) => name !== 'LEDGER_SECRET');
  const ofApi = { ...order, workers: ['api'], withOlderSecrets: true } as const;
  expect(await undoDeployment(ofApi, createFakePorts(platform, machine))).toMatchObject({ reason: 'nothing_before' });
  expect(platform.changes).toEqual([]);
});

test('a Worker that the newest release did not change stays, and so meets no Workers that are newer than it knows', async () => {
  const [platform, machine] = await deployTwice();
  machine.own.set('pdf', 'c');
  await deploy(platform, machine);
  const settings = new Map([...order.settings, ['CONTACT_EMAIL', 'ada@shop.example']] as const);
  await deploy(platform, machine, { settings }); // A secret makes a newer version of an older release.
  expect(readSources(platform).filter((source) => source === 'c')).toEqual(['c']);
  platform.changes.length = 0;
  expect(await rollBack(platform, machine)).toMatchObject({ ok: true });
  expect(platform.changes.map((call) => call.split('--name ')[1]?.split(' ')[0])).toEqual(['sightline-pdf-staging']);
  expect(readSources(platform)).toEqual(['b', 'b', 'b', 'b']);
});
