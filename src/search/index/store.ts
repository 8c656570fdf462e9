import type { JsonObject } from '../../lib/json.ts';
import type { Sql, SqlRow } from '../../lib/sqlite.ts';
import type { SearchQuery } from '../order.ts';
import type { FoundChunk } from '../search-object.ts';
import { type ItemMark, markItem, markItemsOutdated, listUnseenItems, listWaitingItems } from './item-status.ts';
import type {
  EmbeddedChunk,
  IndexStats,
  ItemPage,
  ItemQuery,
  IndexLogLine,
  NewChunk,
  NewItem,
  NewLogLine,
  PutOutcome,
  ChunkRecord,
  ItemRecord,
  JobRecord,
  UnembeddedChunk,
} from './item.ts';
import { listItemChunks, findItemById, listItems, findRawContent, computeIndexStats } from './list.ts';
import { putItem, findItemRow } from './put.ts';
import { type IndexTools, removeItem, removeSource } from './remove.ts';
import { findFormerTable, reindexStep } from './reindex.ts';
import { readItemRow, clearTables, makeTables } from './tables.ts';
import { search } from './search.ts';
import { listUnembeddedChunks, dropVectors, setVectors } from './vectors.ts';
import { clearWordTables, findGrowingTable, openWordTables } from './word-tables.ts';
import type { Tokenizer } from './words.ts';

/** Of an instance: the oldest goes, with its lines of the log, once it has ended. */
const MAX_JOBS = 100;
const MAX_PAGE = 100;

/** What changes of a job. Undefined: as it was. Times are Unix milliseconds. */
type JobChange = Partial<Pick<JobRecord, 'state'>> & {
  startedMs?: number;
  seenMs?: number;
  endedMs?: number;
  endReason?: string;
};

function addJob(
  sql: Sql,
  job: { id: string; source: JobRecord['source']; description?: string; state?: JsonObject },
  nowMs: number,
): JobRecord {
  const { id, source, description = null, state = {} } = job;
  const insert = 'INSERT INTO job (id, source, description, created_ms, state) VALUES (?, ?, ?, ?, ?) RETURNING *';
  const [row = {}] = sql.exec(insert, id, source, description, nowMs, JSON.stringify(state)).toArray();
  const old = 'SELECT id FROM job WHERE ended_ms IS NOT NULL ORDER BY n LIMIT max(0, (SELECT count(*) FROM job) - ?)';
  for (const { id: gone } of sql.exec(old, MAX_JOBS).toArray()) {
    sql.exec('DELETE FROM log WHERE owner = ?', String(gone));
    sql.exec('DELETE FROM job WHERE id = ?', String(gone));
  }
  return readJobRow(row);
}

/** @returns the job as it is then; undefined where there is none */
function changeJob(sql: Sql, id: string, change: JobChange): JobRecord | undefined {
  const { startedMs = null, seenMs = null, endedMs = null, endReason = null, state } = change;
  const [row] = sql
    .exec(
      `UPDATE job SET started_ms = coalesce(?, started_ms), seen_ms = coalesce(?, seen_ms),
         ended_ms = coalesce(?, ended_ms), end_reason = coalesce(?, end_reason), state = coalesce(?, state)
       WHERE id = ? RETURNING *`,
      startedMs,
      seenMs,
      endedMs,
      endReason,
      state === undefined ? null : JSON.stringify(state),
      id,
    )
    .toArray();
  return row && readJobRow(row);
}

function findJobById(sql: Sql, id: string): JobRecord | undefined {
  const [row] = sql.exec('SELECT * FROM job WHERE id = ?', id).toArray();
  return row && readJobRow(row);
}

/** The newest first; pages are counted from 1. */
function listJobs(sql: Sql, page: number, perPage: number): { jobs: readonly JobRecord[]; total: number } {
  const size = Math.min(perPage, MAX_PAGE);
  const rows = sql.exec('SELECT * FROM job ORDER BY n DESC LIMIT ? OFFSET ?', size, (page - 1) * size).toArray();
  const [counted = {}] = sql.exec('SELECT count(*) AS total FROM job').toArray();
  return { jobs: rows.map(readJobRow), total: Number(counted['total']) };
}

/** Jobs that have not ended, the oldest first. */
const openJobs = (sql: Sql): readonly JobRecord[] =>
  sql.exec('SELECT * FROM job WHERE ended_ms IS NULL ORDER BY n LIMIT ?', MAX_JOBS).toArray().map(readJobRow);

