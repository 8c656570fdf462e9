import { createTables, type RunStatement, type Sql } from '../../lib/sqlite.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../lib/time.ts';
import type { MonitorAlert } from '../core/alert.ts';
import type { Monitor } from '../core/monitor.ts';
import type { AlertDelivery, AlertDeliveryResult, MailProofs, MonitorPage, PageQuery } from '../core/protocol.ts';
import type { Receiver } from '../core/receiver.ts';
import {
  closeMail,
  findConfirmationRefusal,
  findMailProofs,
  computeNextMailDayMs,
  hasMailRoom,
  isMailProof,
  makeMailProofs,
  recordRefusedAddress,
  takeMail,
} from './mail-book.ts';
import {
  abandonDeliveryRow,
  ALERT_OUTBOX_SCHEMA,
  type DeliveryRow,
  findDelivery,
  insertDelivery,
  postponeDelivery,
  selectDeliveries,
  toDelivery,
} from './outbox-rows.ts';
import {
  enqueueAlerts,
  findHold,
  findReceiverRefusal,
  generateDeliveryId,
  postponeHeld,
  postponeAsDigest,
  releaseBehind,
} from './queue-order.ts';
import { findQuietEndMs } from './quiet-hours.ts';

/** Waits after the first try and the following ones: 13 tries in a little over 3 days. */
export const DELIVERY_WAITS_MS = [
  1 * MINUTE_MS,
  5 * MINUTE_MS,
  15 * MINUTE_MS,
  1 * HOUR_MS,
  2 * HOUR_MS,
  4 * HOUR_MS,
  6 * HOUR_MS,
  12 * HOUR_MS,
  12 * HOUR_MS,
  12 * HOUR_MS,
  12 * HOUR_MS,
  12 * HOUR_MS,
] as const;
/** Tries of a delivery, after which it is dead. */
export const MAX_DELIVERY_TRIES = DELIVERY_WAITS_MS.length + 1;
/** After this time the consumer of a delivery is taken for lost: 10 s for the receiver, and the wait for a turn at its host. */
const DELIVERY_LEASE_MS = 2 * MINUTE_MS;
/** After this time the queue message of a delivery is taken for lost. */
const QUEUED_MS = 5 * MINUTE_MS;
/** Between two test messages to one receiver, and test messages of one account in 24 hours. */
const TEST_GAP_MS = MINUTE_MS;
export const MAX_TESTS_PER_DAY = 30;
/** Deliveries that ended are kept so long, and with them their replay. */
const KEEP_ENDED_MS = 90 * DAY_MS;
const PRUNED_ROWS = 200;

export type BegunDelivery = { delivery: AlertDelivery; attempt: number; receiver: Receiver; proofs?: MailProofs };
export type FinishedDelivery = { monitorId: string; receiverId: string; disable: boolean };

export type AlertOutbox = ReturnType<typeof openAlertOutbox>;

/**
 * What is to be sent to the receivers of monitors, in the transaction of its caller. An alert reaches a receiver in one
 * message; more than a few at once, or too many an hour, become a digest. Deliveries are named on a queue, begun by one
 * consumer at a time, and finished by the attempt that owns them.
 */
