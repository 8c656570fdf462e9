import type { FetchTarget } from '../../net/fetched.ts';
import type { Exchange, ExchangeLookup, Snapshot, SnapshotAnswer } from './snapshot.ts';

/** What a gatherer sees: the start URL, what was read so far, and a way to read more. It judges nothing. */
export type Gather = {
  readonly start: URL;
  readonly clockMs: number;
  /** Makes the request once per role, records it, and returns it. Never throws: a failed fetch is an answer. */
  read: (role: string, target: FetchTarget) => Promise<Exchange>;
  find: ExchangeLookup;
  /** Requests that the audit may still make, redirects counted: what only informs is read while there is room. */
  room: () => number;
  /** Pages to read, the start page included. */
  maxPages: number;
  /** Starts a look at the start page in a browser, which goes on beside all requests. Absent where there is no browser. */
  render?: (page: SnapshotAnswer) => void;
};

/** Collects what one family of checks needs. Gatherers run at the same time; one that needs another's answer reads the same role. */
export type Gatherer = (gather: Gather) => Promise<void>;

/** What a parser makes of a snapshot: the facts, or why they could not be read. A 404 is a fact, a failed fetch is not. */
export type Artifact<T> = { state: 'ready'; value: T } | { state: 'failed'; reason: string; url: string };

export type Parser<T> = (snapshot: Snapshot) => Artifact<T>;

/** The waves in which gatherers run. */
export const WAVES = ['first', 'late', 'last'] as const;

/**
 * How a gatherer runs. `first`: together with all others of the wave. `late`: what checks of a small weight need; `last`:
 * what only informs (weight 0), and pages beyond the usual sample. The lowest rank of a wave goes first: where the budget
 * is short, the last go without. `atMost` is the most requests that it makes.
 */
export type GathererRow = { run: Gatherer; rank: number } & (
  | { wave: 'first' }
  | { wave: 'late' | 'last'; atMost: number }
);

type First = { rank: number };
type Later = { rank: number; atMost: number };

export const runFirst = (run: Gatherer, { rank }: First): GathererRow => ({ run, wave: 'first', rank });
export const runLate = (run: Gatherer, { rank, atMost }: Later): GathererRow => ({ run, wave: 'late', rank, atMost });
export const runLast = (run: Gatherer, { rank, atMost }: Later): GathererRow => ({ run, wave: 'last', rank, atMost });

/** An artifact, as `defineArtifact` makes it. */
export type ArtifactRow<T, Own extends string = string> = {
  parse: Parser<T>;
  from: readonly string[];
  gather: Readonly<Record<Own, GathererRow>>;
};

/**
 * Defines an artifact. A capability or a single score runs only the gatherers that its checks need.
 * @param parse the pure function that reads it from a snapshot.
 * @param from the gatherers whose exchanges it is read from. A test compares their names with those that exist.
 * @param gather those of them that exist for it.
 */
export const defineArtifact = <T, Own extends string = never>(
  parse: Parser<T>,
  from: readonly string[],
  gather: Readonly<Record<Own, GathererRow>> = {} as Record<Own, GathererRow>,
): ArtifactRow<T, Own> => ({ parse, from, gather });
