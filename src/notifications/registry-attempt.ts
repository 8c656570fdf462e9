import { channelToken } from './channel-token.ts';
import { channelOf, move, watchOf } from './registry-channels.ts';
import { countCall } from './registry-customers.ts';
import type { Desk } from './registry-desk.ts';
import { nameOf, raise } from './registry-errands.ts';
import { type Asked, granted } from './registry-grants.ts';
import type { WatchRow } from './registry-tables.ts';
import { leadMs, longestWaitMs, waitMs } from './renewal.ts';
import type { Granted, VendorFailure } from './vendor.ts';

const SECOND_MS = 1_000;
/** A channel id that was used before is replaced at once, once. */
const MAX_IDS = 2;
const MAX_DETAIL_CHARS = 300;

/** Where the messages of a watch go: part of what its channels' tokens are made of (rule W1). */
export const pathOf = (watch: string): string => `/notifications/${watch}`;
export const addressOf = ({ tools }: Desk, watch: string): string => new URL(pathOf(watch), tools.origin).href;

/**
 * Asks for the next channel of a watch: a claim that nobody else holds, a row, and only then the vendor.
 * @param dueMs as it was read: whoever changed it meanwhile has the claim
 * @returns whether the claim was ours
 */
export async function attempt(desk: Desk, watchId: string, dueMs: number): Promise<boolean> {
  let claimedMs = dueMs;
  for (let ids = 1; ids <= MAX_IDS; ids += 1) {
    const claimed = desk.tools.transaction(() => claim(desk, watchId, claimedMs));
    if (claimed === undefined) return ids > 1;
    const asked = await ask(desk, claimed);
    const isUsed = !asked.answer.ok && asked.answer.reason === 'id_not_unique' && ids < MAX_IDS;
    desk.tools.transaction(() => {
      if (isUsed) failChannel(desk, claimed.channelId, asked.answer);
      else book(desk, asked, asked.answer);
    });
    if (!isUsed) return true;
    claimedMs = claimed.claimedUntilMs;
  }
  return true;
}

type Claimed = { watch: WatchRow; channelId: string; claimedUntilMs: number };

/** Compare and set: of two that read the same row one goes on. An attempt that left no answer behind is lost. */
function claim(desk: Desk, watchId: string, dueMs: number): Claimed | undefined {
  const { run, tools, limits } = desk;
  const nowMs = tools.now();
  const claimedUntilMs = Math.max(nowMs + limits.leaseMs, dueMs + 1);
  const channelId = tools.uuid();
  const before = watchOf(desk, watchId);
  const [won] = run(
    `UPDATE watch SET due_ms = ?1, claimed_until_ms = ?1, latest_id = ?2
       WHERE id = ?3 AND due_ms = ?4 AND ended_ms IS NULL RETURNING id`,
    claimedUntilMs,
    channelId,
    watchId,
    dueMs,
  );
  if (won === undefined || before === undefined) return undefined;
  if (before.latestId !== before.currentId) lose(desk, before.latestId, 'no answer was kept');
  const lifeMs = before.ttlS * SECOND_MS;
  run(
    `INSERT INTO channel (id, watch, customer, state, asked_ms, expires_ms, lead_ms, due_ms)
       VALUES (?1, ?2, ?3, 'pending', ?4, ?5, ?6, ?5)`,
    channelId,
    watchId,
    before.customer,
    nowMs,
    nowMs + lifeMs,
    leadMs(lifeMs),
  );
  const current = channelOf(desk, before.currentId);
  if (current !== undefined) move(desk, current, 'renewal');
  return { watch: before, channelId, claimedUntilMs };
}

/** The vendor may have made this channel: its token stays good until the life that was asked for is over. */
function lose(desk: Desk, channelId: string | null, why: string): void {
  if (channelId === null) return;
  const sql = "UPDATE channel SET lost = 1, last_error = ? WHERE id = ? AND state = 'pending' AND lost = 0";
  desk.run(sql, why.slice(0, MAX_DETAIL_CHARS), channelId);
}

