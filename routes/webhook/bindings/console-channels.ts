import { logLine } from '../../shared/telemetry.ts';
import type * as z from 'zod';
import type { MessageView } from '../../../src/notifications/inbox/message.ts';
import type { ChannelView } from '../../../src/notifications/channels/channel.ts';
import { runForEach } from '../../../src/lib/concurrency.ts';
import {
  channelId,
  channelsOrder,
  type ConsoleDeskPort,
  type InboxCount,
  type InboxCounts,
  inboxesOrder,
  messagesOrder,
  type ChannelRenewal,
  type Replayed,
  consoleReplayOrder,
} from '../../../src/console-api/channel-orders.ts';
import { getNotificationInbox, getChannelRegistry, type WebhookEnv } from './env.ts';

/** Inboxes counted with one call, some at a time. */
const MAX_INBOXES = 100;
const INBOXES_AT_ONCE = 6;

/** What the operator's console may see and do of channels and messages, of every customer. */
export function createConsoleDesk(env: WebhookEnv): ConsoleDeskPort {
  return {
    survey: async () => getChannelRegistry(env).survey(),
    channels: async (order) => getChannelRegistry(env).list(channelsOrder.parse(order)),
    renew: async (channel) => renew(env, channelId.parse(channel)),
    inboxes: async (order) => countInboxes(env, inboxesOrder.parse(order).after ?? ''),
    messages: async (order) => listDeadMessages(env, messagesOrder.parse(order)),
    replay: async (order) => replay(env, consoleReplayOrder.parse(order)),
  };
}

async function renew(env: WebhookEnv, channel: string): Promise<ChannelRenewal> {
  const registry = getChannelRegistry(env);
  const named = await registry.get(channel);
  const before = named && (await registry.get(named.watch));
  const answer = await registry.renew(channel);
  if (!answer.ok) return answer;
  return { ...answer, asked: before === null || isOther(before, answer.channel) };
}

/** Whether something was asked between the two: a success has another channel, a failure is counted. */
const isOther = (before: ChannelView, after: ChannelView): boolean =>
  before.id !== after.id ||
  before.expires_at !== after.expires_at ||
  before.tries !== after.tries ||
  before.next_try_at !== after.next_try_at;

async function countInboxes(env: WebhookEnv, after: string): Promise<InboxCounts> {
  const found = await getChannelRegistry(env).customersAfter(after, MAX_INBOXES + 1);
  const customers = found.slice(0, MAX_INBOXES);
  const counts = new Map<string, InboxCount>();
  await runForEach(customers, INBOXES_AT_ONCE, async (one) => void counts.set(one, await countInbox(env, one)));
  const last = found.length > MAX_INBOXES ? customers.at(-1) : undefined;
  const counted = customers.flatMap((one) => counts.get(one) ?? []);
  return { inboxes: counted, ...(last === undefined ? {} : { next: last }) };
}

async function countInbox(env: WebhookEnv, one: string): Promise<InboxCount> {
  try {
    const { dead, waiting, delivering } = await getNotificationInbox(env, one).status(one);
    return { customer: one, read: true, dead, waiting: waiting + delivering };
  } catch (error) {
    logLine({ event: 'console_inbox_unread', customer: one, name: error instanceof Error ? error.name : typeof error });
    return { customer: one, read: false };
  }
}

/** Bodies that could not be read stay in the inbox: `GET /messages` shows them. */
async function listDeadMessages(env: WebhookEnv, { customer: one, ...query }: z.output<typeof messagesOrder>) {
  const { items, next } = await getNotificationInbox(env, one).messages(one, { ...query, state: 'dead' });
  return { items: items.map(withoutBody), next };
}

const withoutBody = ({ seq, channel, watch, event, received_at, user_id, tries, last_error }: MessageView) => ({
  seq,
  channel,
  watch,
  event,
  received_at,
  user_id,
  tries,
  last_error,
});

async function replay(env: WebhookEnv, order: z.output<typeof consoleReplayOrder>): Promise<Replayed> {
  const inbox = getNotificationInbox(env, order.customer);
  if (!('messages' in order)) {
    const { customer: _, ...bounds } = order;
    return inbox.replay(order.customer, bounds);
  }
  let replayed = 0;
  for (const seq of new Set(order.messages)) {
    const report = await inbox.replay(order.customer, { seq });
    replayed += report.replayed;
  }
  return { replayed, more: false };
}
