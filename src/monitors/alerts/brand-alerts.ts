import { formatPercent } from '../../lib/numbers.ts';
import { type RateInterval, roundRate } from '../../visibility/metrics/statistics.ts';
import { computeHolmAdjusted } from '../../visibility/panel/paired-tests.ts';
import { computeRate } from '../../visibility/trend/pairs.ts';
import type { AlertChange, AlertDraft, AlertReading } from '../core/alert.ts';
import type { Monitor } from '../core/monitor.ts';
import type { BrandSummary, MonitorRun } from '../core/run.ts';
import { formatAlertTitle } from './alert-words.ts';
import { type EnginePoint, type EngineSeen, listEnginesSeen, listPoints, mergePoints } from './brand-series.ts';
import { type LevelTest, compareLevels } from './level-test.ts';
import { buildModelAlerts } from './model-alerts.ts';
import { getRunTime } from './site-changes.ts';

/** How often a brand that does not change may ring in a year of looks, over all of its engines. */
export const FALSE_ALARMS_A_YEAR = 0.05;
/** What the looks of a year spend of it: the rest is for what runs of an engine are no normal distribution. */
const SPENT_A_YEAR = 0.035;
const YEAR_MS = 365.25 * 24 * 3_600_000;
/** Time since the point before that a look is paid for, at most: a pause of a year buys no alarm. */
const MAX_GAP_MS = 31 * 24 * 3_600_000;

export type BrandAlertInput = {
  monitor: Pick<Monitor, 'rules'>;
  /** Newest first, with their summaries. */
  history: readonly MonitorRun[];
  after: BrandSummary;
  runId: string;
  /** Of the new run. */
  reportId?: string | undefined;
};

/**
 * What changed about a brand with this run, and the summary to keep of it, which knows from which run on the level of each engine
 * counts: without it the next runs would be held against the level of before.
 *
 * A change is said where the test of levels calls it (`level-test.ts`). Looking every week or every day is corrected for by
 * spending: each look may be wrong with 3.5 % times the share of the year that passed since the one before, so that the looks of a
 * year together are wrong in at most 5 %, however often they are. Holm's correction shares that between the engines.
 */
export function judgeBrandRun(input: BrandAlertInput): { alerts: readonly AlertDraft[]; summary: BrandSummary } {
  const { after, history, runId, reportId } = input;
  const known = history.find(({ summary }) => summary?.kind === 'brand')?.summary;
  const levels = new Map(known?.kind === 'brand' ? known.levels?.map(({ engine, since }) => [engine, since]) : []);
  const seen = listEnginesSeen(after, runId, history);
  const called = callChanges(seen.flatMap((engine) => lookAt(engine, levels.get(engine.engine))));
  for (const { engine, points, test } of called) {
    const first = points.at(-test.window)?.runs[0];
    if (first !== undefined) levels.set(engine.engine, first.runId);
  }
  const kept = [...levels].map(([engine, since]) => ({ engine, since }));
  return {
    alerts: [...buildRateAlerts(called, input), ...buildModelAlerts(seen, history, reportId)],
    summary: kept.length === 0 ? after : { ...after, levels: kept },
  };
}

/** The alerts alone. */
export const findBrandAlerts = (input: BrandAlertInput): readonly AlertDraft[] => judgeBrandRun(input).alerts;

/** One look at one engine. `alpha`: how often it may be wrong. */
type Look = { engine: EngineSeen; points: readonly EnginePoint[]; test: LevelTest; alpha: number };

/** None where there are too few points, or where a run by hand repeats the point that was judged. */
function lookAt(engine: EngineSeen, since: string | undefined): readonly Look[] {
  const points = listPoints(engine, since);
  const [last, before] = [points.at(-1), points.at(-2)];
  if (last === undefined || before === undefined || last.runs.length > 1) return [];
  const test = compareLevels(points.map(({ point }) => point));
  const gapMs = Math.min(MAX_GAP_MS, last.point.atMs - before.point.atMs);
  return test === undefined ? [] : [{ engine, points, test, alpha: (SPENT_A_YEAR * gapMs) / YEAR_MS }];
}

function callChanges(looks: readonly Look[]): readonly Look[] {
  const adjusted = computeHolmAdjusted(looks.map(({ test }) => test.p));
  return looks.filter(({ alpha }, at) => (adjusted[at] ?? 1) < alpha);
}

function buildRateAlerts(
  called: readonly Look[],
  { monitor, history, reportId }: BrandAlertInput,
): readonly AlertDraft[] {
  const said = called.filter(({ test }) => test.difference < 0 || monitor.rules.improvements !== false);
  const changes = said
    .map((look) => describeChange(look, history))
    .toSorted((a, b) => Number(b.isWorse) - Number(a.isWorse));
  const [first] = changes;
  if (first === undefined) return [];
  const since = history.find(({ id }) => id === first.since?.runId);
  const compared = since?.parts.find(({ role }) => role === 'subject')?.reportId;
  const draft: Omit<AlertDraft, 'title'> = {
    kind: 'rate_changed',
    severity: first.isWorse === true ? 'warning' : 'info',
    key: `rate ${changes.map(({ id, isWorse, since: at }) => `${id} ${isWorse === true ? 'fell' : 'rose'} ${at?.runId ?? ''}`).join(', ')}`,
    changes,
    since:
      first.since === undefined ? null : { ...first.since, ...(compared === undefined ? {} : { reportId: compared }) },
    ...(reportId === undefined ? {} : { reportId }),
  };
  return [{ ...draft, title: formatAlertTitle(draft) }];
}

function describeChange({ engine, points, test }: Look, history: readonly MonitorRun[]): AlertChange {
  const from = points.length - test.window;
  const [before, after] = [points.slice(Math.max(0, from - test.reference), from), points.slice(from)];
  const last = history.find(({ id }) => id === before.at(-1)?.runs.at(-1)?.runId);
  return {
    id: engine.engine,
    title: engine.engine,
    kind: 'rate_changed',
    isWorse: test.difference < 0,
    before: describeRate(before),
    after: describeRate(after),
    ...(engine.now.run.simulated ? { simulated: true } : {}),
    ...(last === undefined ? {} : { since: { runId: last.id, atMs: getRunTime(last) } }),
  };
}

function describeRate(points: readonly EnginePoint[]): AlertReading | null {
  if (points.length === 0) return null;
  const { shares, betweenRuns } = mergePoints(points);
  const rate = computeRate(
    shares.filter((share) => share !== undefined),
    betweenRuns,
  );
  return rate === undefined ? null : { text: formatBrandRate(rate), value: rate.value, rate: roundRate(rate) };
}

/** `40 % (28 to 54)`. */
export const formatBrandRate = ({ value, low, high }: RateInterval): string =>
  `${formatPercent(value)} (${Math.round(low * 100)} to ${Math.round(high * 100)})`;
