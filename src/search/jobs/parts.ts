import type { Sql } from '../../lib/sqlite.ts';
import { HOUR_MS } from '../../lib/time.ts';
import { type Frontier, createFrontier } from '../crawl/frontier.ts';
import type { SiteNetwork } from '../crawl/fetch-page.ts';
import type { IndexTools } from '../index/remove.ts';
import { type SearchStore, searchStore } from '../index/store.ts';
import type { InstanceFacts } from '../order.ts';
import type { PdfReadingService } from '../pdf/reader.ts';
import type { Embedder } from '../../models/port.ts';

/** Requests of one instance to its site, redirects among them. */
const MAX_REQUESTS_PER_HOUR = 2_000;

/** The network of an object, which counts what sites are asked. */
export function createCountedNetwork({ tools, own }: Pick<Parts, 'tools' | 'own'>): SiteNetwork {
  const { network } = tools;
  return {
    ...network,
    fetch: (url, init) => {
      const isNew = tools.now() >= own.time('asked_from') + HOUR_MS;
      if (isNew) own.setTime('asked_from', tools.now());
      own.setWord('asked', String(isNew ? 1 : Number(own.word('asked')) + 1));
      return network.fetch(url, init);
    },
  };
}

/** When a site may be asked again, Unix milliseconds; 0: now. */
export function computeRestMs({ tools, own }: Pick<Parts, 'tools' | 'own'>): number {
  const untilMs = own.time('asked_from') + HOUR_MS;
  return tools.now() < untilMs && Number(own.word('asked')) >= MAX_REQUESTS_PER_HOUR ? untilMs : 0;
}

/** Times that the object of an instance remembers, Unix milliseconds. */
type OwnTime =
  /** When the instance was last changed by order. */
  | 'told'
  /** The next crawl of its own accord. */
  | 'next_sync'
  /** The next look whether the tenant still has the instance. */
  | 'next_census'
  /** Until then `busy_host` belongs to others. */
  | 'host_busy'
  /** No page that someone asks for by its address is read before. */
  | 'page_after'
  /** When the hour began whose requests are `asked`. */
  | 'asked_from'
  /** When the minute began whose `pages` were asked for by their addresses. */
  | 'pages_from'
  /** Until then no vectors are asked for. */
  | 'embed_after'
  /** What the clock of a sandbox said, and when; 0 for a live tenant. */
  | 'clock'
  | 'clock_at';

/** Words that the object of an instance remembers. */
type OwnWord =
  /** Kind and model of what made the vectors, and how many numbers each has. */
  | 'embedder'
  | 'embed_length'
  | 'embed_failures'
  /** Chunks that are still asked for by themselves. */
  | 'embed_alone'
  /** To be changed to. */
  | 'tokenizer'
  | 'busy_host'
  /** Counts. */
  | 'asked'
  | 'pages';

/** What the object of an instance knows beside its index. */
type OwnState = {
  facts: () => InstanceFacts | undefined;
  setFacts: (facts: InstanceFacts) => void;
  /** 0 for a time that is not set. */
  time: (name: OwnTime) => number;
  setTime: (name: OwnTime, ms: number) => void;
  /** A word; '' for none. */
  word: (name: OwnWord) => string;
  setWord: (name: OwnWord, value: string) => void;
};

function createOwnState(sql: Sql): OwnState {
  sql.exec('CREATE TABLE IF NOT EXISTS own (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID');
  const read = (name: string): string => {
    const [row] = sql.exec('SELECT value FROM own WHERE name = ?', name).toArray();
    return typeof row?.['value'] === 'string' ? row['value'] : '';
  };
  const write = (name: string, value: string): void =>
    void sql.exec('INSERT OR REPLACE INTO own VALUES (?, ?)', name, value);
  return {
    facts() {
      const text = read('facts');
      return text === '' ? undefined : (JSON.parse(text) as InstanceFacts); // As `setFacts` wrote it.
    },
    setFacts: (facts) => write('facts', JSON.stringify(facts)),
    time: (name) => Number(read(name)),
    setTime: (name, ms) => write(name, String(ms)),
    word: read,
    setWord: write,
  };
}

/** What takes its turn, one after another. */
type SerialQueue = {
  /** Calls that wait for what they began here. */
  waiting: number;
  /** Does the work once all that came before is done, whatever became of it. */
  turn: <T>(work: () => Promise<T>) => Promise<T>;
};

export function createSerialQueue(): SerialQueue {
  let last: Promise<unknown> = Promise.resolve();
  return {
    waiting: 0,
    turn: async (work) => {
      const done = last.then(work);
      last = done.catch(() => undefined); // Its caller sees the failure.
      return done;
    },
  };
}

