import { sum } from '../../lib/numbers.ts';
import type { MeasuredRun } from './measured-run.ts';

/** Runs of one engine that begin within this time of the first are repeats of one point in time. */
export const REPEATS_WITHIN_MS = 24 * 3_600_000;

/** One run, or repeats close together. */
export type Point = {
  runIds: readonly string[];
  /** Unix milliseconds: the mean of the starts. */
  atMs: number;
  runs: number;
  /** For each prompt the share of its real answers that name the brand; undefined without any. */
  shares: readonly (number | undefined)[];
  /** Real answers, and prompts without one, over all runs. */
  answers: number;
  without: number;
  /** Variance of the mean rate that comes from runs and not from prompts; 0 for one run, which cannot show it. */
  betweenRuns: number;
};

/** Runs of one engine and model in the order of time, repeats pooled. @param runs earliest first */
export function mergeRepeats(runs: readonly MeasuredRun[]): readonly Point[] {
  const groups: MeasuredRun[][] = [];
  for (const run of runs) {
    const last = groups.at(-1);
    const start = last?.[0]?.atMs;
    if (last !== undefined && start !== undefined && run.atMs - start < REPEATS_WITHIN_MS) last.push(run);
    else groups.push([run]);
  }
  return groups.map((group) => mergeCloseRuns(group));
}

/** Runs as one point. @param runs at least one */
export function mergeCloseRuns(runs: readonly MeasuredRun[]): Point {
  const prompts = Math.max(...runs.map(({ named }) => named.length));
  const byPrompt = Array.from({ length: prompts }, (_, at) => runs.flatMap(({ named }) => named[at] ?? []));
  const answers = sum(byPrompt.map(({ length }) => length));
  return {
    runIds: runs.map(({ runId }) => runId),
    atMs: Math.round(sum(runs.map(({ atMs }) => atMs)) / runs.length),
    runs: runs.length,
    shares: byPrompt.map((named) => (named.length === 0 ? undefined : countNamed(named) / named.length)),
    answers,
    without: prompts * runs.length - answers,
    betweenRuns: estimateBetweenRuns(runs, byPrompt),
  };
}

/**
 * The variance of the pooled rate that comes from its runs: what their rates differ by beyond what the chance of each
 * answer explains, over the number of runs; never below 0. Two-way analysis of variance by moments, over the prompts that
 * every run has an answer to.
 */
function estimateBetweenRuns(runs: readonly MeasuredRun[], byPrompt: readonly (readonly boolean[])[]): number {
  const repeats = runs.length;
  if (repeats < 2) return 0;
  const whole = byPrompt.flatMap((named, at) => (named.length === repeats ? [at] : []));
  if (whole.length < 2) return 0;
  const rates = runs.map(({ named }) => countNamed(whole.flatMap((at) => named[at] ?? [])) / whole.length);
  const mean = sum(rates) / repeats;
  const seen = sum(rates.map((rate) => (rate - mean) ** 2)) / (repeats - 1);
  const within = sum(
    whole.map((at) => {
      const share = countNamed(byPrompt[at] ?? []) / repeats;
      return (share * (1 - share) * repeats) / (repeats - 1);
    }),
  );
  return Math.max(0, seen - within / whole.length ** 2) / repeats;
}

const countNamed = (named: readonly boolean[]): number => named.filter(Boolean).length;
