import type { Filter } from '../order.ts';
import type { JsonObject } from '../../lib/json.ts';

/** What an item's own fields may hold: filters and boosts read them. */
export type Metadata = Readonly<Record<string, string | number | boolean>>;

/** `completed`: it is found. `outdated`: it is found as it was, until it is indexed anew. */
export type ItemStatus = 'queued' | 'running' | 'completed' | 'error' | 'skipped' | 'outdated';

/** Whence an item is: `builtin` for what was uploaded, or `web-crawler:https://example.com`. */
export type ItemSource = string;
export const UPLOADED: ItemSource = 'builtin';

/** An item that is put into the index. It takes the place of the one with its source and key, whose id it keeps. */
export type NewItem = {
  source: ItemSource;
  /** Path of a file, or the URL of a page; unique in its source; at most 1,024 bytes. */
  key: string;
  status: ItemStatus;
  /** Media type: `text/markdown`. */
  type: string;
  /** What it calls itself; '' for nothing. Hostile text. */
  title: string;
  metadata: Metadata;
  /** SHA-256 of the content, in hexadecimal. Where the stored item has the same, with chunks, it is only seen again. */
  checksum: string;
  /** The content as it came; its length is the item's size. Undefined where none is kept: then `size` is taken. */
  bytes?: Uint8Array;
  size?: number;
  /** When the content was last changed, Unix milliseconds; undefined: now. */
  modifiedMs?: number;
  /** Why it has `error` or `skipped`: a text of ours. */
  error?: string;
};

/** A chunk of an item's text. Text and heading are hostile. */
export type NewChunk = {
  /** Exactly the bytes `startByte` to `endByte` of the item's text in UTF-8: neighbours are joined by them. */
  text: string;
  /** The headings above it, outermost first, joined by ` > `; '' for none. */
  heading: string;
  startByte: number;
  /** Exclusive. */
  endByte: number;
};

/** An item as it is stored. Times are Unix milliseconds. */
export type ItemRecord = {
  /** 128 random bits in hexadecimal. */
  id: string;
  source: ItemSource;
  key: string;
  status: ItemStatus;
  checksum: string;
  /** Bytes of its content. */
  size: number;
  type: string;
  title: string;
  metadata: Metadata;
  createdMs: number;
  /** When it was last found at its source. */
  seenMs: number;
  modifiedMs: number;
  chunks: number;
  /** Chunks that have a vector. */
  vectors: number;
  error: string | null;
  nextAction: 'INDEX' | 'DELETE' | null;
};

/** A chunk as it is stored. */
export type ChunkRecord = NewChunk & {
  /** `<id of its item>-<position>` */
  id: string;
  /** From 0. */
  position: number;
};

/** A chunk that waits for its vector. `number` names it to `setVectors`; `text` has title and heading before it. */
export type UnembeddedChunk = { number: number; text: string };
/** One with the vector that was made of its text. */
export type EmbeddedChunk = UnembeddedChunk & { vector: Float32Array };

/** How many items there are of each status, and what they take. */
export type IndexStats = Record<ItemStatus, number> & {
  items: number;
  chunks: number;
  vectors: number;
  /** Of the items' contents. */
  bytes: number;
  /** Of the database with its indexes. */
  databaseBytes: number;
  /** What an instance that is full does without: words by another tokenizer than the former one, and more vectors. */
  noRoom: { words: boolean; vectors: boolean };
};

/** What happened to an item or in a job, in words of ours. The newest come first. */
export type IndexLogLine = {
  /** Counts up. */
  id: number;
  atMs: number;
  level: 'info' | 'warning' | 'error';
  /** A word: `indexed`. */
  action: string;
  message: string;
  /** How many there were, of an item that was indexed. */
  chunks: number | null;
  tookMs: number | null;
};
export type NewLogLine = Pick<IndexLogLine, 'level' | 'action' | 'message'> &
  Partial<Pick<IndexLogLine, 'chunks' | 'tookMs'>>;

/** A job of an instance, mostly a crawl. `state` belongs to its runner. Times are Unix milliseconds. */
export type JobRecord = {
  id: string;
  source: 'user' | 'schedule';
  description: string | null;
  createdMs: number;
  startedMs: number | null;
  endedMs: number | null;
  endReason: string | null;
  seenMs: number | null;
  state: JsonObject;
};

export type ItemPage = { items: readonly ItemRecord[]; total: number };

/** Which items a list shows; all that are given must fit. Pages are counted from 1. */
export type ItemQuery = {
  page: number;
  /** 1 to 100. */
  perPage: number;
  /** `status`: what needs care first, then what was seen last. `modified_at`: the newest first. */
  sortBy: 'status' | 'modified_at';
  itemId?: string;
  key?: string;
  source?: string;
  status?: string;
  /** Part of the key; ASCII letters in either case. */
  search?: string;
  filter?: Filter;
};

/** Why nothing was stored. `full`: the instance has as many items, chunks or bytes as it may. */
export type PutFailure = { ok: false; reason: 'full' | 'too_large'; message: string };
export type PutOutcome =
  | {
      ok: true;
      item: ItemRecord;
      /** `unchanged`: it was seen again, and nothing else. */ effect: 'created' | 'replaced' | 'unchanged';
    }
  | PutFailure;

/** Of one instance (rule K9). */
export const MAX_DATABASE_BYTES = 96 * 1_048_576;
export const MAX_ITEMS = 20_000;
export const MAX_CHUNKS = 100_000;
/** Of one item: its content. */
export const MAX_ITEM_BYTES = 4 * 1_048_576;
/** Of one item: 4 MiB in chunks of 64 tokens, half of which overlap, are fewer. */
export const MAX_ITEM_CHUNKS = 40_000;
