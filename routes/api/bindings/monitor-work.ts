import { deliverAlert } from '../../../src/monitors/receivers/deliver.ts';
import type { AppOptions } from '../context.ts';
import type { RequestScope } from './composition.ts';
import { createDeliverTools } from './monitor-mail.ts';
import type { MonitorWork } from './monitors-queue.ts';

/** A run that this deployment cannot carry out yet comes again after this time. */
const UNWIRED_AGAIN_S = 3_600;

/** Binds runs and deliveries of one batch to this Worker. */
export function createMonitorWork({ env, settings }: RequestScope, options: AppOptions): MonitorWork {
  const tools = createDeliverTools(env, settings, options);
  return {
    execute: async () => ({ state: 'again', reason: 'not_wired', afterS: UNWIRED_AGAIN_S }),
    deliver: (order) => deliverAlert(order, tools),
  };
}
