import type { SearchQuery } from '../../src/search/order.ts';
import type { NewChunk, NewItem } from '../../src/search/index/item.ts';

/** A page with its Markdown, as it is handed to both sides. */
export type Document = { page: string; title: string; text: string };
/** `score`: of ours alone. */
export type Found = { page: string; text: string; score?: number };

/**
 * `plain`: minisearch's defaults over titles and texts; any word, no prefixes, nothing fuzzy. `wide`: as its README shows
 * it, with prefixes, words that are a fifth off, and titles that count double.
 */
export type Side = 'ours' | 'plain' | 'wide';

/** Chunks of an instance with its defaults. */
export const CHUNKS = { chunkTokens: 256, overlapTokens: 25 } as const;
/** Chunks that a question may get. */
export const RESULTS = 5;

/** A question as a caller asks it who sets nothing but the number of results. */
export const queryOf = (text: string): SearchQuery => ({
  text,
  type: 'keyword',
  fusion: 'rrf',
  keywordMode: 'auto',
  threshold: 0,
  maxResults: RESULTS,
  expansion: 0,
  showsText: true,
  boosts: [],
  returnsOnFailure: true,
});

export type Chunked = Document & { key: string; chunks: readonly NewChunk[] };

/** A page as an item that is completed. Its raw content is not kept. */
export const itemOf = ({ key, title, text }: { key: string; title: string; text: string }): NewItem => ({
  source: 'builtin',
  key,
  status: 'completed',
  type: 'text/markdown',
  title,
  metadata: {},
  checksum: key,
  size: text.length,
});
