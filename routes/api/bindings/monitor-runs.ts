import type { MonitorShardObject } from '../../../src/monitors/core/protocol.ts';
import { MICRO_USDC_PER_USD } from '../../../src/payment/terms/constants.ts';
import { reach } from '../../../src/sales/ledger-client.ts';
import { parseFreeHosts } from '../../../src/sales/monitors/free-monitors.ts';
import type { MonitorRunPorts } from '../../../src/sales/monitors/ports.ts';
import { reportStore } from '../../../src/sales/reports/report-store.ts';
import { logLine } from '../../shared/telemetry.ts';
import type { AppOptions } from '../context.ts';
import { createSalesPorts, type RequestScope } from './composition.ts';
import type { Env } from './env.ts';
import { createMonitorShards } from './monitor-shards.ts';
import { createWorkerOwners } from './owners.ts';
import { getAuthorizationStore } from './people-store.ts';

/** The object that counts what free runs spend on engines; the engine meter of sales is another one of its class. */
const FREE_RUNS_METER = 'free-monitor-runs';

/** What of this Worker a run of a monitor works with. */
export function createMonitorRunPorts(scope: RequestScope, options: AppOptions): MonitorRunPorts {
  const { env, settings, requestId } = scope;
  const log = (event: Record<string, unknown>): void => logLine({ request_id: requestId, ...event });
  const engineMicroUsdPerDay = Math.round(settings.MONITOR_FREE_ENGINE_USD_PER_DAY * MICRO_USDC_PER_USD);
  return {
    sales: createSalesPorts(scope, options),
    reports: reportStore(env.REPORTS, Date.now),
    findSpender: (account, clientId) =>
      reach(log, 'accountStanding', () => getAuthorizationStore(env).accountStanding(account, clientId)),
    isProven: (account, host) =>
      reach(log, 'owners.isProven', () => createWorkerOwners(env, settings, options).isProven(account, host)),
    isHeld: ({ monitor, run, attempt }, copies) =>
      reach(log, 'monitors.renew', async () => {
        const shard = createMonitorShards(env)?.ofMonitor(monitor.id);
        return shard === undefined ? false : shard.renew(run.id, attempt, copies);
      }),
    free: {
      hosts: parseFreeHosts(settings.MONITOR_FREE_HOSTS ?? ''),
      engineMicroUsdPerDay,
      spendOnEngines: (runId, microUsd) =>
        reach(log, 'meter.spendOfDay', () =>
          env.ENGINE_METER.getByName(FREE_RUNS_METER).spendOfDay(runId, microUsd, engineMicroUsdPerDay),
        ),
    },
    present: { newRewriter: () => new HTMLRewriter() },
    log,
  };
}

/** Deletes the copies of reports that no run of a shard holds any more; what is not deleted now, the next turn does. */
export async function dropKeptReports(shard: MonitorShardObject, { REPORTS }: Pick<Env, 'REPORTS'>): Promise<void> {
  const reportIds = await shard.droppedReports();
  if (reportIds.length === 0) return;
  await reportStore(REPORTS, Date.now).dropKept(reportIds);
  await shard.confirmDropped(reportIds);
}

/** The account is deleted: so are its monitors, and the copies of their reports with the next turn of the cron. @throws LedgerUnavailable */
export const forgetMonitors = (env: Env, account: string): Promise<void> =>
  reach(logLine, 'monitors.forget', async () => {
    await (await createMonitorShards(env)?.ofAccount(account))?.forget(account);
  });
