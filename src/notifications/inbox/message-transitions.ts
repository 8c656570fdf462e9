import { type InboxContext, KEEP_DEAD_MS, KEEP_WORKED_MS, takeNextStamp, findOwnRow } from './tables.ts';
import type { MessageState } from './message.ts';
import type { SqlRow } from '../../lib/sqlite.ts';

/** What becomes of messages that move: `effect` is the id of the effect that they led to. */
export type Next =
  | { state: 'waiting' | 'worked' }
  | { state: 'delivering'; effect: string }
  | { state: 'dead'; effect: string | null; tries: number; error: string };

type Unworked = Exclude<MessageState, 'worked'>;
const MAX_ERROR_CHARS = 500;

const MOVE = 'UPDATE message SET state = ?, effect = ?, tries = ?, error = ?, prune_ms = max(keep_ms, ?) WHERE';
/** Which messages move, and from where; each is found by an index of its own. */
const MOVES = {
  /** (user, stamp): those that waited for a reading of the user. */
  waitingOfUser: { from: 'waiting', query: `${MOVE} user_id = ? AND seq <= ? AND state = 'waiting' RETURNING channel` },
  /** (user, stamp): those given up because the user could not be read. */
  unreadOfUser: {
    from: 'dead',
    query: `${MOVE} user_id = ? AND seq <= ? AND state = 'dead' AND effect IS NULL RETURNING channel`,
  },
  /** (stamp): those that name no user: they waited for a listing. */
  waitingForListing: {
    from: 'waiting',
    query: `${MOVE} user_id IS NULL AND seq <= ? AND state = 'waiting' RETURNING channel`,
  },
  /** (effect) */
  deliveringOfEffect: { from: 'delivering', query: `${MOVE} effect = ? AND state = 'delivering' RETURNING channel` },
  deadOfEffect: { from: 'dead', query: `${MOVE} effect = ? AND state = 'dead' RETURNING channel` },
  /** (seq) */
  deadOne: { from: 'dead', query: `${MOVE} seq = ? AND state = 'dead' RETURNING channel` },
} as const satisfies Record<string, { from: Unworked; query: string }>;

/** Moves messages and keeps count. @returns how many there were */
export function moveMessages(
  context: InboxContext,
  which: keyof typeof MOVES,
  of: readonly (string | number)[],
  next: Next,
): number {
  const { from, query } = MOVES[which];
  const effect = 'effect' in next ? next.effect : null;
  const [tries, error] = next.state === 'dead' ? [next.tries, formatErrorText(next.error)] : [0, null];
  const moved = context.run(query, next.state, effect, tries, error, pruneMs(next, context.now()), ...of);
  if (moved.length > 0 && from !== next.state) tallyMoves(context, moved, from, next.state);
  return moved.length;
}

export const formatErrorText = (detail: string): string => detail.slice(0, MAX_ERROR_CHARS);

function pruneMs({ state }: Next, nowMs: number): number | null {
  if (state === 'worked') return nowMs + KEEP_WORKED_MS;
  return state === 'dead' ? nowMs + KEEP_DEAD_MS : null;
}

function tallyMoves(context: InboxContext, moved: readonly SqlRow[], from: Unworked, to: MessageState): void {
  const byChannel = new Map<string, number>();
  for (const { channel } of moved) byChannel.set(String(channel), (byChannel.get(String(channel)) ?? 0) + 1);
  for (const [channel, count] of byChannel)
    tally(context, channel, { [from]: -count, ...(to === 'worked' ? {} : { [to]: count }) });
}

/** Counts unworked messages of a channel, and of the customer. */
export function tally(context: InboxContext, channel: string, change: Partial<Record<Unworked, number>>): void {
  const { waiting = 0, delivering = 0, dead = 0 } = change;
  for (const counted of [channel, ''])
    context.run(
      `INSERT INTO tally (channel, waiting, delivering, dead) VALUES (?, ?, ?, ?) ON CONFLICT (channel) DO UPDATE SET
         waiting = waiting + excluded.waiting, delivering = delivering + excluded.delivering, dead = dead + excluded.dead`,
      counted,
      waiting,
      delivering,
      dead,
    );
  if (Math.min(waiting, delivering, dead) < 0)
    context.run('DELETE FROM tally WHERE channel = ? AND waiting = 0 AND delivering = 0 AND dead = 0', channel);
}

/** Unworked messages of a channel; of all for ''. */
export function countUnworked({ run }: InboxContext, channel: string): Record<Unworked, number> {
  const [row] = run('SELECT waiting, delivering, dead FROM tally WHERE channel = ?', channel);
  return {
    waiting: Number(row?.['waiting'] ?? 0),
    delivering: Number(row?.['delivering'] ?? 0),
    dead: Number(row?.['dead'] ?? 0),
  };
}

/** Channel and watch of a message that no vendor sent: it represents what a resync or an alert led to. */
export const STAND_IN = 'resync';

/**
 * A dead message for something that no message led to and that is dead all the same: so that operators see it and can
 * replay it.
 */
export function insertDeadMessage(
  context: InboxContext,
  dead: {
    userId: string | null;
    effect: string | null;
    event: string;
    tries: number;
    error: string;
    subject?: string | undefined;
  },
): void {
  const nowMs = context.now();
  const seq = takeNextStamp(context);
  const receivedMs = Math.max(Number(findOwnRow(context)?.['received_ms']), nowMs);
  context.run('UPDATE inbox SET received_ms = ? WHERE one = 1', receivedMs);
  context.run(
    `INSERT INTO message (seq, channel, watch, key, event, received_ms, user_id, body, keep_ms, state, effect, tries,
       error, prune_ms, subject) VALUES (?, ?, ?, ?, ?, ?, ?, 'none', ?, 'dead', ?, ?, ?, ?, ?)`,
    seq,
    STAND_IN,
    STAND_IN,
    `s:${seq}`,
    dead.event,
    receivedMs,
    dead.userId,
    nowMs + KEEP_WORKED_MS,
    dead.effect,
    dead.tries,
    formatErrorText(dead.error),
    nowMs + KEEP_DEAD_MS,
    dead.subject ?? null,
  );
  tally(context, STAND_IN, { dead: 1 });
}
