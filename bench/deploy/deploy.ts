import { startCloudflareStandIn } from '../../test/support/cloudflare/stand-in.ts';
import { type OutsideWorld, startOutsideWorld } from '../../test/support/cloudflare/outside-world.ts';
import { createTestClone } from '../../test/support/cloudflare/test-clone.ts';
import { type Aim, atMost, round } from '../aims.ts';
import { median } from '../process-usage.ts';

/** Accounts without anything in them, one after another. */
const ROUNDS = 3;
const LIMIT_S = 60;

const KINDS = ['from nothing', 'again, nothing to change'] as const;
type Kind = (typeof KINDS)[number];

/** `sightline deploy` from its spawn to its end, smoke test included; medians in seconds. */
export async function measureDeploy(say: (line: string) => void): Promise<{
  aims: readonly Aim[];
  tookS: Record<Kind, number>;
}> {
  const world = await startOutsideWorld();
  const taken = new Map<Kind, number[]>(KINDS.map((kind) => [kind, []]));
  try {
    for (let turn = 0; turn < ROUNDS; turn += 1) await measureAccount(world, taken);
  } finally {
    await world.stop();
  }
  const tookS = Object.fromEntries(KINDS.map((kind) => [kind, median(taken.get(kind) ?? [])])) as Record<Kind, number>;
  for (const kind of KINDS)
    say(`deploy, ${kind}: ${round(tookS[kind])} s (${(taken.get(kind) ?? []).map(round).join(' ')})`);
  return {
    aims: KINDS.map((kind) =>
      atMost(`deploy against a substitute for the platform, ${kind}`, tookS[kind], LIMIT_S, 's'),
    ),
    tookS,
  };
}

async function measureAccount(world: OutsideWorld, taken: ReadonlyMap<Kind, number[]>): Promise<void> {
  const standIn = await startCloudflareStandIn({ outside: world.outside });
  const clone = createTestClone(world.settings);
  try {
    const to = ['--api-base', standIn.apiUrl, '--resolve', `*=${standIn.edgeUrl}`];
    for (const kind of KINDS) {
      const startedMs = performance.now();
      const words = ['deploy', '--env', 'staging', '--secrets-file', clone.secretsFile, ...to];
      const { code, output } = await clone.run(standIn, words);
      if (code !== 0) throw new Error(`sightline deploy, ${kind}, ended with ${code}: ${output}`);
      taken.get(kind)?.push((performance.now() - startedMs) / 1000);
    }
  } finally {
    clone.remove();
    await standIn.close();
  }
}
