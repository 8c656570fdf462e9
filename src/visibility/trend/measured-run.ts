import { isDemonstration } from '../../models/port.ts';
import { readRun } from '../metrics/readings.ts';
import type { Prompt } from '../run/prompts.ts';
import type { CollectedRun, RunEngine } from '../run/run.ts';

/** What a run is to its later ones: which prompts named the brand, by whom they were answered. */
export type MeasuredRun = {
  runId: string;
  /** Unix milliseconds of its start. */
  atMs: number;
  engine: RunEngine;
  /** The models that answered, sorted; none where the engine does not say. */
  servedModels: readonly string[];
  /** Whether its answers are made up or replayed. */
  simulated: boolean;
  /** For each prompt whether its answer names the brand; undefined where there is no real answer. */
  named: readonly (boolean | undefined)[];
};

/** The runs of one measurement, one for each engine, and what they measured. */
export type MeasuredBrand = {
  brand: string;
  niche: string;
  promptSet: { id: string; sha256: string };
  runs: readonly MeasuredRun[];
};

/**
 * Reads the answers of a run for its later ones, as a measurement reads them.
 * @param others names that are measured beside the brand, whose longer names are theirs
 */
export function readMeasuredRun(
  run: CollectedRun,
  brand: string,
  prompts: readonly Prompt[],
  others: readonly string[] = [],
): MeasuredRun {
  const [side] = readRun(run, [brand, ...others], prompts);
  const named = new Map(side?.readings.map(({ index, own }) => [index, own.mentioned]));
  const served = run.answers.flatMap((one) => (one.status === 'failed' ? [] : (one.servedModel ?? [])));
  return {
    runId: run.runId,
    atMs: run.startedAtMs,
    engine: run.engine,
    servedModels: [...new Set(served)].toSorted(),
    simulated: isDemonstration(run.engine),
    named: run.answers.map(({ index }) => named.get(index)),
  };
}