const readJobRow = (row: SqlRow): JobRecord => ({
  id: String(row['id']),
  source: row['source'] as JobRecord['source'], // As `addJob` wrote it; so is `state`.
  description: getTextOrNull(row['description']),
  createdMs: Number(row['created_ms']),
  startedMs: getNumberOrNull(row['started_ms']),
  endedMs: getNumberOrNull(row['ended_ms']),
  endReason: getTextOrNull(row['end_reason']),
  seenMs: getNumberOrNull(row['seen_ms']),
  state: JSON.parse(String(row['state'])) as JsonObject,
});

const getTextOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);
const getNumberOrNull = (value: unknown): number | null => (value === null ? null : Number(value));

/** Lines that are kept of one item or job: the newest. */
const MAX_LINES = { item: 100, job: 1_000 } as const;
const MAX_MESSAGE_CHARS = 1_000;
const OLD = `DELETE FROM log WHERE owner = ? AND id <=
  (SELECT id FROM log WHERE owner = ? ORDER BY id DESC LIMIT 1 OFFSET ?)`;

/** @param owner id of an item or a job */
function addLine(sql: Sql, kind: keyof typeof MAX_LINES, owner: string, line: NewLogLine, nowMs: number): void {
  const { level, action, message, chunks = null, tookMs = null } = line;
  const text = message.slice(0, MAX_MESSAGE_CHARS);
  sql.exec(
    'INSERT INTO log (owner, at_ms, level, action, message, chunks, took_ms) VALUES (?, ?, ?, ?, ?, ?, ?)',
    owner,
    nowMs,
    level,
    action,
    text,
    chunks,
    tookMs,
  );
  sql.exec(OLD, owner, owner, MAX_LINES[kind]);
}

/** Lines of an item or job, the newest first. @param before only those with a lower id */
function listLogLines(
  sql: Sql,
  owner: string,
  limit: number,
  before = Number.MAX_SAFE_INTEGER,
): readonly IndexLogLine[] {
  const query = 'SELECT * FROM log WHERE owner = ? AND id < ? ORDER BY id DESC LIMIT ?';
  return sql.exec(query, owner, before, Math.min(limit, MAX_LINES.job)).toArray().map(readLogLine);
}

/** A page of them, counted from 1, and how many there are. */
function listLogPage(
  sql: Sql,
  owner: string,
  page: number,
  perPage: number,
): { lines: readonly IndexLogLine[]; total: number } {
  const size = Math.min(perPage, MAX_LINES.job);
  const query = 'SELECT * FROM log WHERE owner = ? ORDER BY id DESC LIMIT ? OFFSET ?';
  const lines = sql
    .exec(query, owner, size, (page - 1) * size)
    .toArray()
    .map(readLogLine);
  const [row = {}] = sql.exec('SELECT count(*) AS total FROM log WHERE owner = ?', owner).toArray();
  return { lines, total: Number(row['total']) };
}

const readLogLine = (row: SqlRow): IndexLogLine => ({
  id: Number(row['id']),
  atMs: Number(row['at_ms']),
  level: row['level'] as IndexLogLine['level'], // As `addLine` wrote it.
  action: String(row['action']),
  message: String(row['message']),
  chunks: row['chunks'] === null ? null : Number(row['chunks']),
  tookMs: row['took_ms'] === null ? null : Number(row['took_ms']),
});

