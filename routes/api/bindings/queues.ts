import type { AppOptions } from '../context.ts';
import type { Env } from './env.ts';
import { createMonitorWork } from './monitor-work.ts';
import { createMonitorsConsumer } from './monitors-queue.ts';
import { createPromptsConsumer } from './prompts-queue.ts';

/** How the queues of monitors begin in each environment, that of dead letters among them; every other one holds prompts. */
const MONITORS = 'sightline-monitors';

/** The consumer of every queue of the api Worker: a Worker has one handler for all. */
export function createQueueConsumer(options: AppOptions) {
  const consumePrompts = createPromptsConsumer(options);
  const consumeMonitors = createMonitorsConsumer((scope) => createMonitorWork(scope, options));
  return (batch: MessageBatch, env: Env, context?: ExecutionContext): Promise<void> =>
    batch.queue.startsWith(MONITORS) ? consumeMonitors(batch, env, context) : consumePrompts(batch, env, context);
}
