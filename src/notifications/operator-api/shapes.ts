import * as z from 'zod';
import { MESSAGE_STATES, type MessageView } from '../inbox/message.ts';
import type { NotificationProbe } from '../core/probe.ts';
import { type InboxStatus, MAX_REPLAY } from '../core/protocol.ts';
import { VENDOR_EVENTS } from '../vendor/vendor.ts';
import { CHANNEL_STATES, type ChannelView } from '../channels/channel.ts';

const MAX_PAGE = 100;
const PAGE = 50;
const MIN_TTL_S = 60;
const MAX_TTL_S = 30 * 86_400;

/** The vendor's word for the customer whose token is used. */
export const OWN_CUSTOMER = 'my_customer';

/** An id in a path: of a channel or of what it watches. */
export const CHANNEL_ID = /^[A-Za-z0-9_-]{1,64}$/;

const customer = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,64}$/)
  .describe(
    `Customer id at the vendor, or ${OWN_CUSTOMER}. A token that is for one customer takes that one only, and needs none.`,
  );
const channelId = z.string().regex(CHANNEL_ID);
const time = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text));
const pageSize = z.coerce
  .number()
  .int()
  .min(1)
  .max(MAX_PAGE)
  .default(PAGE)
  .describe(`Most items of a page, 1 to ${MAX_PAGE}`);
/** As the registry and the inboxes make them: the number of a row. */
export const PAGE_TOKEN = /^[1-9]\d{0,14}$/;
const pageToken = z.string().regex(PAGE_TOKEN).describe('`next_page_token` of the page before');
const page = { page_size: pageSize, page_token: pageToken.optional() };
const range = {
  from: time.optional().describe('Received at this time or later'),
  to: time.optional().describe('Received before this time'),
};
const isForward = ({ from, to }: { from?: number | undefined; to?: number | undefined }): boolean =>
  from === undefined || to === undefined || from < to;
const FORWARD = '`from` must be before `to`';

export const channelsQuery = z.strictObject({
  state: z.enum(CHANNEL_STATES).optional(),
  watch: channelId.optional().describe('Only channels of this watch'),
  customer: customer.optional(),
  ...page,
});

export const newChannel = z.strictObject({
  customer: customer.optional(),
  domain: z
    .string()
    .max(253)
    .regex(/^[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,10}$/)
    .optional()
    .describe('Only users of this domain; all of the customer without it. Not with a token that is for one customer'),
  event: z.enum(VENDOR_EVENTS).optional().describe('Only this kind of event; all without it'),
  ttl_s: z
    .int()
    .min(MIN_TTL_S)
    .max(MAX_TTL_S)
    .optional()
    .describe(
      'Life that is asked of the vendor, in seconds. What it grants may be less: the channel is renewed in time',
    ),
  subject: z
    .email()
    .max(254)
    .optional()
    .describe('Administrator whom the service account acts for. Not with a token that is for one customer'),
});

/** No members: a call that needs none. */
export const nothing = z.strictObject({});

export const messagesQuery = z
  .strictObject({
    customer: customer.optional(),
    state: z.enum(MESSAGE_STATES).optional(),
    channel: channelId.optional(),
    ...range,
    ...page,
  })
  .refine(isForward, { message: FORWARD, path: ['to'] });

export const replayOrder = z
  .strictObject({
    customer: customer.optional(),
    message: z.int().min(1).optional().describe('`seq` of one message'),
    channel: channelId.optional(),
    ...range,
  })
  .refine(isForward, { message: FORWARD, path: ['to'] })
  .refine(
    ({ message, channel, from, to }) =>
      (message === undefined) !== [channel, from, to].every((one) => one === undefined),
    { message: 'Name either one `message`, or a `channel`, `from`, `to` or some of them' },
  )
  .describe(`Which dead messages are worked again; at most ${MAX_REPLAY} with one call`);

export const statusQuery = z.strictObject({ customer: customer.optional() });

const instant = z.iso.datetime();

