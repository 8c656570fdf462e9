import { formatIsoTimestamp } from '../../lib/time.ts';
import type { ChannelView } from './channel.ts';
import type { ChannelQuery, ReceiverChannel, ListPage } from '../core/protocol.ts';
import { formatWatchAddress } from './attempt.ts';
import { findChannel, findWatch } from './channel-rows.ts';
import type { ChannelContext } from './context.ts';
import { toReceiverChannel } from './receiver-channel.ts';
import { type ChannelRow, readChannelRow, type WatchRow } from './tables.ts';

const CURSOR = /^\d{1,15}$/;

/** What the receiver needs of a channel; null where there is none, or its token is dead (rule W4). */
export function findKnownChannel(context: ChannelContext, channelId: string): ReceiverChannel | null {
  const channel = findChannel(context, channelId);
  return channel === undefined ? null : toReceiverChannel(context, channel);
}

/** A channel by its id, or what a watch has by the id of the watch: what covers it, or else its last attempt. */
export function find(
  context: ChannelContext,
  id: string,
  customer: string | undefined,
): { watch: WatchRow; channel: ChannelRow } | undefined {
  const named = findChannel(context, id);
  const watch = findWatch(context, named?.watch ?? id);
  if (watch === undefined || (customer !== undefined && watch.customer !== customer)) return undefined;
  const channel = named ?? findChannel(context, watch.currentId) ?? findChannel(context, watch.latestId);
  return channel && { watch, channel };
}

/** Newest first. Each filter has an index; the others judge what it finds. */
export function listChannels(context: ChannelContext, query: ChannelQuery): ListPage<ChannelView> {
  const limit = Math.min(Math.max(Math.trunc(query.limit), 1), context.limits.pageSize);
  const before = CURSOR.test(query.cursor ?? '') ? Number(query.cursor) : Number.MAX_SAFE_INTEGER;
  const filters = [
    { column: 'watch_seq = (SELECT seq FROM watch WHERE id = ?)', value: query.watch },
    { column: 'customer = ?', value: query.customer },
    { column: 'state = ?', value: query.state },
  ].filter((filter) => filter.value !== undefined);
  const where = ['seq < ?', ...filters.map(({ column }) => column)].join(' AND ');
  const values = filters.map(({ value }) => value ?? '');
  const rows = context
    .run(`SELECT * FROM channel WHERE ${where} ORDER BY seq DESC LIMIT ?`, before, ...values, limit + 1)
    .map(readChannelRow);
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  const items = shown.flatMap((channel) => {
    const watch = findWatch(context, channel.watch);
    return watch === undefined ? [] : [toChannelView(context, watch, channel)];
  });
  return { items, next: last && String(last.seq) };
}

export function toChannelView(context: ChannelContext, watch: WatchRow, channel: ChannelRow): ChannelView {
  const iso = (ms: number | null): string | null => (ms === null ? null : formatIsoTimestamp(ms));
  return {
    id: channel.id,
    watch: watch.id,
    customer: watch.customer,
    domain: watch.domain === '' ? null : watch.domain,
    event: watch.event === '' ? null : watch.event,
    state: channel.state,
    address: formatWatchAddress(context, watch.id),
    resource_id: channel.resourceId,
    asked_at: formatIsoTimestamp(channel.askedMs),
    granted_at: iso(channel.grantedMs),
    synced_at: iso(channel.syncedMs),
    expires_at: iso(channel.grantedMs === null ? null : channel.expiresMs),
    renew_at: iso(channel.renewMs),
    ended_at: iso(channel.endedMs),
    ...readTries(watch, channel),
  };
}

/** Of its stop, or of the next channel of its watch where it is the one that is to be followed. */
function readTries(
  watch: WatchRow,
  channel: ChannelRow,
): { tries: number; next_try_at: string | null; last_error: string | null } {
  if (channel.state === 'stopping')
    return { tries: channel.tries, next_try_at: formatIsoTimestamp(channel.dueMs), last_error: channel.lastError };
  const leads = watch.endedMs === null && (watch.currentId ?? watch.latestId) === channel.id;
  if (!leads) return { tries: channel.tries, next_try_at: null, last_error: channel.lastError };
  return {
    tries: watch.tries,
    next_try_at: watch.tries > 0 ? formatIsoTimestamp(watch.dueMs) : null,
    last_error: watch.lastError ?? channel.lastError,
  };
}
