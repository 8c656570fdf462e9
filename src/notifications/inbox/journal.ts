import type { Digested } from './inbox-state.ts';
import type { KeepOutcome, NewMessage } from './message.ts';
import { requestResync } from './resync.ts';
import { requireOwner, type InboxContext, findOwnRow, getTextOr, KEEP_LONGEST_MS, KEEP_WORKED_MS } from './tables.ts';
import { tally, countUnworked } from './message-transitions.ts';
import { mark, type PendingUserMark } from './pending-users.ts';

/** Of one row, and one message more: the SQLite of an object takes 2 MB, and a character is up to 3 bytes. */
const MAX_ROW_CHARS = 500_000;
/** Rows that one digestion looks at. */
const MAX_ROWS = 1_000;

/** What is remembered of the table between calls, so that keeping reads nothing. */
export type Journal = {
  /** The customer whose row is written. */
  customer: string | undefined;
  /** Messages that are in it. */
  messages: number;
};

/** The rows of the table: to be asked again after every opening. */
export function openJournal(context: InboxContext): Journal {
  const [row] = context.run('SELECT sum(count) AS messages FROM journal');
  return {
    customer: getTextOr(findOwnRow(context)?.['customer'], undefined),
    messages: Number(row?.['messages'] ?? 0),
  };
}

/** Writes messages down as they are: one row for many. See `InboxState`. */
export function appendToJournal(
  context: InboxContext,
  journal: Journal,
  { customer, texts }: { customer: string; texts: readonly string[] },
): readonly KeepOutcome[] {
  if (journal.customer !== customer) requireOwner(context, customer);
  const room = Math.max(context.limits.unworkedPerChannel - journal.messages, 0);
  if (Math.min(room, texts.length) > 0) writeRows(context, texts.slice(0, room));
  if (texts.length > room) requestResync(context, customer, { reason: 'messages_collapsed' });
  return texts.map((_text, at) => (at < room ? 'kept' : 'collapsed'));
}

function writeRows(context: InboxContext, texts: readonly string[]): void {
  const joined = texts.join(',');
  if (joined.length <= MAX_ROW_CHARS || texts.length === 1) {
    context.run('INSERT INTO journal (count, messages) VALUES (?, ?)', texts.length, `[${joined}]`);
    return;
  }
  const half = Math.ceil(texts.length / 2);
  writeRows(context, texts.slice(0, half));
  writeRows(context, texts.slice(half));
}

/** Takes the oldest rows in, as many as hold a bounded number of messages: at least one. See `InboxState`. */
export function digestJournalRows(context: InboxContext, journal: Journal): Digested {
  if (journal.messages === 0 || journal.customer === undefined) return { digested: 0, collapsed: [], more: false };
  const { last, digested } = selectFirstRows(context);
  const rows = context.run('DELETE FROM journal WHERE n <= ? RETURNING n, messages', last);
  const messages = rows
    .toSorted((left, right) => Number(left['n']) - Number(right['n']))
    // The column holds what `write` wrote, and nothing else.
    .flatMap((row) => JSON.parse(String(row['messages'])) as NewMessage[]);
  const collapsed = takeIn(context, journal.customer, messages);
  return { digested, collapsed, more: journal.messages > digested };
}

function selectFirstRows({ run, limits }: InboxContext): { last: number; digested: number } {
  let [last, digested] = [0, 0];
  for (const { n, count } of run('SELECT n, count FROM journal WHERE n > 0 ORDER BY n LIMIT ?', MAX_ROWS)) {
    if (digested > 0 && digested + Number(count) > limits.digestMessages) break;
    [last, digested] = [Number(n), digested + Number(count)];
  }
  return { last, digested };
}

/** Rows outlive the token of their channel by this: clocks differ, and a message may be on its way (rule W4). */
const KEEP_AFTER_TOKEN_MS = 3_600_000;
/** Keys of messages without a number: a later message of the same words has the same one. */
const HASHED = 'h:';

