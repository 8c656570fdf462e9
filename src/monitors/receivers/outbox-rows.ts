import type { RunStatement, SqlRow } from '../../lib/sqlite.ts';
import type { AlertDelivery } from '../core/protocol.ts';

/**
 * `alert_delivery` has a row for each message to a receiver. `urgent`: it may be sent in quiet hours. `asked`: its owner
 * asked for it just now, so that neither quiet hours nor digests hold it. `wake_ms` is when a queue message for it is made
 * next: null once it has ended. `leased_ms`: until when an attempt is under way. `started_ms`: its first attempt. `behind`: the row that it waits for.
 * `alert_known` has the alerts that a receiver got, or will get, a message for. `alert_mail` counts mails by account and
 * day. A row of `mail_proof` is what the links in mails to a receiver prove; one of `mail_refused` an address whose owner
 * wants no mail.
 */
export const ALERT_OUTBOX_SCHEMA: readonly string[] = [
  `CREATE TABLE IF NOT EXISTS alert_delivery (n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, monitor TEXT NOT NULL,
     account TEXT NOT NULL, receiver TEXT NOT NULL, kind TEXT NOT NULL, alerts TEXT NOT NULL, urgent INTEGER NOT NULL,
     asked INTEGER NOT NULL DEFAULT 0, state TEXT NOT NULL, tries INTEGER NOT NULL DEFAULT 0,
     attempt INTEGER NOT NULL DEFAULT 0, leased_ms INTEGER, created_ms INTEGER NOT NULL, next_ms INTEGER, wake_ms INTEGER,
     started_ms INTEGER, delivered_ms INTEGER, outcome TEXT, behind INTEGER)`,
  'CREATE INDEX IF NOT EXISTS alert_delivery_wake ON alert_delivery (wake_ms) WHERE wake_ms IS NOT NULL',
  'CREATE INDEX IF NOT EXISTS alert_delivery_monitor ON alert_delivery (monitor, n)',
  `CREATE INDEX IF NOT EXISTS alert_delivery_waiting ON alert_delivery (receiver, n) WHERE state = 'waiting'`,
  'CREATE INDEX IF NOT EXISTS alert_delivery_behind ON alert_delivery (behind) WHERE behind IS NOT NULL',
  'CREATE INDEX IF NOT EXISTS alert_delivery_started ON alert_delivery (receiver, started_ms) WHERE started_ms IS NOT NULL',
  `CREATE INDEX IF NOT EXISTS alert_delivery_test ON alert_delivery (account, created_ms) WHERE kind = 'test'`,
  'CREATE INDEX IF NOT EXISTS alert_delivery_ended ON alert_delivery (created_ms) WHERE wake_ms IS NULL',
  `CREATE TABLE IF NOT EXISTS alert_known (monitor TEXT NOT NULL, receiver TEXT NOT NULL, alert TEXT NOT NULL,
     PRIMARY KEY (monitor, receiver, alert)) WITHOUT ROWID`,
  `CREATE TABLE IF NOT EXISTS alert_mail (account TEXT NOT NULL, day TEXT NOT NULL, delivery TEXT NOT NULL,
     address TEXT NOT NULL, kind TEXT NOT NULL, PRIMARY KEY (account, day, delivery)) WITHOUT ROWID`,
  'CREATE INDEX IF NOT EXISTS alert_mail_day ON alert_mail (day)',
  `CREATE TABLE IF NOT EXISTS mail_proof (receiver TEXT PRIMARY KEY, monitor TEXT NOT NULL, confirm TEXT NOT NULL,
     unsubscribe TEXT NOT NULL) WITHOUT ROWID`,
  'CREATE INDEX IF NOT EXISTS mail_proof_monitor ON mail_proof (monitor)',
  `CREATE TABLE IF NOT EXISTS mail_refused (account TEXT NOT NULL, address TEXT NOT NULL, at_ms INTEGER NOT NULL,
     PRIMARY KEY (account, address)) WITHOUT ROWID`,
];

