import type { Sql } from '../../lib/sqlite.ts';
import type { AlertDraft } from '../core/alert.ts';
import type { PauseReason } from '../core/monitor.ts';
import { createDeliverySteps, type DeliverySteps } from './delivery-steps.ts';
import { createOwnerSteps, type OwnerSteps } from './owner-steps.ts';
import { type BookTools, openBookParts } from './parts.ts';
import { createPassSteps, type PassSteps } from './pass.ts';
import { createReadSteps, type ReadSteps } from './read-steps.ts';
import { draftPaused, raiseAlerts } from './ring.ts';
import { createRunSteps, pauseMonitor, type RunSteps } from './run-steps.ts';

/** The monitors of one shard. Each method is one synchronous step, for one transaction. */
export type MonitorBook = OwnerSteps &
  ReadSteps &
  RunSteps &
  PassSteps &
  DeliverySteps & {
    raise: (monitorId: string, draft: AlertDraft) => boolean;
    pause: (monitorId: string, reason: PauseReason) => boolean;
    droppedReports: () => readonly string[];
    confirmDropped: (reportIds: readonly string[]) => void;
  };

/** Opens the book of a shard; its tables are created where missing. */
export function openMonitorBook(sql: Sql, tools: BookTools): MonitorBook {
  const parts = openBookParts(sql, tools);
  return {
    ...createOwnerSteps(parts),
    ...createReadSteps(parts),
    ...createRunSteps(parts),
    ...createPassSteps(parts),
    ...createDeliverySteps(parts),
    droppedReports: () => parts.dropped.list(),
    confirmDropped: (reportIds) => parts.dropped.remove(reportIds),
    raise: (monitorId, draft) => {
      const monitor = parts.monitors.find(monitorId)?.monitor;
      return monitor !== undefined && raiseAlerts(parts, monitor, null, [draft]).length > 0;
    },
    pause: (monitorId, reason) => {
      const monitor = parts.monitors.find(monitorId)?.monitor;
      if (monitor === undefined || monitor.state === 'paused') return false;
      const paused = pauseMonitor(parts, monitor, reason);
      if (reason !== 'by_owner') raiseAlerts(parts, paused, null, [draftPaused(reason, parts.tools.now())]);
      return true;
    },
  };
}
