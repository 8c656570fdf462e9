import { createTables, type RunStatement, type Sql, type SqlRow } from '../../../lib/sqlite.ts';
import type { JsonObject } from '../../../lib/json.ts';
import { parseLogName } from '../log-name.ts';
import type { PlacedEntry } from '../routing.ts';

/**
 * Files of JSON lines in the storage buckets that sinks and copies name. A file is one of a `series`, which is a log and
 * an hour; a full one is followed by the next number. `stored_total` counts bytes, and lines that found no room.
 */
const SCHEMA = [
  `CREATE TABLE IF NOT EXISTS stored_file (id INTEGER PRIMARY KEY, bucket TEXT NOT NULL, name TEXT NOT NULL,
     series TEXT NOT NULL, number INTEGER NOT NULL, bytes INTEGER NOT NULL, lines INTEGER NOT NULL,
     parts INTEGER NOT NULL, created_ms INTEGER NOT NULL, updated_ms INTEGER NOT NULL, UNIQUE (bucket, name))`,
  'CREATE INDEX IF NOT EXISTS stored_series ON stored_file (bucket, series, number)',
  `CREATE TABLE IF NOT EXISTS stored_part (file INTEGER NOT NULL, part INTEGER NOT NULL, text TEXT NOT NULL,
     PRIMARY KEY (file, part)) WITHOUT ROWID`,
  'CREATE TABLE IF NOT EXISTS stored_total (id INTEGER PRIMARY KEY CHECK (id = 1), bytes INTEGER NOT NULL, lost INTEGER NOT NULL)',
  'INSERT OR IGNORE INTO stored_total VALUES (1, 0, 0)',
];

/** Bytes of all files of a tenant; what comes beyond is not kept, and counted. */
export const MAX_STORED_BYTES = 64 * 1024 * 1024;
/** A file ends with the line that passes so many bytes. */
const FILE_BYTES = 4 * 1024 * 1024;
/** One statement writes so many characters, more or less. */
const PART_CHARS = 512 * 1024;
/** Files of one page. */
export const MAX_FILES_LISTED = 1_000;

/** `revision` grows with whatever is appended. */
export type LogFile = {
  name: string;
  bytes: number;
  lines: number;
  revision: number;
  createdMs: number;
  updatedMs: number;
};

/** Which files of a bucket: names that begin so, not before `from`, before `until`, after one; so many. */
export type FilesWanted = { prefix: string; from?: string; until?: string; after: string; limit: number };

/** What goes into files: an entry's log, time and JSON. */
export type LogFileLine = Pick<PlacedEntry, 'logName' | 'ts'> & { entry: JsonObject };

export type Files = {
  /** Keeps the entries that go to storage; inside the transaction that writes them. */
  keep: (placed: readonly PlacedEntry[]) => void;
  /** Appends entries to the files of a bucket. @returns how many found room */
  append: (bucket: string, lines: readonly LogFileLine[]) => number;
  /** Files of a bucket in the order of their names. */
  list: (bucket: string, wanted: FilesWanted) => readonly LogFile[];
  /** Undefined where there is none. */
  find: (bucket: string, name: string) => LogFile | undefined;
  /** The lines of a file. Undefined where there is none. */
  read: (bucket: string, name: string) => string | undefined;
  reset: () => void;
};

type FilesContext = { run: RunStatement; now: () => number };
/** Behind every name that begins like another. */
export const LAST = '\u{10FFFF}';
const LISTED = `SELECT * FROM stored_file
  WHERE bucket = ? AND name >= ? AND name < ? AND name >= ? AND name < ? AND name > ? ORDER BY name LIMIT ?`;
const encoder = new TextEncoder();

/** @param now real time, Unix milliseconds */
export function createLogFiles({ sql, now }: { sql: Sql; now: () => number }): Files {
  const run = createTables(sql, SCHEMA);
  const context: FilesContext = { run, now };
  return {
    keep(placed) {
      const byBucket = new Map<string, PlacedEntry[]>();
      for (const each of placed) {
        if (each.target.kind !== 'storage') continue;
        const { bucket } = each.target;
        byBucket.set(bucket, [...(byBucket.get(bucket) ?? []), each]);
      }
      for (const [bucket, lines] of byBucket) append(bucket, lines, context);
    },
    append: (bucket, lines) => append(bucket, lines, context),
    list: (bucket, { prefix, from = '', until = LAST, after, limit }) =>
      run(LISTED, bucket, prefix, `${prefix}${LAST}`, from, until, after, Math.min(limit, MAX_FILES_LISTED)).map(
        readLogFile,
      ),
    find(bucket, name) {
      const [file] = run('SELECT * FROM stored_file WHERE bucket = ? AND name = ?', bucket, name);
      return file && readLogFile(file);
    },
    read(bucket, name) {
      const [file] = run('SELECT id FROM stored_file WHERE bucket = ? AND name = ?', bucket, name);
      if (file === undefined) return undefined;
      const parts = run('SELECT text FROM stored_part WHERE file = ? ORDER BY part', Number(file['id']));
      return parts.map(({ text }) => String(text)).join('');
    },
    reset() {
      for (const query of ['DELETE FROM stored_part', 'DELETE FROM stored_file']) run(query);
      run('UPDATE stored_total SET bytes = 0, lost = 0');
    },
  };
}

