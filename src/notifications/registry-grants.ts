import type { Desk } from './registry-desk.ts';
import { isoOf, setSetting, SKEW } from './registry-desk.ts';
import { channelOf, coverDueMs, openChannels, release, supersede } from './registry-channels.ts';
import { next } from './channel.ts';
import { orderResync, raise, settle } from './registry-errands.ts';
import type { WatchRow } from './registry-tables.ts';
import { leadMs, renewAtMs, SKEW_ALERT_MS, skewMs } from './renewal.ts';
import type { Granted } from './vendor.ts';

/** The clock of the directory; there is one. */
const CLOCK = 'vendor-clock';
/** Our reading of the vendor's clock may be wrong by so much: a successor that comes later than this before the end counts as too late. */
const GAP_MARGIN_MS = 2_000;

/** A watch request by our clock. */
export type Asked = { channelId: string; askedAtMs: number; answeredAtMs: number };

/**
 * Books a channel that the vendor granted: it covers its watch from now on. One that is granted for a watch that ended,
 * or after another took its place, is stopped.
 */
export function granted(desk: Desk, watch: WatchRow, asked: Asked, grant: Granted): void {
  const channel = channelOf(desk, asked.channelId);
  if (channel === undefined || next(channel.state, 'granted') === undefined) return;
  const times = timesOf(desk, watch, asked, grant);
  const isNamed = grant.expiresAtMs !== undefined;
  desk.run(
    `UPDATE channel SET state = 'active', lost = 0, resource_id = ?, granted_ms = ?, expires_ms = ?, lead_ms = ?,
       renew_ms = ?, due_ms = ?, last_error = ? WHERE seq = ?`,
    grant.resourceId,
    asked.answeredAtMs,
    times.expiresMs,
    times.leadMs,
    times.renewMs,
    coverDueMs({ ...channel, ...times, grantedMs: asked.answeredAtMs }, desk.limits, asked.answeredAtMs),
    isNamed ? null : 'the vendor named no expiration: the life that was asked for is assumed',
    channel.seq,
  );
  if (!isNamed) desk.tools.log({ event: 'expiration_missing', channel: channel.id });
  const isLate = watch.latestId !== channel.id && watch.currentId !== null;
  if (watch.endedMs !== null || isLate) {
    release(desk, { ...channel, state: 'active', resourceId: grant.resourceId });
    return;
  }
  cover(desk, watch, { id: channel.id, answeredAtMs: asked.answeredAtMs, ...times });
  settle(desk, watch.id, watch.customer);
  if (channel.syncedMs !== null) supersede(desk, watch.id, channel);
  else releaseOrphans(desk, watch.id);
}

type Times = { expiresMs: number; leadMs: number; renewMs: number };

/** The vendor's expiry by our clock, and what follows from it. */
function timesOf(desk: Desk, watch: WatchRow, asked: Asked, grant: Granted): Times {
  const skew = skewOf(desk, watch.customer, asked, grant.vendorNowMs);
  const expiresMs =
    grant.expiresAtMs === undefined ? asked.askedAtMs + watch.ttlS * 1_000 : Math.floor(grant.expiresAtMs - skew);
  const lead = leadMs(expiresMs - asked.answeredAtMs);
  const soonestMs = asked.answeredAtMs + desk.limits.shortestLifeMs;
  return { expiresMs, leadMs: lead, renewMs: Math.max(soonestMs, renewAtMs(expiresMs, lead, desk.chance())) };
}

/** How far the vendor's clock is ahead: by this answer, or as it was last seen. */
function skewOf(desk: Desk, customer: string, asked: Asked, vendorNowMs: number | undefined): number {
  const seen = skewMs({ ...asked, vendorNowMs });
  const known = desk.skew.ms;
  if (seen === undefined) return known;
  if (Math.abs(seen - known) > GAP_MARGIN_MS) {
    setSetting(desk, SKEW, String(seen));
    desk.skew.ms = seen;
  }
  if (Math.abs(seen) > SKEW_ALERT_MS) {
    const side = seen > 0 ? 'ahead of' : 'behind';
    const detail = `The vendor's clock is ${Math.round(Math.abs(seen) / 1_000)} s ${side} ours`;
    raise(desk, { customer, kind: 'clock_skew', subject: CLOCK }, detail);
  } else if (Math.abs(known) > SKEW_ALERT_MS) settle(desk, CLOCK);
  return seen;
}

type Cover = Times & { id: string; answeredAtMs: number };

/** The channel covers the watch; what happened while nothing did is found by reading everything again. */
function cover(desk: Desk, watch: WatchRow, { id, answeredAtMs, expiresMs, leadMs: lead, renewMs }: Cover): void {
  const reason = resyncReason(watch, answeredAtMs);
  if (reason !== undefined) orderResync(desk, watch.customer, { reason, ...scopeOf(watch) });
  if (reason === 'gap') {
    const sinceMs = watch.coveredUntilMs ?? answeredAtMs;
    desk.tools.log({ event: 'channel_gap', watch: watch.id, since: isoOf(sinceMs), until: isoOf(answeredAtMs) });
  }
  desk.run(
    `UPDATE watch SET current_id = ?, covered_until_ms = ?, lead_ms = ?, due_ms = ?, claimed_until_ms = 0, tries = 0,
       last_error = NULL WHERE id = ?`,
    id,
    expiresMs,
    lead,
    renewMs,
    watch.id,
  );
}

function resyncReason({ coveredUntilMs }: WatchRow, answeredAtMs: number): 'first_channel' | 'gap' | undefined {
  if (coveredUntilMs === null) return 'first_channel';
  return answeredAtMs > coveredUntilMs - GAP_MARGIN_MS ? 'gap' : undefined;
}

export const scopeOf = ({ domain, subject }: WatchRow): { domain?: string; subject?: string } => ({
  ...(domain === '' ? {} : { domain }),
  ...(subject === '' ? {} : { subject }),
});

/** Attempts whose answer was lost, and that told their resource id since. */
function releaseOrphans(desk: Desk, watch: string): void {
  for (const channel of openChannels(desk, watch))
    if (channel.state === 'pending' && channel.lost) release(desk, channel);
}
