import type { Gatherer } from './gatherer.ts';
import type { Snapshot } from './snapshot.ts';

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

/**
 * An artifact: the pure function that reads it from a snapshot, the gatherers whose exchanges it is read from, and those of
 * them that exist for it. A capability or a single score runs only the gatherers that its checks need.
 */
export type ArtifactRow<T, Own extends string = string> = {
  parse: Parser<T>;
  from: readonly string[];
  gather?: Readonly<Record<Own, GathererRow>>;
};

/** Defines an artifact. A test compares the names of the gatherers with those that exist. */
export const defineArtifact = <T, Own extends string = never>(row: ArtifactRow<T, Own>): ArtifactRow<T, Own> => row;