/** What a batch has come to so far; written once at its end. */
type Batch = {
  nowMs: number;
  seq: number;
  receivedMs: number;
  /** By user and event: the last one counts. */
  marks: Map<string, PendingUserMark>;
  /** New rows by channel. */
  kept: Map<string, number>;
  /** Rows that a channel still has room for (rule W3). */
  room: Map<string, number>;
  /** Why everything is to be read again. */
  reasons: Set<string>;
  /** Channels without room. */
  collapsed: Set<string>;
};

const KEEP = `INSERT INTO message (seq, channel, watch, key, number, event, received_ms, user_id, body, raw, keep_ms,
  subject, state) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'waiting') ON CONFLICT (channel, key) DO NOTHING RETURNING seq`;

/**
 * Takes messages in: one statement each, and one for each user among them. Those that are known already change nothing,
 * unless they are known by a hash only: their user is read again.
 * Times of receipt never fall within a customer and are never ahead of our clock, so that a time range is a range of rows.
 * @returns the channels that had no room for one: a resync is ordered in its place (rule W3)
 */
export function takeIn(context: InboxContext, customer: string, messages: readonly NewMessage[]): readonly string[] {
  const own = requireOwner(context, customer);
  const batch: Batch = {
    nowMs: context.now(),
    seq: Number(own['seq']),
    receivedMs: Number(own['received_ms']),
    marks: new Map(),
    kept: new Map(),
    room: new Map(),
    reasons: new Set(),
    collapsed: new Set(),
  };
  for (const message of messages) takeOne(context, batch, message);
  if (batch.seq > Number(own['seq']))
    context.run('UPDATE inbox SET seq = ?, received_ms = ? WHERE one = 1', batch.seq, batch.receivedMs);
  for (const marked of batch.marks.values()) mark(context, marked);
  for (const [channel, waiting] of batch.kept) tally(context, channel, { waiting });
  for (const reason of batch.reasons) requestResync(context, customer, { reason });
  return [...batch.collapsed];
}

function takeOne(context: InboxContext, batch: Batch, message: NewMessage): void {
  const { channel, userId } = message;
  const room = computeRoom(context, batch, channel);
  if (room <= 0) {
    batch.reasons.add('messages_collapsed');
    batch.collapsed.add(channel);
    return;
  }
  const seq = batch.seq + 1;
  const receivedMs = Math.max(batch.receivedMs, Math.min(message.receivedAtMs, batch.nowMs));
  const isNew = insertMessage(context, batch, { message, seq, receivedMs });
  if (!isNew && !message.key.startsWith(HASHED)) return;
  Object.assign(batch, { seq, receivedMs });
  if (isNew) {
    batch.room.set(channel, room - 1);
    batch.kept.set(channel, (batch.kept.get(channel) ?? 0) + 1);
  }
  const cause = message.state;
  if (userId === null) batch.reasons.add('message_without_user');
  else batch.marks.set(`${userId}\n${cause}`, { userId, stamp: seq, cause, subject: getTextOr(message.subject, null) });
}

type Insert = { message: NewMessage; seq: number; receivedMs: number };

/** @returns false for a message that is there already */
function insertMessage({ run }: InboxContext, { nowMs }: Batch, { message, seq, receivedMs }: Insert): boolean {
  const { channel, watch, key, number, state, userId, body, raw, acceptsUntilMs = 0 } = message;
  const subject = getTextOr(message.subject, null);
  const keepMs = Math.min(
    Math.max(nowMs + KEEP_WORKED_MS, acceptsUntilMs + KEEP_AFTER_TOKEN_MS),
    nowMs + KEEP_LONGEST_MS,
  );
  return run(KEEP, seq, channel, watch, key, number, state, receivedMs, userId, body, raw, keepMs, subject).length > 0;
}

function computeRoom(context: InboxContext, { room }: Batch, channel: string): number {
  const known = room.get(channel);
  if (known !== undefined) return known;
  const { waiting, delivering, dead } = countUnworked(context, channel);
  const left = context.limits.unworkedPerChannel - waiting - delivering - dead;
  room.set(channel, left);
  return left;
}
