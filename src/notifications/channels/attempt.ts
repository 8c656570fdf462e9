import { MINUTE_MS, SECOND_MS } from '../../lib/time.ts';
import { TOKEN_GRACE_MS } from './channel.ts';
import { formatChannelId } from './channel-id.ts';
import { computeChannelToken } from './channel-token.ts';
import { findChannel, moveChannel, startRenewal, findWatch } from './channel-rows.ts';
import { countCall } from './customers.ts';
import type { ChannelContext } from './context.ts';
import { formatAccessSubject, raise } from './inbox-commands.ts';
import { recordGrant, type GrantOver } from './grants.ts';
import type { WatchRow } from './tables.ts';
import { limitRetryAfterMs, computeLeadMs, computeLongestWaitMs, computeRenewalWaitMs } from './renewal.ts';
import type { Granted, VendorFailure } from '../vendor/vendor.ts';

/** A channel id that was used before is replaced at once, once. */
const MAX_IDS = 2;
const MAX_DETAIL_CHARS = 300;

/** Where the messages of a watch go: part of what its channels' tokens are made of (rule W1). */
export const formatWatchPath = (watch: string): string => `/notifications/${watch}`;
export const formatWatchAddress = ({ tools }: ChannelContext, watch: string): string =>
  new URL(formatWatchPath(watch), tools.origin).href;

/**
 * Asks for the next channel of a watch: a claim that no one else holds, a row, and only then the vendor.
 * @param watch as it was read: a change meanwhile has the claim
 * @returns whether the claim was ours
 */
export async function requestChannel(context: ChannelContext, watch: WatchRow): Promise<boolean> {
  let read: WatchRow | undefined = watch;
  for (let ids = 1; ids <= MAX_IDS && read !== undefined; ids += 1) {
    const before: WatchRow = read;
    const claimed = context.tools.transaction(() => claim(context, before));
    if (claimed === undefined) return ids > 1;
    const asked = await ask(context, claimed);
    const isUsed = !asked.answer.ok && asked.answer.reason === 'id_not_unique' && ids < MAX_IDS;
    context.tools.transaction(() => {
      if (isUsed) failChannel(context, claimed.channelId, asked.answer);
      else book(context, asked);
    });
    if (!isUsed) return true;
    read = findWatch(context, watch.id);
    if (read?.latestId !== claimed.channelId) return true;
  }
  return true;
}

/** `watch`: as it was before the claim. */
export type Claimed = { watch: WatchRow; seq: number; channelId: string };

/** Compare and set: of two that read the same row one goes on. An attempt that left no answer behind is lost. */
function claim(context: ChannelContext, watch: WatchRow): Claimed | undefined {
  const { run, tools, limits } = context;
  const nowMs = tools.now();
  const lifeMs = watch.ttlS * SECOND_MS;
  // No one is granted more than is asked for, in the minute from now.
  const acceptsUntilMs = nowMs + MINUTE_MS + lifeMs + TOKEN_GRACE_MS;
  const channelId = formatChannelId(tools.uuid(), { customer: watch.customer, acceptsUntilMs });
  const [won] = run(
    `UPDATE watch SET due_ms = ?1, claimed_until_ms = ?1, latest_id = ?2
       WHERE seq = ?3 AND due_ms = ?4 AND latest_id IS ?5 AND current_id IS ?6 AND ended_ms IS NULL RETURNING seq`,
    Math.max(nowMs + limits.leaseMs, watch.dueMs + 1),
    channelId,
    watch.seq,
    watch.dueMs,
    watch.latestId,
    watch.currentId,
  );
  if (won === undefined) return undefined;
  if (watch.latestId !== watch.currentId) recordUnansweredChannel(context, watch.latestId, 'no answer was stored');
  const [row] = run(
    `INSERT INTO channel (id, watch, watch_seq, customer, subject, state, asked_ms, expires_ms, lead_ms, due_ms)
       VALUES (?1, ?2, ?3, ?4, ?5, 'pending', ?6, ?7, ?8, ?7) RETURNING seq`,
    channelId,
    watch.id,
    watch.seq,
    watch.customer,
    watch.subject,
    nowMs,
    nowMs + lifeMs,
    computeLeadMs(lifeMs),
  );
  if (watch.currentId !== null) startRenewal(context, watch.currentId);
  return { watch, seq: Number(row?.['seq']), channelId };
}

/** The vendor may have made this channel: its token stays good until the life that was asked for is over. */
function recordUnansweredChannel(context: ChannelContext, channelId: string | null, why: string): void {
  if (channelId === null) return;
  const sql = "UPDATE channel SET lost = 1, last_error = ? WHERE id = ? AND state = 'pending' AND lost = 0";
  context.run(sql, why.slice(0, MAX_DETAIL_CHARS), channelId);
}

type VendorAnswer = Claimed & { askedAtMs: number; answeredAtMs: number; answer: Granted | VendorFailure };

