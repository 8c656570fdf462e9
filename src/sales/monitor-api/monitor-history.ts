import type { MonitorAlert } from '../../monitors/core/alert.ts';
import { MAX_KEPT_RUNS } from '../../monitors/core/monitor.ts';
import type { MonitorPage, PageQuery } from '../../monitors/core/protocol.ts';
import type { MonitorRun } from '../../monitors/core/run.ts';
import { readSiteFacts } from '../../monitors/facts/site-facts.ts';
import { type ComparedRun, compareRuns, type RunComparison } from '../../monitors/history/compare-runs.ts';
import { type MonitorHistory, readHistory } from '../../monitors/history/history.ts';
import { MAX_MONITOR_PAGE_ITEMS } from './pages.ts';
import {
  answerMonitorCall,
  type MonitorAnswer,
  type MonitorApiPorts,
  type MonitorCaller,
  NO_SUCH_MONITOR,
  refuseMonitorCall,
  refuseUnknownPart,
  withMonitor,
} from './ports.ts';

/** Alerts that mark a history, the newest. */
const MAX_MARKING_ALERTS = 500;

/** Scores or rates over time, with marks where something else than the watched one changed. */
export const readMonitorHistory = (
  ports: MonitorApiPorts,
  caller: MonitorCaller,
  id: string,
): Promise<MonitorAnswer<MonitorHistory>> =>
  withMonitor(ports, caller, id, async (shard, account) => {
    const runs = await collectItems<MonitorRun>(MAX_KEPT_RUNS, (page) => shard.runs(account, id, page));
    if (runs === undefined) return NO_SUCH_MONITOR;
    const alerts = await collectItems<MonitorAlert>(MAX_MARKING_ALERTS, (page) => shard.alerts(account, id, page));
    return answerMonitorCall(readHistory(runs, alerts ?? []));
  });

async function collectItems<T>(
  most: number,
  read: (page: PageQuery) => Promise<MonitorPage<T> | undefined>,
): Promise<readonly T[] | undefined> {
  const items: T[] = [];
  let after: string | undefined;
  while (items.length < most) {
    const page = await read({ after, limit: MAX_MONITOR_PAGE_ITEMS });
    if (page === undefined) return undefined;
    items.push(...page.items);
    if (page.next === null || page.items.length === 0) break;
    after = page.next;
  }
  return items;
}

/** What changed between two runs, in either order. */
export const compareMonitorRuns = (
  ports: MonitorApiPorts,
  caller: MonitorCaller,
  id: string,
  { from, to }: { from: string; to: string },
): Promise<MonitorAnswer<Extract<RunComparison, { ok: true }>>> =>
  withMonitor(ports, caller, id, async (shard, account) => {
    const [one, other] = await Promise.all([shard.run(account, id, from), shard.run(account, id, to)]);
    if (one === undefined || other === undefined) return refuseUnknownPart('run');
    const compared = compareRuns(await readRunFacts(ports, one), await readRunFacts(ports, other));
    return compared.ok
      ? answerMonitorCall(compared)
      : refuseMonitorCall('not_comparable', { detail: DETAILS[compared.reason] });
  });

const DETAILS = {
  no_report: 'A run has no report, or its report can no longer be read',
  not_comparable: 'The two runs watched different things',
  the_same_run: 'Name two runs, as from and to',
} as const satisfies Record<Extract<RunComparison, { ok: false }>['reason'], string>;

/** A run with what its report says of the site; brands are compared by what the run kept. */
async function readRunFacts({ readReport }: MonitorApiPorts, run: MonitorRun): Promise<ComparedRun> {
  const part = run.summary?.kind === 'site' ? run.parts.find(({ role }) => role === 'subject') : undefined;
  const json = part && (await readReport(part.reportId));
  return { run, facts: json === undefined ? undefined : readSiteFacts(json) };
}
