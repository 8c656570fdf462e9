import type { StoredRuns } from '../../capabilities/visibility-recording.ts';
import { type RateInterval, computeWilson, roundRate } from '../../visibility/metrics/statistics.ts';
import { getEngineName } from '../../visibility/panel/engine-readings.ts';
import { type MeasuredBrand, type MeasuredRun, readMeasuredBrand } from '../../visibility/trend/measured-run.ts';
import type { WatchedBrand } from '../core/monitor.ts';
import type { BrandSummary, SiteSummary, WatchedScores } from '../core/run.ts';
import { explainUnread, type SiteFacts } from './site-facts.ts';
import { formatVerdictLetters } from './verdict-letters.ts';

/** A competitor of a run: its facts, or why there are none. */
export type CompetitorFacts = { url: string; facts: SiteFacts } | { url: string; missing: string };

/** Of reports of before, which do not say their rubric. */
const UNKNOWN_RUBRIC = { version: 'unknown', sha256: '' };

/** What history keeps of a run of a site. */
export function summariseSite(facts: SiteFacts, competitors: readonly CompetitorFacts[] = []): SiteSummary {
  const counts = { pass: 0, partial: 0, fail: 0, not_applicable: 0, unknown: 0 };
  for (const { status } of facts.checks) counts[status] += 1;
  const unread = explainUnread(facts);
  return {
    kind: 'site',
    rubric: facts.rubric ?? UNKNOWN_RUBRIC,
    scores: summariseScores(facts),
    counts,
    competitors: competitors.map((one) =>
      'facts' in one
        ? { url: one.url, scores: summariseScores(one.facts), verdicts: formatVerdictLetters(one.facts) }
        : { url: one.url, scores: null, missing: one.missing },
    ),
    verdicts: formatVerdictLetters(facts),
    ...(unread === undefined ? {} : { unread }),
  };
}

const summariseScores = ({ scores }: SiteFacts): WatchedScores =>
  Object.fromEntries(
    Object.entries(scores).map(([name, one]) => {
      if (one === null) return [name, null];
      const { score, coverage, gates, interval } = one;
      return [name, { score, coverage, gates: gates.map(({ id }) => id), ...(interval && { interval }) }];
    }),
  );

/** What history keeps of a run of a brand; undefined where no engine gave enough real answers. @param body what it was asked with */
export function summariseBrand(stored: StoredRuns, body: WatchedBrand['body']): BrandSummary | undefined {
  const { brand, niche, competitor_brand: single, competitors } = body;
  const others = [single, ...(Array.isArray(competitors) ? competitors : [])].filter((one) => typeof one === 'string');
  const measured = readMeasuredBrand({ brand, niche, others }, stored);
  return measured && { kind: 'brand', measured, rates: listRates(measured) };
}

const listRates = ({ runs }: MeasuredBrand): BrandSummary['rates'] =>
  runs.map((run) => ({ engine: getEngineName(run), rate: computeMentionRate(run), simulated: run.simulated }));

/** The share of real answers that name the brand; null without any. */
function computeMentionRate({ named }: Pick<MeasuredRun, 'named'>): RateInterval | null {
  const real = named.filter((one) => one !== undefined);
  const rate = computeWilson(real.filter(Boolean).length, real.length);
  return rate === undefined ? null : roundRate(rate);
}
