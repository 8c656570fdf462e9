import type { Alert, AlertKind } from './alerts.ts';
import type { ChannelState, ChannelView, NewWatch } from '../channels/channel.ts';
import type { KeepOutcome, MessageState, MessageView } from '../inbox/message.ts';
import type { Sql } from '../../lib/sqlite.ts';

/** A channel as the receiver needs it. */
export type ReceiverChannel = {
  id: string;
  watch: string;
  /** Names the inbox. */
  customer: string;
  /** Undefined until the watch response or a sync shows it (rule W5). */
  resourceId: string | undefined;
  /** After this its token is dead (rule W4), Unix milliseconds. */
  acceptsUntilMs: number;
  /** It is stopped: its messages are acknowledged and dropped (rule W4). */
  drops: boolean;
  /** Whom the service account acts for, of the watch. */
  subject?: string | undefined;
  /**
   * The registry's word may be relied on until then, Unix milliseconds: a stop before is announced to the inbox. Undefined:
   * it may change any moment.
   */
  holdsUntilMs?: number | undefined;
};

/** What the Worker asks the registry of channels, by RPC. */
export type RegistryCalls = {
  /** Null for a channel that we never opened, or that is dead. */
  lookup: (channelId: string) => Promise<ReceiverChannel | null>;
  /** A sync with a good token came: learns the resource id where it is not known yet. `mismatch`: it is another one. */
  synced: (channelId: string, resourceId: string) => Promise<'ok' | 'mismatch' | 'unknown'>;
  /** Opens what is to be watched. The first channel is asked for before this answers: what the vendor refuses is not watched. */
  open: (order: NewWatch) => Promise<ChannelAnswer>;
  list: (query: ChannelQuery) => Promise<ListPage<ChannelView>>;
  /** `id`: a channel's, or that of what it watches. `customer`: whose it must be; undefined for anyone's. */
  get: (id: string, customer?: string) => Promise<ChannelView | null>;
  /** Asks for a successor now. */
  renew: (id: string, customer?: string) => Promise<ChannelAnswer>;
  /** Ends the watching: all open channels of the watch are stopped. */
  stop: (id: string, customer?: string) => Promise<ChannelAnswer>;
  /** All channels counted, and what comes next. */
  survey: () => Promise<RegistrySurvey>;
  /** Customers that are or were watched, by their ids. `after`: the last one of the page before, '' for the first page. */
  customersAfter: (after: string, limit: number) => Promise<readonly string[]>;
  /** The watchdog: does what is due and arms the alarm. @returns customers whose inbox is to be looked after, some at a time */
  tick: () => Promise<TickReport>;
};

export type ChannelRefusal = {
  ok: false;
  reason: 'not_found' | 'limit_reached' | 'already_watched' | 'watch_refused' | 'not_open';
  detail: string;
};
export type ChannelAnswer = { ok: true; channel: ChannelView } | ChannelRefusal;
export type ChannelQuery = {
  customer?: string | undefined;
  state?: string | undefined;
  watch?: string | undefined;
  limit: number;
  /** Of the page before. */
  cursor?: string | undefined;
};
export type ListPage<T> = { items: readonly T[]; next: string | undefined };
/** On the wire. A count of `most_counted` means "so many or more". */
export type RegistrySurvey = {
  counts: Readonly<Record<ChannelState, number>>;
  most_counted: number;
  /** The watch whose next channel is asked for first: a renewal, or a further try. Null: nothing is watched. */
  next: { watch: string; customer: string; due_at: string } | null;
};
export type TickReport = { due: number; done: number; customers: readonly string[] };

/** Why a pushed message is not kept. `dropped`: its channel is stopped, and it is acknowledged (rule W4). */
export type PushRefusal = 'unknown' | 'forged' | 'dropped';

/** What is asked of the inbox of one customer, by RPC. The first argument of each call names the customer. */
export type InboxCalls = {
  /** Kept and durable once this answers. `text`: a message as `textOf` writes it. */
  keep: (customer: string, text: string) => Promise<KeepOutcome>;
  /**
   * The same of a message with a good token whose channel the registry was not asked about: the word that the inbox holds
   * of it decides. `unknown`: it holds none. `text`: as above; when the channel dies and whom it acts for, the inbox knows
   * better.
   */
  push: (customer: string, text: string, resourceId: string) => Promise<KeepOutcome | PushRefusal>;
  /** Holds the registry's word of a channel from now on. */
  learn: (customer: string, channel: ReceiverChannel) => Promise<void>;
  /** Works through what is due, within limits. */
  work: (customer: string) => Promise<WorkReport>;
  /** Everything is to be read again: there was a gap, or a day has passed. */
  resync: (customer: string, order: ResyncOrder) => Promise<void>;
  /** Reports an alert, once until it is over. */
  raise: (customer: string, alert: Alert) => Promise<void>;
  /** An alert is over: it may be raised again. */
  over: (customer: string, kind: AlertKind, subject: string) => Promise<void>;
  messages: (customer: string, query: MessageQuery) => Promise<ListPage<MessageView>>;
  replay: (customer: string, range: ReplayRange) => Promise<ReplayReport>;
  status: (customer: string) => Promise<InboxStatus>;
};

/** What the registry asks of a customer's inbox; kept in the registry until it was taken. */
export type InboxCommand =
  | { do: 'resync'; order: ResyncOrder }
  | { do: 'channel'; channel: ReceiverChannel }
  | { do: 'alert'; alert: Alert }
  | { do: 'over'; kind: AlertKind; subject: string };

export type WorkReport = { read: number; delivered: number; failed: number; more: boolean };
/** `domain`: only users of it are listed. `subject`: see `OnBehalf`. */
export type ResyncOrder = { reason: string; domain?: string | undefined; subject?: string | undefined };
export type MessageQuery = {
  state?: MessageState | undefined;
  channel?: string | undefined;
  /** Received from (inclusive) and to (exclusive), Unix milliseconds. */
  fromMs?: number | undefined;
  toMs?: number | undefined;
  limit: number;
  cursor?: string | undefined;
};
/** Which dead messages: one, those of a channel, those of a time; at most MAX_REPLAY of them (rule W7). */
export type ReplayRange = {
  seq?: number | undefined;
  channel?: string | undefined;
  fromMs?: number | undefined;
  toMs?: number | undefined;
};
export const MAX_REPLAY = 1_000;
export type ReplayReport = { replayed: number; more: boolean };
export type InboxStatus = {
  waiting: number;
  delivering: number;
  dead: number;
  /** Open alerts. */
  alerts: readonly { kind: string; subject: string; raised_at: string; detail: string }[];
  resync: { reason: string; since: string; tries: number } | null;
  last_resync_at: string | null;
};

/** What the state of an object needs from it. */
export type StateTools = {
  sql: Sql;
  /** Runs work that is kept as a whole or not at all. Synchronous. */
  transaction: <T>(work: () => T) => T;
  /** Unix milliseconds. */
  now: () => number;
  /** Random bytes as lower-case hex. */
  random: (bytes: number) => string;
};
