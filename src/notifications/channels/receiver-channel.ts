import type { ReceiverChannel } from '../core/protocol.ts';
import { HOUR_MS, MINUTE_MS } from '../../lib/time.ts';
import { computeAcceptsUntil } from './channel.ts';
import type { ChannelContext } from './context.ts';
import type { ChannelRow } from './tables.ts';
import { queueChannelWord } from './word-queue.ts';

/** What the receiver needs of a channel that was read; null where its token is dead (rule W4). */
export function toReceiverChannel(context: ChannelContext, channel: ChannelRow): ReceiverChannel | null {
  const nowMs = context.tools.now();
  const acceptsUntilMs = computeAcceptsUntil({
    ...channel,
    expiresAtMs: channel.expiresMs,
    endedAtMs: channel.endedMs,
  });
  if (acceptsUntilMs <= nowMs) return null;
  return {
    id: channel.id,
    watch: channel.watch,
    customer: channel.customer,
    resourceId: channel.resourceId ?? undefined,
    acceptsUntilMs,
    drops: channel.drops || channel.state === 'stopped',
    subject: channel.subject || undefined, // '' for none.
    holdsUntilMs: computeHoldsUntil(context, channel, { acceptsUntilMs, nowMs }),
  };
}

/** A renewal that was due so long ago is late, and so is the stop that follows it. */
const LATE_MS = 4 * MINUTE_MS;
/** An earlier version of this code, after a rollback, announces no stop: no word holds longer than this. */
const LONGEST_WORD_MS = HOUR_MS;

type Moment = { acceptsUntilMs: number; nowMs: number };

/**
 * How long an inbox may go by this word. Once a channel is granted, only a stop changes it, and `announceStop` reports
 * those that are not due soon: before the renewal, and long after it should have been. In between the word ends before the
 * vendor can be asked to stop what is covering its watch now.
 */
function computeHoldsUntil(
  { limits }: ChannelContext,
  { state, grantedMs, renewMs, drops }: ChannelRow,
  { acceptsUntilMs, nowMs }: Moment,
): number | undefined {
  if (state === 'stopped') return acceptsUntilMs;
  if (grantedMs === null) return undefined;
  if (drops) return acceptsUntilMs;
  if (renewMs === null || (state !== 'active' && state !== 'renewing')) return undefined;
  const longestMs = Math.min(nowMs + LONGEST_WORD_MS, acceptsUntilMs);
  if (nowMs >= renewMs + LATE_MS) return longestMs;
  return Math.min(nowMs < renewMs ? renewMs : nowMs + limits.drainMs, longestMs);
}

/** Reports a stop to the inbox where it may go by an older word of the channel. */
export function announceStop(context: ChannelContext, channel: ChannelRow): void {
  const { grantedMs, renewMs, drops } = channel;
  const nowMs = context.tools.now();
  const isDue = renewMs === null || (nowMs >= renewMs && nowMs < renewMs + LATE_MS);
  if (grantedMs === null || (isDue && !drops)) return;
  const word = toReceiverChannel(context, channel);
  if (word !== null) queueChannelWord(context, word);
}
