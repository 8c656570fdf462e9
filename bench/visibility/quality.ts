import { type RateInterval, computeWilson } from '../../src/visibility/metrics/statistics.ts';

/** What was found against what is labelled, in pairs of an answer and a name. */
export type Counts = { tp: number; fp: number; fn: number };

/** Shares from 0 to 1 with Wilson's 95 % interval, which takes pairs as independent; null where there is nothing to divide by. */
export type Quality = Counts & { precision: RateInterval | null; recall: RateInterval | null; f1: number | null };

export const qualityOf = ({ tp, fp, fn }: Counts): Quality => ({
  tp,
  fp,
  fn,
  precision: computeWilson(tp, tp + fp) ?? null,
  recall: computeWilson(tp, tp + fn) ?? null,
  f1: tp + fp + fn === 0 ? null : (2 * tp) / (2 * tp + fp + fn),
});

/** "precision 0.977 (0.921-0.994, 85 of 87) recall ...". */
export function qualityText({ tp, fp, fn, precision, recall, f1 }: Quality): string {
  const shares = `precision ${rateText(precision, tp, tp + fp)} recall ${rateText(recall, tp, tp + fn)}`;
  return `${shares} F1 ${f1 === null ? 'none' : f1.toFixed(3)}`;
}

/** "0.953 (0.938-0.964, 953 of 1000)". */
export const rateText = (rate: RateInterval | null, part: number, whole: number): string =>
  rate === null
    ? 'none'
    : `${rate.value.toFixed(3)} (${rate.low.toFixed(3)}-${rate.high.toFixed(3)}, ${part} of ${whole})`;
