import type { FetchTarget } from '../../net/fetched.ts';
import type { Exchange, ExchangeLookup } from './snapshot.ts';

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
};

/** Collects what one family of checks needs. Gatherers run at the same time; one that needs another's answer reads the same role. */
export type Gatherer = (gather: Gather) => Promise<void>;
