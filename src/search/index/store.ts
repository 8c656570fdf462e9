import type { SearchQuery } from '../order.ts';
import type { JsonObject } from '../../lib/json.ts';
import type { FoundChunk } from '../search-object.ts';
import type {
  EmbeddedChunk,
  IndexStats,
  ItemPage,
  ItemQuery,
  LogLine,
  NewChunk,
  NewItem,
  NewLogLine,
  PutOutcome,
  StoredChunk,
  StoredItem,
  StoredJob,
  UnembeddedChunk,
} from './item.ts';
import { addJob, changeJob, type JobChange, jobById, listJobs, openJobs } from './job-rows.ts';
import { chunksOf, itemById, listItems, rawOf, statsOf } from './list.ts';
import { addLine, linePage, linesOf } from './logs.ts';
import { type ItemMark, markItem, outdateItems, unseenItems, waitingItems } from './item-status.ts';
import { putItem, rowOf } from './put.ts';
import { type IndexTools, removeItem, removeSource } from './remove.ts';
import { itemIn } from './rows.ts';
import { search } from './search.ts';
import { emptyTables, makeTables, type Tokenizer } from './tables.ts';
import { chunksWithoutVectors, dropVectors, setVectors } from './vectors.ts';
import { reindexStep } from './word-index.ts';

/** Items, chunks, vectors, jobs and logs of one instance, in SQLite. Each call that writes does it all or not at all. */
export type SearchStore = {
  /** @param vectors one for each chunk; without them they come later */
  putItem: (item: NewItem, chunks: readonly NewChunk[], vectors?: readonly Float32Array[]) => PutOutcome;
  item: (id: string) => StoredItem | undefined;
  itemByKey: (source: string, key: string) => StoredItem | undefined;
  listItems: (query: ItemQuery) => ItemPage;
  /** @returns whether there was one */
  removeItem: (id: string) => boolean;
  /** Deletes all items of a source, in few statements. */
  removeSource: (source: string) => void;
  /** Says something of an item without its content. @returns undefined where there is none */
  markItem: (id: string, mark: ItemMark) => StoredItem | undefined;
  /** All that are completed are to be indexed anew. */
  outdateItems: () => void;
  /** Items with a `nextAction`, the oldest first. @param which `kept`: without those that their site is asked for */
  waitingItems: (limit: number, which?: 'all' | 'kept') => readonly StoredItem[];
  /** Items of a source that were not seen since a time: it has them no more. */
  unseenItems: (source: string, sinceMs: number, limit: number) => readonly StoredItem[];
  chunksOf: (id: string, limit: number, offset: number) => readonly StoredChunk[];
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
  logOf: (owner: string, limit: number, before?: number) => readonly LogLine[];
  /** The same by pages, counted from 1. */
  logPage: (owner: string, page: number, perPage: number) => { lines: readonly LogLine[]; total: number };
  addJob: (job: { source: StoredJob['source']; description?: string; state?: JsonObject }) => StoredJob;
  changeJob: (id: string, change: JobChange) => StoredJob | undefined;
  job: (id: string) => StoredJob | undefined;
  listJobs: (page: number, perPage: number) => { jobs: readonly StoredJob[]; total: number };
  /** Those that have not ended, the oldest first. */
  openJobs: () => readonly StoredJob[];
  /** Deletes everything. */
  reset: () => void;
  /** One step to another tokenizer; searches go by the former one until it is done, or for good where there is no room.
   * @returns whether there is nothing more to do */
  reindex: (tokenizer: Tokenizer) => boolean;
};

const JOB_ID_BYTES = 16;

/** Makes the tables where they are missing, and what works on them. */
export function searchStore(tools: IndexTools): SearchStore {
  const { sql, transaction, now, random } = tools;
  transaction(() => makeTables(sql));
  return {
    putItem: (item, chunks, vectors) => putItem(tools, item, chunks, vectors),
    item: (id) => itemById(sql, id),
    itemByKey(source, key) {
      const row = rowOf(sql, source, key);
      return row && itemIn(row);
    },
    listItems: (query) => listItems(sql, query),
    removeItem: (id) => removeItem(tools, id),
    removeSource: (source) => removeSource(tools, source),
    markItem: (id, mark) => markItem(sql, id, mark),
    outdateItems: () => outdateItems(sql),
    waitingItems: (limit, which) => waitingItems(sql, limit, which),
    unseenItems: (source, sinceMs, limit) => unseenItems(sql, source, sinceMs, limit),
    chunksOf: (id, limit, offset) => chunksOf(sql, id, limit, offset),
    raw: (id) => rawOf(sql, id),
    search: (query, queryVector) => search(sql, query, queryVector),
    chunksWithoutVectors: (limit, itemId) => chunksWithoutVectors(tools, limit, itemId),
    setVectors: (chunks) => transaction(() => setVectors(tools, chunks)),
    dropVectors: () => transaction(() => dropVectors(sql)),
    stats: () => statsOf(tools),
    logItem: (id, line) => transaction(() => addLine(sql, 'item', id, line, now())),
    logJob: (id, line) => transaction(() => addLine(sql, 'job', id, line, now())),
    logOf: (owner, limit, before) => linesOf(sql, owner, limit, before),
    logPage: (owner, page, perPage) => linePage(sql, owner, page, perPage),
    addJob: (job) => transaction(() => addJob(sql, { ...job, id: random(JOB_ID_BYTES) }, now())),
    changeJob: (id, change) => changeJob(sql, id, change),
    job: (id) => jobById(sql, id),
    listJobs: (page, perPage) => listJobs(sql, page, perPage),
    openJobs: () => openJobs(sql),
    reset: () => transaction(() => emptyTables(sql)),
    reindex: (tokenizer) => transaction(() => reindexStep(tools, tokenizer)),
  };
}
