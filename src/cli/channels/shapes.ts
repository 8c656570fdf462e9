import * as z from 'zod';
import type { MessageView } from '../../notifications/inbox/message.ts';
import type { InboxStatus } from '../../notifications/core/protocol.ts';
import type { ChannelView } from '../../notifications/channels/watch.ts';

/**
 * What the command line prints of the operator's answers. Words of a newer Worker (another state or kind of event) are
 * printed as they are.
 */
type Printed<View> = { [Key in keyof View]: View[Key] extends string ? string : View[Key] };

const textOrNull = z.string().nullable();

export const channelShape = z.object({
  id: z.string(),
  watch: z.string(),
  customer: z.string(),
  domain: textOrNull,
  event: textOrNull,
  state: z.string(),
  address: z.string(),
  resource_id: textOrNull,
  asked_at: z.string(),
  granted_at: textOrNull,
  synced_at: textOrNull,
  expires_at: textOrNull,
  renew_at: textOrNull,
  ended_at: textOrNull,
  tries: z.number(),
  next_try_at: textOrNull,
  last_error: textOrNull,
}) satisfies z.ZodType<Omit<Printed<ChannelView>, 'event'>>;
export type PrintedChannel = z.infer<typeof channelShape>;

const messageShape = z.object({
  seq: z.number(),
  channel: z.string(),
  watch: z.string(),
  number: textOrNull,
  event: z.string(),
  received_at: z.string(),
  user_id: textOrNull,
  body: z.string(),
  state: z.string(),
  tries: z.number(),
  last_error: textOrNull,
}) satisfies z.ZodType<Omit<Printed<MessageView>, 'raw'>>;

const nextPage = { next_page_token: z.string().optional() };
export const channelsShape = z.object({ channels: z.array(channelShape), ...nextPage });
export const messagesShape = z.object({ messages: z.array(messageShape), ...nextPage });
export const replayedShape = z.object({ replayed: z.number(), more: z.boolean() });
export const statusShape = z.object({
  customer: z.string(),
  waiting: z.number(),
  delivering: z.number(),
  dead: z.number(),
  alerts: z.array(z.object({ kind: z.string(), subject: z.string(), raised_at: z.string(), detail: z.string() })),
  resync: z.object({ reason: z.string(), since: z.string(), tries: z.number() }).nullable(),
  last_resync_at: textOrNull,
}) satisfies z.ZodType<InboxStatus>;
