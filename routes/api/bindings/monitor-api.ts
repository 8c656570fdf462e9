import { reportStore } from '../../../src/sales/reports/report-store.ts';
import type { MonitorApiPorts } from '../../../src/sales/monitor-api/ports.ts';
import { parseFreeHosts } from '../../../src/sales/monitors/free-monitors.ts';
import { logLine } from '../../shared/telemetry.ts';
import type { AppOptions } from '../context.ts';
import { createSalesPorts, type RequestScope } from './composition.ts';
import { openMonitorMail } from './monitor-mail.ts';
import { createMonitorShards } from './monitor-shards.ts';

/** What the interface of monitors works with, for one request; undefined in a deployment that has no monitors. */
export function createMonitorApiPorts(scope: RequestScope, options: AppOptions): MonitorApiPorts | undefined {
  const { env, settings, requestId, waitUntil } = scope;
  const shards = createMonitorShards(env);
  if (shards === undefined) return undefined;
  const log = (event: Record<string, unknown>): void => logLine({ request_id: requestId, ...event });
  return {
    shards,
    baseUrl: settings.BASE_URL,
    sales: createSalesPorts(scope, options),
    policy: options.policy(env),
    hasMail: openMonitorMail(env, settings) !== undefined,
    freeHosts: parseFreeHosts(settings.MONITOR_FREE_HOSTS ?? ''),
    readReport: async (reportId) => (await reportStore(env.REPORTS, Date.now).get(reportId))?.json,
    // What is not dropped now has no monitor that says it may be read.
    dropReports: (reportIds) => {
      const dropped = reportStore(env.REPORTS, Date.now).dropKept(reportIds);
      waitUntil(
        dropped.catch((error: unknown) => log({ event: 'reports_not_dropped', error: String(error).slice(0, 200) })),
      );
    },
    now: Date.now,
    log,
  };
}
