import type * as z from 'zod';
import { MESSAGE_STATES } from '../../notifications/inbox/message.ts';
import { VENDOR_EVENTS } from '../../notifications/vendor/vendor.ts';
import { CHANNEL_STATES, type ChannelState } from '../../notifications/channels/watch.ts';
import type { ChannelsScope } from './access.ts';
import type { Ask } from './client.ts';
import { channelLines, channelsLines, messagesLines, replayedLines, statusLines } from './print.ts';
import { channelShape, channelsShape, messagesShape, replayedShape, statusShape } from './shapes.ts';

/** What was given: the words behind the action, and its options by name. */
export type Given = { words: readonly string[]; option: Readonly<Record<string, string | undefined>> };

/** A part of `sightline channels`. */
export type Action = {
  /** Beside --base, --key and --json. */
  options: readonly string[];
  scope: ChannelsScope;
  /** The call, or what is wrong with what was given. */
  ask: (given: Given) => Ask | string;
  /** Lines for a person; undefined for an answer that is not as documented. */
  print: (answer: unknown) => string[] | undefined;
  /** Whether the answer says that it is done; any that is as documented does, when absent. */
  isDone?: (answer: unknown) => boolean;
};

const CHANNEL_ID = /^[A-Za-z0-9_-]{1,64}$/;
const WHOLE = /^\d{1,15}$/;

/** How each option with a form of its own is checked here, before anything is asked. */
const forms: Readonly<Record<string, (value: string) => string | undefined>> = {
  event: (value) => unlessOneOf(value, VENDOR_EVENTS),
  ttl: (value) => (WHOLE.test(value) ? undefined : 'takes seconds'),
  limit: (value) => (WHOLE.test(value) ? undefined : 'takes a number'),
  message: (value) => (WHOLE.test(value) ? undefined : 'takes the number of a message: its seq'),
  from: (value) => (isTime(value) ? undefined : 'takes a time such as 2026-11-22T09:30:00Z'),
  to: (value) => (isTime(value) ? undefined : 'takes a time such as 2026-11-22T09:30:00Z'),
};

const shown = { print: printing(channelShape, channelLines) };

/** States of a channel that was asked for and needs nobody: it is there, or the vendor is asked again. */
const UNDER_WAY: readonly string[] = ['active', 'renewing', 'pending'] satisfies readonly ChannelState[];

export const actions: Readonly<Record<string, Action>> = {
  list: {
    options: ['customer', 'state', 'watch', 'limit', 'page'],
    scope: 'channels:read',
    ask: checked(0, ({ option: { customer, state, watch, limit, page } }) => {
      const problem = state === undefined ? undefined : unlessOneOf(state, CHANNEL_STATES);
      if (problem !== undefined) return `--state ${problem}.`;
      const query = { customer, state, watch, page_size: limit, page_token: page };
      return { method: 'GET', path: '/channels', query };
    }),
    print: printing(channelsShape, channelsLines),
  },
  create: {
    options: ['customer', 'domain', 'event', 'ttl', 'subject'],
    scope: 'channels:write',
    ask: checked(0, ({ option: { customer, domain, event, ttl, subject } }) => {
      const body = { customer, domain, event, ttl_s: ttl === undefined ? undefined : Number(ttl), subject };
      return { method: 'POST', path: '/channels', body };
    }),
    ...shown,
    isDone: isUnderWay,
  },
  show: {
    options: [],
    scope: 'channels:read',
    ask: checked(1, ({ words: [id = ''] }) => ({ method: 'GET', path: `/channels/${id}`, query: {} })),
    ...shown,
  },
  renew: {
    options: [],
    scope: 'channels:write',
    ask: checked(1, ({ words: [id = ''] }) => ({ method: 'POST', path: `/channels/${id}:renew`, body: {} })),
    ...shown,
    isDone: isUnderWay,
  },
  stop: {
    options: [],
    scope: 'channels:write',
    ask: checked(1, ({ words: [id = ''] }) => ({ method: 'POST', path: `/channels/${id}:stop`, body: {} })),
    ...shown,
  },
  messages: {
    options: ['customer', 'state', 'channel', 'from', 'to', 'limit', 'page'],
    scope: 'channels:read',
    ask: checked(0, ({ option: { customer, state, channel, from, to, limit, page } }) => {
      const problem = state === undefined ? undefined : unlessOneOf(state, MESSAGE_STATES);
      if (problem !== undefined) return `--state ${problem}.`;
      const when = { from: instant(from), to: instant(to) };
      const query = { customer, state, channel, ...when, page_size: limit, page_token: page };
      return { method: 'GET', path: '/messages', query };
    }),
    print: printing(messagesShape, messagesLines),
  },
  replay: {
    options: ['customer', 'message', 'channel', 'from', 'to'],
    scope: 'channels:write',
    ask: checked(0, ({ option: { customer, message, channel, from, to } }) => {
      const isRange = [channel, from, to].some((one) => one !== undefined);
      if ((message === undefined) !== isRange)
        return 'Name either one message with --message, or many with --channel, --from and --to, or some of them.';
      const seq = message === undefined ? undefined : Number(message);
      const body = { customer, message: seq, channel, from: instant(from), to: instant(to) };
      return { method: 'POST', path: '/messages:replay', body };
    }),
    print: printing(replayedShape, replayedLines),
  },
  status: {
    options: ['customer'],
    scope: 'channels:read',
    ask: checked(0, ({ option: { customer } }) => ({ method: 'GET', path: '/status', query: { customer } })),
    print: printing(statusShape, statusLines),
  },
};

function isUnderWay(answer: unknown): boolean {
  const read = channelShape.safeParse(answer);
  return read.success && UNDER_WAY.includes(read.data.state);
}

/** Checks words and options before the call is made up. `words`: how many ids follow the action. */
function checked(words: 0 | 1, ask: Action['ask']): Action['ask'] {
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
function printing<Shape extends z.ZodType>(
  shape: Shape,
  lines: (answer: z.output<Shape>) => string[],
): Action['print'] {
  return (answer) => {
    const read = shape.safeParse(answer);
    return read.success ? lines(read.data) : undefined;
  };
}

const unlessOneOf = (value: string, words: readonly string[]): string | undefined =>
  words.includes(value) ? undefined : `takes one of ${words.join(', ')}`;

const isTime = (text: string): boolean => /^\d{4}-\d\d-\d\d/.test(text) && !Number.isNaN(Date.parse(text));

/** A date, or a time without a zone, as the moment that it is here. */
const instant = (text: string | undefined): string | undefined => text && new Date(text).toISOString();
