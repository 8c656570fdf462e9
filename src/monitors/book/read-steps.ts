import type { MonitorAlert } from '../core/alert.ts';
import type { MonitorOverview, MonitorPage, PageQuery } from '../core/protocol.ts';
import type { MonitorRun } from '../core/run.ts';
import type { MonitorRow } from './monitor-rows.ts';
import type { BookParts } from './parts.ts';

/** Longest page of a list. */
export const MAX_PAGE_ITEMS = 100;

export type ReadSteps = ReturnType<typeof createReadSteps>;

/** What is read of monitors. A monitor of another account is not there. */
export const createReadSteps = (parts: BookParts) => {
  const { monitors, runs, alerts } = parts;
  const isOf = (account: string, id: string): boolean => monitors.find(id)?.monitor.account === account;
  return {
    read: (account: string, id: string): MonitorOverview | undefined => {
      const row = monitors.find(id);
      return row?.monitor.account === account ? toOverview(parts, row) : undefined;
    },
    list: (account: string, query: PageQuery): MonitorPage<MonitorOverview> => {
      const page = paginateBySeq(query, (beforeSeq, limit) => monitors.list(account, beforeSeq, limit));
      return { items: page.rows.map((row) => toOverview(parts, row)), next: page.next };
    },
    runs: (account: string, id: string, query: PageQuery): MonitorPage<MonitorRun> | undefined => {
      if (!isOf(account, id)) return undefined;
      const page = paginateBySeq(query, (beforeSeq, limit) => runs.list(id, beforeSeq, limit));
      return { items: page.rows.map(({ run }) => run), next: page.next };
    },
    run: (account: string, id: string, runId: string): MonitorRun | undefined => {
      const run = isOf(account, id) ? runs.find(runId)?.run : undefined;
      return run?.monitorId === id ? run : undefined;
    },
    alerts: (account: string, id: string, query: PageQuery): MonitorPage<MonitorAlert> | undefined => {
      if (!isOf(account, id)) return undefined;
      const page = paginateBySeq(query, (beforeSeq, limit) => alerts.list(id, beforeSeq, limit));
      return { items: page.rows.map(({ alert }) => alert), next: page.next };
    },
    alert: (account: string, id: string, alertId: string): MonitorAlert | undefined =>
      isOf(account, id) ? alerts.find(id, alertId) : undefined,
  };
};

function toOverview({ runs }: BookParts, { monitor, points, alerts }: MonitorRow): MonitorOverview {
  return { monitor, lastRun: runs.newest(monitor.id)?.run ?? null, points, alerts };
}

/** A page that begins after a place. A text that is no place of ours has nothing after it. */
function paginateBySeq<Row extends { seq: number }>(
  { after, limit }: PageQuery,
  list: (beforeSeq: number, limit: number) => readonly Row[],
): { rows: readonly Row[]; next: string | null } {
  if (after !== undefined && !/^\d{1,15}$/.test(after)) return { rows: [], next: null };
  const size = Math.min(Math.max(Math.trunc(limit), 1), MAX_PAGE_ITEMS);
  const found = list(after === undefined ? Number.MAX_SAFE_INTEGER : Number(after), size + 1);
  const rows = found.slice(0, size);
  return { rows, next: found.length > size ? String(rows.at(-1)?.seq) : null };
}