async function ask(context: ChannelContext, claimed: Claimed): Promise<VendorAnswer> {
  const { tools } = context;
  const { watch, channelId } = claimed;
  const askedAtMs = tools.now();
  const answer = await callVendor(context, () =>
    tools.vendor.watch({
      id: channelId,
      address: formatWatchAddress(context, watch.id),
      token: computeChannelToken(channelId, formatWatchPath(watch.id), tools.keys),
      target: { customer: watch.customer, domain: watch.domain === '' ? undefined : watch.domain },
      event: watch.event === '' ? undefined : watch.event,
      ttlSeconds: watch.ttlS,
      subject: watch.subject === '' ? undefined : watch.subject,
    }),
  );
  return { ...claimed, askedAtMs, answeredAtMs: tools.now(), answer };
}

/** A vendor client that breaks, or never answers, must not break or end the pass: what it did is unknown. */
export async function callVendor<T>(context: ChannelContext, call: () => Promise<T>): Promise<T | VendorFailure> {
  const outcome = await context.within(call, context.limits.callMs);
  if (outcome.ok) return outcome.value;
  context.tools.log({ event: 'vendor_call_broke', error: outcome.name });
  const detail = outcome.name === 'Late' ? 'the call did not end in time' : 'the call broke';
  return { ok: false, reason: 'unavailable', detail };
}

function book(context: ChannelContext, { answer, ...asked }: VendorAnswer): void {
  countCall(context, asked.watch.customer, isOutage(answer));
  const failure = answer.ok ? recordGrant(context, asked, answer) : answer;
  if (failure === undefined) return;
  if (failure.reason !== 'over') failChannel(context, asked.channelId, failure);
  const watch = findWatch(context, asked.watch.id);
  if (watch?.latestId === asked.channelId && watch.endedMs === null) postpone(context, watch, failure);
}

/** Whether an answer says that the vendor is not well; others say that it did not like the request. */
export const isOutage = (answer: { ok: true } | VendorFailure): boolean =>
  !answer.ok && (answer.reason === 'unavailable' || answer.reason === 'rate_limited');

function failChannel(context: ChannelContext, channelId: string, answer: Granted | VendorFailure): void {
  if (answer.ok) return;
  const lastError = answer.detail.slice(0, MAX_DETAIL_CHARS);
  const channel = findChannel(context, channelId);
  if (answer.reason === 'unavailable') recordUnansweredChannel(context, channelId, lastError);
  else if (channel !== undefined) moveChannel(context, channel, 'refused', { lastError });
}

/** The watch is tried again later, in time before what covers it ends. */
function postpone(context: ChannelContext, watch: WatchRow, failure: VendorFailure | GrantOver): void {
  const nowMs = context.tools.now();
  const leftMs = (watch.coveredUntilMs ?? nowMs) - nowMs;
  const { fixedMs, isFirst } = raiseVendorAlarm(context, watch, failure);
  // Each try of a vendor whose grants are over makes a channel: where nothing is left to save, they become few.
  const isOver = failure.reason === 'over';
  const tries = isOver && isFirst ? 1 : watch.tries + 1;
  const longestMs = isOver && leftMs <= 0 ? context.limits.refusedMs : computeLongestWaitMs(watch.leadMs, leftMs);
  const retryAfterMs = isOver ? undefined : limitRetryAfterMs(failure.retryAfterMs, leftMs);
  const backoffMs = computeRenewalWaitMs({ tries, longestMs, retryAfterMs }, context.chance());
  const delayMs = fixedMs === undefined ? backoffMs : leftMs > 0 ? Math.min(fixedMs, longestMs) : fixedMs;
  context.run(
    'UPDATE watch SET due_ms = ?, claimed_until_ms = 0, tries = ?, last_error = ? WHERE seq = ?',
    Math.ceil(nowMs + delayMs),
    tries,
    failure.detail.slice(0, MAX_DETAIL_CHARS),
    watch.seq,
  );
}

/**
 * Raises an alert for what only people can fix.
 * @returns `fixedMs`: how long to leave it alone; undefined for what passes by itself. `isFirst`: no alert was open
 */
function raiseVendorAlarm(
  context: ChannelContext,
  { id, customer, subject }: WatchRow,
  { reason, detail }: VendorFailure | GrantOver,
): { fixedMs?: number; isFirst: boolean } {
  if (reason === 'credentials_refused') {
    const isFirst = raise(
      context,
      { customer, kind: 'credentials_refused', subject: formatAccessSubject({ customer, subject }) },
      detail,
    );
    return { fixedMs: context.limits.credentialsMs, isFirst };
  }
  if (reason !== 'refused' && reason !== 'not_found' && reason !== 'over') return { isFirst: false };
  const isFirst = raise(context, { customer, kind: 'watch_refused', subject: id }, detail);
  return reason === 'over' ? { isFirst } : { fixedMs: context.limits.refusedMs, isFirst };
}
