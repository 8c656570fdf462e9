import { SECOND_MS, formatIsoTimestamp } from '../../lib/time.ts';
import { type ChannelContext, CLOCK, setSetting, SKEW } from './context.ts';
import { findChannel, coverDueMs, release, releaseOrphans, supersedeChannels, findWatch } from './channel-rows.ts';
import { formatAccessSubject, queueResync, raise, settle } from './inbox-commands.ts';
import type { WatchRow } from './tables.ts';
import { computeLeadMs, MAX_SKEW_MS, renewAtMs, SKEW_ALERT_MS, measureClockSkewMs } from './renewal.ts';
import type { Granted } from '../vendor/vendor.ts';

/** A life that is taken for granted where the vendor names no end, or its clock makes none of what it names. */
const UNSURE_LIFE_MS = 2 * 3_600_000;
/** Our reading of the vendor's clock may be wrong by so much: a successor that comes later than this before the end counts as too late. */
const GAP_MARGIN_MS = 2_000;
/** How far a date can be from 1970. */
const MAX_DATE_MS = 8_640_000_000_000_000;

/** A watch request by our clock. `seq`: of the channel. `watch`: as it was before the request. */
export type ChannelRequest = {
  watch: WatchRow;
  seq: number;
  channelId: string;
  askedAtMs: number;
  answeredAtMs: number;
};

/** A grant whose life is over as it comes: no success, although the channel may be there. */
export type GrantOver = { reason: 'over'; detail: string; retryAfterMs?: undefined };

/**
 * Books a channel that the vendor granted: it covers its watch from now on. One that is granted for a watch that ended,
 * or after another took its place, is stopped.
 * @returns why it is none
 */
export function recordGrant(context: ChannelContext, asked: ChannelRequest, grant: Granted): GrantOver | undefined {
  const { watch, seq, channelId, answeredAtMs } = asked;
  const times = computeGrantTimes(context, asked, grant);
  if (times.expiresMs < answeredAtMs + context.limits.shortestLifeMs)
    return refuseUnreadableExpiry(context, asked, grant, times.expiresMs);
  const isNamed = computeGrantEnd(grant) !== undefined;
  const grantedTimes = { ...times, grantedMs: answeredAtMs };
  const [channel] = context.run(
    `UPDATE channel SET state = 'active', lost = 0, resource_id = ?1, granted_ms = ?2, expires_ms = ?3, lead_ms = ?4,
       renew_ms = ?5, due_ms = iif(synced_ms IS NULL, ?6, ?7), last_error = ?8
       WHERE seq = ?9 AND state = 'pending' RETURNING synced_ms`,
    grant.resourceId,
    answeredAtMs,
    times.expiresMs,
    times.leadMs,
    times.renewMs,
    coverDueMs({ ...grantedTimes, syncedMs: null }, context.limits, answeredAtMs),
    coverDueMs({ ...grantedTimes, syncedMs: answeredAtMs }, context.limits, answeredAtMs),
    isNamed ? null : 'the vendor named no expiration: two hours at most are assumed',
    seq,
  );
  if (channel === undefined) return undefined;
  if (!isNamed) context.tools.log({ event: 'expiration_missing', channel: channelId });
  if (!cover(context, asked, times)) {
    const unneeded = findChannel(context, channelId);
    if (unneeded !== undefined) release(context, unneeded);
    return undefined;
  }
  settle(context, watch.id, formatAccessSubject(watch));
  if (channel['synced_ms'] === null) releaseOrphans(context, watch.seq);
  else supersedeChannels(context, watch.seq, seq);
  return undefined;
}

/**
 * The channel may live all the same, by a clock that we cannot read: until one is granted that covers the watch its
 * messages are taken, as those of an attempt whose answer was lost. There is one such channel at a time.
 */
function refuseUnreadableExpiry(
  context: ChannelContext,
  { watch, seq, channelId }: ChannelRequest,
  { resourceId }: Granted,
  expiresMs: number,
): GrantOver {
  const failure: GrantOver = {
    reason: 'over',
    detail: `The vendor grants a life that ends at ${formatVendorTime(expiresMs)}`,
  };
  releaseOrphans(context, watch.seq);
  context.run(
    "UPDATE channel SET lost = 1, resource_id = ?, last_error = ? WHERE seq = ? AND state = 'pending'",
    resourceId,
    failure.detail,
    seq,
  );
  const isWanted = findWatch(context, watch.id)?.latestId === channelId;
  const channel = findChannel(context, channelId);
  if (channel !== undefined && (channel.drops || !isWanted)) release(context, channel);
  return failure;
}

/** A moment that the vendor named: it may be one that no calendar has. */
const formatVendorTime = (ms: number): string =>
  Math.abs(ms) <= MAX_DATE_MS ? formatIsoTimestamp(ms) : 'no time that there is';

