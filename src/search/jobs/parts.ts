import type { InstanceFacts } from '../../management/aisearch/order.ts';
import type { SiteNetwork } from '../crawl/site-fetch.ts';
import { type Frontier, frontierOf } from '../crawl/frontier.ts';
import type { IndexTools } from '../index/put.ts';
import { type SearchStore, searchStore } from '../index/store.ts';
import type { PdfReader } from '../ingest/pdf-reader.ts';
import type { Embedder } from '../search-object.ts';
import { type Attempts, attemptsOf } from './attempts.ts';
import { type Lane, laneOf } from './lane.ts';
import { type OwnState, ownState } from './own-state.ts';

/** What the object of an instance works with: all of the outside comes as an argument. */
export type ObjectTools = IndexTools & {
  network: SiteNetwork;
  sleep: (ms: number) => Promise<void>;
  embedder: () => Embedder | undefined;
  /** Asks for a place in front of a public host (rule F6). @returns undefined when there is one, else seconds to wait */
  enter: (host: string, id: string) => Promise<number | undefined>;
  leave: (host: string, id: string) => Promise<void>;
  /** Whether the tenant still has the instance. */
  isWanted: (facts: InstanceFacts) => Promise<boolean>;
  log: (line: Record<string, unknown>) => void;
  /** Done when all that was written is on disk. */
  sync: () => Promise<void>;
  readPdf: PdfReader;
};

/** The parts of one object, over its database. */
export type Parts = {
  tools: ObjectTools;
  store: SearchStore;
  frontier: Frontier;
  own: OwnState;
  /** Ids of items that are being indexed: nobody else begins with them. */
  indexing: Set<string>;
  /** What is being read of items just now, by their ids: who wants the same waits for it. */
  reading: Map<string, Promise<void>>;
  /** Questions for vectors of chunks: of rounds, and of calls that wait for theirs. */
  embedding: Lane;
  attempts: Attempts;
};

export function partsOf(tools: ObjectTools): Parts {
  const { sql } = tools;
  const [store, frontier, own] = [searchStore(tools), frontierOf(sql), ownState(sql)];
  return {
    tools,
    store,
    frontier,
    own,
    indexing: new Set(),
    reading: new Map(),
    embedding: laneOf(),
    attempts: attemptsOf(tools),
  };
}

/** Names the source of crawled items: `web-crawler:https://example.com`. */
export function sourceId(url: string): string {
  const { origin, pathname, search } = new URL(url);
  return `web-crawler:${origin}${pathname === '/' && search === '' ? '' : pathname + search}`;
}
