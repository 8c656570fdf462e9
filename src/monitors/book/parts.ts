import { createTables, type Sql } from '../../lib/sqlite.ts';
import type { Monitor } from '../core/monitor.ts';
import { type AlertOutbox, openAlertOutbox } from '../receivers/outbox.ts';
import { ALERT_SCHEMA, type AlertRows, openAlertRows } from './alert-rows.ts';
import type { RandomHex } from './ids.ts';
import { type MonitorTimes, MONITOR_SCHEMA, type MonitorRows, moveTimes, openMonitorRows } from './monitor-rows.ts';
import { openSchedule } from './interval.ts';
import {
  DROPPED_SCHEMA,
  type DroppedRows,
  openDroppedRows,
  openRunRows,
  RUN_SCHEMA,
  type RunRows,
} from './run-rows.ts';

export type BookTools = { now: () => number; random: RandomHex };

/** What every step of a shard's book works with. */
export type BookParts = {
  monitors: MonitorRows;
  runs: RunRows;
  alerts: AlertRows;
  outbox: AlertOutbox;
  dropped: DroppedRows;
  tools: BookTools;
  run: ReturnType<typeof createTables>;
};

/** The tables of one shard in SQLite, created where missing. */
export function openBookParts(sql: Sql, tools: BookTools): BookParts {
  const run = createTables(sql, [...MONITOR_SCHEMA, ...RUN_SCHEMA, ...ALERT_SCHEMA, ...DROPPED_SCHEMA]);
  moveTimes(run);
  return {
    monitors: openMonitorRows(run),
    runs: openRunRows(run),
    alerts: openAlertRows(run),
    outbox: openAlertOutbox(sql),
    dropped: openDroppedRows(run),
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
