import { expect, test } from 'vitest';
import { createPlatformApi } from '../../src/deploy/api.ts';
import { LEASE_S, type LockHolder, takeDeployLock } from '../../src/deploy/lock.ts';
import { createMachine, deploy } from '../support/deploy/run-deploy.ts';
import { FakePlatform } from '../support/deploy/platform.ts';

const holder = (run: string, host = 'here'): LockHolder => ({ run, user: 'ada', host, pid: 7 });
const open = (platform: FakePlatform) =>
  createPlatformApi(
    'https://platform.example/client/v4',
    { token: 't' },
    { fetch: platform.fetch, wait: () => Promise.resolve() },
  );
const take = (platform: FakePlatform, run: string, isGone = false, env: 'staging' | 'production' = 'staging') =>
  takeDeployLock(open(platform), { accountId: 'acc-1', env, holder: holder(run), isGone: () => isGone });
const pass = (platform: FakePlatform, seconds: number): void =>
  platform.databases.get('sightline-deploy')?.exec(`UPDATE deployments SET until = until - ${seconds}`);

test('of two runs at the same moment one gets it, and the other says who holds it', async () => {
  const platform = new FakePlatform();
  const both = await Promise.all([take(platform, 'a'), take(platform, 'b')]);
  expect(both.filter(({ ok }) => ok)).toHaveLength(1);
  const refused = both.find(({ ok }) => !ok);
  expect(refused).toMatchObject({
    reason: 'deploy_under_way',
    message: expect.stringContaining('ada on here (process 7)'),
  });
  expect(await take(platform, 'c', false, 'production')).toMatchObject({ ok: true });
});

test('it is free after its release, and after its lease', async () => {
  const platform = new FakePlatform();
  const first = await take(platform, 'a');
  if (first.ok) await first.release();
  const second = await take(platform, 'b');
  expect(second.ok).toBe(true);
  pass(platform, LEASE_S - 5);
  expect(await take(platform, 'c')).toMatchObject({ ok: false });
  pass(platform, 5);
  expect(await take(platform, 'c')).toMatchObject({ ok: true });
  if (second.ok) expect(await second.renew()).toBe('lost');
});

test('a renewal makes it longer, and one that gets no answer gives nothing away', async () => {
  const platform = new FakePlatform();
  const held = await take(platform, 'a');
  pass(platform, LEASE_S - 1);
  if (held.ok) expect(await held.renew()).toBe('held');
  pass(platform, LEASE_S - 5);
  expect(await take(platform, 'b')).toMatchObject({ ok: false });
  platform.fault = () => 'lost';
  if (held.ok) expect(await held.renew()).toBe('unknown');
});

test('a run of this machine that is gone is followed at once; another one is waited for', async () => {
  const platform = new FakePlatform();
  await take(platform, 'a');
  expect(await take(platform, 'b', false)).toMatchObject({ ok: false });
  expect(await take(platform, 'b', true)).toMatchObject({ ok: true });
});

test('a deployment that lost its lock stops before the next call', async () => {
  const platform = new FakePlatform();
  const lost = (_ms: number, work: () => Promise<void>): (() => void) => {
    platform.fault = (call) => {
      if (call.includes('queues create') && platform.databases.size > 0) {
        platform.databases.get('sightline-deploy')?.exec("UPDATE deployments SET run = 'other'");
        void work();
      }
      return undefined;
    };
    return () => undefined;
  };
  const wait = (): Promise<void> => new Promise((done) => setImmediate(done));
  const runWrangler = async (run: Parameters<typeof platform.runWrangler>[0]) => {
    const end = await platform.runWrangler(run);
    await wait();
    return end;
  };
  const end = await deploy(platform, createMachine(), {}, { every: lost, runWrangler });
  expect(end).toMatchObject({ ok: false, reason: 'lock_lost' });
  expect(platform.changes.some((call) => call.startsWith('wrangler deploy'))).toBe(false);
});

test('a lease that another run had and gave back is not taken again, and none comes back after its release', async () => {
  const platform = new FakePlatform();
  const first = await take(platform, 'a');
  pass(platform, LEASE_S);
  const other = await take(platform, 'b');
  if (!first.ok || !other.ok) throw new Error('two leases, one after the other');
  await other.release();
  expect([await first.renew(), await other.renew()]).toEqual(['lost', 'lost']);
  expect(await take(platform, 'c')).toMatchObject({ ok: true });
});

test.each([
  ['a run that slept while another one deployed stops', true],
  ['a run that slept alone goes on', false],
])('%s', async (_what, isOvertaken) => {
  const [platform, machine] = [new FakePlatform(), createMachine()];
  let calls = 0;
  const runWrangler = async (run: Parameters<typeof platform.runWrangler>[0]) => {
    const end = await platform.runWrangler(run);
    calls += 1;
    if (calls !== 3) return end;
    machine.slept = LEASE_S * 1_000;
    pass(platform, LEASE_S);
    const other = isOvertaken ? await take(platform, 'other') : undefined;
    if (other?.ok === true) await other.release();
    return end;
  };
  const end = await deploy(platform, machine, {}, { runWrangler });
  expect(end).toMatchObject(isOvertaken ? { ok: false, reason: 'lock_lost' } : { ok: true });
  expect(calls > 3).toBe(!isOvertaken);
  expect(machine.slept).toBe(LEASE_S * 1_000);
});
