import type { PresentTools } from '../../capabilities/site-work.ts';
import type { ReportStore } from '../report-store.ts';
import type { SalesPorts } from '../tools.ts';
import type { FreeMonitors } from './free-monitors.ts';

/** `kind`: absent for an account that is gone. `capMicroUsdc`: what it lets the client spend in 24 hours, where it said so (rule A5). */
export type RunSpender = { kind?: 'payer' | 'operator' | 'service'; capMicroUsdc?: number };

/** What a run of a monitor works with. */
export type MonitorRunPorts = {
  sales: SalesPorts;
  reports: Pick<ReportStore, 'get' | 'snapshot' | 'keep'>;
  /** The account of a monitor and its client, as they are now. @throws LedgerUnavailable */
  findSpender: (account: string, clientId: string) => Promise<RunSpender>;
  /** Whether the account has proven that a host is its own. @throws LedgerUnavailable */
  isProven: (account: string, host: string) => Promise<boolean>;
  free: FreeMonitors;
  /** For a snapshot that is judged again. */
  present: PresentTools;
  log: (event: Record<string, unknown>) => void;
};
