import type { Stores } from './side.ts';
import { BATCH, type Kind } from './workload.ts';

type Round = { cpuMs: number; wallMs: number };
/**
 * CPU and wall of one batch of 1,000, milliseconds: the least of the rounds, and all of them. `floor` is what asking the
 * object for nothing takes, which is in both. The ratios are raw / ours, both without the floor.
 */
export type Written = {
  kind: Kind;
  ours: Round;
  raw: Round;
  floor: Round;
  cpuRatio: number;
  wallRatio: number;
  rounds: { ours: Round[]; raw: Round[] };
  /** Of the database. */
  bytesPerRow: number;
};

const ROUNDS = 6;
const BATCHES = 50;
const OBJECT = 'writes';

/**
 * `entries:write` of batches against inserts of the rows that came of them. Rounds in turns, whose order changes; what
 * raw inserts is what ours stored in the round before.
 */
export async function measureWrites(kind: Kind, { ask, cpuMs }: Stores): Promise<Written> {
  const object = `${OBJECT}-${kind}`;
  const timed = async (side: 'ours' | 'raw', name = 'writeNext'): Promise<Round> => {
    const [cpu, wall] = [cpuMs(), performance.now()];
    for (let batch = 0; batch < BATCHES; batch += 1) await ask(object, `${side}.${name}`);
    return { cpuMs: (cpuMs() - cpu) / BATCHES, wallMs: (performance.now() - wall) / BATCHES };
  };
  const handOver = async (): Promise<void> => {
    for (let left = BATCHES; left > 0; left -= 1) await ask(object, 'copy', left * BATCH);
  };
  const prepare = (round: number): Promise<void> => ask(object, 'ours.prepare', round * BATCHES * BATCH, BATCHES, kind);
  await prepare(0);
  await timed('ours');
  await handOver();
  const rounds: Written['rounds'] = { ours: [], raw: [] };
  const floors: Round[] = [];
  for (let round = 1; round <= ROUNDS; round += 1) {
    await prepare(round);
    const sides = ['ours', 'raw'] as const;
    for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
      const result = await timed(side);
      if (round > 1) rounds[side].push(result); // Raw warms up in the first.
    }
    floors.push(await timed('ours', 'nothing'));
    await handOver();
  }
  const [ours, raw, floor] = [leastOf(rounds.ours), leastOf(rounds.raw), leastOf(floors)];
  await requireSame(object, ask);
  const { rows, bytes } = await ask<{ rows: number; bytes: number }>(object, 'ours.count');
  const cpuRatio = (raw.cpuMs - floor.cpuMs) / (ours.cpuMs - floor.cpuMs);
  const wallRatio = (raw.wallMs - floor.wallMs) / (ours.wallMs - floor.wallMs);
  return { kind, ours, raw, floor, cpuRatio, wallRatio, rounds, bytesPerRow: bytes / rows };
}

/** Raw is a round behind. */
async function requireSame(object: string, ask: Stores['ask']): Promise<void> {
  const [ours, raw] = [
    await ask<{ rows: number }>(object, 'ours.count'),
    await ask<{ rows: number }>(object, 'raw.count'),
  ];
  if (ours.rows !== raw.rows + BATCHES * BATCH) throw new Error(`ours keeps ${ours.rows} rows, raw ${raw.rows}`);
}

const leastOf = (rounds: readonly Round[]): Round => ({
  cpuMs: Math.min(...rounds.map(({ cpuMs }) => cpuMs)),
  wallMs: Math.min(...rounds.map(({ wallMs }) => wallMs)),
});
