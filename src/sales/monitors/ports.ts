import type { PresentTools } from '../../capabilities/site-work.ts';
import type { RunOrder } from '../../monitors/core/run.ts';
import type { ReportStore } from '../reports/report-store.ts';
import type { SalesPorts } from '../tools.ts';
import type { FreeMonitors, RunSpender } from './free-monitors.ts';

/** What a run of a monitor works with. */
export type MonitorRunPorts = {
  sales: SalesPorts;
  reports: Pick<ReportStore, 'get' | 'snapshot' | 'keep'>;
  /** The account of a monitor and its client, as they are now. @throws LedgerUnavailable */
  findSpender: (account: string, clientId: string) => Promise<RunSpender>;
  /** Whether the account has proven that a host is its own. @throws LedgerUnavailable */
  isProven: (account: string, host: string) => Promise<boolean>;
  /**
   * Whether the attempt holds its run still: not when another one has it by now, or when its monitor was deleted, and then it buys
   * nothing more. @param copies reports that it is about to keep @throws LedgerUnavailable
   */
  isHeld: (order: RunOrder, copies?: readonly string[]) => Promise<boolean>;
  free: FreeMonitors;
  /** For a snapshot that is judged again. */
  present: PresentTools;
  log: (event: Record<string, unknown>) => void;
};