type Answered = Asked & { watchId: string; answer: Granted | VendorFailure };

async function ask(desk: Desk, { watch, channelId }: Claimed): Promise<Answered> {
  const { tools } = desk;
  const askedAtMs = tools.now();
  const answer = await answerOf(desk, () =>
    tools.vendor.watch({
      id: channelId,
      address: addressOf(desk, watch.id),
      token: channelToken(channelId, pathOf(watch.id), tools.keys),
      target: { customer: watch.customer, domain: watch.domain === '' ? undefined : watch.domain },
      event: watch.event === '' ? undefined : watch.event,
      ttlSeconds: watch.ttlS,
      subject: watch.subject === '' ? undefined : watch.subject,
    }),
  );
  return { channelId, watchId: watch.id, askedAtMs, answeredAtMs: tools.now(), answer };
}

/** A vendor client that breaks must not break the pass: what it did is unknown. */
export async function answerOf<T>(desk: Desk, call: () => Promise<T>): Promise<T | VendorFailure> {
  try {
    return await call();
  } catch (error) {
    desk.tools.log({ event: 'vendor_call_threw', error: nameOf(error) });
    return { ok: false, reason: 'unavailable', detail: 'the call broke' };
  }
}

function book(desk: Desk, asked: Answered, answer: Granted | VendorFailure): void {
  const watch = watchOf(desk, asked.watchId);
  if (watch === undefined) return;
  countCall(desk, watch.customer, isOutage(answer));
  if (answer.ok) {
    granted(desk, watch, asked, answer);
    return;
  }
  failChannel(desk, asked.channelId, answer);
  if (watch.latestId === asked.channelId && watch.endedMs === null) postpone(desk, watch, answer);
}

/** Whether an answer says that the vendor is not well; others say that it did not like the request. */
export const isOutage = (answer: { ok: true } | VendorFailure): boolean =>
  !answer.ok && (answer.reason === 'unavailable' || answer.reason === 'rate_limited');

function failChannel(desk: Desk, channelId: string, answer: Granted | VendorFailure): void {
  if (answer.ok) return;
  const lastError = answer.detail.slice(0, MAX_DETAIL_CHARS);
  const channel = channelOf(desk, channelId);
  if (answer.reason === 'unavailable') lose(desk, channelId, lastError);
  else if (channel !== undefined) move(desk, channel, 'refused', { lastError });
}

/** The watch is tried again later, in time before what covers it ends. */
function postpone(desk: Desk, watch: WatchRow, failure: VendorFailure): void {
  const nowMs = desk.tools.now();
  const leftMs = (watch.coveredUntilMs ?? nowMs) - nowMs;
  const tries = watch.tries + 1;
  const longestMs = longestWaitMs(watch.leadMs, leftMs);
  const backoffMs = waitMs({ tries, longestMs, retryAfterMs: failure.retryAfterMs }, desk.chance());
  const fixedMs = alarmOf(desk, watch, failure);
  const delayMs = fixedMs === undefined ? backoffMs : leftMs > 0 ? Math.min(fixedMs, longestMs) : fixedMs;
  desk.run(
    'UPDATE watch SET due_ms = ?, claimed_until_ms = 0, tries = ?, last_error = ? WHERE id = ?',
    Math.ceil(nowMs + delayMs),
    tries,
    failure.detail.slice(0, MAX_DETAIL_CHARS),
    watch.id,
  );
}

/** Tells of what only people can mend. @returns how long to leave it alone; undefined for what passes by itself */
function alarmOf(desk: Desk, { id, customer }: WatchRow, { reason, detail }: VendorFailure): number | undefined {
  if (reason === 'credentials_refused') {
    raise(desk, { customer, kind: 'credentials_refused', subject: customer }, detail);
    return desk.limits.credentialsMs;
  }
  if (reason === 'refused' || reason === 'not_found') {
    raise(desk, { customer, kind: 'watch_refused', subject: id }, detail);
    return desk.limits.refusedMs;
  }
  return undefined;
}
