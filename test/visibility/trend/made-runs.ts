import { createRandomFromSeed } from '../../../src/lib/seeded-random.ts';
import type { MeasuredBrand, MeasuredRun } from '../../../src/visibility/trend/measured-run.ts';

export const DAY_MS = 24 * 3_600_000;

/** A run whose prompts named the brand as `named` says: `1` yes, `0` no, `-` without a real answer. */
export const runOf = (runId: string, day: number, named: string, more: Partial<MeasuredRun> = {}): MeasuredRun => ({
  runId,
  atMs: day * DAY_MS,
  engine: { kind: 'openai-compatible', model: 'm' },
  servedModels: ['m-1'],
  simulated: false,
  named: Array.from(named, (sign) => (sign === '-' ? undefined : sign === '1')),
  ...more,
});

export const measuredOf = (...runs: readonly MeasuredRun[]): MeasuredBrand => ({
  brand: 'Acme',
  niche: 'tea',
  promptSet: { id: 'v1', sha256: 'a'.repeat(64) },
  runs,
});

type Market = { seed: string; runs: number; gapDays: number; prompts?: number; driftOf?: (at: number) => number };

/** Runs of a made market: each prompt has a chance of its own, which `driftOf` moves; one answer in 25 is missing. */
export function simulateRuns({ seed, runs, gapDays, prompts = 30, driftOf = () => 0 }: Market): MeasuredBrand[] {
  const random = createRandomFromSeed(seed);
  const chances = Array.from({ length: prompts }, () => 0.05 + random() * 0.8);
  const answer = (chance: number): string => (random() < 0.04 ? '-' : random() < chance ? '1' : '0');
  return Array.from({ length: runs }, (_, at) =>
    measuredOf(runOf(`${at}`, at * gapDays, chances.map((chance) => answer(chance + driftOf(at))).join(''))),
  );
}

/** Runs of a made market by several engines, each by itself. */
export const simulatePanels = (market: Market, engines: number): MeasuredBrand[] => {
  const alone = Array.from({ length: engines }, (_, at) => simulateRuns({ ...market, seed: `${market.seed} ${at}` }));
  return Array.from({ length: market.runs }, (_, at) =>
    measuredOf(
      ...alone.flatMap((measured, engine) =>
        (measured[at]?.runs ?? []).map((run) => ({
          ...run,
          runId: `${engine} ${run.runId}`,
          engine: { ...run.engine, name: `engine-${engine}` },
        })),
      ),
    ),
  );
};
