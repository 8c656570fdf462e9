import { generateRandomHex } from '../../lib/digest.ts';
import type { RunStatement } from '../../lib/sqlite.ts';
import { HOUR_MS } from '../../lib/time.ts';
import type { Monitor } from '../core/monitor.ts';
import type { Receiver } from '../core/receiver.ts';
import { type DeliveryRow, insertDelivery, postponeDelivery, selectDeliveries } from './outbox-rows.ts';
import { findQuietEndMs } from './quiet-hours.ts';

/** Alerts that may wait for a receiver as messages of their own: more become one digest. */
export const MAX_SINGLE_ALERTS = 5;
/** Messages that a receiver gets in an hour: what is more waits, as one digest. */
export const MAX_MESSAGES_PER_HOUR = 10;
/** Alerts that one digest names. */
export const MAX_DIGEST_ALERTS = 100;
/** After a message that could not be delivered, those behind it follow so much later. */
const BEHIND_MS = 1_000;

const ID_BYTES = 12;

export const generateDeliveryId = (): string => `dlv_${generateRandomHex(ID_BYTES)}`;

/** Messages for a receiver that were never tried, and may still become part of a digest. */
const findUntried = (run: RunStatement, receiverId: string, isUrgent: boolean): DeliveryRow[] =>
  selectDeliveries(
    run,
    `receiver = ? AND state = 'waiting' AND urgent = ? AND attempt = 0 AND asked = 0 AND kind IN ('alert', 'digest') ORDER BY n`,
    receiverId,
    isUrgent ? 1 : 0,
  );

type Batch = { monitor: Pick<Monitor, 'id' | 'account'>; receiverId: string; isUrgent: boolean };

/** Alerts of a receiver join those that wait for it: by themselves, or all of them in as few digests as they fit in. */
export function enqueueAlerts(
  run: RunStatement,
  { monitor, receiverId, isUrgent }: Batch,
  alertIds: readonly string[],
  { nextMs, nowMs }: { nextMs: number; nowMs: number },
): void {
  const untried = findUntried(run, receiverId, isUrgent);
  const waiting = untried.flatMap((row) => row.alertIds);
  if (untried.every(({ kind }) => kind === 'alert') && waiting.length + alertIds.length <= MAX_SINGLE_ALERTS) {
    for (const id of alertIds) insertAlert(run, { monitor, receiverId, isUrgent }, [id], { nextMs, nowMs });
    return;
  }
  const firstMs = Math.min(nextMs, ...untried.map((row) => row.nextMs ?? nextMs));
  gatherDigests(run, untried, { monitor, receiverId, isUrgent }, [...waiting, ...alertIds], { nextMs: firstMs, nowMs });
}

function insertAlert(
  run: RunStatement,
  { monitor, receiverId, isUrgent }: Batch,
  alertIds: readonly string[],
  { nextMs, nowMs }: { nextMs: number; nowMs: number },
): void {
  insertDelivery(run, {
    id: generateDeliveryId(),
    monitorId: monitor.id,
    account: monitor.account,
    receiverId,
    kind: alertIds.length > 1 ? 'digest' : 'alert',
    alertIds,
    isUrgent,
    createdAtMs: nowMs,
    nextMs,
  });
}

/** Puts alerts into as few messages as hold them, the oldest of which keep their rows. */
function gatherDigests(
  run: RunStatement,
  rows: readonly DeliveryRow[],
  batch: Batch,
  alertIds: readonly string[],
  times: { nextMs: number; nowMs: number },
): void {
  let at = 0;
  for (let from = 0; from < alertIds.length; from += MAX_DIGEST_ALERTS) {
    const part = alertIds.slice(from, from + MAX_DIGEST_ALERTS);
    const row = rows[at++];
    if (row === undefined) insertAlert(run, batch, part, times);
    else
      run(
        'UPDATE alert_delivery SET kind = ?, alerts = ?, next_ms = ?, wake_ms = ? WHERE n = ?',
        part.length > 1 ? 'digest' : 'alert',
        JSON.stringify(part),
        times.nextMs,
        times.nextMs,
        row.n,
      );
  }
  for (const row of rows.slice(at)) run('DELETE FROM alert_delivery WHERE n = ?', row.n);
}

/** All that waits for the receiver of a message waits until then, as digests. */
export function postponeAsDigest(run: RunStatement, row: DeliveryRow, untilMs: number, nowMs: number): void {
  const untried = findUntried(run, row.receiverId, row.isUrgent);
  const batch = {
    monitor: { id: row.monitorId, account: row.account },
    receiverId: row.receiverId,
    isUrgent: row.isUrgent,
  };
  const alertIds = untried.flatMap((each) => each.alertIds);
  gatherDigests(run, untried, batch, alertIds, { nextMs: untilMs, nowMs });
}

