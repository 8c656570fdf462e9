import type { Outbox } from './outbox.ts';
import type { PushMessage } from './push-message.ts';

/** Batches that are handed to the queue at a time, each of up to 20 messages of each channel. */
const MAX_BATCHES = 5;
/** What one send to the queue may hold (developers.cloudflare.com/queues/platform/limits). */
const BATCH_MESSAGES = 100;

export type PostOfficeTools = {
  outbox: Outbox;
  transaction: <T>(work: () => T) => T;
  /** Hands messages to the queue, all or none. */
  send: (messages: readonly PushMessage[]) => Promise<unknown>;
};

/**
 * Hands what is due to the queue. A queue that fails loses nothing: its messages stay in the outbox, and are due again.
 * @returns the number of messages that the queue took
 */
export async function enqueueDuePushes({ outbox, transaction, send }: PostOfficeTools): Promise<number> {
  let taken = 0;
  for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
    const messages = transaction(() => outbox.claim());
    if (messages.length === 0) return taken;
    for (let from = 0; from < messages.length; from += BATCH_MESSAGES) {
      const some = messages.slice(from, from + BATCH_MESSAGES);
      try {
        await send(some);
        taken += some.length;
      } catch {
        // Queues fail now and then (workerd issue 1483); the alarm comes back to these and to the rest.
        transaction(() => outbox.unclaim(messages.slice(from)));
        return taken;
      }
    }
  }
  return taken;
}
