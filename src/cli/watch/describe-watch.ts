import { scoreNames } from '../../audit/core/check.ts';
import { formatBrandRate } from '../../monitors/alerts/brand-alerts.ts';
import type { MonitorRun, WatchedScores } from '../../monitors/core/run.ts';
import { formatMinute } from '../../monitors/receivers/message-text.ts';
import type { WatchedResult } from './entry-run.ts';

/** One line about an entry that has no alert, or what its alerts are compared with. */
export function describeState({ before, alerts, failure }: WatchedResult): string {
  if (failure !== undefined) return `Could not check: ${failure.message}`;
  if (before === undefined) return 'The first run: there is nothing to compare with yet.';
  const since = formatMinute(before.startedAtMs ?? before.dueMs);
  return alerts.length === 0 ? `No alert; compared with ${since}.` : `Compared with ${since}.`;
}

/** `AEO 71, GEO 60`, or the rate of each engine; empty for a run without figures. */
export function describeFigures(run: MonitorRun | undefined): string {
  const summary = run?.summary;
  if (!summary) return '';
  if (summary.kind === 'brand')
    return summary.rates
      .map(
        ({ engine, rate, simulated }) =>
          `${engine} ${rate === null ? 'no answers' : formatBrandRate(rate)}${simulated ? ' (simulated)' : ''}`,
      )
      .join(', ');
  const rivals = summary.competitors.map(
    ({ url, scores, missing }) =>
      `${url} ${scores === null ? `not read (${missing ?? 'unknown'})` : listScores(scores)}`,
  );
  return [listScores(summary.scores), ...rivals].join('; ');
}

const listScores = (scores: WatchedScores): string =>
  scoreNames.flatMap((name) => (scores[name] ? [`${name.toUpperCase()} ${scores[name].score}`] : [])).join(', ');
