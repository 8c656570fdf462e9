/** Largest body that is read of a notification (rule W2). */
export const MAX_BODY_BYTES = 64 * 1024;

/**
 * What became of a notification's body: `read` (it names a user), `none`, `undecodable` (kept as it is) or `truncated`
 * (larger than MAX_BODY_BYTES: dropped, the message is kept from its headers).
 */
export type BodyState = 'read' | 'none' | 'undecodable' | 'truncated';

/** A notification that came in, with a good token, and is to be kept before it is acknowledged. */
export type NewMessage = {
  /** The vendor's channel id, which we chose. */
  channel: string;
  /** Stable id of what is watched: the last part of the address. */
  watch: string;
  /**
   * Unique within the channel: `n:<digits>`, or `h:<hash>` of headers and body where there is no usable number (rule W2).
   * Two messages may share a hash: a second one is no further row, but its user is read again.
   */
  key: string;
  /** At most 20 digits; null where the vendor sent none that is one. */
  number: string | null;
  /** `sync`, an event, or whatever else the header says (cut to 64 characters). */
  state: string;
  receivedAtMs: number;
  /** The directory user it is about; null where the body does not tell: then everything is to be read again. */
  userId: string | null;
  body: BodyState;
  /** The body's text where it could not be read, for people to look at; null otherwise. */
  raw: string | null;
  /** When the channel's token dies (KnownChannel): the row is kept at least so long, to know the message again (rule W4). */
  acceptsUntilMs?: number | undefined;
  /** Whom the service account acts for, of the watch; undefined: as the last order of a resync said. */
  subject?: string | undefined;
};

/** A body that could not be read is kept for people to look at: so much of it. */
const MAX_RAW_CHARS = 4_096;

/**
 * A message as JSON, of 25,000 characters at most: so it goes to the inbox and is in its journal. One text costs a call
 * between Worker and object much less than an object with members does.
 */
export const formatMessage = (message: NewMessage): string =>
  JSON.stringify({ ...message, raw: message.raw?.slice(0, MAX_RAW_CHARS) ?? null });

/** What `formatMessage` wrote; nothing else may be given. */
export const parseJournalMessage = (text: string): NewMessage => JSON.parse(text) as NewMessage;

/** `collapsed`: there are too many already; a resync of the customer replaces it (rule W3). */
export type KeepOutcome = 'kept' | 'collapsed';

/** What an operator sees of a kept message. */
export type MessageView = {
  /** Grows in the order in which messages came in, within a customer. */
  seq: number;
  channel: string;
  watch: string;
  number: string | null;
  event: string;
  received_at: string;
  user_id: string | null;
  body: BodyState;
  state: MessageState;
  tries: number;
  /** Why the last try failed. */
  last_error: string | null;
  raw?: string;
};

/**
 * `waiting`: its user is to be read. `delivering`: the user was read, deliveries to sinks are open. `worked`: done.
 * `dead`: given up after five tries, until it is replayed.
 */
export const MESSAGE_STATES = ['waiting', 'delivering', 'worked', 'dead'] as const;
export type MessageState = (typeof MESSAGE_STATES)[number];
