import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runNode } from '../children.ts';
import { cpuMsOf, peakMiBOf } from '../process-usage.ts';
import type { InboxKind, Side } from './side.ts';

/** A round of one side: acknowledgements a second, latencies in milliseconds, CPU of an acknowledgement in microseconds. */
export type AckRound = { perS: number; p50: number; p99: number; cpuUs: number };
/** The best round of a side by rate, and the largest memory of its process. */
export type Acknowledged = {
  kind: InboxKind;
  connections: number;
  best: AckRound;
  perSOfRounds: readonly number[];
  peakMiB: number;
};

type Pushed = { requests: number; statuses: Record<string, number>; failures: number } & Omit<AckRound, 'cpuUs'>;

const ROUNDS = 5;
const ROUND_S = 3;
const WARM_UP_S = 2;
/** As the facts were measured, and as many as let a disk that takes milliseconds commit groups. */
export const CONNECTIONS = [16, 64] as const;
/** More than a round can send; each message is sent once, so that each is written. */
const MOST = 16_000;

/** Rounds of all sides in turns, so that a noisy minute hits all. */
export async function acknowledge(
  sides: readonly Side[],
  folder: string,
  connections: number,
): Promise<readonly Acknowledged[]> {
  const rounds = new Map<InboxKind, AckRound[]>(sides.map(({ kind }) => [kind, []]));
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const side of sides) {
      const result = await runRound(side, join(folder, 'push.json'), { round, connections });
      if (round > 0) rounds.get(side.kind)?.push(result);
    }
  }
  return sides.map(({ kind, pid }) => {
    const own = (rounds.get(kind) ?? []).toSorted((left, right) => right.perS - left.perS);
    const [best = { perS: 0, p50: 0, p99: 0, cpuUs: 0 }] = own;
    return {
      kind,
      connections,
      best,
      perSOfRounds: own.map(({ perS }) => Math.round(perS)),
      peakMiB: Math.round(peakMiBOf(pid)),
    };
  });
}

async function runRound(
  { pid, url, headers, kind }: Side,
  jobFile: string,
  { round, connections }: { round: number; connections: number },
): Promise<AckRound> {
  const seconds = round === 0 ? WARM_UP_S : ROUND_S;
  const from = 1 + (round + connections * (ROUNDS + 1)) * MOST; // Numbers are never used twice.
  const job = { url, headers, from, most: MOST, connections, seconds };
  writeFileSync(jobFile, JSON.stringify(job));
  const beforeMs = cpuMsOf(pid);
  const client = new URL('push.mjs', import.meta.url).pathname;
  const { requests, statuses, failures, ...rest } = JSON.parse(await runNode([client, jobFile])) as Pushed;
  const refused = Object.keys(statuses).filter((status) => status !== '200');
  if (refused.length > 0 || failures > 0 || requests === 0)
    throw new Error(`${kind}: ${requests} requests, ${failures} failures, statuses ${JSON.stringify(statuses)}`);
  return { ...rest, cpuUs: ((cpuMsOf(pid) - beforeMs) * 1000) / requests };
}
