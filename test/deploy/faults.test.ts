import { describe, expect, test } from 'vitest';
import { undoDeployment } from '../../src/deploy/rollback.ts';
import type { DeployPorts } from '../../src/deploy/deploy.ts';
import {
  createFakePorts,
  createMachine,
  deploy,
  type FakeMachine,
  listRunningSources,
  order,
} from '../support/deploy/run-deploy.ts';
import { type FakeFault, FakePlatform } from '../support/deploy/platform.ts';

const KINDS: readonly [what: string, fault: FakeFault][] = [
  ['is lost', 'lost'],
  ['loses its answer', 'lost after'],
  ['is answered 500', { status: 500 }],
  ['is answered 429', { status: 429 }],
  ['is refused', { status: 400, code: 10_021, message: 'refused' }],
];
/** Once, or from there on. */
const TIMES = [1, Infinity];

/** Breaks so many calls from the n-th on. @returns how many there were */
function breakFrom(platform: FakePlatform, first: number, times: number, kind: FakeFault): () => number {
  let calls = 0;
  platform.fault = () => {
    calls += 1;
    return calls >= first && calls < first + times ? kind : undefined;
  };
  return () => calls;
}

const heal = (platform: FakePlatform): void => {
  platform.fault = () => undefined;
};

/** The next run finds the one before it gone: it was of this machine. */
const nextRun = (number: number): Pick<DeployPorts, 'lock'> => ({
  lock: { holder: { run: `run-${number}`, user: 'ada', host: 'here', pid: number }, isGone: () => true },
});

const readLedgerSecret = (platform: FakePlatform): string | undefined =>
  platform.workers.get('sightline-api-staging')?.secretValues['LEDGER_SECRET'];

/** What a deployment leaves, but for the values of the secrets that it makes, and numbers of versions. */
const describePlatform = ({ workers, queues, buckets }: FakePlatform): object => ({
  workers: [...workers]
    .map(([name, { versions, live, workersDev, crons, secretValues }]) => {
      const bindings = versions.find(({ id }) => id === live)?.bindings ?? [];
      const { BASE_URL, CONTROL_URL, WEBHOOK_URL, PAY_TO } = secretValues;
      return {
        name,
        workersDev,
        crons,
        bindings: bindings.map((one) => `${one.type} ${one.name}`).toSorted(),
        settings: Object.keys(secretValues).toSorted(),
        values: { BASE_URL, CONTROL_URL, WEBHOOK_URL, PAY_TO },
      };
    })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1)),
  queues: [...queues].map(([name, consumers]) => `${name}: ${consumers.toSorted().join(' ')}`).toSorted(),
  buckets: [...buckets],
});

async function deployTwice(): Promise<[FakePlatform, FakeMachine]> {
  const [platform, machine] = [new FakePlatform(), createMachine()];
  await deploy(platform, machine);
  machine.sources = 'b';
  await deploy(platform, machine, {}, nextRun(2));
  return [platform, machine];
}

const rollBack = (platform: FakePlatform, machine: FakeMachine, run: number) =>
  undoDeployment({ ...order, withOlderSecrets: false }, { ...createFakePorts(platform, machine), ...nextRun(run) });

async function countCalls(run: (platform: FakePlatform, machine: FakeMachine) => Promise<unknown>, ready?: boolean) {
  const [platform, machine] = ready === true ? await deployTwice() : [new FakePlatform(), createMachine()];
  const count = breakFrom(platform, 0, 0, 'lost');
  await run(platform, machine);
  return count();
}

/** Each place of a run, broken once and from there on. */
const listPlaces = (calls: number): readonly { first: number; times: number }[] =>
  TIMES.flatMap((times) => Array.from({ length: calls }, (_, index) => ({ first: index + 1, times })));

/** A refusal without anything to do next. */
const isMute = (end: { ok: true } | { ok: false; next: string }): boolean => !end.ok && end.next.length < 10;

describe.each(KINDS)('where one call %s', (_what, kind) => {
  test('a deployment says so or goes on, the next run ends whole, and the one after that changes nothing', async () => {
    const calls = await countCalls(deploy);
    expect(calls).toBeGreaterThan(25);
    const unbroken = new FakePlatform();
    await deploy(unbroken, createMachine());
    const whole = describePlatform(unbroken);
    for (const place of listPlaces(calls)) {
      const [platform, machine] = [new FakePlatform(), createMachine()];
      breakFrom(platform, place.first, place.times, kind);
      const broken = await deploy(platform, machine);
      heal(platform);
      const secret = readLedgerSecret(platform);
      const next = await deploy(platform, machine, {}, nextRun(8));
      const isReplaced = secret !== undefined && readLedgerSecret(platform) !== secret;
      const left = describePlatform(platform);
      platform.changes.length = 0;
      const last = await deploy(platform, machine, {}, nextRun(9));
      expect({ place, isMute: isMute(broken), next, isReplaced, left, last, changes: platform.changes }).toMatchObject({
        place,
        isMute: false,
        next: { ok: true },
        isReplaced: false,
        left: whole,
        last: { ok: true, isChanged: false },
        changes: [],
      });
    }
  });

  test('a rollback says so or goes on, and the same command ends with every Worker back, and no further', async () => {
    const calls = await countCalls((platform, machine) => rollBack(platform, machine, 7), true);
    expect(calls).toBeGreaterThan(15);
    for (const place of listPlaces(calls)) {
      const [platform, machine] = await deployTwice();
      breakFrom(platform, place.first, place.times, kind);
      const broken = await rollBack(platform, machine, 7);
      heal(platform);
      const again = await rollBack(platform, machine, 8);
      const end = again.ok ? 'back' : again.reason;
      expect({ place, isMute: isMute(broken), end, sources: listRunningSources(platform) }).toEqual({
        place,
        isMute: false,
        end: expect.stringMatching(/^(?:back|already_back)$/),
        sources: ['a', 'a', 'a', 'a', 'a'],
      });
    }
  });
});
