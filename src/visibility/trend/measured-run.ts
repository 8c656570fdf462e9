import { isDemonstration } from '../../models/port.ts';
import { readRun } from '../metrics/readings.ts';
import type { Prompt } from '../run/prompts.ts';
import { classifyRun, type CollectedRun, type RunEngine } from '../run/run.ts';

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

/** Reads the answers of a run for its later ones, as a measurement reads them. */
function readMeasuredRun(
  run: CollectedRun,
  brand: string,
  prompts: readonly Prompt[],
  others: readonly string[],
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

/** `others`: names that are measured beside the brand, whose longer names are theirs. */
type Asked = { brand: string; niche: string; others?: readonly string[] };

/** The runs of one measurement and the prompts that all of them asked. */
type Answered = { prompts: readonly Prompt[]; runs: readonly CollectedRun[] };

/**
 * Reads a measurement for its later ones, for its brand alone. Runs with too few real answers are left out; undefined
 * where none is left.
 */
export function readMeasuredBrand(
  { brand, niche, others = [] }: Asked,
  { prompts, runs }: Answered,
): MeasuredBrand | undefined {
  const measured = runs.filter(({ answers }) => classifyRun(answers) !== 'incomplete');
  const [first] = measured;
  if (first === undefined) return undefined;
  return {
    brand,
    niche,
    promptSet: first.promptSet,
    runs: measured.map((run) => readMeasuredRun(run, brand, prompts, others)),
  };
}
