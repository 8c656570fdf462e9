import { gatherSite } from '../../../src/audit/core/gather.ts';
import { reportOn } from '../../../src/audit/core/report.ts';
import { findSiteAlerts } from '../../../src/monitors/alerts/site-alerts.ts';
import { findBaselineRun } from '../../../src/monitors/alerts/site-trace.ts';
import { findUnreadableAlerts, listUnreadRuns } from '../../../src/monitors/alerts/unreadable-alerts.ts';
import type { AlertDraft } from '../../../src/monitors/core/alert.ts';
import type { AlertRules } from '../../../src/monitors/core/monitor.ts';
import type { MonitorRun } from '../../../src/monitors/core/run.ts';
import { explainUnread, readSiteFacts, type SiteFacts } from '../../../src/monitors/facts/site-facts.ts';
import { summariseSite } from '../../../src/monitors/facts/summary.ts';
import { SITE, type SiteAnswer, siteFetch, type SiteMap } from '../audit/site-fetch.ts';
import { monitorOf, storedRunOf } from './made-monitor.ts';
import { computeWeekClock } from './watched-site.ts';

/** What the real engine reports of a site in one week, read back from its JSON; undefined where it could not be read. */
export async function auditWeek(map: SiteMap, week: number, catchAll?: SiteAnswer): Promise<SiteFacts | undefined> {
  const fetch = siteFetch(map, catchAll === undefined ? {} : { catchAll });
  const snapshot = await gatherSite(`${SITE}/`, { fetch, clockMs: computeWeekClock(week) });
  const { ok, ...result } = await reportOn(snapshot);
  return ok ? readSiteFacts(JSON.stringify({ url: `${SITE}/`, ...result })) : undefined;
}

/** A monitor of a site over its weeks, as a run would work it off. */
export class WatchedYear {
  readonly alerts: { week: number; draft: AlertDraft }[] = [];
  readonly #monitor;
  #history: readonly MonitorRun[] = [];
  readonly #facts = new Map<string, SiteFacts>();

  constructor(rules: AlertRules = {}) {
    this.#monitor = monitorOf(rules);
  }

  /** @param after undefined where the site could not be read */
  look(week: number, after: SiteFacts | undefined): readonly AlertDraft[] {
    const [history, monitor] = [this.#history, this.#monitor];
    const id = `run-${week}`;
    const failures = listUnreadRuns(history);
    const now = after === undefined || explainUnread(after) !== undefined ? 'unreadable' : 'readable';
    const beforeRun = findBaselineRun(history);
    const before = beforeRun && this.#facts.get(beforeRun.id);
    const drafts = [
      ...findUnreadableAlerts({ monitor, failures, now }),
      ...(after === undefined
        ? []
        : findSiteAlerts({ monitor, before, after, beforeRun, history, reportId: `report-${id}` })),
    ];
    if (after !== undefined) this.#facts.set(id, after);
    const run = storedRunOf(id, computeWeekClock(week), after === undefined ? null : summariseSite(after));
    this.#history = [run, ...history];
    this.alerts.push(...drafts.map((draft) => ({ week, draft })));
    return drafts;
  }
}
