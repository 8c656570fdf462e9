import { createTables, type Sql } from '../../lib/sqlite.ts';
import type { MonitorAlert } from '../core/alert.ts';
import type { Monitor } from '../core/monitor.ts';
import { ALERT_SCHEMA, type AlertRows, openAlertRows } from './alert-rows.ts';
import type { DeliveryBox } from './delivery-steps.ts';
import type { RandomHex } from './ids.ts';
import { type MonitorTimes, MONITOR_SCHEMA, type MonitorRows, openMonitorRows } from './monitor-rows.ts';
import { openSchedule } from './interval.ts';
import { openRunRows, RUN_SCHEMA, type RunRows } from './run-rows.ts';

/** What is to be sent to receivers, in the same database: written together with the alerts that it is of. */
export type MonitorOutbox = DeliveryBox & {
  accept: (monitor: Monitor, alerts: readonly MonitorAlert[], nowMs: number) => void;
  requestConfirmation: (monitor: Monitor, receiverId: string, nowMs: number) => void;
  /** Whether the account may have so many more addresses asked today. */
  hasMailRoom: (account: string, mails: number, nowMs: number) => boolean;
  /** Deliveries to name on the queue; they count as named. */
  due: (nowMs: number, limit: number) => readonly string[];
  nextDueMs: () => number | undefined;
  forget: (monitorId: string) => void;
  forgetAccount: (account: string) => void;
};

export type BookTools = { now: () => number; random: RandomHex };

/** What every step of a shard's book works with. */
export type BookParts = {
  monitors: MonitorRows;
  runs: RunRows;
  alerts: AlertRows;
  outbox: MonitorOutbox;
  tools: BookTools;
  run: ReturnType<typeof createTables>;
};

/** The tables of one shard in SQLite, created where missing. */
export function openBookParts(sql: Sql, outbox: MonitorOutbox, tools: BookTools): BookParts {
  const run = createTables(sql, [...MONITOR_SCHEMA, ...RUN_SCHEMA, ...ALERT_SCHEMA]);
  return {
    monitors: openMonitorRows(run),
    runs: openRunRows(run),
    alerts: openAlertRows(run),
    outbox,
    tools,
    run,
  };
}

/** The first two due times of a monitor after a moment; none for a schedule that cannot be read any more. */
export function findTimes({ interval, id }: Pick<Monitor, 'interval' | 'id'>, afterMs: number): MonitorTimes {
  const schedule = tryOpenSchedule({ interval, id });
  const nextMs = schedule?.nextAfter(afterMs);
  return { nextMs, afterMs: nextMs === undefined ? undefined : schedule?.nextAfter(nextMs) };
}

/** The schedule of a monitor; undefined where what was accepted once is no schedule any more. */
export function tryOpenSchedule({ interval, id }: Pick<Monitor, 'interval' | 'id'>) {
  try {
    return openSchedule(interval, id);
  } catch {
    return undefined;
  }
}
