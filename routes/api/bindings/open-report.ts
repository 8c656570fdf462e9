import { createLedgerClient } from '../../../src/sales/ledger-client.ts';
import { type OpenReport, openReport, reportStore } from '../../../src/sales/report-store.ts';
import { logLine } from '../../shared/telemetry.ts';
import { createCreditAccounts } from './credit-account.ts';
import type { Env } from './env.ts';

/** The stored report of an id once its payment is settled, or why there is none to read. */
export function openStoredReport(env: Env, id: string): Promise<OpenReport> {
  const ports = {
    reports: reportStore(env.REPORTS, Date.now),
    shard: (name: string) => createLedgerClient(env.PAYMENT_LEDGER.getByName(name), logLine),
    credits: createCreditAccounts(env, logLine),
    isKept: async () => false,
    now: Date.now,
  };
  return openReport(ports, id);
}