/** A delivery as it is stored. */
export type DeliveryRow = AlertDelivery & {
  n: number;
  account: string;
  isUrgent: boolean;
  isAsked: boolean;
  attempt: number;
  leasedMs: number | null;
  startedMs: number | null;
};

const toNumber = (value: unknown): number | null => (typeof value === 'number' ? value : null);

/** The columns hold what this room wrote, and nothing else. */
const toDeliveryRow = (row: SqlRow): DeliveryRow => ({
  n: Number(row['n']),
  id: String(row['id']),
  monitorId: String(row['monitor']),
  account: String(row['account']),
  receiverId: String(row['receiver']),
  kind: row['kind'] as AlertDelivery['kind'],
  alertIds: JSON.parse(String(row['alerts'])) as string[],
  isUrgent: row['urgent'] === 1,
  isAsked: row['asked'] === 1,
  state: row['state'] as AlertDelivery['state'],
  tries: Number(row['tries']),
  attempt: Number(row['attempt']),
  leasedMs: toNumber(row['leased_ms']),
  createdAtMs: Number(row['created_ms']),
  nextMs: toNumber(row['next_ms']),
  startedMs: toNumber(row['started_ms']),
  deliveredAtMs: toNumber(row['delivered_ms']),
  lastOutcome: typeof row['outcome'] === 'string' ? row['outcome'] : null,
});

/** What others see of it. */
export const toDelivery = (row: DeliveryRow): AlertDelivery => ({
  id: row.id,
  monitorId: row.monitorId,
  receiverId: row.receiverId,
  kind: row.kind,
  alertIds: row.alertIds,
  state: row.state,
  tries: row.tries,
  createdAtMs: row.createdAtMs,
  nextMs: row.nextMs,
  deliveredAtMs: row.deliveredAtMs,
  lastOutcome: row.lastOutcome,
});

/** Those that a statement selects with all their columns. */
export const selectDeliveries = (run: RunStatement, where: string, ...bindings: (string | number)[]): DeliveryRow[] =>
  run(`SELECT * FROM alert_delivery WHERE ${where}`, ...bindings).map(toDeliveryRow);

export const findDelivery = (run: RunStatement, id: string): DeliveryRow | undefined =>
  selectDeliveries(run, 'id = ?', id)[0];

type NewDelivery = Pick<DeliveryRow, 'id' | 'monitorId' | 'account' | 'receiverId' | 'kind' | 'alertIds'> & {
  isUrgent?: boolean;
  isAsked?: boolean;
  createdAtMs: number;
  nextMs: number;
};

const INSERT = `INSERT INTO alert_delivery (id, monitor, account, receiver, kind, alerts, urgent, asked, state, created_ms,
  next_ms, wake_ms) VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'waiting', ?, ?, ?)`;

export function insertDelivery(run: RunStatement, given: NewDelivery): void {
  const { id, monitorId, account, receiverId, kind, alertIds, createdAtMs, nextMs } = given;
  const [urgent, asked] = [given.isUrgent === true ? 1 : 0, given.isAsked === true ? 1 : 0];
  const alerts = JSON.stringify(alertIds);
  run(INSERT, id, monitorId, account, receiverId, kind, alerts, urgent, asked, createdAtMs, nextMs, nextMs);
}

/** It waits until then, and no attempt is under way. */
export const postponeDelivery = (run: RunStatement, id: string, nextMs: number): unknown =>
  run('UPDATE alert_delivery SET next_ms = ?, wake_ms = ?, leased_ms = NULL WHERE id = ?', nextMs, nextMs, id);

/** It is never tried again, unless its owner asks for it. */
export const abandonDeliveryRow = (run: RunStatement, id: string, outcome: string): unknown =>
  run(
    `UPDATE alert_delivery SET state = 'dead', outcome = ?, next_ms = NULL, wake_ms = NULL, leased_ms = NULL WHERE id = ?`,
    outcome,
    id,
  );