export const channelView = z.object({
  id: z.string(),
  watch: z.string().describe('Stays the same over renewals'),
  customer: z.string(),
  domain: z.string().nullable(),
  event: z.enum(VENDOR_EVENTS).nullable().describe('null: all events'),
  state: z.enum(CHANNEL_STATES),
  address: z.string(),
  resource_id: z.string().nullable(),
  asked_at: instant,
  granted_at: instant.nullable(),
  synced_at: instant.nullable(),
  expires_at: instant.nullable(),
  renew_at: instant.nullable(),
  ended_at: instant.nullable(),
  tries: z.int().describe('Failed attempts to open, renew or stop it'),
  next_try_at: instant.nullable(),
  last_error: z.string().nullable(),
}) satisfies z.ZodType<ChannelView>;

const messageView = z.object({
  seq: z.int().describe('Grows in the order of arrival, within a customer'),
  channel: z.string(),
  watch: z.string(),
  number: z.string().nullable(),
  event: z.string(),
  received_at: instant,
  user_id: z.string().nullable(),
  body: z.enum(['read', 'none', 'undecodable', 'truncated']),
  state: z.enum(MESSAGE_STATES),
  tries: z.int(),
  last_error: z.string().nullable(),
  raw: z.string().exactOptional().describe('The body where it could not be read'),
}) satisfies z.ZodType<MessageView>;

const nextPage = { next_page_token: z.string().optional().describe('Missing on the last page') };

export const channelPage = z.object({ channels: z.array(channelView), ...nextPage });
export const messagePage = z.object({ messages: z.array(messageView), ...nextPage });
export const replayed = z.object({
  replayed: z.int(),
  more: z.boolean().describe('There are more of them: call again'),
});
const alert = z.object({ kind: z.string(), subject: z.string(), raised_at: instant, detail: z.string() });
const resync = z.object({ reason: z.string(), since: instant, tries: z.int() });
export const inboxStatusSchema = z.object({
  customer: z.string(),
  waiting: z.int().describe('Messages whose user is to be read'),
  delivering: z.int().describe('Messages whose user was read, and that are still to be delivered to receivers'),
  dead: z.int(),
  alerts: z.array(alert),
  resync: resync.nullable(),
  last_resync_at: instant.nullable(),
}) satisfies z.ZodType<InboxStatus>;

const settingFinding = z.object({
  setting: z.string(),
  severity: z.enum(['warn', 'fail']),
  detail: z.string(),
  next: z.string(),
});
export const checkupSchema = z.object({
  worker: z.literal('webhook'),
  version: z.string(),
  at: instant.describe('By the clock of this Worker'),
  settings: z.array(settingFinding).describe('Settings that are unsafe, without their values'),
  channels: z.object({
    counts: z.record(z.enum(CHANNEL_STATES), z.int()),
    most_counted: z.int(),
    next: z.object({ watch: z.string(), customer: z.string(), due_at: instant }).nullable(),
    active: z.array(z.object({ id: z.string(), expires_at: instant.nullable(), renew_at: instant.nullable() })),
    more: z.boolean(),
  }),
  inboxes: z
    .object({ waiting: z.int(), dead: z.int(), alerts: z.int(), unread: z.int(), more: z.boolean() })
    .describe('Sums over customers; `unread` of them did not answer'),
});
export const probeSchema = z.object({
  id: z.string(),
  address: z.string(),
  headers: z.record(z.string(), z.string()),
  body: z.string(),
  expires_at: instant,
}) satisfies z.ZodType<NotificationProbe>;
export const probeStateSchema = z.object({
  id: z.string(),
  state: z.enum([...MESSAGE_STATES, 'not_received']),
  received_at: instant.nullable(),
});

/** What is answered, by the names that the OpenAPI document has for it. */
export const answerShapes = {
  Channel: channelView,
  ChannelPage: channelPage,
  Message: messageView,
  MessagePage: messagePage,
  Replayed: replayed,
  Alert: alert,
  Resync: resync,
  InboxStatus: inboxStatusSchema,
  SettingFinding: settingFinding,
  Checkup: checkupSchema,
  Probe: probeSchema,
  ProbeState: probeStateSchema,
} as const;

/** What is sent as a body, likewise. */
export const bodyShapes = { NewChannel: newChannel, ReplayOrder: replayOrder, Nothing: nothing } as const;
