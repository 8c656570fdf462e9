import { rememberPerObject } from '../../lib/memo.ts';
import { getEngineName } from '../../visibility/panel/engine-readings.ts';
import { isSameAnswerer } from '../../visibility/trend/history.ts';
import type { MeasuredBrand, MeasuredRun } from '../../visibility/trend/measured-run.ts';
import { mergeCloseRuns, type Point } from '../../visibility/trend/points.ts';
import type { BrandSummary, MonitorRun } from '../core/run.ts';

/** Runs of an engine that begin within this time of the first are one point: a run by hand beside the planned one is no other day. */
const SAME_POINT_MS = 12 * 3_600_000;

/** One run of an engine, and the monitor's run that it is of. */
export type EngineRun = { runId: string; run: MeasuredRun };

/** A point of time of an engine with its runs. */
export type EnginePoint = { runs: readonly EngineRun[]; point: Point };

/** An engine of the new run, and its earlier runs on the same prompts, whoever answered them. */
export type EngineSeen = { engine: string; now: EngineRun; earlier: readonly EngineRun[] };

/** Each engine of the new run. Earlier runs are oldest first, and those that asked something else are left out. */
export function listEnginesSeen(
  { measured }: BrandSummary,
  runId: string,
  history: readonly MonitorRun[],
): readonly EngineSeen[] {
  const earlier = history
    .toReversed()
    .flatMap(({ id, summary }) =>
      summary?.kind === 'brand' && isSameQuestion(summary.measured, measured)
        ? summary.measured.runs.map((run) => ({ runId: id, run }))
        : [],
    );
  return measured.runs.map((run) => {
    const engine = getEngineName(run);
    return { engine, now: { runId, run }, earlier: earlier.filter((one) => getEngineName(one.run) === engine) };
  });
}

const isSameQuestion = (one: MeasuredBrand, other: MeasuredBrand): boolean =>
  one.brand === other.brand &&
  one.niche === other.niche &&
  one.promptSet.id === other.promptSet.id &&
  one.promptSet.sha256 === other.promptSet.sha256;

/** The points that the model of now answered, oldest first, from the run `since` on. */
export function listPoints({ now, earlier }: EngineSeen, since: string | undefined): readonly EnginePoint[] {
  const from = earlier.findIndex(({ runId }) => runId === since);
  const runs = [...earlier.slice(Math.max(0, from)), now].filter(({ run }) => isSameAnswerer(run, now.run));
  const groups: EngineRun[][] = [];
  for (const one of runs) {
    const last = groups.at(-1);
    const start = last?.[0]?.run.atMs;
    if (last !== undefined && start !== undefined && one.run.atMs - start < SAME_POINT_MS) last.push(one);
    else groups.push([one]);
  }
  return groups.map(poolRuns);
}

/** The point of one run, which every later look needs again. */
const readPoint = rememberPerObject((run: MeasuredRun): Point => mergeCloseRuns([run]));

function poolRuns(runs: readonly EngineRun[]): EnginePoint {
  const [first, ...others] = runs;
  const isLone = first !== undefined && others.length === 0;
  return { runs, point: isLone ? readPoint(first.run) : mergeCloseRuns(runs.map(({ run }) => run)) };
}

/** Several points as one. @param points at least one */
export const mergePoints = (points: readonly EnginePoint[]): Point =>
  poolRuns(points.flatMap(({ runs }) => runs)).point;
