import { MAX_REPLAY, type StateTools } from '../core/protocol.ts';
import { createTables, type RunStatement, type SqlRow } from '../../lib/sqlite.ts';
import { DAY_MS } from '../../lib/time.ts';

/** What an inbox holds and does at most. */
export const INBOX_LIMITS = {
  /**
   * Messages of one channel that wait, are being delivered, or are dead, and messages in the journal: further ones
   * collapse into a resync (rule W3).
   */
  unworkedPerChannel: 100_000,
  /** Messages that one call of `digest` takes in; more where one row of the journal holds more. */
  digestMessages: 1_000,
  /** After this time the holder of a claim is taken for lost. */
  leaseMs: 60_000,
  /** Rows that one call of `replay` sets going (rule W7). */
  replayRows: MAX_REPLAY,
  /** Rows of each kind that one call of `prune` deletes. */
  pruneRows: 1_000,
  /** Pages of one listing: beyond them it begins anew, as one that goes in a circle. */
  resyncPages: 20_000,
};
export type InboxLimits = typeof INBOX_LIMITS;

/** Worked messages are kept so long, to know them again; longer where the channel's token lives longer (rule W4). */
export const KEEP_WORKED_MS = 8 * DAY_MS;
/** No token lives longer: the settings ask for 30 days at most. */
export const KEEP_LONGEST_MS = 31 * DAY_MS;
export const KEEP_DEAD_MS = 14 * DAY_MS;
export const KEEP_GONE_MS = 40 * DAY_MS;

/** Tries of a unit or a delivery after which it is dead, and the waits between them. */
export const MAX_TRIES = 5;
const WAITS_S = [30, 60, 120, 240, 480] as const;
/** A vendor or a sink may ask for a longer wait, up to this. */
const LONGEST_RETRY_AFTER_MS = 3_600_000;

/** What the parts of the inbox work on. */
export type InboxContext = { run: RunStatement; now: () => number; limits: InboxLimits };

/**
 * `journal` holds messages as they came, a JSON array in each row and its length, until they are taken in. `inbox` is one row: `seq` counts messages and marks alike, so that a stamp of a user is never used twice. `unit` holds
 * the users that are to be read: `claimed` are the causes of the claim that is out, `claim` its stamp. `known` is what was
 * last read of a user (`read_stamp` 0: never, it was listed only), `listed` the round that listed it last, `subject` for
 * whom it was last read or listed. A row of `delivery` without `due_ms` is dead, and goes with the last of the messages
 * that led to it; one that is `leased` is being delivered until `due_ms`, and goes with that when it is `superseded`. A row of
 * `resync` has failed `tries` times since it got `farthest`, `page_tries` times on the page that is due; `mark_token` is a
 * page token that it had before. `tally` counts the unworked messages of a channel, and of all under ''. `prune_ms` is
 * when a row may go; null as long as it is in work. `channel` is the registry's word of a channel, good until `holds_ms`;
 * its token dies at `accepts_ms`.
 */
