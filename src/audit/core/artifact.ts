import type { Snapshot } from './snapshot.ts';

/** What a parser makes of a snapshot: the facts, or why they could not be read. A 404 is a fact, a failed fetch is not. */
export type Artifact<T> = { state: 'ready'; value: T } | { state: 'failed'; reason: string; url: string };

export type Parser<T> = (snapshot: Snapshot) => Artifact<T>;
