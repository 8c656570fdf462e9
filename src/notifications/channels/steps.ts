import { coverDueMs, move, supersede, watchOf } from './channel-rows.ts';
import type { Desk } from './context.ts';
import { isoOf } from './context.ts';
import { settleUnwatched } from './customers.ts';
import { orderResync, raise } from './inbox-commands.ts';
import { scopeOf } from './grants.ts';
import type { ChannelRow } from './tables.ts';

/**
 * Takes the step of a channel that is due, as far as it needs no vendor.
 * @returns whether the vendor is to be asked to stop it
 */
export function step(desk: Desk, channel: ChannelRow): boolean {
  if (channel.endedMs !== null) {
    desk.run('DELETE FROM channel WHERE seq = ?', channel.seq);
    return false;
  }
  if (channel.expiresMs <= desk.tools.now()) {
    endLife(desk, channel);
    return false;
  }
  if (channel.state === 'stopping' || channel.state === 'superseded') return true;
  if (channel.state === 'active' || channel.state === 'renewing') lookAfter(desk, channel);
  else wait(desk, channel, channel.expiresMs);
  return false;
}

/** What covered its watch until now leaves a gap: everything is read again, now and once a new channel is there. */
function endLife(desk: Desk, channel: ChannelRow): void {
  move(desk, channel, 'life_over');
  if (channel.state === 'stopping') settleUnwatched(desk, channel);
  const watch = watchOf(desk, channel.watch);
  if (watch === undefined || watch.endedMs !== null || watch.currentId !== channel.id) return;
  const nowMs = desk.tools.now();
  orderResync(desk, watch.customer, { reason: 'channel_lapsed', ...scopeOf(watch) });
  const detail = `Channel ${channel.id} ended at ${isoOf(channel.expiresMs)} before a successor was granted`;
  raise(desk, { customer: watch.customer, kind: 'channel_lapsed', subject: watch.id }, detail);
  // Whoever asks for the next one at this moment keeps the claim.
  const isClaimed = watch.claimedUntilMs > nowMs;
  desk.run('UPDATE watch SET current_id = NULL WHERE id = ?', watch.id);
  if (!isClaimed) desk.run('UPDATE watch SET due_ms = min(due_ms, ?) WHERE id = ?', nowMs, watch.id);
}

/** A channel that covers its watch: its sync is missing, or its successor is late. */
function lookAfter(desk: Desk, channel: ChannelRow): void {
  const nowMs = desk.tools.now();
  const { customer, watch, id } = channel;
  if (channel.syncedMs === null && channel.grantedMs !== null && nowMs >= channel.grantedMs + desk.limits.syncMs) {
    const detail = `Channel ${id} was granted at ${isoOf(channel.grantedMs)} and sent no sync: messages may not reach us`;
    raise(desk, { customer, kind: 'no_sync', subject: id }, detail);
    supersede(desk, channel.watchSeq, channel.seq);
  }
  if (nowMs >= channel.expiresMs - channel.leadMs / 2 && watchOf(desk, watch)?.currentId === id) {
    const detail = `Channel ${id} ends at ${isoOf(channel.expiresMs)} and has no successor yet`;
    raise(desk, { customer, kind: 'channel_lead_low', subject: watch }, detail);
  }
  wait(desk, channel, coverDueMs(channel, desk.limits, nowMs));
}

const wait = ({ run }: Desk, { seq }: ChannelRow, dueMs: number): void => {
  run('UPDATE channel SET due_ms = ? WHERE seq = ?', Math.ceil(dueMs), seq);
};
