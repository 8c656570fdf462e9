import { countOccurrences, sum } from '../../lib/numbers.ts';
import type { ScoreName } from './check.ts';
import { joinPageOutcomes } from './join-pages.ts';
import { type CheckResult, computeScore } from './scores.ts';

/**
 * How sure a score is: where it would lie, 95 times of 100, if other pages of the same site had been read. `patterns` are
 * the patterns of addresses among the `pages` that it rests on.
 */
export type ScoreInterval = { low: number; high: number; pages: number; patterns: number };

/** With fewer patterns their spread says nothing. */
const MIN_PATTERNS = 3;

/** Quantiles of Student's t for two-sided 95 %, by degrees of freedom from 1; with more it is that of the last. */
const T_QUANTILES = [
  12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.16, 2.145, 2.131, 2.12, 2.11,
  2.101, 2.093, 2.086, 2.08, 2.074, 2.069, 2.064,
] as const;
const MANY_T = 1.96;

/**
 * The interval of a score over the patterns of addresses, each a cluster: pages of one template share their faults, so
 * that nine pages of it say hardly more than one. The score of each pattern takes the checks of the site as they are,
 * and those of pages from its own pages; the spread of these scores, weighted by pages, gives the standard error.
 * Undefined where fewer than three patterns were read, or the score does not apply.
 */
export function computeScoreInterval(name: ScoreName, judged: readonly CheckResult[]): ScoreInterval | undefined {
  const score = computeScore(name, judged);
  const mine = judged.filter(({ check }) => check.scores.includes(name));
  const pages = mine.find((one) => one.pages !== undefined)?.pages;
  if (score.applies === false || score.coverage === 0 || pages === undefined) return undefined;
  const sizes = countOccurrences(pages.map(({ pattern }) => pattern));
  if (sizes.size < MIN_PATTERNS) return undefined;
  const squares = [...sizes].map(([pattern, size]) => {
    const own = computeScore(
      name,
      mine.map((one) => selectPattern(one, pattern)),
    );
    return ((size / pages.length) * (own.score - score.score)) ** 2;
  });
  const error = Math.sqrt((sizes.size / (sizes.size - 1)) * sum(squares));
  const margin = (T_QUANTILES[sizes.size - 2] ?? MANY_T) * error;
  const cap = Math.min(100, ...score.gates.map((gate) => gate.cap));
  return {
    low: Math.max(0, Math.floor(score.score - margin)),
    high: Math.min(cap, Math.ceil(score.score + margin)),
    pages: pages.length,
    patterns: sizes.size,
  };
}

/** A check as if only the pages of one pattern had been read; one of the whole site as it is. */
function selectPattern({ check, outcome, pages }: CheckResult, pattern: string): CheckResult {
  if (pages === undefined || check.each === undefined) return { check, outcome };
  return {
    check,
    outcome: joinPageOutcomes(
      pages.filter((page) => page.pattern === pattern),
      check.each,
    ),
  };
}
