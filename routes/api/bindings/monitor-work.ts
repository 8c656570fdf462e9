import { generateRandomHex } from '../../../src/lib/digest.ts';
import { deliverAlert } from '../../../src/monitors/receivers/deliver.ts';
import { executeMonitorRun } from '../../../src/sales/monitors/execute-run.ts';
import type { AppOptions } from '../context.ts';
import type { RequestScope } from './composition.ts';
import { createDeliverTools } from './monitor-mail.ts';
import { createMonitorRunPorts } from './monitor-runs.ts';
import type { MonitorWork } from './monitors-queue.ts';

const RUN_NAME_BYTES = 16;

/** Binds runs and deliveries of one batch to this Worker. */
export function createMonitorWork(scope: RequestScope, options: AppOptions): MonitorWork {
  const tools = createDeliverTools(scope.env, scope.settings, options);
  return {
    // Runs of one batch are at work together, and each holds places of its own in front of hosts (rule F6).
    execute: (order) => {
      const ofRun = { ...scope, requestId: generateRandomHex(RUN_NAME_BYTES) };
      return executeMonitorRun(order, createMonitorRunPorts(ofRun, options));
    },
    deliver: (order) => deliverAlert(order, tools),
  };
}