/** Items, chunks, vectors, jobs and logs of one instance, in SQLite. Each call that writes does it all or not at all. */
export type SearchStore = {
  /** @param vectors one for each chunk; without them they come later */
  putItem: (item: NewItem, chunks: readonly NewChunk[], vectors?: readonly Float32Array[]) => PutOutcome;
  item: (id: string) => ItemRecord | undefined;
  itemByKey: (source: string, key: string) => ItemRecord | undefined;
  listItems: (query: ItemQuery) => ItemPage;
  /** @returns whether there was one */
  removeItem: (id: string) => boolean;
  /** Deletes all items of a source, in few statements. */
  removeSource: (source: string) => void;
  /** Says something of an item without its content. @returns undefined where there is none */
  markItem: (id: string, mark: ItemMark) => ItemRecord | undefined;
  /** All that are completed are to be indexed anew. */
  outdateItems: () => void;
  /** Items with a `nextAction`, the oldest first. @param which `kept`: without those that their site is asked for */
  waitingItems: (limit: number, which?: 'all' | 'kept') => readonly ItemRecord[];
  /** Items of a source that were not seen since a time: it has them no more. */
  unseenItems: (source: string, sinceMs: number, limit: number) => readonly ItemRecord[];
  chunksOf: (id: string, limit: number, offset: number) => readonly ChunkRecord[];
  /** The content as it came; undefined where none is kept. */
  raw: (id: string) => Uint8Array | undefined;
  /** @throws Error for a search by vector without one of the query */
  search: (query: SearchQuery, queryVector?: Float32Array) => FoundChunk[];
  /** None where there is no room for more vectors. @param itemId only those of this item */
  chunksWithoutVectors: (limit: number, itemId?: string) => readonly UnembeddedChunk[];
  /** At most a thousand. Chunks that are gone meanwhile get none. @returns false: there is no room, and none was set */
  setVectors: (chunks: readonly EmbeddedChunk[]) => boolean;
  /** For another model. */
  dropVectors: () => void;
  stats: () => IndexStats;
  logItem: (id: string, line: NewLogLine) => void;
  logJob: (id: string, line: NewLogLine) => void;
  /** Lines of an item or job, the newest first. @param before only those with a lower id */
  logOf: (owner: string, limit: number, before?: number) => readonly IndexLogLine[];
  /** The same by pages, counted from 1. */
  logPage: (owner: string, page: number, perPage: number) => { lines: readonly IndexLogLine[]; total: number };
  addJob: (job: { source: JobRecord['source']; description?: string; state?: JsonObject }) => JobRecord;
  changeJob: (id: string, change: JobChange) => JobRecord | undefined;
  job: (id: string) => JobRecord | undefined;
  listJobs: (page: number, perPage: number) => { jobs: readonly JobRecord[]; total: number };
  /** Those that have not ended, the oldest first. */
  openJobs: () => readonly JobRecord[];
  /** Deletes everything. */
  reset: () => void;
  /** One step to another tokenizer; searches go by the former one until it is done, or for good where there is no room.
   * @param tokenizer undefined where only words of an earlier version are to be written anew
   * @returns whether there is nothing more to do */
  reindex: (tokenizer?: Tokenizer) => boolean;
  /** The tokenizer whose words an earlier version wrote: they are to be written anew; undefined for none. */
  formerTokenizer: () => Tokenizer | undefined;
};

const JOB_ID_BYTES = 16;

/** Makes the tables where they are missing. Of words that an earlier version wrote, the first step to new ones is taken. */
function openTables(tools: IndexTools): void {
  makeTables(tools.sql);
  openWordTables(tools.sql);
  if (findFormerTable(tools.sql) !== undefined && findGrowingTable(tools.sql) === undefined) reindexStep(tools);
}

/** Makes the tables where they are missing, and what works on them. */
export function searchStore(tools: IndexTools): SearchStore {
  const { sql, transaction, now, random } = tools;
  transaction(() => openTables(tools));
  return {
    putItem: (item, chunks, vectors) => putItem(tools, item, chunks, vectors),
    item: (id) => findItemById(sql, id),
    itemByKey(source, key) {
      const row = findItemRow(sql, source, key);
      return row && readItemRow(row);
    },
    listItems: (query) => listItems(sql, query),
    removeItem: (id) => removeItem(tools, id),
    removeSource: (source) => removeSource(tools, source),
    markItem: (id, mark) => markItem(sql, id, mark),
    outdateItems: () => markItemsOutdated(sql),
    waitingItems: (limit, which) => listWaitingItems(sql, limit, which),
    unseenItems: (source, sinceMs, limit) => listUnseenItems(sql, source, sinceMs, limit),
    chunksOf: (id, limit, offset) => listItemChunks(sql, id, limit, offset),
    raw: (id) => findRawContent(sql, id),
    search: (query, queryVector) => search(tools, query, queryVector),
    chunksWithoutVectors: (limit, itemId) => listUnembeddedChunks(tools, limit, itemId),
    setVectors: (chunks) => transaction(() => setVectors(tools, chunks)),
    dropVectors: () => transaction(() => dropVectors(sql)),
    stats: () => computeIndexStats(tools),
    logItem: (id, line) => transaction(() => addLine(sql, 'item', id, line, now())),
    logJob: (id, line) => transaction(() => addLine(sql, 'job', id, line, now())),
    logOf: (owner, limit, before) => listLogLines(sql, owner, limit, before),
    logPage: (owner, page, perPage) => listLogPage(sql, owner, page, perPage),
    addJob: (job) => transaction(() => addJob(sql, { ...job, id: random(JOB_ID_BYTES) }, now())),
    changeJob: (id, change) => changeJob(sql, id, change),
    job: (id) => findJobById(sql, id),
    listJobs: (page, perPage) => listJobs(sql, page, perPage),
    openJobs: () => openJobs(sql),
    reset: () =>
      transaction(() => {
        clearTables(sql);
        clearWordTables(sql);
      }),
    reindex: (tokenizer) => transaction(() => reindexStep(tools, tokenizer)),
    formerTokenizer: () => findFormerTable(sql),
  };
}
