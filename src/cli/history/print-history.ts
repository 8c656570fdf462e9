import { formatPercent } from '../../lib/numbers.ts';
import type { RateInterval } from '../../visibility/metrics/statistics.ts';
import type {
  BrandHistory,
  EngineHistory,
  HistoryChange,
  HistoryStretch,
  ModelChange,
} from '../../visibility/trend/history.ts';
import type { ChangeVerdict } from '../../visibility/trend/pairs.ts';
import type { LoneRun } from '../../visibility/trend/series.ts';
import type { TrendVerdict } from '../../visibility/trend/slope.ts';
import { formatSafeLine } from '../core/terminal.ts';

const VERDICTS: Readonly<Record<ChangeVerdict, string>> = {
  rose: 'rose',
  fell: 'fell',
  no_change_seen: 'may be chance',
};
const TRENDS: Readonly<Record<TrendVerdict, string>> = {
  rising: 'it rises',
  falling: 'it falls',
  no_trend_seen: 'no trend is seen, which does not mean that there is none',
};

/** A change for people at a terminal, a line each. Names come from files: one safe line each (rule X8). */
export function formatHistory(history: BrandHistory): readonly string[] {
  const { brand, niche, engines, comparisons, trends, without_partner: lone } = history;
  return [
    `How often answers about ${formatSafeLine(niche)} name ${formatSafeLine(brand)}, over time`,
    ...(comparisons > 1 ? [`p is corrected for ${comparisons} comparisons (Holm).`] : []),
    ...(trends > 1 ? [`Trends are corrected for their number, which is ${trends}.`] : []),
    ...engines.flatMap(formatEngine),
    ...(lone.length === 0 ? [] : ['', ...lone.map(formatLone)]),
  ];
}

const formatLone = ({ engine, run_id: id, at_ms: atMs }: LoneRun): string =>
  `! Not compared: ${formatSafeLine(engine)} of ${formatDay(atMs)} (run ${formatSafeLine(id)}), as no other measurement has this engine.`;

const formatDay = (atMs: number): string => new Date(atMs).toISOString().slice(0, 10);

const formatEngine = ({ engine, simulated, stretches, model_changed: models }: EngineHistory): readonly string[] => [
  '',
  formatSafeLine(engine),
  ...(simulated ? ['! These answers are made up or replayed: the change says nothing about the brand.'] : []),
  ...stretches.flatMap((stretch, at) => {
    const model = models[at - 1];
    return [...(model === undefined ? [] : [formatModelChange(model)]), ...formatStretch(stretch)];
  }),
];

/** `+12`, `-7` or `0` points. */
export const formatPoints = (share: number): string => {
  const points = Math.round(share * 100);
  return points > 0 ? `+${points}` : `${points}`;
};

const formatModelChange = ({ from, to, before, after }: ModelChange): string =>
  `! Another model answered: ${formatAnswerer(from)} before, ${formatAnswerer(to)} after.${before === null || after === null ? '' : ` ${formatPercent(before.value)} before, ${formatPercent(after.value)} after: the difference may be the model's, so it is no change of the brand.`}`;

const formatAnswerer = ({ model, served_models: served }: ModelChange['from']): string =>
  formatSafeLine(served.every((name) => name === model) ? model : `${model} (${served.join(', ')})`);

function formatStretch({ points, changes, trend }: HistoryStretch): readonly string[] {
  const rows = points.map(({ at_ms: atMs, mention_rate: rate, answers }, place) => {
    const change = changes.find(({ to }) => to === place);
    return `  ${formatDay(atMs)}  ${formatRate(rate)}, ${answers} answers${change === undefined ? '' : `; ${formatChange(change)}`}`;
  });
  if (trend === null) return rows;
  const { value, low, high } = trend.per_30_days;
  return [
    ...rows,
    `  Trend: ${formatPoints(value)} points in 30 days (95 %: ${formatPoints(low)} to ${formatPoints(high)}), p ${trend.p_holm}: ${TRENDS[trend.verdict]}.`,
  ];
}

const formatRate = (rate: RateInterval | null): string =>
  rate === null
    ? 'no answers'
    : `${formatPercent(rate.value).padStart(5)} (95 %: ${formatPercent(rate.low)} to ${formatPercent(rate.high)})`;

function formatChange({ difference, prompts, left_out: out, more, less, p_holm: p, verdict }: HistoryChange): string {
  const { value, low, high } = difference;
  const left = out === 0 ? '' : `, ${out} left out`;
  return `${formatPoints(value)} points (${formatPoints(low)} to ${formatPoints(high)}), ${more} of ${prompts} prompts more often, ${less} less often${left}, p ${p}: ${VERDICTS[verdict]}`;
}
