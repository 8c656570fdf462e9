import { PRODUCT } from '../../../src/lib/product.ts';
import * as z from 'zod';
import { deliver, type PushDeliveryTools, SLOW_MS } from '../../../src/management/watch/delivery.ts';
import type { PushMessage } from '../../../src/management/watch/push-message.ts';
import type { AddressPolicy } from '../../../src/net/address-policy.ts';
import { logLine, observeTask, queueTask } from '../../shared/telemetry.ts';
import { type ControlEnv, readControlSettings } from './env.ts';
import { getControlTelemetry } from './telemetry-writer.ts';

/** Wait before a message whose tenant could not be asked comes again, in seconds. */
const UNREACHABLE_RETRY_S = 5;
const USER_AGENT = `APIs-${PRODUCT}`;
/** Messages of one channel that are sent at a time. */
const CHANNEL_AT_ONCE = 2;

const messageSchema = z.object({
  tenant: z.string().min(1),
  channelId: z.string().min(1),
  number: z.int().min(1),
}) satisfies z.ZodType<PushMessage>;

/** `pushPolicy`: which addresses a notification may go to. `local`: this is the local stack. */
export type PushOptions = { pushPolicy: (env: Record<string, unknown>) => AddressPolicy; local?: boolean };

/** The consumer of the push queue. Every message is sent by itself: one that fails does not bring the others back. */
export function pushQueue({ pushPolicy, local = false }: PushOptions) {
  const consume = async (batch: MessageBatch, env: ControlEnv): Promise<void> => {
    const { BASE_URL } = readControlSettings(env);
    const tools: PushDeliveryTools = {
      fetch: (url, init) => fetch(url, init),
      policy: pushPolicy(env),
      clock: () => Date.now(),
      userAgent: `${USER_AGENT} (+${new URL('/bot', BASE_URL).href})`,
    };
    await Promise.all(groupByChannel(batch.messages).map((messages) => deliverMessages(messages, env, tools)));
  };
  return (batch: MessageBatch, env: ControlEnv, context?: ExecutionContext): Promise<void> => {
    const waitUntil = (promise: Promise<unknown>): void => context?.waitUntil(promise);
    const telling = getControlTelemetry(env, { waitUntil, allowsPlainLoopback: local });
    return observeTask(queueTask(batch), telling, context, () => consume(batch, env));
  };
}

function groupByChannel(messages: readonly Message[]): readonly (readonly Message[])[] {
  const groups = new Map<string, Message[]>();
  for (const message of messages) {
    const { data } = messageSchema.safeParse(message.body);
    const key = JSON.stringify([data?.tenant, data?.channelId]);
    groups.set(key, [...(groups.get(key) ?? []), message]);
  }
  return [...groups.values()];
}

/**
 * Sends the messages of one channel. After one that was slow the others are put away: they would hold the batch, and with
 * it messages of other tenants (rule K8). Their tenant's object hands them out again when their lease is over.
 */
async function deliverMessages(messages: readonly Message[], env: ControlEnv, tools: PushDeliveryTools): Promise<void> {
  const waiting = messages.values();
  let isSlow = false;
  const work = async (): Promise<void> => {
    for (const message of waiting) {
      const startedMs = tools.clock();
      if (isSlow) message.ack();
      else await handle(message, env, tools);
      isSlow ||= tools.clock() - startedMs > SLOW_MS;
    }
  };
  await Promise.all(Array.from({ length: CHANNEL_AT_ONCE }, work));
}

async function handle(message: Message, env: ControlEnv, tools: PushDeliveryTools): Promise<void> {
  const parsed = messageSchema.safeParse(message.body);
  if (!parsed.success) {
    logLine({ event: 'push_unreadable' });
    message.ack();
    return;
  }
  try {
    const delaySeconds = await push(parsed.data, env, tools);
    if (delaySeconds === null) message.ack();
    else message.retry({ delaySeconds });
  } catch (error) {
    logLine({ event: 'push_not_recorded', name: error instanceof Error ? error.name : typeof error });
    message.retry({ delaySeconds: UNREACHABLE_RETRY_S });
  }
}

/** Sends what the tenant's object says is due. @returns seconds after which the queue brings the message again, or null */
async function push(
  { tenant, ...key }: PushMessage,
  env: ControlEnv,
  tools: PushDeliveryTools,
): Promise<number | null> {
  const object = env.RESOURCE_STORE.getByName(tenant);
  const request = await object.takePush(key);
  if (request === null) return null;
  const { outcome, seen } = await deliver(request, tools);
  logLine({ event: 'push', channel: key.channelId, number: key.number, outcome, seen });
  return object.pushed(key, outcome);
}