/** An input that was being read when the object died so often is not read again of its own accord. */
export const MAX_INPUT_DEATHS = 2;
/** What an item and a job's log say of such an input. */
export const LEFT_OUT = 'left_out: the service stopped twice while reading this. Index the item yourself to try again';
/** Names that are remembered, the newest: each records a death, so an honest instance has none. */
const MAX_NAMES = 1_000;
/** Objects that died together do not read what they were reading at the same moment again: only one of them is at fault. */
const LONGEST_PAUSE_MS = 5_000;
const RANDOM_BYTES = 2;
const RANDOM_END = 256 ** RANDOM_BYTES;

const SCHEMA = `CREATE TABLE IF NOT EXISTS attempt (n INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE,
  attempts INTEGER NOT NULL)`;
const COUNT = `INSERT INTO attempt (name, attempts) VALUES (?, 1)
  ON CONFLICT (name) DO UPDATE SET attempts = attempts + 1`;
const OLD = 'DELETE FROM attempt WHERE n <= (SELECT n FROM attempt ORDER BY n DESC LIMIT 1 OFFSET ?)';

/**
 * Which inputs are being read, and how often that was begun. It is on disk before the reading begins, so that an input
 * which ends the process cannot do so for ever: what is still here after a restart was being read when the process
 * died.
 */
export type InputAttempts = {
  /** How often the object died while it read an input. */
  deaths: (name: string) => number;
  /** Writes an attempt down. It is durable when this is done; at the second attempt there is a pause before it. */
  begin: (name: string) => Promise<void>;
  /** The reading is over, whatever came of it: nothing is held against the input any more. */
  end: (name: string) => void;
  /** Its deaths no longer count. */
  forget: (name: string) => void;
  /** This attempt is over, but the deaths before it still count. */
  leave: (name: string) => void;
  /** Forgets all inputs. */
  clear: () => void;
};

function createInputAttempts({
  sql,
  sync,
  sleep,
  random,
}: Pick<ObjectTools, 'sql' | 'sync' | 'sleep' | 'random'>): InputAttempts {
  sql.exec(SCHEMA);
  const running = new Map<string, number>();
  const change = (name: string, by: number): void => {
    const left = (running.get(name) ?? 0) + by;
    if (left > 0) running.set(name, left);
    else running.delete(name);
  };
  const deaths = (name: string): number => {
    const [row] = sql.exec('SELECT attempts FROM attempt WHERE name = ?', name).toArray();
    return Number(row?.['attempts'] ?? 0) - (running.get(name) ?? 0);
  };
  const forget = (name: string): void => {
    if (running.has(name)) sql.exec('UPDATE attempt SET attempts = ? WHERE name = ?', running.get(name) ?? 0, name);
    else sql.exec('DELETE FROM attempt WHERE name = ?', name);
  };
  return {
    deaths,
    forget,
    async begin(name) {
      if (deaths(name) > 0)
        await sleep(Math.floor((Number(`0x${random(RANDOM_BYTES)}`) / RANDOM_END) * LONGEST_PAUSE_MS));
      sql.exec(COUNT, name);
      sql.exec(OLD, MAX_NAMES);
      change(name, 1);
      await sync();
    },
    end(name) {
      change(name, -1);
      forget(name);
    },
    leave(name) {
      change(name, -1);
      sql.exec('UPDATE attempt SET attempts = attempts - 1 WHERE name = ?', name);
      sql.exec('DELETE FROM attempt WHERE name = ? AND attempts <= 0', name);
    },
    clear: () => void sql.exec('DELETE FROM attempt'),
  };
}

/** The name of a page or other address of a site. */
export const formatUrlName = (url: string): string => `url ${url}`;

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
  readPdf: PdfReadingService;
};

/** The parts of one object, over its database. */
export type Parts = {
  tools: ObjectTools;
  store: SearchStore;
  frontier: Frontier;
  own: OwnState;
  /** Ids of items that are being indexed: no one else begins with them. */
  indexing: Set<string>;
  /** What is being read of items just now, by their ids: who wants the same waits for it. */
  reading: Map<string, Promise<void>>;
  /** Questions for vectors of chunks: of rounds, and of calls that wait for theirs. */
  embedding: SerialQueue;
  attempts: InputAttempts;
};

export function createParts(tools: ObjectTools): Parts {
  const { sql } = tools;
  const [store, frontier, own] = [searchStore(tools), createFrontier(sql), createOwnState(sql)];
  return {
    tools,
    store,
    frontier,
    own,
    indexing: new Set(),
    reading: new Map(),
    embedding: createSerialQueue(),
    attempts: createInputAttempts(tools),
  };
}

/** Names the source of crawled items: `web-crawler:https://example.com`. */
export function formatSourceId(url: string): string {
  const { origin, pathname, search } = new URL(url);
  return `web-crawler:${origin}${pathname === '/' && search === '' ? '' : pathname + search}`;
}
