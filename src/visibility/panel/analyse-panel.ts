import { type BrandAnalysis, reportBrand } from '../metrics/analyse.ts';
import { buildRecommendedInstead, isOwnMentioned, type LeaderboardRow } from '../metrics/metrics.ts';
import { type RateInterval, roundRate } from '../metrics/statistics.ts';
import { type IntentWeakSpot, findWeakSpots } from '../metrics/weak-spots.ts';
import type { Prompt } from '../run/prompts.ts';
import { classifyRun, type CollectedRun, computeMinValid } from '../run/run.ts';
import { compareCompetitors, type PanelCompetitor } from './competitors.ts';
import { compareEngines, type EngineDifference } from './differences.ts';
import {
  buildShares,
  buildStratum,
  type EngineReadings,
  getEngineName,
  isMeasured,
  readPanel,
} from './engine-readings.ts';
import { type PanelRival, listPooledRivals } from './pooled-rivals.ts';
import { computePooledRate, computePooledRatio } from './pooling.ts';

/** What several engines say about a brand together. Rates are 0 to 1; each engine has the same weight. */
export type PooledAnalysis = {
  /** Engines that were measured. */
  engines: number;
  mention_rate: RateInterval;
  recommendation_rate: RateInterval;
  /** Null when no answer names anyone. */
  share_of_voice: RateInterval | null;
  rivals: readonly PanelRival[];
  /** The brands that the caller named, against the measured one. */
  competitors: readonly PanelCompetitor[];
  weak_spots: readonly IntentWeakSpot[];
  recommended_instead: readonly LeaderboardRow[];
};

export type PanelAnalysis = {
  /** In the order of the panel, those that were measured. */
  engines: readonly ({ name: string } & BrandAnalysis)[];
  pooled: PooledAnalysis;
  differences: readonly EngineDifference[];
  notes: readonly string[];
};

/** The brand, and the brands that the caller compares it with. */
export type PanelNames = { brand: string; competitors: readonly string[] };

/**
 * Measures a brand on the answers of several engines to the same prompts: each engine by itself, all together, and which
 * engines differ by more than chance. Pure: the same runs give the same bytes. Engines without enough real answers are left
 * out; the notes say so.
 * @throws RangeError when no engine has enough
 */
export function analysePanel(
  runs: readonly CollectedRun[],
  { brand, competitors }: PanelNames,
  prompts: readonly Prompt[],
): PanelAnalysis {
  const engines = readPanel(runs, [brand, ...competitors], prompts);
  const seed = runs.map(({ runId }) => runId).join(' ');
  const differences = compareEngines(engines);
  return {
    engines: engines.map(({ engine, run, sides: [own] }) => {
      if (own === undefined) throw new RangeError('a panel measures a brand');
      return { name: engine, ...reportBrand(run, own, { pinned: competitors, prompts }) };
    }),
    pooled: computePooledFigures(engines, prompts, seed),
    differences,
    notes: buildPanelNotes(runs, engines, differences),
  };
}

function computePooledFigures(
  engines: readonly EngineReadings[],
  prompts: readonly Prompt[],
  seed: string,
): PooledAnalysis {
  const readings = engines.map(({ sides }) => sides[0]?.readings ?? []);
  const mentioned = computePooledRate(buildShares(readings, isOwnMentioned));
  const recommended = computePooledRate(buildShares(readings, ({ own }) => own.recommended));
  if (mentioned === undefined || recommended === undefined) throw new RangeError('no engine has enough real answers');
  const voices = computePooledRatio(
    readings.map((list) =>
      buildStratum(list, ({ own, others, further }) => {
        const named = Number(own.mentioned);
        return [named, named + others.length + further.length];
      }),
    ),
    seed,
  );
  const all = readings.flat();
  return {
    engines: engines.length,
    mention_rate: roundRate(mentioned),
    recommendation_rate: roundRate(recommended),
    share_of_voice: voices ? roundRate(voices) : null,
    rivals: listPooledRivals(engines),
    competitors: compareCompetitors(engines, seed),
    weak_spots: findWeakSpots(all, engines[0]?.sides[0]?.name ?? '', prompts).spots,
    recommended_instead: buildRecommendedInstead(all),
  };
}

/** What a reader must know of a panel as a whole. Our words, names of the operator's engines, and numbers alone. */
function buildPanelNotes(
  runs: readonly CollectedRun[],
  engines: readonly EngineReadings[],
  differences: readonly EngineDifference[],
): readonly string[] {
  const called = differences.filter(({ verdict }) => verdict !== 'too_close_to_call');
  return [
    ...runs.filter((run) => !isMeasured(run)).map(describeMissing),
    ...engines
      .filter(({ run }) => classifyRun(run.answers) === 'degraded')
      .map(({ engine }) => `${engine}: few real answers, so its intervals are wide.`),
    ...(engines.length < 2
      ? ['One engine was measured, so nothing is pooled over engines.']
      : [
          `The pooled rate is the mean of ${engines.length} engines, each with the same weight. It is not the rate of any of them.`,
        ]),
    ...(engines.length < 2
      ? []
      : called.length === 0
        ? [
            'No two engines differ by more than chance in how often they name the brand, which does not mean that they are equal.',
          ]
        : called.map(describeDifference)),
  ];
}

function describeMissing(run: CollectedRun): string {
  const valid = run.answers.filter(({ status }) => status === 'answered').length;
  const total = run.answers.length;
  return `${getEngineName(run)}: not measured. It gave ${valid} real answers to ${total} prompts, and ${computeMinValid(total)} are needed.`;
}

function describeDifference({ engines: [first, second], verdict, difference, n }: EngineDifference): string {
  const [more, fewer] = verdict === 'first' ? [first, second] : [second, first];
  const points = Math.abs(Math.round(difference * 100));
  return `${more} names the brand more often than ${fewer}: ${points} points on the ${n} prompts that both answered, more than chance explains.`;
}
