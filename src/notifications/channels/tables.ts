import { createTables, type RunStatement, type Sql, type SqlRow } from '../../lib/sqlite.ts';
import { CHANNEL_STATES, type ChannelState } from './channel.ts';
import { VENDOR_EVENTS, type VendorEvent } from '../vendor/vendor.ts';

/** Channels that the vendor is to be asked to stop, and others: the text of two indexes, and of what they are for. */
export const IS_STOP = "state IN ('superseded', 'stopping')";
export const IS_STEP = "state NOT IN ('superseded', 'stopping')";

/**
 * `watch`: what an operator wants; '' for no domain, event or subject. `due_ms` is when the next channel is to be asked
 * for (while that is under way: when the claim ends), of an ended watch when its row goes. `covered_until_ms` is the end
 * of the last channel that was granted. `channel.seq` grows with each attempt; `lost`: the vendor's answer did not come;
 * `drops`: its watch was stopped; `due_ms`: the next step of its state, see `registry-steps.ts`. `raised`: open alerts.
 * Rows lie in the order of their numbers: watches that were opened together are renewed together, from few pages.
 */
const SCHEMA = [
  `CREATE TABLE IF NOT EXISTS watch (seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, customer TEXT NOT NULL, domain TEXT NOT NULL,
     event TEXT NOT NULL, subject TEXT NOT NULL, ttl_s INTEGER NOT NULL, ended_ms INTEGER,
     current_id TEXT, latest_id TEXT, covered_until_ms INTEGER, lead_ms INTEGER NOT NULL,
     due_ms INTEGER NOT NULL, claimed_until_ms INTEGER NOT NULL DEFAULT 0,
     tries INTEGER NOT NULL DEFAULT 0, last_error TEXT)`,
  'CREATE INDEX IF NOT EXISTS watch_due ON watch (due_ms, covered_until_ms)',
  'CREATE UNIQUE INDEX IF NOT EXISTS watch_target ON watch (customer, domain, event) WHERE ended_ms IS NULL',
  `CREATE TABLE IF NOT EXISTS channel (seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, watch TEXT NOT NULL, watch_seq INTEGER NOT NULL,
     customer TEXT NOT NULL, subject TEXT NOT NULL DEFAULT '', state TEXT NOT NULL, lost INTEGER NOT NULL DEFAULT 0, drops INTEGER NOT NULL DEFAULT 0,
     resource_id TEXT, asked_ms INTEGER NOT NULL, granted_ms INTEGER, synced_ms INTEGER, expires_ms INTEGER NOT NULL,
     lead_ms INTEGER NOT NULL, renew_ms INTEGER, ended_ms INTEGER, due_ms INTEGER NOT NULL,
     tries INTEGER NOT NULL DEFAULT 0, last_error TEXT)`,
  // Steps that need no vendor wait for none that do.
  `CREATE INDEX IF NOT EXISTS channel_step_due ON channel (due_ms) WHERE ${IS_STEP}`,
  `CREATE INDEX IF NOT EXISTS channel_stop_due ON channel (due_ms) WHERE ${IS_STOP}`,
  'CREATE INDEX IF NOT EXISTS channel_watch ON channel (watch_seq, ended_ms)',
  'CREATE INDEX IF NOT EXISTS channel_lost ON channel (watch_seq) WHERE lost = 1 AND ended_ms IS NULL',
  'CREATE INDEX IF NOT EXISTS channel_customer ON channel (customer)',
  'CREATE INDEX IF NOT EXISTS channel_state ON channel (state)',
  `CREATE TABLE IF NOT EXISTS customer (id TEXT PRIMARY KEY, resync_ms INTEGER,
     failures INTEGER NOT NULL DEFAULT 0, open_until_ms INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID`,
  'CREATE INDEX IF NOT EXISTS customer_failing ON customer (failures) WHERE failures > 0',
  'CREATE INDEX IF NOT EXISTS customer_resync ON customer (resync_ms)',
  `CREATE TABLE IF NOT EXISTS errand (seq INTEGER PRIMARY KEY, customer TEXT NOT NULL, scope TEXT, body TEXT NOT NULL,
     due_ms INTEGER NOT NULL, tries INTEGER NOT NULL DEFAULT 0)`,
  'CREATE INDEX IF NOT EXISTS errand_due ON errand (due_ms)',
  'CREATE INDEX IF NOT EXISTS errand_customer ON errand (customer)',
  `CREATE TABLE IF NOT EXISTS channel_word (seq INTEGER PRIMARY KEY, customer TEXT NOT NULL, body TEXT NOT NULL,
     due_ms INTEGER NOT NULL, tries INTEGER NOT NULL DEFAULT 0)`,
  'CREATE INDEX IF NOT EXISTS channel_word_due ON channel_word (due_ms)',
  'CREATE INDEX IF NOT EXISTS channel_word_customer ON channel_word (customer)',
  `CREATE TABLE IF NOT EXISTS raised (subject TEXT NOT NULL, kind TEXT NOT NULL, customer TEXT NOT NULL,
     PRIMARY KEY (subject, kind)) WITHOUT ROWID`,
  'CREATE TABLE IF NOT EXISTS setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID',
];

