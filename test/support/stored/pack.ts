import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';

// One file: a line of JSON that names paths and sizes, then the bytes of all of them; compressed as a whole.

type Entry = readonly [path: string, bytes: number];

/** Every file of a folder as one. SQLite's journals are written into their databases first. */
export function pack(folder: string): Buffer {
  settle(folder);
  const files = filesIn(folder).map((path) => [relative(folder, path), readFileSync(path)] as const);
  const entries: Entry[] = files.map(([path, bytes]) => [path, bytes.length]);
  const whole = Buffer.concat([Buffer.from(`${JSON.stringify(entries)}\n`), ...files.map(([, bytes]) => bytes)]);
  return brotliCompressSync(whole, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
      [constants.BROTLI_PARAM_SIZE_HINT]: whole.length,
    },
  });
}

/** The opposite; only their owner may read the files. */
export function unpack(packed: Uint8Array, folder: string): void {
  const whole = brotliDecompressSync(packed);
  const end = whole.indexOf('\n');
  let at = end + 1;
  for (const [path, bytes] of JSON.parse(whole.toString('utf8', 0, end)) as Entry[]) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(file, whole.subarray(at, at + bytes), { mode: 0o600 });
    at += bytes;
  }
}

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();

const databasesIn = (folder: string): string[] => filesIn(folder).filter((path) => path.endsWith('.sqlite'));

/** Alarms were set by the clock of the recording, and ring by today's: they come as much later as the clock is set back. */
export function shiftAlarms(folder: string, setBackMs: number): void {
  const byNs = BigInt(setBackMs) * 1_000_000n;
  for (const path of databasesIn(folder)) {
    const database = new DatabaseSync(path);
    for (const [table, column, rows] of ALARMS) {
      const found = database.prepare('SELECT 1 FROM sqlite_master WHERE name = ?').get(table);
      if (found) database.prepare(`UPDATE ${table} SET ${column} = ${column} + ? WHERE ${rows}`).run(byNs);
    }
    database.close();
  }
}

/** Where workerd keeps them, in nanoseconds: in a list of all objects of a class, and with each object. */
const ALARMS = [
  ['_cf_ALARM', 'scheduled_time', 'TRUE'],
  ['_cf_METADATA', 'value', 'key = 1 AND value IS NOT NULL'],
] as const;

function settle(folder: string): void {
  for (const path of databasesIn(folder)) {
    const database = new DatabaseSync(path);
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    database.close();
    for (const end of ['-wal', '-shm']) rmSync(`${path}${end}`, { force: true });
  }
}
