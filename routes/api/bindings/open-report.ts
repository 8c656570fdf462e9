import { createLedgerClient, reach } from '../../../src/sales/ledger-client.ts';
import {
  type OpenReport,
  openReport,
  type ReportKeeper,
  reportStore,
} from '../../../src/sales/reports/report-store.ts';
import { logLine } from '../../shared/telemetry.ts';
import { createCreditAccounts } from './credit-account.ts';
import type { Env } from './env.ts';
import { createMonitorShards } from './monitor-shards.ts';

/** The stored report of an id once its payment is settled, or why there is none to read. */
export function openStoredReport(env: Env, id: string): Promise<OpenReport> {
  const ports = {
    reports: reportStore(env.REPORTS, Date.now),
    shard: (name: string) => createLedgerClient(env.PAYMENT_LEDGER.getByName(name), logLine),
    credits: createCreditAccounts(env, logLine),
    isKept: (reportId: string, { monitorId, runId }: ReportKeeper, account: string) =>
      reach(logLine, 'monitors.run', async () => {
        const run = await createMonitorShards(env)?.ofMonitor(monitorId)?.run(account, monitorId, runId);
        return run?.state === 'stored' && run.parts.some((part) => part.reportId === reportId);
      }),
    now: Date.now,
  };
  return openReport(ports, id);
}
