import { createTables, type Sql } from '../../../lib/sqlite.ts';
import { DAY_MS } from '../../../lib/time.ts';
import { createRetry } from '../retry.ts';
import type { PlacedEntry } from '../routing.ts';
import type { ShardName } from './placement.ts';

/** What one row and one message have, in characters of JSON, more or less. */
const CHUNK_CHARS = 500_000;
/** Characters that wait for the tenant's own object; entries beyond them are lost to sinks outside, and logged. */
export const MAX_RELAY_CHARS = 67_108_864;
/** Messages that one call or alarm hands over. */
const MAX_MESSAGES = 100;
/** Numbers of texts are of the time at which they were written, or later: they grow also where the clock does not. */
const SEQS_A_MS = 1_000;

/** Entries for webhooks and files, in one text. Numbers of one shard grow. */
export type RelayedText = { seq: number; text: string };

/**
 * What a shard keeps for the tenant's own object: entries that sinks send to webhooks and files, which one object posts and
 * writes, in the order and within the limits of the tenant. They are kept in the transaction that writes the entries.
 */
export type RelayOutbox = {
  keep: (placed: readonly PlacedEntry[]) => void;
  hasAny: () => boolean;
  /** Hands over what waits. What fails is tried again. */
  handOver: (send: (relayed: RelayedText) => Promise<void>) => Promise<void>;
  nextMs: () => number | undefined;
  reset: () => void;
};

type Tools = { sql: Sql; now: () => number; log: (line: Record<string, unknown>) => void };

const isForOutside = ({ target }: PlacedEntry): boolean => target.kind === 'webhook' || target.kind === 'storage';

/** `relay_last` has the number of the last text that there ever was. */
const OUTBOX_SCHEMA = [
  'CREATE TABLE IF NOT EXISTS relay (seq INTEGER PRIMARY KEY, text TEXT NOT NULL, chars INTEGER NOT NULL)',
  'CREATE TABLE IF NOT EXISTS relay_last (id INTEGER PRIMARY KEY CHECK (id = 1), seq INTEGER NOT NULL)',
];

export function createRelayOutbox({ sql, now, log }: Tools): RelayOutbox {
  const run = createTables(sql, OUTBOX_SCHEMA);
  const first = () => run('SELECT seq, text FROM relay ORDER BY seq LIMIT 1')[0];
  // Most tenants send nothing outside: a write of theirs asks no table.
  let mayHave = first() !== undefined;
  const sending = createRetry(now);
  let handing: Promise<void> | undefined;
  const handAll = async (send: (relayed: RelayedText) => Promise<void>): Promise<void> => {
    for (let sent = 0; sent < MAX_MESSAGES; sent += 1) {
      const row = first();
      if (row === undefined) {
        mayHave = false;
        return;
      }
      const seq = Number(row['seq']);
      await sending.attempt(() => send({ seq, text: String(row['text']) }));
      run('DELETE FROM relay WHERE seq = ?', seq);
    }
  };
  return {
    keep(placed) {
      const texts = splitIntoTexts(placed.filter(isForOutside));
      if (texts.length === 0) return;
      mayHave = true;
      const [waiting] = run('SELECT total(chars) AS chars, max(seq) AS seq FROM relay');
      const [last] = run('SELECT seq FROM relay_last');
      let chars = Number(waiting?.['chars']);
      // A shard that was emptied and comes again goes on behind what it once handed over: the time is later.
      let seq = Math.max(Number(waiting?.['seq'] ?? 0), Number(last?.['seq'] ?? 0), now() * SEQS_A_MS);
      for (const text of texts) {
        chars += text.length;
        if (chars > MAX_RELAY_CHARS) {
          log({ event: 'relay_full', chars });
          break;
        }
        run('INSERT INTO relay VALUES (?, ?, ?)', (seq += 1), text, text.length);
      }
      run('INSERT OR REPLACE INTO relay_last VALUES (1, ?)', seq);
    },
    hasAny: () => mayHave && first() !== undefined,
    handOver(send) {
      handing ??= handAll(send).finally(() => {
        handing = undefined;
      });
      return handing;
    },
    nextMs: () => (mayHave && first() !== undefined ? sending.delay(now()) : undefined),
    reset: () => void run('DELETE FROM relay'),
  };
}

/** As JSON, in texts of a size that one message carries. */
export function splitIntoTexts(placed: readonly PlacedEntry[]): readonly string[] {
  const texts: string[] = [];
  let [some, chars]: [string[], number] = [[], 0];
  for (const each of placed) {
    const text = JSON.stringify(each);
    some.push(text);
    chars += text.length;
    if (chars < CHUNK_CHARS) continue;
    texts.push(`[${some.join(',')}]`);
    [some, chars] = [[], 0];
  }
  if (some.length > 0) texts.push(`[${some.join(',')}]`);
  return texts;
}

/** What of it the tenant's own object has taken: a text that comes twice is taken once. */
export type RelayInbox = {
  take: (name: ShardName, relayed: RelayedText) => readonly PlacedEntry[];
  /** A sink is gone: what was written for it before, and comes yet, is not taken. */
  dropSink: (sink: string) => void;
};

/** Shards that have handed nothing over for so long are forgotten, and sinks that are gone for so long. */
const FORGOTTEN_MS = 30 * DAY_MS;
const INBOX_SCHEMA = [
  'CREATE TABLE IF NOT EXISTS relayed (name TEXT PRIMARY KEY, seq INTEGER NOT NULL, at_ms INTEGER NOT NULL) WITHOUT ROWID',
  'CREATE TABLE IF NOT EXISTS relay_gone (sink TEXT PRIMARY KEY, at_ms INTEGER NOT NULL) WITHOUT ROWID',
];

export function createRelayInbox({ sql, now }: Pick<Tools, 'sql' | 'now'>): RelayInbox {
  const run = createTables(sql, INBOX_SCHEMA);
  const forget = (): void => {
    run('DELETE FROM relayed WHERE at_ms < ?', now() - FORGOTTEN_MS);
    run('DELETE FROM relay_gone WHERE at_ms < ?', now() - FORGOTTEN_MS);
  };
  return {
    take(name, { seq, text }) {
      const [known] = run('SELECT seq FROM relayed WHERE name = ?', name);
      if (known !== undefined && Number(known['seq']) >= seq) return [];
      run('INSERT OR REPLACE INTO relayed VALUES (?, ?, ?)', name, seq, now());
      forget();
      const placed = JSON.parse(text) as PlacedEntry[]; // Written above, by a shard of the tenant.
      const gone = run('SELECT sink FROM relay_gone WHERE at_ms >= ?', Math.floor(seq / SEQS_A_MS));
      const sinks = new Set(gone.map(({ sink }) => String(sink)));
      return sinks.size === 0 ? placed : placed.filter(({ sink }) => !sinks.has(sink));
    },
    dropSink: (sink) => void run('INSERT OR REPLACE INTO relay_gone VALUES (?, ?)', sink, now()),
  };
}