/** Makes the tables where they are missing. */
export const createRegistryTables = (sql: Sql): RunStatement => createTables(sql, SCHEMA);

export type WatchRow = {
  seq: number;
  id: string;
  customer: string;
  domain: string;
  event: VendorEvent | '';
  subject: string;
  ttlS: number;
  endedMs: number | null;
  currentId: string | null;
  latestId: string | null;
  coveredUntilMs: number | null;
  leadMs: number;
  dueMs: number;
  claimedUntilMs: number;
  tries: number;
  lastError: string | null;
};

export type ChannelRow = {
  seq: number;
  id: string;
  watch: string;
  watchSeq: number;
  customer: string;
  /** Of its watch. */
  subject: string;
  state: ChannelState;
  lost: boolean;
  drops: boolean;
  resourceId: string | null;
  askedMs: number;
  grantedMs: number | null;
  syncedMs: number | null;
  expiresMs: number;
  leadMs: number;
  renewMs: number | null;
  endedMs: number | null;
  dueMs: number;
  tries: number;
  lastError: string | null;
};

export const readWatchRow = (row: SqlRow): WatchRow => ({
  seq: Number(row['seq']),
  id: String(row['id']),
  customer: String(row['customer']),
  domain: String(row['domain']),
  event: VENDOR_EVENTS.find((event) => event === row['event']) ?? '',
  subject: String(row['subject']),
  ttlS: Number(row['ttl_s']),
  endedMs: readNullableNumber(row['ended_ms']),
  currentId: readNullableText(row['current_id']),
  latestId: readNullableText(row['latest_id']),
  coveredUntilMs: readNullableNumber(row['covered_until_ms']),
  leadMs: Number(row['lead_ms']),
  dueMs: Number(row['due_ms']),
  claimedUntilMs: Number(row['claimed_until_ms']),
  tries: Number(row['tries']),
  lastError: readNullableText(row['last_error']),
});

export const readChannelRow = (row: SqlRow): ChannelRow => ({
  seq: Number(row['seq']),
  id: String(row['id']),
  watch: String(row['watch']),
  watchSeq: Number(row['watch_seq']),
  customer: String(row['customer']),
  subject: String(row['subject']),
  state: CHANNEL_STATES.find((state) => state === row['state']) ?? 'failed',
  lost: row['lost'] === 1,
  drops: row['drops'] === 1,
  resourceId: readNullableText(row['resource_id']),
  askedMs: Number(row['asked_ms']),
  grantedMs: readNullableNumber(row['granted_ms']),
  syncedMs: readNullableNumber(row['synced_ms']),
  expiresMs: Number(row['expires_ms']),
  leadMs: Number(row['lead_ms']),
  renewMs: readNullableNumber(row['renew_ms']),
  endedMs: readNullableNumber(row['ended_ms']),
  dueMs: Number(row['due_ms']),
  tries: Number(row['tries']),
  lastError: readNullableText(row['last_error']),
});

const readNullableNumber = (value: unknown): number | null => (typeof value === 'number' ? value : null);
const readNullableText = (value: unknown): string | null => (typeof value === 'string' ? value : null);
