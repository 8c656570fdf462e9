import { expect, test } from 'vitest';
import { LEASE_S } from '../../src/deploy/lock.ts';
import { type ReturnOrder, undoDeployment } from '../../src/deploy/rollback.ts';
import {
  createFakePorts,
  createMachine,
  deploy,
  type FakeMachine,
  listRunningSources,
  order,
} from '../support/deploy/run-deploy.ts';
import { FakePlatform } from '../support/deploy/platform.ts';

const API = 'sightline-api-staging';
const rollBack = (platform: FakePlatform, machine: FakeMachine, change: Partial<ReturnOrder> = {}) =>
  undoDeployment({ ...order, withOlderSecrets: false, ...change }, createFakePorts(platform, machine));
/** Workers that went back, in the order of the calls. */
const listReturned = ({ changes }: FakePlatform): readonly (string | undefined)[] =>
  changes.map((call) => /rollback .* --name sightline-(\w+)-staging/.exec(call)?.[1]);
const uploadByHand = (platform: FakePlatform, times: number, trigger: string): void => {
  const { versions } = platform.workers.get(API) ?? raise();
  const newest = versions.at(-1) ?? raise();
  for (let i = 0; i < times; i += 1) {
    const number = versions.length + 1;
    const bindings = newest.bindings.filter(({ name }) => trigger === 'secret' || name !== 'SIGHTLINE_DEPLOYMENT');
    versions.push({ ...newest, id: `${API}-v${number}`, number, bindings, trigger });
  }
};
const raise = (): never => {
  throw new Error('it is not there');
};
/** Two deployments, one after the other. */
async function deployTwice(): Promise<[FakePlatform, FakeMachine]> {
  const [platform, machine] = [new FakePlatform(), createMachine()];
  await deploy(platform, machine);
  machine.sources = 'b';
  await deploy(platform, machine);
  platform.changes.length = 0;
  return [platform, machine];
}

test('every Worker goes back to the previous code, with its settings, callers first', async () => {
  const [platform, machine] = await deployTwice();
  expect(listRunningSources(platform)).toEqual(['b', 'b', 'b', 'b', 'b']);
  expect(await rollBack(platform, machine)).toMatchObject({ ok: true, isChanged: true });
  expect(listRunningSources(platform)).toEqual(['a', 'a', 'a', 'a', 'a']);
  const live = platform.workers.get(API);
  const bindings = live?.versions.find(({ id }) => id === live.live)?.bindings ?? [];
  expect(bindings.some(({ name }) => name === 'LEDGER_SECRET')).toBe(true);
  expect(listReturned(platform)).toEqual(['control', 'webhook', 'pdf', 'api', 'models']);
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
  expect(listRunningSources(platform)).toEqual(['b', 'b', 'b', 'b', 'b']);
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
  expect(await rollBack(platform, machine, { withOlderSecrets: true })).toMatchObject({ ok: true });
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
  expect(listRunningSources(platform).filter((source) => source === 'c')).toEqual(['c']);
  platform.changes.length = 0;
  expect(await rollBack(platform, machine)).toMatchObject({ ok: true });
  expect(listReturned(platform)).toEqual(['pdf']);
  expect(listRunningSources(platform)).toEqual(['b', 'b', 'b', 'b', 'b']);
  // The newest release runs nowhere: the others do not go back in its place.
  expect(await rollBack(platform, machine)).toMatchObject({ ok: false, reason: 'already_back' });
  expect(listRunningSources(platform)).toEqual(['b', 'b', 'b', 'b', 'b']);
});

test('a second rollback is refused, and only the release that it names is gone back from', async () => {
  const [platform, machine] = await deployTwice();
  machine.sources = 'c';
  await deploy(platform, machine);
  await rollBack(platform, machine);
  platform.changes.length = 0;
  const refused = await rollBack(platform, machine);
  expect(refused).toMatchObject({ ok: false, reason: 'already_back' });
  const { next = '', detail = [] } = refused.ok ? {} : refused;
  expect(next).toContain('npm run deploy -- --env staging');
  expect(detail).toHaveLength(5);
  expect(platform.changes).toEqual([]);
  const past = /--past (\w+)/.exec(next)?.[1];
  expect(await rollBack(platform, machine, { past })).toMatchObject({ ok: true });
  expect(listRunningSources(platform)).toEqual(['a', 'a', 'a', 'a', 'a']);
  expect(await rollBack(platform, machine, { past })).toMatchObject({ ok: false, reason: 'already_back' });
  expect(listRunningSources(platform)).toEqual(['a', 'a', 'a', 'a', 'a']);
});

