import { generateRandomHex } from '../../../src/lib/digest.ts';
import { executeMonitorRun } from '../../../src/sales/monitors/execute-run.ts';
import type { AppOptions } from '../context.ts';
import type { RequestScope } from './composition.ts';
import { createMonitorRunPorts } from './monitor-runs.ts';
import type { MonitorWork } from './monitors-queue.ts';

const RUN_NAME_BYTES = 16;

/** Binds runs and deliveries to this Worker. */
export const createMonitorWork = (scope: RequestScope, options: AppOptions): MonitorWork => ({
  // Runs of one batch are at work together, and each holds places of its own in front of hosts (rule F6).
  execute: (order) => {
    const ofRun = { ...scope, requestId: generateRandomHex(RUN_NAME_BYTES) };
    return executeMonitorRun(order, createMonitorRunPorts(ofRun, options));
  },
  deliver: async () => ({ is: 'again', outcome: 'not_wired' }),
});
