import type { AlertDraft } from '../core/alert.ts';
import type { Monitor } from '../core/monitor.ts';
import type { MonitorRun } from '../core/run.ts';
import { formatAlertTitle } from './alert-words.ts';
import { getRunTime } from './site-changes.ts';

/** Runs in a row that could not read the site before its owner hears of it. */
const UNREADABLE_RUNS = 2;

/** Why a run of a site failed where the site is the reason. */
export const SITE_UNREAD_REASON = 'target_unreachable';

const isUnread = ({ state, reason, summary }: MonitorRun): boolean =>
  state === 'failed' ? reason === SITE_UNREAD_REASON : summary?.kind === 'site' && summary.unread !== undefined;

/** Runs that failed for a reason of ours say nothing of the site. */
const saysNothing = ({ state, reason }: MonitorRun): boolean => state !== 'stored' && reason !== SITE_UNREAD_REASON;

/** The newest runs that could not read the site, up to the last one that could, newest first. */
export function listUnreadRuns(history: readonly MonitorRun[]): readonly MonitorRun[] {
  const saying = history.filter((run) => !saysNothing(run));
  const read = saying.findIndex((run) => !isUnread(run));
  return read < 0 ? saying : saying.slice(0, read);
}

/**
 * A site that could not be read in two runs in a row, said once; and one that can be read again after that.
 * @param failures runs before this one that could not read it, newest first (`listUnreadRuns`)
 */
export function findUnreadableAlerts({
  failures,
  now,
  detail,
}: {
  monitor: Pick<Monitor, 'id'>;
  failures: readonly MonitorRun[];
  now: 'unreadable' | 'readable';
  /** Why, in words of ours. */
  detail?: string | undefined;
}): readonly AlertDraft[] {
  const first = failures.at(-1);
  if (first === undefined) return [];
  const isNews = now === 'unreadable' ? failures.length === UNREADABLE_RUNS - 1 : failures.length >= UNREADABLE_RUNS;
  if (!isNews) return [];
  const [kind, severity] =
    now === 'unreadable' ? (['site_unreadable', 'critical'] as const) : (['site_readable', 'info'] as const);
  const [unread, read] = [{ text: detail ?? describeFailure(first) }, { text: 'read' }];
  const [before, after] = now === 'unreadable' ? [null, unread] : [{ text: describeFailure(first) }, read];
  const draft: Omit<AlertDraft, 'title'> = {
    kind,
    severity,
    key: `${kind} ${first.id}`,
    changes: [{ id: 'site', title: 'Site', before, after, isWorse: now === 'unreadable' }],
    since: { runId: first.id, atMs: getRunTime(first) },
  };
  return [{ ...draft, title: formatAlertTitle(draft) }];
}

const describeFailure = ({ reason, summary }: MonitorRun): string =>
  (summary?.kind === 'site' ? summary.unread : undefined) ?? reason ?? 'not read';
