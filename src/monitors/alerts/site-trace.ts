import type { Monitor } from '../core/monitor.ts';
import type { MonitorRun, SiteSummary } from '../core/run.ts';
import { explainUnread, isSameRubric, type SiteFacts } from '../facts/site-facts.ts';
import { listWeighedChecks, parseVerdictLetters, readSeenVerdicts } from '../facts/verdict-letters.ts';
import type { SeenRun } from './settled.ts';

/** Runs back that alerts of a site read; a verdict that was last seen before them is forgotten. */
export const MAX_TRACED_RUNS = 30;

/** What the alerts of a site are found from. */
export type SiteAlertInput = {
  monitor: Pick<Monitor, 'rules'>;
  /** Of the run that is compared with, judged by the present rubric; its run is `beforeRun`. */
  before: SiteFacts | undefined;
  after: SiteFacts;
  beforeRun?: MonitorRun | undefined;
  /** Earlier runs, newest first: what verdicts were before. Without them `before` alone is known. */
  history?: readonly MonitorRun[] | undefined;
  /** Of the new run. */
  reportId?: string | undefined;
};

/** The run that the next one is compared with: the newest one that was stored and read its site; undefined without any. */
export const findBaselineRun = (history: readonly MonitorRun[]): MonitorRun | undefined =>
  history.find(({ state, summary }) => state === 'stored' && summary?.kind === 'site' && summary.unread === undefined);

/** `null`: the new run itself. */
export type TracedRun = MonitorRun | null;

/** The verdicts of earlier runs and of the new one, oldest first, all by one rubric. @param readLetters of one summary */
export function traceVerdicts(
  { before, after, beforeRun, history = [] }: Omit<SiteAlertInput, 'monitor'>,
  readLetters: (summary: SiteSummary) => string | undefined = ({ verdicts }) => verdicts,
): readonly SeenRun<TracedRun>[] {
  const checks = listWeighedChecks(after);
  const isReadable = before !== undefined && explainUnread(before) === undefined;
  const earlier: SeenRun<TracedRun>[] = [];
  for (const run of history.slice(0, MAX_TRACED_RUNS)) {
    const { summary } = run;
    if (summary?.kind !== 'site' || summary.unread !== undefined) continue;
    if (isReadable && run.id === beforeRun?.id) continue;
    if (after.rubric === null || !isSameRubric(summary.rubric, after.rubric)) break;
    const letters = readLetters(summary);
    const verdicts = letters === undefined ? undefined : parseVerdictLetters(letters, checks);
    if (verdicts !== undefined) earlier.push({ run, verdicts });
  }
  // What the present rubric judged again says nothing of runs that another one judged.
  const isJudgedAgain =
    beforeRun?.summary?.kind === 'site' &&
    after.rubric !== null &&
    !isSameRubric(beforeRun.summary.rubric, after.rubric);
  return [
    ...(isJudgedAgain ? [] : earlier.toReversed()),
    ...(isReadable ? [{ run: beforeRun ?? null, verdicts: readSeenVerdicts(before) }] : []),
    { run: null, verdicts: readSeenVerdicts(after) },
  ];
}
