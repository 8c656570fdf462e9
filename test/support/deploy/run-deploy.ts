import { createPlatformApi } from '../../../src/deploy/api.ts';
import type { CheckReport } from '../../../src/deploy/checks/check.ts';
import { type DeployOrder, type DeployPorts, deployService } from '../../../src/deploy/deploy.ts';
import { type DeployedWorker, deployedWorkers } from '../../../src/deploy/configuration.ts';
import type { DeployEvent } from '../../../src/deploy/run.ts';
import { judgeSettingValues } from '../../../src/settings/judge-values.ts';
import type { FakePlatform } from './platform.ts';

export const GIVEN = {
  PAY_TO: `0x${'aa'.repeat(20)}`,
  RPC_URL: 'https://rpc.example',
  FACILITATOR_URL: 'https://pay.example',
};
const NOW_MS = 1_800_000_000_000;

export const order: DeployOrder = {
  env: 'staging',
  workers: deployedWorkers,
  domains: new Map(),
  account: undefined,
  settings: new Map(Object.entries(GIVEN)),
  replace: new Set(),
  adopt: new Set(),
  isDryRun: false,
  version: '1.2.3',
};

const passed: CheckReport = {
  status: 'pass',
  checked_at: '2026-11-27T00:00:00.000Z',
  addresses: { api: '' },
  counts: { pass: 1, warn: 0, fail: 0, unknown: 0 },
  results: [],
};

/** What a machine has between two runs: the file of made secrets, and the sources of its clone. */
export type FakeMachine = {
  file: Map<string, string>;
  sources: string;
  /** Of a Worker alone. */
  own: Map<DeployedWorker, string>;
  events: DeployEvent[];
  waited: number;
  /** So long its clock went on while nothing ran. */
  slept: number;
  bytes: number;
};

export const createMachine = (): FakeMachine => ({
  file: new Map(),
  sources: 'a',
  own: new Map(),
  events: [],
  waited: 0,
  slept: 0,
  bytes: 1,
});

/** Ports of a run on a platform in memory; times pass at once. */
export function createFakePorts(platform: FakePlatform, machine: FakeMachine, run = 'run-1'): DeployPorts {
  const wait = (ms: number): Promise<void> => {
    machine.waited += ms;
    return Promise.resolve();
  };
  return {
    api: createPlatformApi('https://platform.example/client/v4', { token: 't' }, { fetch: platform.fetch, wait }),
    apiBase: 'https://platform.example/client/v4',
    runWrangler: platform.runWrangler,
    runScript: () => Promise.resolve({ code: 0, output: '' }),
    readConfigurations: (env) => Promise.resolve({ ok: true, files: platform.readConfigurations(env) }),
    hashSources: (workers) =>
      Promise.resolve({
        ok: true,
        hashes: new Map(workers.map((worker) => [worker, `${machine.own.get(worker) ?? machine.sources}-${worker}`])),
      }),
    judgeSettings: (values) => judgeSettingValues(values, NOW_MS),
    ask: undefined,
    chooseAccount: undefined,
    useAccount: () => undefined,
    lock: { holder: { run, user: 'ada', host: 'here', pid: 7 }, isGone: () => false },
    every: () => () => undefined,
    smoke: ({ addresses }) => Promise.resolve({ ...passed, addresses }),
    readHandedOver: () => Promise.resolve({ ok: true, values: new Map(machine.file) }),
    writeHandedOver: (_of, values) => {
      machine.file = new Map(values);
      return Promise.resolve({ ok: true, file: '/home/ada/made.env' });
    },
    // Another byte each time: what is made twice is not the same.
    randomBytes: (count) => new Uint8Array(count).fill((machine.bytes += 1)),
    nowMs: () => NOW_MS + machine.slept,
    isStopped: () => false,
    wait,
    say: (event) => void machine.events.push(event),
  };
}

export const deploy = (
  platform: FakePlatform,
  machine: FakeMachine,
  change: Partial<DeployOrder> = {},
  ports: Partial<DeployPorts> = {},
) => deployService({ ...order, ...change }, { ...createFakePorts(platform, machine), ...ports });

/** The first letter of the sources that each Worker runs. */
export const listRunningSources = (platform: FakePlatform): readonly (string | undefined)[] =>
  [...platform.workers.values()].map(({ versions, live }) =>
    versions
      .find(({ id }) => id === live)
      ?.bindings.find(({ name }) => name === 'SIGHTLINE_DEPLOYMENT')
      ?.text?.charAt(0),
  );
