import type { InstanceFacts, InstanceOrder, SearchQuery } from './order.ts';
import type { Json, JsonObject } from '../lib/json.ts';
import type { RefusalData } from '../lib/refusal.ts';

/** What an object refuses: data, never thrown across RPC. */
export type SearchRefusal = { ok: false; refusal: RefusalData };

/** `result` of the vendor's envelope, with `result_info` of lists. */
export type InstanceAnswer =
  | {
      ok: true;
      result: Json;
      info?: JsonObject;
    }
  | SearchRefusal;

/** The raw content of an item. */
export type Download = { ok: true; type: string; key: string; bytes: Uint8Array } | SearchRefusal;

/** A file that is uploaded, with the text that was read of it: Markdown, whose headings name its parts. */
export type UploadedFile = {
  key: string;
  /** Media type: `text/markdown`. */
  type: string;
  bytes: Uint8Array;
  text: string;
  /** What it calls itself; '' for nothing. */
  title: string;
  metadata: Readonly<Record<string, string | number | boolean>>;
  waits: boolean;
};

/** A chunk that was found. Text and title are those of the indexed site: hostile. */
export type FoundChunk = {
  id: string;
  type: 'text';
  /** 0 to 1; the best first. */
  score: number;
  text: string;
  item: { key: string; timestamp: number; metadata: Readonly<Record<string, string | number | boolean>> };
  scoring: {
    keyword_score?: number;
    keyword_rank?: number;
    vector_score?: number;
    vector_rank?: number;
    fusion_method?: 'rrf' | 'max';
  };
};

export type SearchResult = { ok: true; chunks: readonly FoundChunk[] } | SearchRefusal;

/** What the Worker asks the object of an instance, by RPC. The object keeps the facts that it first hears of, and their changes. */
export type SearchCalls = {
  /** @param clockMs now, by the clock of a sandbox */
  configure: (instance: InstanceFacts, clockMs?: number) => Promise<void>;
  /** Deletes all that the object has. */
  drop: () => Promise<void>;
  search: (instance: InstanceFacts, query: SearchQuery) => Promise<SearchResult>;
  /** The item as it is then: indexed where `waits`, with its vectors if they can be had, else queued. */
  upload: (instance: InstanceFacts, file: UploadedFile) => Promise<InstanceAnswer>;
  ask: (order: InstanceOrder) => Promise<InstanceAnswer>;
  download: (instance: InstanceFacts, itemId: string) => Promise<Download>;
};
