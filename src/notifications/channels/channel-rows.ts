import { type ChannelEvent, isEnded, computeNextState, TOKEN_GRACE_MS } from './channel.ts';
import type { ChannelContext } from './context.ts';
import { settle } from './inbox-commands.ts';
import { announceStop } from './receiver-channel.ts';
import { type ChannelRow, readChannelRow, type WatchRow, readWatchRow } from './tables.ts';

/**
 * Channels of one watch that are open at once, far beyond what its renewals leave. It is in the text of its queries:
 * SQLite plans a query with `LIMIT ?` anew each time that it is run, which takes longer than the query.
 */
const MAX_OPEN = 1_000;

export function findWatch({ run }: ChannelContext, id: string): WatchRow | undefined {
  const [row] = run('SELECT * FROM watch WHERE id = ?', id);
  return row && readWatchRow(row);
}

export function findChannel({ run }: ChannelContext, id: string | null): ChannelRow | undefined {
  if (id === null) return undefined;
  const [row] = run('SELECT * FROM channel WHERE id = ?', id);
  return row && readChannelRow(row);
}

/** Channels of a watch, by its number, that may still send and of which something is known, oldest first. */
export const openChannels = ({ run }: ChannelContext, watch: number): readonly ChannelRow[] =>
  run(
    `SELECT * FROM channel WHERE watch_seq = ? AND ended_ms IS NULL AND (resource_id IS NOT NULL OR state <> 'pending')
       ORDER BY seq LIMIT ${MAX_OPEN}`,
    watch,
  ).map(readChannelRow);

/** When the next step of a channel is due, and why the last one failed; tries start anew in another state. */
type Change = { dueMs?: number; lastError?: string | null };

/**
 * Moves a channel by its lifecycle; rows that ended stay for people to look at.
 * @returns whether the event moved it: not when it was moved by someone else meanwhile
 */
export function moveChannel(
  context: ChannelContext,
  channel: ChannelRow,
  event: ChannelEvent,
  change: Change = {},
): boolean {
  const state = computeNextState(channel.state, event);
  if (state === undefined) return false;
  const nowMs = context.tools.now();
  const hasEnded = isEnded(state);
  // What is not set costs no index.
  const moved = context.run(
    `UPDATE channel SET state = ?, ${hasEnded ? 'ended_ms = ?, ' : ''}due_ms = ?, tries = 0, last_error = ?
       WHERE seq = ? AND state = ? RETURNING drops`,
    state,
    ...(hasEnded ? [nowMs] : []),
    hasEnded ? nowMs + context.limits.keptMs : (change.dueMs ?? channel.dueMs),
    change.lastError === undefined ? channel.lastError : change.lastError,
    channel.seq,
    channel.state,
  );
  const [after] = moved;
  if (after === undefined) return false;
  if (hasEnded) forgetOldest(context, channel.watchSeq, nowMs);
  // Whether it drops may have changed since it was read.
  if (state === 'stopped') announceStop(context, { ...channel, state, endedMs: nowMs, drops: after['drops'] === 1 });
  if (hasEnded && channel.grantedMs !== null && channel.syncedMs === null) settle(context, channel.id);
  return true;
}

/**
 * Short lives, or one attempt after another, must not pile up for as long as ended channels are shown. A token is dead
 * this long after the end of its channel, if not before (`acceptsUntilMs`); the last attempt is shown for its watch.
 */
function forgetOldest({ run, limits }: ChannelContext, watch: number, nowMs: number): void {
  const oldest = `SELECT ended_ms, seq FROM channel WHERE watch_seq = ? AND ended_ms > 0
    ORDER BY ended_ms DESC, seq DESC LIMIT 1 OFFSET ?`;
  const [row] = run(oldest, watch, limits.endedKept);
  if (row === undefined) return;
  run(
    `DELETE FROM channel WHERE watch_seq = ?1 AND ended_ms <= ?2 AND (ended_ms, seq) <= (?3, ?4)
       AND id IS NOT (SELECT latest_id FROM watch WHERE seq = ?1)`,
    watch,
    nowMs - TOKEN_GRACE_MS,
    Number(row['ended_ms']),
    Number(row['seq']),
  );
}

/** A successor of what covers a watch is asked for. */
export function startRenewal({ run }: ChannelContext, id: string): void {
  run("UPDATE channel SET state = 'renewing' WHERE id = ? AND state = 'active'", id);
}

/** No one needs a channel any more: it is stopped as soon as there is what stopping takes, its resource id. */
export function release(context: ChannelContext, channel: ChannelRow): void {
  if (channel.resourceId === null) return;
  moveChannel(context, channel, 'unneeded', { dueMs: context.tools.now() });
}

/**
 * A successor covers the watch (its sync came, or is not worth waiting for): older channels drain, and orphans whose
 * resource id is known are stopped. @param successor its number
 */
export function supersedeChannels(context: ChannelContext, watch: number, successor: number): void {
  for (const older of openChannels(context, watch)) {
    if (older.seq >= successor) continue;
    const drained = context.tools.now() + context.limits.drainMs;
    if (older.state === 'pending' && older.lost) release(context, older);
    else moveChannel(context, older, 'replaced', { dueMs: Math.min(drained, older.expiresMs) });
  }
}

/** Attempts whose answer was lost, and that showed their resource id since, are stopped. */
export function releaseOrphans(context: ChannelContext, watch: number): void {
  const lost = `SELECT * FROM channel INDEXED BY channel_lost
    WHERE watch_seq = ? AND lost = 1 AND ended_ms IS NULL AND state = 'pending' ORDER BY seq LIMIT ${MAX_OPEN}`;
  for (const channel of context.run(lost, watch).map(readChannelRow)) release(context, channel);
}

/** When an open channel that covers its watch is to be looked at: its sync, half of its lead, its end. */
export function coverDueMs(
  { grantedMs, syncedMs, expiresMs, leadMs }: Pick<ChannelRow, 'grantedMs' | 'syncedMs' | 'expiresMs' | 'leadMs'>,
  { syncMs }: ChannelContext['limits'],
  nowMs: number,
): number {
  const stops = [syncedMs === null && grantedMs !== null ? grantedMs + syncMs : 0, expiresMs - leadMs / 2, expiresMs];
  return Math.ceil(stops.find((stop) => stop > nowMs) ?? expiresMs);
}