test('a rollback that was interrupted is continued by the same command, and not repeated', async () => {
  const [platform, machine] = await deployTwice();
  const isStopped = (): boolean => platform.changes.length >= 2;
  const stopped = await undoDeployment(
    { ...order, withOlderSecrets: false },
    { ...createFakePorts(platform, machine), isStopped },
  );
  expect(stopped).toMatchObject({ ok: false, reason: 'stopped' });
  const advice = stopped.ok ? '' : stopped.next;
  expect(advice).toContain('Run the same command again');
  expect(advice).toContain('npm run deploy -- --env staging');
  expect(await rollBack(platform, machine)).toMatchObject({ ok: true });
  expect(listReturned(platform)).toEqual(['control', 'webhook', 'pdf', 'api', 'models']);
  expect(await rollBack(platform, machine)).toMatchObject({ ok: false, reason: 'already_back' });
});

test('a rollback that another run may have overtaken is looked at before it goes on', async () => {
  const [platform, machine] = await deployTwice();
  const runWrangler = async (run: Parameters<typeof platform.runWrangler>[0]) => {
    const end = await platform.runWrangler(run);
    platform.databases.get('sightline-deploy')?.exec("UPDATE deployments SET run = 'other'");
    machine.slept = LEASE_S * 1_000;
    return end;
  };
  const ports = { ...createFakePorts(platform, machine), runWrangler };
  const end = await undoDeployment({ ...order, withOlderSecrets: false }, ports);
  expect(end).toMatchObject({ ok: false, reason: 'lock_lost', next: expect.stringContaining('--dry-run') });
  expect(listReturned(platform)).toEqual(['control']);
});

test('a Worker that is new in the newest release keeps all of them from going back, and can be left out', async () => {
  const [platform, machine] = [new FakePlatform(), createMachine()];
  const workers = ['api', 'pdf', 'webhook'] as const;
  await deploy(platform, machine, { workers });
  machine.sources = 'b';
  await deploy(platform, machine);
  platform.changes.length = 0;
  expect(await rollBack(platform, machine)).toMatchObject({
    reason: 'nothing_before',
    message: expect.stringContaining('sightline-control-staging'),
    next: expect.stringContaining('--workers api,pdf,webhook'),
  });
  expect(platform.changes).toEqual([]);
  expect(await rollBack(platform, machine, { workers })).toMatchObject({ ok: true });
  expect(listReturned(platform)).toEqual(['webhook', 'pdf', 'api']);
});

test('the previous code is found behind as many versions as the platform offers', async () => {
  const [platform, machine] = [new FakePlatform(), createMachine()];
  await deploy(platform, machine);
  uploadByHand(platform, 40, 'upload');
  machine.sources = 'b';
  await deploy(platform, machine);
  uploadByHand(platform, 40, 'secret');
  const worker = platform.workers.get(API) ?? raise();
  worker.live = worker.versions.at(-1)?.id ?? raise();
  platform.reads.length = 0;
  expect(await rollBack(platform, machine, { withOlderSecrets: true })).toMatchObject({ ok: true });
  expect(listRunningSources(platform)).toEqual(['a', 'a', 'a', 'a', 'a']);
  // Changes of a secret of the code that runs are not looked through.
  const read = platform.reads.filter((call) => call.includes(`${API}/versions/`));
  expect(read.length).toBeLessThan(45);
});

test('older secrets that a newer version had are no change of the version that runs', async () => {
  const [platform, machine] = await deployTwice();
  machine.sources = 'c';
  await deploy(platform, machine);
  const settings = new Map([...order.settings, ['CONTACT_EMAIL', 'ada@shop.example']] as const);
  await deploy(platform, machine, { settings });
  const refused = await rollBack(platform, machine);
  expect(refused).toMatchObject({
    reason: 'secrets_changed',
    next: expect.stringContaining('docs/operate/secrets-and-rotation.md'),
  });
  await rollBack(platform, machine, { withOlderSecrets: true });
  const again = await rollBack(platform, machine);
  const past = /--past (\w+)/.exec(again.ok ? '' : again.next)?.[1];
  expect(await rollBack(platform, machine, { past })).toMatchObject({ ok: true });
});

test('the next deployment uploads, whichever version the platform describes', async () => {
  const [platform, machine] = await deployTwice();
  await rollBack(platform, machine);
  platform.showsNewest = true;
  expect(await deploy(platform, machine)).toMatchObject({ ok: true, isChanged: true });
  expect(listRunningSources(platform)).toEqual(['b', 'b', 'b', 'b', 'b']);
  expect(await deploy(platform, machine)).toMatchObject({ ok: true, isChanged: false });
});