export const openAlertOutbox = (sql: Sql) => {
  const run = createTables(sql, ALERT_OUTBOX_SCHEMA);
  return {
    /** Alerts that a monitor raised, for each of its receivers that may get them. The same alert twice is one. */
    accept: (monitor: Monitor, alerts: readonly MonitorAlert[], nowMs: number): void =>
      acceptAlerts(run, monitor, alerts, nowMs),
    /** The one mail that asks a new address. Nothing is sent to one that refused, or was asked often today. */
    requestConfirmation: (monitor: Monitor, receiverId: string, nowMs: number): void =>
      requestConfirmation(run, monitor, receiverId, nowMs),
    /** Whether the account of new addresses may ask them today. */
    hasMailRoom: (account: string, mails: number, nowMs: number): boolean => hasMailRoom(run, account, mails, nowMs),
    find: (deliveryId: string): AlertDelivery | undefined => {
      const row = findDelivery(run, deliveryId);
      return row && toDelivery(row);
    },
    /** Takes a delivery. Undefined when there is nothing to do now, or another attempt holds it. `monitor`: its own, as it is now. */
    begin: (deliveryId: string, monitor: Monitor | undefined, nowMs: number): BegunDelivery | undefined =>
      beginDelivery(run, deliveryId, monitor, nowMs),
    /** What an attempt came to. Undefined when another owns the delivery by now, and nothing was written. */
    finish: (
      deliveryId: string,
      attempt: number,
      result: AlertDeliveryResult,
      nowMs: number,
    ): FinishedDelivery | undefined => finishDelivery(run, deliveryId, attempt, result, nowMs),
    /** Deliveries to name on the queue, the longest due first. They are named again if nothing comes of that. */
    due: (nowMs: number, limit: number): readonly string[] => takeDueDeliveries(run, nowMs, limit),
    /** When `due` has something next, in Unix milliseconds. */
    nextDueMs: (): number | undefined => {
      const next = run('SELECT min(wake_ms) AS ms FROM alert_delivery WHERE wake_ms IS NOT NULL')[0]?.['ms'];
      return typeof next === 'number' ? next : undefined;
    },
    /** Deliveries of a monitor, newest first. */
    page: (monitorId: string, query: PageQuery): MonitorPage<AlertDelivery> => listDeliveries(run, monitorId, query),
    /** Sends one that ended again: at once, with the same id. */
    replay: (monitor: Monitor, deliveryId: string, nowMs: number): boolean =>
      replayDelivery(run, monitor, deliveryId, nowMs),
    /** A test message. One that would not be sent is dead, and says why. Undefined: there is no such receiver. */
    test: (monitor: Monitor, receiverId: string, nowMs: number): AlertDelivery | 'too_soon' | undefined =>
      requestTest(run, monitor, receiverId, nowMs),
    /** Whether a link in a mail to this receiver was followed. */
    isProof: (use: keyof MailProofs, monitorId: string, receiverId: string, proof: string): boolean =>
      isMailProof(run, { monitorId, receiverId, proof }, use),
    /** An address wants no mail of this account any more. */
    refuseAddress: (account: string, address: string, nowMs: number): void =>
      void recordRefusedAddress(run, account, address.toLowerCase(), nowMs),
    /** Everything of a monitor goes; what its account may still send today stays as it is. */
    forget: (monitorId: string): void => {
      for (const table of ['alert_delivery', 'alert_known', 'mail_proof'])
        run(`DELETE FROM ${table} WHERE monitor = ?`, monitorId);
    },
    /** The account is deleted: addresses that it wrote to go too. */
    forgetAccount: (account: string): void => {
      for (const table of ['alert_delivery', 'alert_mail', 'mail_refused'])
        run(`DELETE FROM ${table} WHERE account = ?`, account);
    },
  };
};

function acceptAlerts(run: RunStatement, monitor: Monitor, alerts: readonly MonitorAlert[], nowMs: number): void {
  for (const receiver of monitor.receivers) {
    if (findReceiverRefusal(receiver, 'alert') !== undefined) continue;
    const fresh = alerts.filter(
      ({ id }) =>
        run('INSERT OR IGNORE INTO alert_known VALUES (?, ?, ?) RETURNING alert', monitor.id, receiver.id, id).length >
        0,
    );
    for (const isUrgent of [true, false]) {
      const ids = fresh.filter(({ severity }) => (severity === 'critical') === isUrgent).map(({ id }) => id);
      if (ids.length === 0) continue;
      const quietEndMs = isUrgent ? undefined : findQuietEndMs(monitor.quietHours, nowMs);
      enqueueAlerts(run, { monitor, receiverId: receiver.id, isUrgent }, ids, { nextMs: quietEndMs ?? nowMs, nowMs });
    }
  }
}

function requestConfirmation(run: RunStatement, monitor: Monitor, receiverId: string, nowMs: number): void {
  const receiver = monitor.receivers.find(({ id }) => id === receiverId);
  if (receiver?.kind !== 'email' || receiver.confirmedAtMs !== null) return;
  makeMailProofs(run, monitor.id, receiverId);
  const address = receiver.address.toLowerCase();
  const refusal = findConfirmationRefusal(run, monitor.account, address, nowMs);
  const id = insertAsked(run, monitor, receiverId, 'confirmation', nowMs);
  if (refusal !== undefined) abandonDeliveryRow(run, id, refusal);
  // Its place is taken now, so that a day's mails are not promised twice.
  else takeMail(run, { account: monitor.account, id, address, kind: 'confirmation' }, nowMs);
}