type Times = { expiresMs: number; leadMs: number; renewMs: number };

/** The vendor's expiry by our clock, and what follows from it. */
function computeGrantTimes(context: ChannelContext, asked: ChannelRequest, grant: Granted): Times {
  const clock = estimateVendorClock(context, asked, grant.vendorNowMs);
  const endMs = computeGrantEnd(grant);
  const askedMs = asked.watch.ttlS * SECOND_MS;
  // No one is granted more than was asked for: a later end is a mistake, of the vendor or of a clock.
  const longestMs = endMs !== undefined && clock.isBelieved ? askedMs : Math.min(askedMs, UNSURE_LIFE_MS);
  const expiresMs = Math.min(
    asked.askedAtMs + longestMs,
    Math.floor((endMs ?? Number.POSITIVE_INFINITY) - clock.skewMs),
  );
  const lead = computeLeadMs(expiresMs - asked.answeredAtMs);
  const soonestMs = asked.answeredAtMs + context.limits.shortestLifeMs;
  return { expiresMs, leadMs: lead, renewMs: Math.max(soonestMs, renewAtMs(expiresMs, lead, context.chance())) };
}

const computeGrantEnd = ({ expiresAtMs }: Granted): number | undefined =>
  Number.isFinite(expiresAtMs) ? expiresAtMs : undefined;

type Clock = { skewMs: number; isBelieved: boolean };

/**
 * How far the vendor's clock is ahead: by this answer, or as it was last seen where that has no time, or an absurd one.
 */
function estimateVendorClock(context: ChannelContext, asked: ChannelRequest, vendorNowMs: number | undefined): Clock {
  const { skew } = context;
  const seen = measureClockSkewMs({ ...asked, vendorNowMs });
  if (seen === undefined) return { skewMs: skew.ms, isBelieved: true };
  reportClockSkew(context, asked.watch.customer, seen);
  if (Math.abs(seen) > MAX_SKEW_MS) return { skewMs: skew.ms, isBelieved: false };
  if (Math.abs(seen - skew.ms) > GAP_MARGIN_MS) {
    setSetting(context, SKEW, String(seen));
    skew.ms = seen;
  }
  return { skewMs: seen, isBelieved: true };
}

function reportClockSkew(context: ChannelContext, customer: string, seen: number): void {
  const { skew } = context;
  const isWrong = Math.abs(seen) > SKEW_ALERT_MS;
  if (isWrong === skew.isReported) return;
  skew.isReported = isWrong;
  if (!isWrong) {
    settle(context, CLOCK);
    return;
  }
  const side = seen > 0 ? 'ahead of' : 'behind';
  const believed = Math.abs(seen) > MAX_SKEW_MS ? ', which is not believed' : '';
  const detail = `The vendor's clock is ${Math.round(Math.abs(seen) / SECOND_MS)} s ${side} ours${believed}`;
  raise(context, { customer, kind: 'clock_skew', subject: CLOCK }, detail);
}

/**
 * The channel covers the watch, unless that ended or another took its place; what happened while nothing covered it is
 * found by reading everything again. @returns whether it does
 */
function cover(context: ChannelContext, { watch, channelId, answeredAtMs }: ChannelRequest, times: Times): boolean {
  const [covered] = context.run(
    `UPDATE watch SET current_id = ?1, covered_until_ms = ?2, lead_ms = ?3, due_ms = ?4, claimed_until_ms = 0, tries = 0,
       last_error = NULL
       WHERE seq = ?5 AND ended_ms IS NULL AND (latest_id = ?1 OR current_id IS NULL) RETURNING seq`,
    channelId,
    times.expiresMs,
    times.leadMs,
    times.renewMs,
    watch.seq,
  );
  if (covered === undefined) return false;
  const reason = findResyncReason(watch, answeredAtMs);
  if (reason !== undefined) queueResync(context, watch.customer, { reason, ...readWatchScope(watch) });
  if (reason === 'gap') {
    const sinceMs = watch.coveredUntilMs ?? answeredAtMs;
    context.tools.log({
      event: 'channel_gap',
      watch: watch.id,
      since: formatIsoTimestamp(sinceMs),
      until: formatIsoTimestamp(answeredAtMs),
    });
  }
  return true;
}

function findResyncReason({ coveredUntilMs }: WatchRow, answeredAtMs: number): 'first_channel' | 'gap' | undefined {
  if (coveredUntilMs === null) return 'first_channel';
  return answeredAtMs > coveredUntilMs - GAP_MARGIN_MS ? 'gap' : undefined;
}

export const readWatchScope = ({ domain, subject }: WatchRow): { domain?: string; subject?: string } => ({
  ...(domain === '' ? {} : { domain }),
  ...(subject === '' ? {} : { subject }),
});
