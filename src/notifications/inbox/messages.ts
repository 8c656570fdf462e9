import { tally, countUnworked } from './message-transitions.ts';
import { requireOwner, type InboxContext, KEEP_LONGEST_MS, KEEP_WORKED_MS, getTextOr } from './tables.ts';
import { requestResync } from './resync.ts';
import { mark, type PendingUserMark } from './pending-users.ts';
import type { NewMessage } from './message.ts';

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
  const isNew = insert(context, batch, { message, seq, receivedMs });
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
function insert({ run }: InboxContext, { nowMs }: Batch, { message, seq, receivedMs }: Insert): boolean {
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