const SCHEMA = [
  `CREATE TABLE IF NOT EXISTS inbox (one INTEGER PRIMARY KEY, customer TEXT NOT NULL, seq INTEGER NOT NULL DEFAULT 0,
     received_ms INTEGER NOT NULL DEFAULT 0, resynced_ms INTEGER, subject TEXT)`,
  `CREATE TABLE IF NOT EXISTS message (seq INTEGER PRIMARY KEY, channel TEXT NOT NULL, watch TEXT NOT NULL,
     key TEXT NOT NULL, number TEXT, event TEXT NOT NULL, received_ms INTEGER NOT NULL, user_id TEXT, body TEXT NOT NULL,
     raw TEXT, keep_ms INTEGER NOT NULL, state TEXT NOT NULL, effect TEXT, tries INTEGER NOT NULL DEFAULT 0, error TEXT,
     prune_ms INTEGER, subject TEXT)`,
  'CREATE TABLE IF NOT EXISTS journal (n INTEGER PRIMARY KEY, count INTEGER NOT NULL, messages TEXT NOT NULL)',
  'CREATE UNIQUE INDEX IF NOT EXISTS message_key ON message (channel, key)',
  'CREATE INDEX IF NOT EXISTS message_channel ON message (channel, seq)',
  'CREATE INDEX IF NOT EXISTS message_state ON message (state, seq)',
  `CREATE INDEX IF NOT EXISTS message_waiting ON message (user_id, seq) WHERE state = 'waiting'`,
  `CREATE INDEX IF NOT EXISTS message_dead ON message (user_id, seq) WHERE state = 'dead'`,
  `CREATE INDEX IF NOT EXISTS message_dead_channel ON message (channel, seq) WHERE state = 'dead'`,
  'CREATE INDEX IF NOT EXISTS message_effect ON message (effect) WHERE effect IS NOT NULL',
  'CREATE INDEX IF NOT EXISTS message_prune ON message (prune_ms) WHERE prune_ms IS NOT NULL',
  `CREATE TABLE IF NOT EXISTS tally (channel TEXT PRIMARY KEY, waiting INTEGER NOT NULL, delivering INTEGER NOT NULL,
     dead INTEGER NOT NULL) WITHOUT ROWID`,
  `CREATE TABLE IF NOT EXISTS unit (user_id TEXT PRIMARY KEY, stamp INTEGER NOT NULL, due_ms INTEGER NOT NULL,
     tries INTEGER NOT NULL DEFAULT 0, causes TEXT NOT NULL, claimed TEXT NOT NULL DEFAULT '',
     claim INTEGER NOT NULL DEFAULT 0, subject TEXT, error TEXT) WITHOUT ROWID`,
  'CREATE INDEX IF NOT EXISTS unit_due ON unit (due_ms)',
  `CREATE TABLE IF NOT EXISTS known (user_id TEXT PRIMARY KEY, state TEXT NOT NULL, etag TEXT NOT NULL,
     fingerprint TEXT NOT NULL, domain TEXT NOT NULL, read_stamp INTEGER NOT NULL, read_ms INTEGER NOT NULL,
     listed INTEGER NOT NULL, listed_ms INTEGER NOT NULL, subject TEXT NOT NULL, prune_ms INTEGER) WITHOUT ROWID`,
  'CREATE INDEX IF NOT EXISTS known_listed ON known (listed)',
  'CREATE INDEX IF NOT EXISTS known_domain ON known (domain, listed)',
  'CREATE INDEX IF NOT EXISTS known_prune ON known (prune_ms) WHERE prune_ms IS NOT NULL',
  `CREATE TABLE IF NOT EXISTS delivery (n INTEGER PRIMARY KEY, effect TEXT NOT NULL, sink TEXT NOT NULL,
     body TEXT NOT NULL, user_id TEXT, tries INTEGER NOT NULL DEFAULT 0, due_ms INTEGER, error TEXT,
     leased INTEGER NOT NULL DEFAULT 0, superseded INTEGER NOT NULL DEFAULT 0)`,
  'CREATE UNIQUE INDEX IF NOT EXISTS delivery_effect ON delivery (effect, sink)',
  'CREATE INDEX IF NOT EXISTS delivery_due ON delivery (due_ms) WHERE due_ms IS NOT NULL',
  'CREATE INDEX IF NOT EXISTS delivery_sink ON delivery (sink, due_ms, n) WHERE due_ms IS NOT NULL',
  'CREATE INDEX IF NOT EXISTS delivery_user ON delivery (user_id, sink) WHERE user_id IS NOT NULL',
  'CREATE INDEX IF NOT EXISTS delivery_superseded ON delivery (due_ms) WHERE superseded = 1',
  `CREATE TABLE IF NOT EXISTS resync (id TEXT PRIMARY KEY, scope TEXT NOT NULL, reasons TEXT NOT NULL,
     since_ms INTEGER NOT NULL, next_reasons TEXT NOT NULL DEFAULT '', next_since_ms INTEGER NOT NULL DEFAULT 0,
     subject TEXT, round INTEGER NOT NULL DEFAULT 0, started_ms INTEGER NOT NULL DEFAULT 0, page_token TEXT,
     mark_token TEXT, pages INTEGER NOT NULL DEFAULT 0, farthest INTEGER NOT NULL DEFAULT 0,
     tries INTEGER NOT NULL DEFAULT 0, page_tries INTEGER NOT NULL DEFAULT 0, due_ms INTEGER NOT NULL,
     error TEXT) WITHOUT ROWID`,
  'CREATE INDEX IF NOT EXISTS resync_due ON resync (due_ms)',
  'CREATE INDEX IF NOT EXISTS resync_scope ON resync (scope, round)',
  'CREATE INDEX IF NOT EXISTS resync_tries ON resync (tries DESC, due_ms)',
  'CREATE TABLE IF NOT EXISTS baseline (scope TEXT PRIMARY KEY, done_ms INTEGER NOT NULL) WITHOUT ROWID',
  `CREATE TABLE IF NOT EXISTS alert (kind TEXT NOT NULL, subject TEXT NOT NULL, raised_ms INTEGER NOT NULL,
     detail TEXT NOT NULL, PRIMARY KEY (kind, subject)) WITHOUT ROWID`,
  'CREATE INDEX IF NOT EXISTS alert_raised ON alert (raised_ms)',
  `CREATE TABLE IF NOT EXISTS channel (id TEXT PRIMARY KEY, watch TEXT NOT NULL, resource_id TEXT,
     accepts_ms INTEGER NOT NULL, holds_ms INTEGER NOT NULL, drops INTEGER NOT NULL, subject TEXT NOT NULL) WITHOUT ROWID`,
  'CREATE INDEX IF NOT EXISTS channel_accepts ON channel (accepts_ms)',
];

