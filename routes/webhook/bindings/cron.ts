import { CRON_TASK, logLine, observeTask } from '../../shared/telemetry.ts';
import { runForEach } from '../../../src/lib/concurrency.ts';
import { getNotificationInbox, getWebhookTelemetry, getChannelRegistry, type WebhookEnv } from './env.ts';

/** Inboxes that one minute keeps busy at a time, and looks after at most. */
const INBOXES_AT_ONCE = 6;
const MAX_INBOXES = 60;

const getErrorName = (error: unknown): string => (error instanceof Error ? error.name : typeof error);

/**
 * The watchdog, each minute: the registry does what an alarm missed, and names customers whose inbox is to be looked
 * after. One that fails holds up no other.
 */
export function runWebhookCron(_controller: unknown, env: WebhookEnv, context?: ExecutionContext): Promise<void> {
  return observeTask(CRON_TASK, getWebhookTelemetry(env), context, () => lookAfter(env));
}

async function lookAfter(env: WebhookEnv): Promise<void> {
  const customers = await runRegistryTick(env);
  await runForEach(customers.slice(0, MAX_INBOXES), INBOXES_AT_ONCE, async (customer) => {
    try {
      await getNotificationInbox(env, customer).work(customer);
    } catch (error) {
      logLine({ event: 'cron_inbox_failed', customer, name: getErrorName(error) });
    }
  });
}

async function runRegistryTick(env: WebhookEnv): Promise<readonly string[]> {
  try {
    const { due, done, customers } = await getChannelRegistry(env).tick();
    if (due > 0) logLine({ event: 'cron', due, done });
    return customers;
  } catch (error) {
    logLine({ event: 'cron_registry_failed', name: getErrorName(error) });
    return [];
  }
}
