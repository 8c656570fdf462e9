import * as z from 'zod';
import { CHANNEL_STATES, type ChannelState, type ChannelView } from '../../notifications/channels/channel.ts';
import { type AlertKind, alertRows } from '../../notifications/core/alerts.ts';
import type { InboxStatus } from '../../notifications/core/protocol.ts';
import { MESSAGE_STATES, type MessageView } from '../../notifications/inbox/message.ts';
import { VENDOR_EVENTS } from '../../notifications/vendor/vendor.ts';
import { formatSafeLine } from '../core/terminal.ts';
import type { ChannelsScope, OperatorCall } from './client.ts';

/**
 * What the command line prints of the operator's answers. Words of a newer Worker (another state or kind of event) are
 * printed as they are.
 */
type Printed<View> = { [Key in keyof View]: View[Key] extends string ? string : View[Key] };

const textOrNull = z.string().nullable();

const channelShape = z.object({
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
type PrintedChannel = z.infer<typeof channelShape>;

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
const channelsShape = z.object({ channels: z.array(channelShape), ...nextPage });
const messagesShape = z.object({ messages: z.array(messageShape), ...nextPage });
const replayedShape = z.object({ replayed: z.number(), more: z.boolean() });
const statusShape = z.object({
  customer: z.string(),
  waiting: z.number(),
  delivering: z.number(),
  dead: z.number(),
  alerts: z.array(z.object({ kind: z.string(), subject: z.string(), raised_at: z.string(), detail: z.string() })),
  resync: z.object({ reason: z.string(), since: z.string(), tries: z.number() }).nullable(),
  last_resync_at: textOrNull,
}) satisfies z.ZodType<InboxStatus>;

/** Widest cell of a table. */
const MAX_CELL = 64;
const NONE = '-';

/** A channel: one line for each thing known about it. */
export function formatChannel(channel: PrintedChannel): string[] {
  const rows = Object.entries({ ...channel, event: channel.event ?? 'all' }).filter(([, value]) => value !== null);
  return formatTable(rows.map(([name, value]) => [name.replaceAll('_', ' '), formatSafeLine(String(value))]));
}

/** Channels as a table; the last error is below its channel. */
export function formatChannels({ channels, next_page_token: next }: z.infer<typeof channelsShape>): string[] {
  if (channels.length === 0) return ['No channels.'];
  const rows = channels.map(({ state, customer, domain, event, expires_at: expires, id, watch }) =>
    [state, customer, domain ?? NONE, event ?? 'all', formatShortTime(expires), id, watch].map(formatCell),
  );
  const lines = formatTable([['state', 'customer', 'domain', 'event', 'expires', 'id', 'watch'], ...rows]);
  return [...insertErrors(lines, channels), ...formatMoreHint(next)];
}

/** Messages as a table; the error of the last try is below its message. */
export function formatMessages({ messages, next_page_token: next }: z.infer<typeof messagesShape>): string[] {
  if (messages.length === 0) return ['No messages.'];
  const rows = messages.map(({ seq, received_at: at, state, event, user_id: user, tries, channel }) =>
    [String(seq), formatShortTime(at), state, event, user ?? NONE, String(tries), channel].map(formatCell),
  );
  const lines = formatTable([['seq', 'received', 'state', 'event', 'user', 'tries', 'channel'], ...rows]);
  return [...insertErrors(lines, messages), ...formatMoreHint(next)];
}

export function formatReplayed({ replayed, more: hasMore }: z.infer<typeof replayedShape>): string[] {
  const what = replayed === 1 ? '1 message is' : `${replayed} messages are`;
  return [`${what} worked again.`, ...(hasMore ? ['There are more: run the same again.'] : [])];
}

/** What waits, then each open alert with its meaning and what to do. */
export function formatInboxStatus(status: z.infer<typeof statusShape>): string[] {
  const { customer, waiting, delivering, dead, alerts, resync, last_resync_at: last } = status;
  const under = resync && `${resync.reason}, since ${formatShortTime(resync.since)}, ${resync.tries} failed tries`;
  return [
    ...formatTable([
      ['customer', formatCell(customer)],
      ['waiting', String(waiting)],
      ['delivering', String(delivering)],
      ['dead', String(dead)],
      ['resync', formatSafeLine(under ?? 'none under way')],
      ['last resync', formatShortTime(last)],
    ]),
    '',
    ...(alerts.length === 0 ? ['No open alerts.'] : alerts.flatMap(alertLines)),
  ];
}

type OpenAlert = z.infer<typeof statusShape>['alerts'][number];

function alertLines({ kind, subject, raised_at: at, detail }: OpenAlert): string[] {
  const row = Object.hasOwn(alertRows, kind) ? alertRows[kind as AlertKind] : undefined;
  const head = [row?.severity ?? 'ALERT', kind, subject, `since ${formatShortTime(at)}:`, detail];
  return [formatSafeLine(head.join(' ')), ...(row ? [`  ${row.means}`, `  ${row.todo}`] : [])];
}

/** Lines of a table with the rows' errors between them. The first line is the heading. */
const insertErrors = (lines: readonly string[], rows: readonly { last_error: string | null }[]): string[] =>
  lines.flatMap((line, index) => {
    const error = rows[index - 1]?.last_error ?? null;
    return error === null ? [line] : [line, `  ${formatSafeLine(error)}`];
  });

const formatMoreHint = (next: string | undefined): string[] =>
  next === undefined ? [] : ['', `There are more: --page ${formatSafeLine(next)}`];

const formatCell = (text: string): string => formatSafeLine(text, MAX_CELL);

/** `2026-11-22T09:30:00Z`: milliseconds tell a person nothing. */
const formatShortTime = (iso: string | null): string =>
  iso === null ? NONE : formatSafeLine(iso, MAX_CELL).replace(/\.\d{1,9}Z$/, 'Z');

/** Cells in columns, two spaces apart. */
function formatTable(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((text, column) => text.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

/** What was given: the words behind the action, and its options by name. */
export type GivenArguments = { words: readonly string[]; option: Readonly<Record<string, string | undefined>> };

/** A part of `sightline channels`. */
export type Action = {
  scope: ChannelsScope;
  /** The call, or what is wrong with what was given. */
  ask: (given: GivenArguments) => OperatorCall | string;
  /** Lines for a person; undefined for an answer that is not as documented. */
  print: (answer: unknown) => string[] | undefined;
  /** Whether the answer says that it is done; any that is as documented does, when absent. */
  isDone?: (answer: unknown) => boolean;
};

const CHANNEL_ID = /^[A-Za-z0-9_-]{1,64}$/;
const WHOLE = /^\d{1,15}$/;

/** How each option with a form of its own is checked here, before anything is asked. */
const forms: Readonly<Record<string, (value: string) => string | undefined>> = {
  event: (value) => findUnknownWord(value, VENDOR_EVENTS),
  ttl: (value) => (WHOLE.test(value) ? undefined : 'takes seconds'),
  limit: (value) => (WHOLE.test(value) ? undefined : 'takes a number'),
  message: (value) => (WHOLE.test(value) ? undefined : 'takes the number of a message: its seq'),
  from: (value) => (isTime(value) ? undefined : 'takes a time such as 2026-11-22T09:30:00Z'),
  to: (value) => (isTime(value) ? undefined : 'takes a time such as 2026-11-22T09:30:00Z'),
};

const shown = { print: createPrinter(channelShape, formatChannel) };

/** States of a channel that was asked for and needs no one: it exists, or the vendor is asked again. */
const UNDER_WAY: readonly string[] = ['active', 'renewing', 'pending'] satisfies readonly ChannelState[];

export const actions: Readonly<Record<string, Action>> = {
  list: {
    scope: 'channels:read',
    ask: checkArguments(0, ({ option: { customer, state, watch, limit, page } }) => {
      const problem = state === undefined ? undefined : findUnknownWord(state, CHANNEL_STATES);
      if (problem !== undefined) return `--state ${problem}.`;
      const query = { customer, state, watch, page_size: limit, page_token: page };
      return { method: 'GET', path: '/channels', query };
    }),
    print: createPrinter(channelsShape, formatChannels),
  },
  create: {
    scope: 'channels:write',
    ask: checkArguments(0, ({ option: { customer, domain, event, ttl, subject } }) => {
      const body = { customer, domain, event, ttl_s: ttl === undefined ? undefined : Number(ttl), subject };
      return { method: 'POST', path: '/channels', body };
    }),
    ...shown,
    isDone: isUnderWay,
  },
  show: {
    scope: 'channels:read',
    ask: checkArguments(1, ({ words: [id = ''] }) => ({ method: 'GET', path: `/channels/${id}`, query: {} })),
    ...shown,
  },
  renew: {
    scope: 'channels:write',
    ask: checkArguments(1, ({ words: [id = ''] }) => ({ method: 'POST', path: `/channels/${id}:renew`, body: {} })),
    ...shown,
    isDone: isUnderWay,
  },
  stop: {
    scope: 'channels:write',
    ask: checkArguments(1, ({ words: [id = ''] }) => ({ method: 'POST', path: `/channels/${id}:stop`, body: {} })),
    ...shown,
  },
  messages: {
    scope: 'channels:read',
    ask: checkArguments(0, ({ option: { customer, state, channel, from, to, limit, page } }) => {
      const problem = state === undefined ? undefined : findUnknownWord(state, MESSAGE_STATES);
      if (problem !== undefined) return `--state ${problem}.`;
      const when = { from: parseInstant(from), to: parseInstant(to) };
      const query = { customer, state, channel, ...when, page_size: limit, page_token: page };
      return { method: 'GET', path: '/messages', query };
    }),
    print: createPrinter(messagesShape, formatMessages),
  },
  replay: {
    scope: 'channels:write',
    ask: checkArguments(0, ({ option: { customer, message, channel, from, to } }) => {
      const isRange = [channel, from, to].some((one) => one !== undefined);
      if ((message === undefined) !== isRange)
        return 'Name either one message with --message, or many with --channel, --from and --to, or some of them.';
      const seq = message === undefined ? undefined : Number(message);
      const body = { customer, message: seq, channel, from: parseInstant(from), to: parseInstant(to) };
      return { method: 'POST', path: '/messages:replay', body };
    }),
    print: createPrinter(replayedShape, formatReplayed),
  },
  status: {
    scope: 'channels:read',
    ask: checkArguments(0, ({ option: { customer } }) => ({ method: 'GET', path: '/status', query: { customer } })),
    print: createPrinter(statusShape, formatInboxStatus),
  },
};

function isUnderWay(answer: unknown): boolean {
  const read = channelShape.safeParse(answer);
  return read.success && UNDER_WAY.includes(read.data.state);
}

/** Checks words and options before the call is made up. `words`: how many ids follow the action. */
function checkArguments(words: 0 | 1, ask: Action['ask']): Action['ask'] {
  return (given) => {
    if (given.words.length !== words) return words === 1 ? 'Name one channel by its id.' : 'Options only, please.';
    if (!given.words.every((word) => CHANNEL_ID.test(word))) return 'That is no id of a channel.';
    for (const [name, value] of Object.entries(given.option)) {
      const problem = value === undefined ? undefined : forms[name]?.(value);
      if (problem !== undefined) return `--${name} ${problem}.`;
    }
    return ask(given);
  };
}

/** Reads an answer by its shape and prints it. */
function createPrinter<Shape extends z.ZodType>(
  shape: Shape,
  lines: (answer: z.output<Shape>) => string[],
): Action['print'] {
  return (answer) => {
    const read = shape.safeParse(answer);
    return read.success ? lines(read.data) : undefined;
  };
}

const findUnknownWord = (value: string, words: readonly string[]): string | undefined =>
  words.includes(value) ? undefined : `takes one of ${words.join(', ')}`;

const isTime = (text: string): boolean => /^\d{4}-\d\d-\d\d/.test(text) && !Number.isNaN(Date.parse(text));

/** A date, or a time without a zone, as the moment that it is here. */
const parseInstant = (text: string | undefined): string | undefined => text && new Date(text).toISOString();
