import { computeMean } from '../../lib/numbers.ts';
import { isOwnMentioned, type AnswerReading } from '../metrics/metrics.ts';
import type { MeasuredSide } from '../metrics/readings.ts';
import { type RateInterval, roundDecimals, roundRate, SIGNIFICANCE } from '../metrics/statistics.ts';
import type { ComparisonVerdict } from '../metrics/versus.ts';
import { buildShares, type EngineReadings } from './engine-readings.ts';
import { computeHolmAdjusted, computeSignFlipP } from './paired-tests.ts';
import { computePooledRate } from './pooling.ts';

/** A brand that the caller named, against the measured one, over all engines. */
export type PanelCompetitor = {
  name: string;
  mention_rate: RateInterval;
  recommendation_rate: RateInterval;
  /** Mention rate of the brand minus its own, both over all engines. */
  difference: number;
  p_value: number;
  adjusted_p_value: number;
  verdict: ComparisonVerdict;
};

/**
 * The named competitors against the brand on the same answers: a sign-flip test over prompts, because the answers of
 * several engines to one prompt resemble each other; Holm's adjustment over all competitors.
 * @param seed the same seed gives the same p
 */
export function compareCompetitors(engines: readonly EngineReadings[], seed: string): readonly PanelCompetitor[] {
  const brand = computePooledShare(
    engines.map(({ sides: [own] }) => own),
    isOwnMentioned,
  );
  const names = engines[0]?.sides.slice(1).map(({ name }) => name) ?? [];
  const rows = names.flatMap((name, at) => {
    const sides = engines.map(({ sides: all }) => all[at + 1]);
    const rate = computePooledShare(sides, isOwnMentioned);
    const recommended = computePooledShare(sides, ({ own }) => own.recommended);
    if (brand === undefined || rate === undefined || recommended === undefined) return [];
    const differences = computeDifferences(engines, at + 1);
    return [
      {
        name,
        rate,
        recommended,
        difference: brand.value - rate.value,
        p: computeSignFlipP(differences, `${seed} ${name}`),
      },
    ];
  });
  const adjusted = computeHolmAdjusted(rows.map(({ p }) => p));
  return rows.map(({ name, rate, recommended, difference, p }, at) => {
    const adjustedP = adjusted[at] ?? 1;
    return {
      name,
      mention_rate: roundRate(rate),
      recommendation_rate: roundRate(recommended),
      difference: roundDecimals(difference),
      p_value: Number(p.toPrecision(4)),
      adjusted_p_value: Number(adjustedP.toPrecision(4)),
      verdict: adjustedP >= SIGNIFICANCE ? 'too_close_to_call' : difference > 0 ? 'brand' : 'competitor',
    };
  });
}

const computePooledShare = (
  sides: readonly (MeasuredSide | undefined)[],
  isCounted: (reading: AnswerReading) => boolean,
): RateInterval | undefined =>
  computePooledRate(
    buildShares(
      sides.map((side) => side?.readings ?? []),
      isCounted,
    ),
  );

/** For each prompt that an engine answered: the mean over those engines of (brand named) - (competitor named). */
function computeDifferences(engines: readonly EngineReadings[], place: number): readonly number[] {
  const byPrompt = new Map<number, number[]>();
  for (const { sides } of engines) {
    const others = sides[place]?.readings ?? [];
    for (const [at, reading] of (sides[0]?.readings ?? []).entries()) {
      const other = others[at];
      const difference = Number(isOwnMentioned(reading)) - Number(other !== undefined && isOwnMentioned(other));
      byPrompt.set(reading.index, [...(byPrompt.get(reading.index) ?? []), difference]);
    }
  }
  return [...byPrompt.values()].map(computeMean);
}
