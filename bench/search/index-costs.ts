import type { Engines } from './side.ts';
import type { Side } from './workload.ts';

/** Milliseconds of each round but the first by side, and the least of them. */
export type Costs<S extends string> = Readonly<Record<S, { leastMs: number; roundsMs: readonly number[] }>>;

const ROUNDS = 5;
/** How often all questions are asked in one round, so that a tick of the CPU's clock is little. */
const TIMES = 10;
/** The same pages under so many names: one set of them is too little to be timed. */
export const COPIES = 10;

/** All questions once, CPU of the process. Rounds in turns, whose order changes; the first warms up. */
export async function measureQueries(engines: Engines): Promise<Costs<Side>> {
  const sides = ['ours', 'plain', 'wide'] as const;
  return inTurns(sides, async (side) => (await timed(engines, 'searchAll', side, TIMES)) / TIMES);
}

/** Times that all questions of a small index are asked in one round. */
const SMALL_TIMES = 40;

/** All questions of a small index once, CPU of the process: ranked by our BM25, and by SQLite's alone. */
export const measureSmallQueries = (engines: Engines): Promise<Costs<'own' | 'sqlite'>> =>
  inTurns(
    ['own', 'sqlite'] as const,
    async (by) => (await timed(engines, 'searchSmall', by, SMALL_TIMES)) / SMALL_TIMES,
  );

/** All pages `COPIES` times from text to chunks to an index that was empty, CPU of the process. */
export async function measureFilling(engines: Engines): Promise<Costs<'ours' | 'plain'>> {
  return inTurns(['ours', 'plain'] as const, async (side) => {
    await engines.ask('empty', side);
    let cpuMs = 0;
    for (let copy = 0; copy < COPIES; copy += 1) cpuMs += await timed(engines, 'fill', side, copy);
    return cpuMs;
  });
}

async function inTurns<S extends string>(
  sides: readonly S[],
  measure: (side: S) => Promise<number>,
): Promise<Costs<S>> {
  const rounds: Partial<Record<S, number[]>> = {};
  for (let round = 0; round <= ROUNDS; round += 1)
    for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
      const ms = await measure(side);
      if (round > 0) rounds[side] = [...(rounds[side] ?? []), ms];
    }
  return costsOf(rounds as Record<S, number[]>);
}

const costsOf = <S extends string>(rounds: Readonly<Record<S, readonly number[]>>): Costs<S> => {
  const costs = {} as Record<S, Costs<S>[S]>;
  for (const side in rounds) costs[side] = { leastMs: Math.min(...rounds[side]), roundsMs: rounds[side] };
  return costs;
};

/** CPU of one call beyond what asking the object for nothing takes, which is less than a tick. */
async function timed({ ask, cpuMs }: Engines, call: string, ...args: readonly unknown[]): Promise<number> {
  const before = cpuMs();
  await ask(call, ...args);
  return cpuMs() - before;
}