function insertAsked(
  run: RunStatement,
  monitor: Monitor,
  receiverId: string,
  kind: 'confirmation' | 'test',
  nowMs: number,
): string {
  const id = generateDeliveryId();
  const { id: monitorId, account } = monitor;
  const times = { createdAtMs: nowMs, nextMs: nowMs };
  insertDelivery(run, { id, monitorId, account, receiverId, kind, alertIds: [], isAsked: true, ...times });
  return id;
}

function beginDelivery(
  run: RunStatement,
  id: string,
  monitor: Monitor | undefined,
  nowMs: number,
): BegunDelivery | undefined {
  const row = findDelivery(run, id);
  if (row === undefined || row.nextMs === null || row.nextMs > nowMs || (row.leasedMs ?? 0) > nowMs) return undefined;
  const receiver = monitor?.receivers.find((each) => each.id === row.receiverId);
  const refusal = findReceiverRefusal(receiver, row.kind);
  if (monitor === undefined || receiver === undefined || refusal !== undefined) {
    abandonDeliveryRow(run, id, refusal ?? 'receiver_removed');
    return undefined;
  }
  if (row.tries >= MAX_DELIVERY_TRIES) {
    abandonDeliveryRow(run, id, row.lastOutcome ?? 'interrupted');
    return undefined;
  }
  if (isHeldBack(run, row, monitor, receiver, nowMs)) return undefined;
  const leasedMs = nowMs + DELIVERY_LEASE_MS;
  run(
    `UPDATE alert_delivery SET attempt = attempt + 1, tries = tries + 1, leased_ms = ?, wake_ms = ?,
       started_ms = coalesce(started_ms, ?) WHERE id = ?`,
    leasedMs,
    leasedMs,
    nowMs,
    id,
  );
  const proofs = receiver.kind === 'email' ? findMailProofs(run, monitor.id, receiver.id) : undefined;
  const delivery = toDelivery({ ...row, tries: row.tries + 1 });
  return { delivery, attempt: row.attempt + 1, receiver, ...(proofs && { proofs }) };
}

/** Whether a message has to wait: then it does, together with what else waits for its receiver. */
function isHeldBack(run: RunStatement, row: DeliveryRow, monitor: Monitor, receiver: Receiver, nowMs: number): boolean {
  const hold = findHold(run, row, monitor, nowMs);
  if (hold !== undefined) {
    postponeHeld(run, row, hold, nowMs);
    return true;
  }
  if (receiver.kind !== 'email') return false;
  const mail = { account: row.account, id: row.id, address: receiver.address.toLowerCase(), kind: row.kind };
  if (takeMail(run, mail, nowMs)) return false;
  const tomorrowMs = computeNextMailDayMs(nowMs);
  if (row.attempt > 0 || row.isAsked) postponeDelivery(run, row.id, tomorrowMs);
  else postponeAsDigest(run, row, tomorrowMs, nowMs);
  return true;
}

function finishDelivery(
  run: RunStatement,
  id: string,
  attempt: number,
  result: AlertDeliveryResult,
  nowMs: number,
): FinishedDelivery | undefined {
  const row = findDelivery(run, id);
  if (row === undefined || row.state !== 'waiting' || row.attempt !== attempt || row.leasedMs === null)
    return undefined;
  const { monitorId, receiverId } = row;
  const isOver = result.is === 'refused' || (result.is === 'again' && row.tries >= MAX_DELIVERY_TRIES);
  if (isOver) abandonDeliveryRow(run, id, result.outcome);
  else if (result.is === 'taken') {
    run(
      `UPDATE alert_delivery SET state = 'delivered', outcome = ?, delivered_ms = ?, next_ms = NULL, wake_ms = NULL,
         leased_ms = NULL WHERE id = ?`,
      result.outcome,
      nowMs,
      id,
    );
    closeMail(run, row.account, id, attempt);
  } else {
    run('UPDATE alert_delivery SET outcome = ? WHERE id = ?', result.outcome, id);
    postponeDelivery(run, id, nowMs + computeWaitMs(row.tries, result.afterMs));
  }
  // After a failure they find it ahead of them once more, and become one digest.
  releaseBehind(run, row.n, nowMs);
  return { monitorId, receiverId, disable: result.is === 'refused' && result.disable };
}

