import type { WorkerLog } from './worker.ts';

export type CronSettings = { everyMs: number; log?: WorkerLog | undefined };

/**
 * Calls `run` again and again, as the platform's cron trigger would, one call at a time. One that fails is logged, and
 * the next comes all the same. `stop` waits for a call under way.
 */
export function startCron(run: () => Promise<void>, { everyMs, log }: CronSettings): { stop: () => Promise<void> } {
  let running: Promise<void> | undefined;
  const tick = async (): Promise<void> => {
    try {
      await run();
    } catch (error) {
      log?.('error', `cron: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
  const timer = setInterval(() => {
    running ??= tick().finally(() => (running = undefined));
  }, everyMs);
  return {
    stop: async () => {
      clearInterval(timer);
      await running;
    },
  };
}
