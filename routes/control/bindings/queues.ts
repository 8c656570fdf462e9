import type { ControlEnv } from './env.ts';
import { type PushOptions, pushQueue } from './push-queue.ts';
import { consumeTelemetry, TELEMETRY_QUEUE } from './telemetry-queue.ts';

/** The consumer of both queues of the control Worker: pushes to be sent, and other Workers' telemetry to be written. */
export function createControlConsumer(options: PushOptions) {
  const push = pushQueue(options);
  return (batch: MessageBatch, env: ControlEnv, context?: ExecutionContext): Promise<void> => {
    if (!batch.queue.startsWith(TELEMETRY_QUEUE)) return push(batch, env, context);
    const waitUntil = (promise: Promise<unknown>): void => context?.waitUntil(promise);
    return consumeTelemetry(batch, env, { waitUntil, allowsPlainLoopback: options.local === true });
  };
}
