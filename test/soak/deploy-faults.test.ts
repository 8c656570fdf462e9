import { afterAll, beforeAll, expect, test } from 'vitest';
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

const deploy = (standIn: CloudflareStandIn): Promise<DeployRun> => {
  standIn.forgetCalls();
  const given = [
    '--secrets-file',
    clone.secretsFile,
    '--api-base',
    standIn.apiUrl,
    '--resolve',
    `*=${standIn.edgeUrl}`,
  ];
  return clone.run(standIn, ['deploy', '--env', 'staging', ...given]);
};

/** Deploys into an empty account with faults, then without, then once more. */
async function deployTwice(faults: FaultPlan): Promise<void> {
  const standIn = await startCloudflareStandIn({ outside: world.outside, faults });
  try {
    const first = await deploy(standIn);
    // Done, refused or not reached: a run says what happened.
    expect(`${first.code}\n${first.output}`).toMatch(/^[013]\n/);
    expect(first.output).not.toMatch(/^ {4}at /m);
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
