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

/**
 * A request that a plan wants. `ifRoom`: it is left out where the budget has no room for it; else it is recorded as refused.
 * `leads`: its answer may lead to requests of the same gatherer, which is asked again then.
 */
export type Wanted = { role: string; target: FetchTarget; ifRoom?: true; leads?: true };

/**
 * What a later gatherer would ask for, by what was found so far. It reads nothing itself that no gatherer before it has
 * read, so that who runs it knows the cost before anything is sent.
 */
export type Plan = (gather: Gather) => readonly Wanted[] | Promise<readonly Wanted[]>;

/** How much a gatherer counts: the first run as soon as they can, the later ones share what room is left. */
export const WAVES = ['first', 'late', 'last'] as const;

/**
 * How a gatherer runs. `first`: with all others of its kind. `late`: what checks of a small weight need; `last`: what only
 * informs (weight 0), and pages beyond the usual sample. The lowest rank goes first: where the budget is short, the last
 * go without. `atMost` is the most requests that it makes.
 */
export type GathererRow = { rank: number } & (
  | { wave: 'first'; run: Gatherer }
  | ({ wave: 'late' | 'last'; plan: Plan } & Later)
);

type First = { rank: number };
type Later = {
  rank: number;
  atMost: number;
  /** It takes of what is left when all before it are answered. */
  takesRest?: true;
  /** Requests of it in flight at once, where fewer than usual. */
  atOnce?: number;
};

export const runFirst = (run: Gatherer, { rank }: First): GathererRow => ({ run, wave: 'first', rank });
export const planLate = (plan: Plan, later: Later): GathererRow => ({ plan, wave: 'late', ...later });
export const planLast = (plan: Plan, later: Later): GathererRow => ({ plan, wave: 'last', ...later });

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