/** Makes the tables where they are missing; existing rows stay. */
export function openInboxContext(
  { sql, now }: Pick<StateTools, 'sql' | 'now'>,
  limits: Partial<InboxLimits>,
): InboxContext {
  return { run: createTables(sql, SCHEMA), now, limits: { ...INBOX_LIMITS, ...limits } };
}

/** The customer's own row, which the first call that writes makes. */
export function findOwnRow({ run }: InboxContext): SqlRow | undefined {
  return run('SELECT customer, seq, received_ms, resynced_ms, subject FROM inbox WHERE one = 1')[0];
}

/** @throws Error when the inbox is another customer's: the caller mixed them up */
export function requireOwner(context: InboxContext, customer: string): SqlRow {
  const known = findOwnRow(context);
  if (known !== undefined && known['customer'] !== customer) throw new Error('This inbox is that of another customer.');
  if (known !== undefined) return known;
  context.run('INSERT INTO inbox (one, customer) VALUES (1, ?)', customer);
  return { customer, seq: 0, received_ms: 0, resynced_ms: null, subject: null };
}

/** The next number of the customer: larger than every stamp and every message before. */
export function takeNextStamp({ run }: InboxContext): number {
  const [row] = run('UPDATE inbox SET seq = seq + 1 WHERE one = 1 RETURNING seq');
  if (row === undefined) throw new Error('The inbox has no customer yet.');
  return Number(row['seq']);
}

/** How long to wait after so many failed tries. */
export function computeRetryWaitMs(tries: number, retryAfterMs = 0): number {
  const wait = WAITS_S[Math.min(tries, WAITS_S.length) - 1] ?? WAITS_S[0];
  return Math.max(wait * 1_000, capRetryAfterMs(retryAfterMs));
}

/** What another side asks us to wait, within reason. */
export const capRetryAfterMs = (retryAfterMs = 0): number =>
  Math.min(Math.max(Math.ceil(retryAfterMs), 0), LONGEST_RETRY_AFTER_MS);

/** For whom the service account acts, as columns hold it: '' for the deployment's own setting. */
export const formatSubject = (subject: string | undefined): string => subject ?? '';
export const parseSubject = (text: string): string | undefined => (text === '' ? undefined : text);

export const getTextOr = <T>(value: unknown, other: T): string | T => (typeof value === 'string' ? value : other);
export const formatIsoTime = (ms: unknown): string => new Date(Number(ms)).toISOString();