/** `<log id>/<yyyy>/<mm>/<dd>/<hh>:00:00_<hh>:59:59`: the vendor's, by the time of the entry in UTC. */
export function computeFileSeries(logName: string, ts: string): string {
  const hour = ts.slice(11, 13);
  const day = ts.slice(0, 10).replaceAll('-', '/');
  return `${parseLogName(logName)?.id ?? logName}/${day}/${hour}:00:00_${hour}:59:59`;
}

function append(bucket: string, lines: readonly LogFileLine[], context: FilesContext): number {
  const [total] = context.run('SELECT bytes FROM stored_total');
  const before = Number(total?.['bytes']);
  let bytes = before;
  const bySeries = new Map<string, { text: string; bytes: number }[]>();
  let kept = 0;
  for (const { logName, ts, entry } of lines) {
    const text = `${JSON.stringify(entry)}\n`;
    const size = encoder.encode(text).length;
    if (bytes + size > MAX_STORED_BYTES) continue;
    bytes += size;
    kept += 1;
    const series = computeFileSeries(logName, ts);
    const own = bySeries.get(series) ?? [];
    own.push({ text, bytes: size });
    bySeries.set(series, own);
  }
  for (const [series, texts] of bySeries) appendTo(bucket, series, texts, context);
  context.run('UPDATE stored_total SET bytes = ?, lost = lost + ?', bytes, lines.length - kept);
  return kept;
}

/** Writes lines part by part, each into the last file of the series, or the one after it where that is full. */
function appendTo(
  bucket: string,
  series: string,
  lines: readonly { text: string; bytes: number }[],
  context: FilesContext,
): void {
  let [text, bytes, count] = ['', 0, 0];
  for (const line of lines) {
    text += line.text;
    bytes += line.bytes;
    count += 1;
    if (text.length < PART_CHARS) continue;
    writePart(bucket, series, { text, bytes, count }, context);
    [text, bytes, count] = ['', 0, 0];
  }
  if (count > 0) writePart(bucket, series, { text, bytes, count }, context);
}

function writePart(
  bucket: string,
  series: string,
  { text, bytes, count }: { text: string; bytes: number; count: number },
  { run, now }: FilesContext,
): void {
  const nowMs = now();
  const last =
    'SELECT id, number, bytes, parts FROM stored_file WHERE bucket = ? AND series = ? ORDER BY number DESC LIMIT 1';
  const [file] = run(last, bucket, series);
  if (file !== undefined && Number(file['bytes']) < FILE_BYTES) {
    const id = Number(file['id']);
    run('INSERT INTO stored_part VALUES (?, ?, ?)', id, Number(file['parts']), text);
    run(
      'UPDATE stored_file SET bytes = bytes + ?, lines = lines + ?, parts = parts + 1, updated_ms = ? WHERE id = ?',
      bytes,
      count,
      nowMs,
      id,
    );
    return;
  }
  const number = file === undefined ? 0 : Number(file['number']) + 1;
  const [made] = run(
    `INSERT INTO stored_file (bucket, name, series, number, bytes, lines, parts, created_ms, updated_ms)
     VALUES (?, ?, ?, ?, ?, ?, 1, ?, ?) RETURNING id`,
    bucket,
    `${series}_S${number}.json`,
    series,
    number,
    bytes,
    count,
    nowMs,
    nowMs,
  );
  run('INSERT INTO stored_part VALUES (?, 0, ?)', Number(made?.['id']), text);
}

const readLogFile = (row: SqlRow): LogFile => ({
  name: String(row['name']),
  bytes: Number(row['bytes']),
  lines: Number(row['lines']),
  revision: Number(row['parts']),
  createdMs: Number(row['created_ms']),
  updatedMs: Number(row['updated_ms']),
});
