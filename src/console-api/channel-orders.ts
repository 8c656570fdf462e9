import * as z from 'zod';
import type { MessageView } from '../notifications/inbox/message.ts';
import type { ChannelAnswer, ListPage, RegistrySurvey } from '../notifications/core/protocol.ts';
import { CHANNEL_STATES, type ChannelView } from '../notifications/channels/channel.ts';
import { CHANNEL_ID, PAGE_TOKEN } from '../notifications/operator-api/shapes.ts';

/** Rows of a page, and messages of one order by their numbers. */
const MAX_PAGE = 100;
const customer = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/);
export const channelId = z.string().regex(CHANNEL_ID);
const limit = z.int().min(1).max(MAX_PAGE);
const cursor = z.string().regex(PAGE_TOKEN);
const ms = z.int().min(0);

export const channelsOrder = z.strictObject({
  state: z.enum(CHANNEL_STATES).optional(),
  customer: customer.optional(),
  watch: channelId.optional(),
  limit,
  cursor: cursor.optional(),
});
export const inboxesOrder = z.strictObject({ after: customer.optional() });
const range = { customer, channel: channelId.optional(), fromMs: ms.optional(), toMs: ms.optional() };
export const messagesOrder = z.strictObject({ ...range, limit, cursor: cursor.optional() });
export const consoleReplayOrder = z.union([
  z.strictObject({ customer, messages: z.array(z.int().min(1)).min(1).max(MAX_PAGE) }),
  z.strictObject(range),
]);

/** How many messages of a customer are dead. `read: false`: its inbox did not answer, which is not "none". */
export type InboxCount = { customer: string } & ({ read: true; dead: number; waiting: number } | { read: false });
/** `next`: there are further customers, after this one. */
export type InboxCounts = { inboxes: readonly InboxCount[]; next?: string };
/** `asked`: a successor was asked for now, with whatever success. Nothing is asked while a renewal is under way. */
export type ChannelRenewal =
  | Extract<ChannelAnswer, { ok: false }>
  | (Extract<ChannelAnswer, { ok: true }> & { asked: boolean });
/** A dead message without its body. */
export type DeadMessage = Pick<
  MessageView,
  'seq' | 'channel' | 'watch' | 'event' | 'received_at' | 'user_id' | 'tries' | 'last_error'
>;
/** `more`: there are further ones, or not all of them could be asked for. At most 1,000 (`MAX_REPLAY`) with one call. */
export type Replayed = { replayed: number; more: boolean };

/** `ConsoleDesk` of the webhook Worker, as the console of the control Worker calls it. Orders of another shape throw a ZodError. */
export type ConsoleDeskPort = {
  survey: () => Promise<RegistrySurvey>;
  channels: (order: z.input<typeof channelsOrder>) => Promise<ListPage<ChannelView>>;
  renew: (channel: string) => Promise<ChannelRenewal>;
  inboxes: (order: z.input<typeof inboxesOrder>) => Promise<InboxCounts>;
  /** Dead ones only, the newest first. */
  messages: (order: z.input<typeof messagesOrder>) => Promise<ListPage<DeadMessage>>;
  /** What is not dead any more is left alone. */
  replay: (order: z.input<typeof consoleReplayOrder>) => Promise<Replayed>;
};
