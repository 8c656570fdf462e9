import { WorkerEntrypoint } from 'cloudflare:workers';
import { pushQueue } from '../../../routes/control/bindings/push-queue.ts';
import type { PushMessage } from '../../../src/management/watch/push-message.ts';
import { type EmulatorEnv, allowOwnMachine, toControlEnv } from './environment.ts';

/** Tries of one message, as the queue of the deployed Worker has them. */
const MAX_TRIES = 10;
const consume = pushQueue({ pushPolicy: allowOwnMachine });

/** Takes the place of the queue of pushes: it sends at once, and again after the delay that the consumer asks for. */
export class PushDelivery extends WorkerEntrypoint<EmulatorEnv> {
  sendBatch(messages: readonly { body: PushMessage }[]): void {
    this.ctx.waitUntil(Promise.all(messages.map(({ body }) => deliverMessage(body, this.env))));
  }
}

async function deliverMessage(body: PushMessage, env: EmulatorEnv): Promise<void> {
  for (let attempt = 1; attempt <= MAX_TRIES; attempt += 1) {
    let delayS: number | undefined;
    const message = {
      id: crypto.randomUUID(),
      timestamp: new Date(),
      body,
      attempts: attempt,
      ack: () => undefined,
      retry: ({ delaySeconds = 0 }: QueueRetryOptions = {}) => {
        delayS = delaySeconds;
      },
    };
    const batch = { messages: [message], queue: 'push', ackAll: () => undefined, retryAll: () => undefined };
    await consume(batch as unknown as MessageBatch, toControlEnv(env)); // All that the consumer reads of a batch.
    if (delayS === undefined) return;
    await scheduler.wait(delayS * 1000);
  }
}
