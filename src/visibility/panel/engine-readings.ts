import type { Prompt } from '../run/prompts.ts';
import { type CollectedRun, classifyRun } from '../run/run.ts';
import type { AnswerReading } from '../metrics/metrics.ts';
import { type MeasuredSide, readRun } from '../metrics/readings.ts';
import type { Stratum } from './pooling.ts';

/** One engine of a panel with enough real answers, and what they say about each name: the brand's side is the first. */
export type EngineReadings = { engine: string; run: CollectedRun; sides: readonly MeasuredSide[] };

/** Name of the engine of a run in its panel. */
export const getEngineName = ({ engine: { name, kind } }: Pick<CollectedRun, 'engine'>): string => name ?? kind;

/** Whether an engine gave enough real answers to be measured. */
export const isMeasured = ({ answers }: CollectedRun): boolean => classifyRun(answers) !== 'incomplete';

/** Reads the runs that measured something. @param names the brand, then those it is compared with */
export const readPanel = (
  runs: readonly CollectedRun[],
  names: readonly string[],
  prompts: readonly Prompt[],
): readonly EngineReadings[] =>
  runs.filter(isMeasured).map((run) => ({ engine: getEngineName(run), run, sides: readRun(run, names, prompts) }));

/** One engine's answers by prompt: what each says, as a part of a whole. */
export const buildStratum = (
  readings: readonly AnswerReading[],
  count: (reading: AnswerReading) => readonly [numerator: number, denominator: number],
): Stratum => new Map(readings.map((reading) => [reading.index, count(reading)]));

/** One stratum of 0 or 1 of 1 for each engine. */
export const buildShares = (
  engines: readonly (readonly AnswerReading[])[],
  isCounted: (reading: AnswerReading) => boolean,
): readonly Stratum[] =>
  engines.map((readings) => buildStratum(readings, (reading) => [Number(isCounted(reading)), 1]));