/** How long to wait after so many tries. */
const computeWaitMs = (tries: number, afterMs = 0): number =>
  Math.max(DELIVERY_WAITS_MS[Math.min(tries, DELIVERY_WAITS_MS.length) - 1] ?? DELIVERY_WAITS_MS[0], afterMs);

function takeDueDeliveries(run: RunStatement, nowMs: number, limit: number): readonly string[] {
  pruneEnded(run, nowMs - KEEP_ENDED_MS);
  const due = run('SELECT id FROM alert_delivery WHERE wake_ms <= ? ORDER BY wake_ms, n LIMIT ?', nowMs, limit);
  const ids = due.map(({ id }) => String(id));
  for (const id of ids) run('UPDATE alert_delivery SET wake_ms = ? WHERE id = ?', nowMs + QUEUED_MS, id);
  return ids;
}

/** Deliveries that ended long ago go, and what was kept so that their alerts are not sent twice. */
function pruneEnded(run: RunStatement, beforeMs: number): void {
  const where = 'wake_ms IS NULL AND created_ms < ? LIMIT ?';
  for (const { n, monitorId, receiverId, alertIds } of selectDeliveries(run, where, beforeMs, PRUNED_ROWS)) {
    for (const alert of alertIds)
      run('DELETE FROM alert_known WHERE monitor = ? AND receiver = ? AND alert = ?', monitorId, receiverId, alert);
    run('DELETE FROM alert_delivery WHERE n = ?', n);
  }
}

function listDeliveries(run: RunStatement, monitorId: string, { after, limit }: PageQuery): MonitorPage<AlertDelivery> {
  const before = after === undefined ? Number.MAX_SAFE_INTEGER : Number(after);
  if (!Number.isSafeInteger(before)) return { items: [], next: null };
  const rows = selectDeliveries(run, 'monitor = ? AND n < ? ORDER BY n DESC LIMIT ?', monitorId, before, limit + 1);
  const items = rows.slice(0, limit);
  return { items: items.map(toDelivery), next: rows.length > limit ? String(items.at(-1)?.n ?? 0) : null };
}

function replayDelivery(run: RunStatement, monitor: Monitor, id: string, nowMs: number): boolean {
  const row = findDelivery(run, id);
  if (row === undefined || row.monitorId !== monitor.id || row.state === 'waiting') return false;
  const receiver = monitor.receivers.find((each) => each.id === row.receiverId);
  if (row.kind === 'confirmation' || findReceiverRefusal(receiver, row.kind) !== undefined) return false;
  run(
    `UPDATE alert_delivery SET state = 'waiting', asked = 1, tries = 0, outcome = NULL, delivered_ms = NULL, next_ms = ?,
       wake_ms = ? WHERE id = ?`,
    nowMs,
    nowMs,
    id,
  );
  return true;
}

function requestTest(
  run: RunStatement,
  monitor: Monitor,
  receiverId: string,
  nowMs: number,
): AlertDelivery | 'too_soon' | undefined {
  const receiver = monitor.receivers.find(({ id }) => id === receiverId);
  if (receiver === undefined) return undefined;
  const tests = run(
    `SELECT receiver, created_ms FROM alert_delivery WHERE account = ? AND kind = 'test' AND created_ms > ?`,
    monitor.account,
    nowMs - DAY_MS,
  );
  const isTooSoon = tests.some(
    (row) => row['receiver'] === receiverId && Number(row['created_ms']) > nowMs - TEST_GAP_MS,
  );
  if (isTooSoon || tests.length >= MAX_TESTS_PER_DAY) return 'too_soon';
  if (receiver.kind === 'email' && !hasMailRoom(run, monitor.account, 1, nowMs)) return 'too_soon';
  const id = insertAsked(run, monitor, receiverId, 'test', nowMs);
  const refusal = findReceiverRefusal(receiver, 'test');
  if (refusal !== undefined) abandonDeliveryRow(run, id, refusal);
  const row = findDelivery(run, id);
  return row && toDelivery(row);
}