/** What keeps a message back, and until when. `behind`: the row of the message that goes first. */
export type DeliveryHold = { untilMs: number } & (
  | { why: 'quiet' | 'hour' }
  | { why: 'behind'; row: number; hasFailed: boolean }
);

/**
 * What keeps a message back: quiet hours, unless it is urgent; a message to the same receiver that is under way or could
 * not be delivered yet, so that a receiver that never answers costs one try and not as many as there are alerts; and the
 * messages of the last hour.
 */
export function findHold(
  run: RunStatement,
  row: DeliveryRow,
  { quietHours }: Pick<Monitor, 'quietHours'>,
  nowMs: number,
): DeliveryHold | undefined {
  if (row.isAsked || (row.kind !== 'alert' && row.kind !== 'digest')) return undefined;
  const quietEndMs = row.isUrgent ? undefined : findQuietEndMs(quietHours, nowMs);
  if (quietEndMs !== undefined) return { untilMs: quietEndMs, why: 'quiet' };
  if (row.attempt > 0) return undefined;
  const ahead = findAhead(run, row);
  if (ahead !== undefined)
    return {
      untilMs: Math.max(ahead.nextMs ?? nowMs, ahead.leasedMs ?? nowMs, nowMs) + BEHIND_MS,
      why: 'behind',
      row: ahead.n,
      hasFailed: ahead.lastOutcome !== null,
    };
  const hourMs = findHourEndMs(run, row, nowMs);
  return hourMs === undefined ? undefined : { untilMs: hourMs, why: 'hour' };
}

/** The message to the same receiver that was tried already, and waits for its end. */
const findAhead = (run: RunStatement, { receiverId, n }: DeliveryRow): DeliveryRow | undefined =>
  selectDeliveries(
    run,
    `receiver = ? AND state = 'waiting' AND attempt > 0 AND n <> ? AND kind IN ('alert', 'digest') ORDER BY next_ms DESC LIMIT 1`,
    receiverId,
    n,
  )[0];

/** A message waits, with what else waits for its receiver where that becomes a digest. */
export function postponeHeld(run: RunStatement, row: DeliveryRow, hold: DeliveryHold, nowMs: number): void {
  if (hold.why === 'quiet' || (hold.why === 'behind' && !hold.hasFailed)) postponeDelivery(run, row.id, hold.untilMs);
  else postponeAsDigest(run, row, hold.untilMs, nowMs);
  if (hold.why !== 'behind') return;
  run(
    `UPDATE alert_delivery SET behind = ? WHERE receiver = ? AND state = 'waiting' AND attempt = 0 AND next_ms = ?`,
    hold.row,
    row.receiverId,
    hold.untilMs,
  );
}

/** What waits behind a message may go now, or after its next try. */
export const releaseBehind = (run: RunStatement, n: number, atMs: number): unknown =>
  run(
    `UPDATE alert_delivery SET behind = NULL, next_ms = ?, wake_ms = ? WHERE behind = ? AND state = 'waiting' AND attempt = 0`,
    atMs,
    atMs,
    n,
  );

/** When the hour of a receiver has room again. Those that wake its owner have an hour of their own. */
function findHourEndMs(run: RunStatement, { receiverId, isUrgent }: DeliveryRow, nowMs: number): number | undefined {
  const started = run(
    `SELECT started_ms AS ms FROM alert_delivery WHERE receiver = ? AND started_ms > ? AND urgent = ?
       AND kind IN ('alert', 'digest') ORDER BY started_ms DESC LIMIT ?`,
    receiverId,
    nowMs - HOUR_MS,
    isUrgent ? 1 : 0,
    MAX_MESSAGES_PER_HOUR,
  );
  const oldest = started[MAX_MESSAGES_PER_HOUR - 1]?.['ms'];
  return typeof oldest === 'number' ? oldest + HOUR_MS : undefined;
}

/** Why a receiver gets nothing of this kind, as a delivery has it; undefined where it does. */
export function findReceiverRefusal(receiver: Receiver | undefined, kind: DeliveryRow['kind']): string | undefined {
  if (receiver === undefined) return 'receiver_removed';
  if (receiver.disabled === true) return 'receiver_disabled';
  if (receiver.kind === 'feed') return 'feed_is_read';
  if (receiver.kind !== 'email') return undefined;
  if (kind === 'confirmation') return receiver.confirmedAtMs === null ? undefined : 'address_confirmed';
  return receiver.confirmedAtMs === null ? 'address_unconfirmed' : undefined;
}
