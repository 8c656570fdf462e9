import type { AppOptions } from '../context.ts';
import type { RequestScope } from './composition.ts';
import type { MonitorWork } from './monitors-queue.ts';

/** A run that this deployment cannot carry out yet comes again after this time. */
const UNWIRED_AGAIN_S = 3_600;

/** Binds runs and deliveries to this Worker. */
export const createMonitorWork = (_scope: RequestScope, _options: AppOptions): MonitorWork => ({
  execute: async () => ({ state: 'again', reason: 'not_wired', afterS: UNWIRED_AGAIN_S }),
  deliver: async () => ({ is: 'again', outcome: 'not_wired' }),
});
