/**
 * Child of the calibration: makes and measures the simulated runs `first`, `first + step`, ... below `end` (its arguments),
 * and prints what their intervals say.
 */
import { analyseBrand, analyseVersus } from '../../src/visibility/metrics/analyse.ts';
import { type BrandTruth, computeSimulatedTruth } from '../../src/models/adapters/simulated/answer.ts';
import type { RateInterval } from '../../src/visibility/metrics/statistics.ts';
import type { ComparisonVerdict } from '../../src/visibility/metrics/versus.ts';
import { collectedRun, equals, market, probes, prompts, simulatedTexts, trueRates, unequal } from './market.ts';

/** What one run says about the brand whose turn it is, and about pairs; `power` is asked of some runs only. */
export type RunSaid = {
  run: number;
  probe: string;
  mentionCovered: boolean;
  shareCovered: boolean;
  /** Answers found to name the brand, less those that were made to. */
  miscounted: number;
  equal: { pair: number; verdict: ComparisonVerdict };
  power?: ComparisonVerdict;
};

/** Power has no aim: every fifth run is enough to tell it. */
const POWER_EVERY = 5;

const [first = 0, step = 1, end = 0] = process.argv.slice(2).map(Number);
const said: RunSaid[] = [];
for (let run = first; run < end; run += step) said.push(await measureRun(run));
console.log(JSON.stringify(said));

async function measureRun(run: number): Promise<RunSaid> {
  const seed = `calibration ${run}`;
  const collected = await collectedRun(await simulatedTexts(seed), run);
  const probe = probes[run % probes.length] ?? probes[0];
  const truth = trueRates(probe);
  const report = analyseBrand(collected, probe, prompts);
  const pair = run % equals.length;
  const [brand, competitor] = equals[pair] ?? equals[0];
  const versus = (one: string, other: string): ComparisonVerdict =>
    analyseVersus(collected, one, other, prompts).verdict;
  return {
    run,
    probe,
    mentionCovered: covers(report.mention_rate, truth.mention),
    shareCovered: report.share_of_voice !== null && covers(report.share_of_voice, truth.share),
    miscounted: Math.round(report.mention_rate.value * report.mention_rate.n) - drawnMentions(seed, probe),
    equal: { pair, verdict: versus(brand, competitor) },
    ...(run % POWER_EVERY === 0 ? { power: versus(...unequal) } : {}),
  };
}

function covers({ low, high }: RateInterval, truth: number): boolean {
  return low <= truth && truth <= high;
}

function drawnMentions(seed: string, name: string): number {
  const isNamed = (one: BrandTruth): boolean => one.name === name && one.mentioned;
  return prompts.filter((prompt) => computeSimulatedTruth({ seed, brands: market }, prompt).some(isNamed)).length;
}
