import { type ChannelEvent, isEnded, next } from './channel.ts';
import type { Desk } from './registry-desk.ts';
import { settle } from './registry-errands.ts';
import { type ChannelRow, channelIn, type WatchRow, watchIn } from './registry-tables.ts';

/** Channels of one watch that are open at once, far beyond what its renewals leave. */
const MAX_OPEN = 1_000;

export function watchOf({ run }: Desk, id: string): WatchRow | undefined {
  const [row] = run('SELECT * FROM watch WHERE id = ?', id);
  return row && watchIn(row);
}

export function channelOf({ run }: Desk, id: string | null): ChannelRow | undefined {
  if (id === null) return undefined;
  const [row] = run('SELECT * FROM channel WHERE id = ?', id);
  return row && channelIn(row);
}

/** Channels of a watch that may still send and of which something is known, oldest first. */
export const openChannels = ({ run }: Desk, watch: string): readonly ChannelRow[] =>
  run(
    `SELECT * FROM channel WHERE watch = ? AND ended_ms IS NULL AND (resource_id IS NOT NULL OR state <> 'pending')
       ORDER BY seq LIMIT ?`,
    watch,
    MAX_OPEN,
  ).map(channelIn);

/** When the next step of a channel is due, and why the last one failed; tries start anew in another state. */
type Change = { dueMs?: number; lastError?: string | null };

/**
 * Moves a channel by its lifecycle; rows that ended stay for people to look at.
 * @returns whether the event moved it: not when it was moved by somebody else meanwhile
 */
export function move(desk: Desk, channel: ChannelRow, event: ChannelEvent, change: Change = {}): boolean {
  const state = next(channel.state, event);
  if (state === undefined) return false;
  const nowMs = desk.tools.now();
  const hasEnded = isEnded(state);
  const moved = desk.run(
    `UPDATE channel SET state = ?, ended_ms = ?, due_ms = ?, tries = 0, last_error = ? WHERE seq = ? AND state = ?
       RETURNING seq`,
    state,
    hasEnded ? nowMs : null,
    hasEnded ? nowMs + desk.limits.keptMs : (change.dueMs ?? channel.dueMs),
    change.lastError === undefined ? channel.lastError : change.lastError,
    channel.seq,
    channel.state,
  );
  if (hasEnded && channel.grantedMs !== null && channel.syncedMs === null) settle(desk, channel.id);
  return moved.length > 0;
}

/** Nobody needs a channel any more: it is stopped as soon as there is what stopping takes, its resource id. */
export function release(desk: Desk, channel: ChannelRow): void {
  if (channel.resourceId === null) return;
  move(desk, channel, 'unneeded', { dueMs: desk.tools.now() });
}

/**
 * A successor covers the watch (its sync came, or is not worth waiting for): older channels drain, and orphans whose
 * resource id is known are stopped.
 */
export function supersede(desk: Desk, watch: string, successor: ChannelRow): void {
  for (const older of openChannels(desk, watch)) {
    if (older.seq >= successor.seq) continue;
    const drained = desk.tools.now() + desk.limits.drainMs;
    if (older.state === 'pending' && older.lost) release(desk, older);
    else move(desk, older, 'replaced', { dueMs: Math.min(drained, older.expiresMs) });
  }
}

/** When an open channel that covers its watch is to be looked at: its sync, half of its lead, its end. */
export function coverDueMs(
  { grantedMs, syncedMs, expiresMs, leadMs }: ChannelRow,
  { syncMs }: Desk['limits'],
  nowMs: number,
): number {
  const stops = [syncedMs === null && grantedMs !== null ? grantedMs + syncMs : 0, expiresMs - leadMs / 2, expiresMs];
  return Math.ceil(stops.find((stop) => stop > nowMs) ?? expiresMs);
}
