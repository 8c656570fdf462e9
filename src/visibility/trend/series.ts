import type { RunEngine } from '../run/run.ts';
import type { MeasuredBrand, MeasuredRun } from './measured-run.ts';

/** The runs of one engine, earliest first; at least two. */
export type EngineSeries = { engine: string; runs: readonly MeasuredRun[] };

/** A run that no other one is compared with, as its engine answered in no other measurement. */
export type LoneRun = { engine: string; run_id: string; at_ms: number };

/** How an engine is called over time: by its row in the panel, or by its kind in runs without one. */
const getEngineName = ({ name, kind }: RunEngine): string => name ?? kind;

/** A change needs so many runs. */
const MIN_RUNS = 2;

/** The runs of each engine, and the runs that are left without another one. */
export function groupByEngine(measured: readonly MeasuredBrand[]): {
  series: readonly EngineSeries[];
  without_partner: readonly LoneRun[];
} {
  const runs = measured
    .flatMap((one) => one.runs)
    .toSorted((one, other) => one.atMs - other.atMs || (one.runId < other.runId ? -1 : 1));
  const findName = createNameFinder(
    runs.map(({ engine }) => engine),
    measured.every((one) => one.runs.length === 1),
  );
  const byName = [...Map.groupBy(runs, ({ engine }) => findName(engine))];
  return {
    series: byName.flatMap(([engine, all]) => (all.length < MIN_RUNS ? [] : [{ engine, runs: all }])),
    without_partner: byName.flatMap(([engine, all]) =>
      all.length < MIN_RUNS ? all.map(({ runId, atMs }) => ({ engine, run_id: runId, at_ms: atMs })) : [],
    ),
  };
}

/**
 * Where each measurement has one run, unnamed ones are of one series: that of the only engine with a name, or one of their
 * own, called by the latest kind. Another model in it is marked as one. Elsewhere an unnamed run is of the named engine of
 * its kind and model.
 * @param engines earliest first
 */
function createNameFinder(engines: readonly RunEngine[], isSingle: boolean): (engine: RunEngine) => string {
  const named = engines.filter(({ name }) => name !== undefined);
  const names = new Set(named.map(getEngineName));
  const only = names.size === 1 ? [...names][0] : names.size === 0 ? engines.at(-1)?.kind : undefined;
  return (engine) => {
    if (engine.name !== undefined) return engine.name;
    if (isSingle && only !== undefined) return only;
    const alike = named.find(({ kind, model }) => kind === engine.kind && model === engine.model);
    return getEngineName(alike ?? engine);
  };
}

/** Whether a measurement by these engines would have a run that compares with one of before: asked before they answer. */
export function hasComparableEngine(before: MeasuredBrand, engines: readonly RunEngine[]): boolean {
  const earlier = before.runs.map(({ engine }) => engine);
  const findName = createNameFinder([...earlier, ...engines], before.runs.length === 1 && engines.length === 1);
  const names = new Set(earlier.map(findName));
  return engines.some((engine) => names.has(findName(engine)));
}
