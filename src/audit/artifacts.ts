import type { Snapshot } from './snapshot.ts';

/** What a parser makes of a snapshot: the facts, or why they could not be read. A 404 is a fact, a failed fetch is not. */
export type Artifact<T> = { state: 'ready'; value: T } | { state: 'failed'; reason: string; url: string };

export type Parser<T> = (snapshot: Snapshot) => Artifact<T>;

/** Every artifact by name, and the pure function that reads it from a snapshot. */
export const parsers = {} as const satisfies Record<string, Parser<unknown>>;

type ValueOf<P> = P extends Parser<infer T> ? T : never;

/** The facts that checks judge, by artifact name. */
export type Artifacts = { [K in keyof typeof parsers]: ValueOf<(typeof parsers)[K]> };
