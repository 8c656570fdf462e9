import type { Sql } from '../../lib/sqlite.ts';
import type { InstanceFacts } from '../order.ts';

/** Times that the object of an instance remembers, Unix milliseconds. */
export type OwnTime =
  /** When the instance was last changed by order. */
  | 'told'
  /** The next crawl of its own accord. */
  | 'next_sync'
  /** The next look whether the tenant still has the instance. */
  | 'next_census'
  /** Until then `busy_host` belongs to others. */
  | 'host_busy'
  /** No page that somebody asks for by its address is read before. */
  | 'page_after'
  /** When the hour began whose requests are `asked`. */
  | 'asked_from'
  /** When the minute began whose `pages` were asked for by their addresses. */
  | 'pages_from'
  /** Until then no vectors are asked for. */
  | 'embed_after';

/** Words that the object of an instance remembers. */
export type OwnWord =
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
export type OwnState = {
  facts: () => InstanceFacts | undefined;
  setFacts: (facts: InstanceFacts) => void;
  /** 0 for a time that is not set. */
  time: (name: OwnTime) => number;
  setTime: (name: OwnTime, ms: number) => void;
  /** A word; '' for none. */
  word: (name: OwnWord) => string;
  setWord: (name: OwnWord, value: string) => void;
};

export function ownState(sql: Sql): OwnState {
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
