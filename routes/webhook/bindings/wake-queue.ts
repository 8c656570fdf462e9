import * as z from 'zod';
import { observeTask, logLine, queueTask } from '../../shared/telemetry.ts';
import { runForEach } from '../../../src/lib/concurrency.ts';
import { getNotificationInbox, getWebhookTelemetry, type WakeMessage, type WebhookEnv } from './env.ts';

/** Inboxes that one batch keeps busy at a time. */
const INBOXES_AT_ONCE = 6;
const MAX_CUSTOMER_CHARS = 64;

const wakeMessage = z.object({
  customer: z.string().min(1).max(MAX_CUSTOMER_CHARS),
}) satisfies z.ZodType<WakeMessage>;

/**
 * The consumer of the wake-up queue: each customer that is named has its inbox worked through once. All messages are
 * acknowledged whatever came of it: what is left, the inbox's own alarm and the cron find.
 */
export function wakeQueue(batch: MessageBatch, env: WebhookEnv, context?: ExecutionContext): Promise<void> {
  return observeTask(queueTask(batch), getWebhookTelemetry(env), context, () => wake(batch, env));
}

async function wake(batch: MessageBatch, env: WebhookEnv): Promise<void> {
  const parsed = batch.messages.map(({ body }) => wakeMessage.safeParse(body));
  const customers = new Set(parsed.flatMap(({ data }) => data?.customer ?? []));
  const unreadable = parsed.filter(({ success }) => !success).length;
  if (unreadable > 0) logLine({ event: 'wake_unreadable', messages: unreadable });
  await runForEach([...customers], INBOXES_AT_ONCE, async (customer) => {
    try {
      await getNotificationInbox(env, customer).work(customer);
    } catch (error) {
      logLine({ event: 'wake_failed', customer, name: error instanceof Error ? error.name : typeof error });
    }
  });
  batch.ackAll();
}
