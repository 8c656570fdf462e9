import { afterAll, beforeAll, expect, test } from 'vitest';
import { startStack } from '../../local/stack.ts';
import { createCheckPorts } from '../../src/cli/doctor/check-ports.ts';
import { runChecks } from '../../src/deploy/checks/run.ts';
import { configurationFiles } from '../../src/deploy/configuration.ts';
import { findLiveVersion } from '../support/cloudflare/account.ts';
import { FAULT_KINDS, type FaultKind, type FaultPlan, failFrom } from '../support/cloudflare/faults.ts';
import { type OutsideWorld, startOutsideWorld } from '../support/cloudflare/outside-world.ts';
import { type CloudflareStandIn, startCloudflareStandIn } from '../support/cloudflare/stand-in.ts';
import { createTestClone, type DeployRun, type TestClone } from '../support/cloudflare/test-clone.ts';

/** Uploads of files are all alike: of each Worker one in so many is broken. */
const UPLOADS_STEP = 25;
let world: OutsideWorld;
let clone: TestClone;

beforeAll(async () => {
  world = await startOutsideWorld();
  clone = createTestClone(world.settings);
});
afterAll(async () => {
  clone.remove();
  await world.stop();
});

const run = (standIn: CloudflareStandIn, words: readonly string[]): Promise<DeployRun> => {
  standIn.forgetCalls();
  const platform = ['--api-base', standIn.apiUrl, '--resolve', `*=${standIn.edgeUrl}`];
  return clone.run(standIn, ['deploy', ...words, '--env', 'staging', ...platform]);
};
const deploy = (standIn: CloudflareStandIn): Promise<DeployRun> => run(standIn, ['--secrets-file', clone.secretsFile]);

/** Done, refused or not reached: a run says what happened. */
function requireWords({ code, output }: DeployRun): void {
  expect(`${code}\n${output}`).toMatch(/^[013]\n/);
  expect(output).not.toMatch(/^ {4}at /m);
}

/** Deploys into an empty account with faults, then without, then once more. */
async function deployTwice(faults: FaultPlan): Promise<void> {
  const standIn = await startCloudflareStandIn({ outside: world.outside, faults });
  try {
    requireWords(await deploy(standIn));
    standIn.setFaults(undefined);
    const second = await deploy(standIn);
    expect(`${second.code}\n${second.output}`).toMatch(/^0\n/);
    const third = await deploy(standIn);
    expect(third.output).toContain('nothing was changed');
  } finally {
    await standIn.close();
  }
}

/** The numbers of the calls of a whole deployment, without most of its uploads of files. */
async function listCalls(): Promise<readonly number[]> {
  const standIn = await startCloudflareStandIn({ outside: world.outside });
  try {
    const { code, output } = await deploy(standIn);
    expect(`${code}\n${output}`).toMatch(/^0\n/);
    return standIn.calls
      .filter(({ path }, i) => !path.endsWith('/assets/upload') || i % UPLOADS_STEP === 0)
      .map(({ n }) => n);
  } finally {
    await standIn.close();
  }
}

test.each(FAULT_KINDS.map((kind, i): [FaultKind, number] => [kind, i]))(
  'whichever call fails by %s, once or from then on, the next run completes the deployment',
  async (kind, i) => {
    const calls = await listCalls();
    const own = calls.filter((_, place) => place % FAULT_KINDS.length === i);
    for (const [place, n] of own.entries()) await deployTwice(failFrom(n, kind, place % 2 === 0 ? Infinity : 1));
  },
);

/** What each Worker runs: the mark of its sources. */
const listMarks = ({ account }: CloudflareStandIn): readonly unknown[] =>
  [...account.scripts.values()].map(
    (script) => findLiveVersion(script)?.bindings.find(({ name }) => name === 'SIGHTLINE_DEPLOYMENT')?.['text'],
  );

/** Which version of each Worker answers. @returns what makes it so again */
function rememberVersions({ account }: CloudflareStandIn): () => void {
  const live = [...account.scripts.values()].map(({ deployments }) => ({ deployments, was: [...deployments] }));
  return () => {
    for (const { deployments, was } of live) deployments.splice(0, Infinity, ...was);
  };
}

test('whichever call of a rollback fails once, in turn by each fault, no Worker is lost, and the next run brings all back', async () => {
  const standIn = await startCloudflareStandIn({ outside: world.outside });
  try {
    expect(await deploy(standIn)).toMatchObject({ code: 0 });
    const before = listMarks(standIn);
    for (const file of Object.values(configurationFiles)) clone.edit(file, (text) => `${text}\n# changed\n`);
    expect(await deploy(standIn)).toMatchObject({ code: 0 });
    const after = listMarks(standIn);
    const deployAgain = rememberVersions(standIn);
    expect(await run(standIn, ['rollback'])).toMatchObject({ code: 0 });
    expect(listMarks(standIn)).toEqual(before);
    const calls = standIn.calls.map(({ n }) => n);
    for (const n of calls) {
      deployAgain();
      expect(listMarks(standIn)).toEqual(after);
      standIn.setFaults(failFrom(n, FAULT_KINDS[n % FAULT_KINDS.length] ?? 'cut before', 1));
      requireWords(await run(standIn, ['rollback']));
      standIn.setFaults(undefined);
      const between = listMarks(standIn);
      expect([n, ...between.filter((mark, at) => mark !== before[at] && mark !== after[at])]).toEqual([n]);
      requireWords(await run(standIn, ['rollback']));
      expect([n, ...listMarks(standIn)]).toEqual([n, ...before]);
    }
  } finally {
    await standIn.close();
  }
});

test('whichever request of the doctor is lost, or loses its answer, it calls nothing a failure', async () => {
  const stack = await startStack();
  const { api, operator } = stack.file;
  const ports = { ...createCheckPorts(), operatorSecret: operator?.secret };
  /** Loses the nth request, or its answer. @returns what failed, and how many requests there were */
  const examine = async (n: number): Promise<{ failed: readonly string[]; asked: number }> => {
    let asked = 0;
    const ask: typeof ports.ask = async (url, init) => {
      asked += 1;
      if (asked !== n) return ports.ask(url, init);
      if (n % 2 === 0) await (await ports.ask(url, init)).body?.cancel();
      throw new TypeError('fetch failed');
    };
    const { results } = await runChecks({ addresses: { api } }, { ...ports, ask });
    return { failed: results.filter(({ status }) => status === 'fail').map(({ id }) => id), asked };
  };
  try {
    const whole = await examine(Infinity);
    expect(whole.failed).toEqual([]);
    expect(whole.asked).toBeGreaterThan(30);
    for (let n = 1; n <= whole.asked; n += 1) expect([n, ...(await examine(n)).failed]).toEqual([n]);
  } finally {
    await stack.stop();
  }
});
