import type { JsonObject } from '../json.ts';

/** A log bucket as the store of entries needs it: known by its full name, `projects/p/locations/global/buckets/_Default`. */
export type BucketFacts = {
  name: string;
  /** Entries older than this are not shown, and are deleted. */
  retentionDays: number;
  /** The bucket is gone for good: its entries are deleted. */
  isGone?: true;
};

/** Where a sink sends entries. */
export type SinkTarget =
  | { kind: 'bucket'; bucket: string }
  /** The sinks of another container of the tenant decide, once: no further hop (`routes` has them). */
  | { kind: 'container'; container: string }
  /** A public https address that takes batches of entries. */
  | { kind: 'webhook'; url: string }
  /** Kept as files of JSON lines: `storage.googleapis.com/<bucket>`. */
  | { kind: 'storage'; bucket: string };

/** A sink as it routes. Filters are texts of the filter language; '' takes everything. */
export type Route = {
  /** Full name: `projects/p/sinks/_Default`. */
  sink: string;
  filter: string;
  /** Filters of what is left out, of the sink and of its container. */
  exclusions: readonly string[];
  target: SinkTarget;
};

/** What of a bucket is read: all of it, or what a view shows. */
export type Source = { bucket: string; filter?: string };

/** What all reading orders have. */
type Reading = {
  /** The tenant's time, Unix milliseconds: what is newer than a day ahead or older than the retention is not shown. */
  nowMs: number;
  sources: readonly Source[];
  buckets: readonly BucketFacts[];
  /** Page tokens hang on it (engine/page-token.ts). */
  salt: string;
};

/**
 * What the tenant's resources hand to its store of entries and spans, once their own transaction stands: they know sinks,
 * views, buckets and names; the store knows entries and spans. JSON all through. The call goes along, whole.
 */
export type EntryOrder =
  /** `entries:write`: by container (`projects/p`), of all that the entries' log names stand in. */
  | {
      do: 'write';
      nowMs: number;
      routes: Readonly<Record<string, readonly Route[]>>;
      buckets: readonly BucketFacts[];
      /** Log metrics to count, by container: name and filter. */
      metrics?: Readonly<Record<string, readonly { name: string; filter: string }[]>>;
      /** What the service wrote itself: a reset of the tenant leaves it (rule K2). */
      isOwn?: true;
    }
  | ({ do: 'list' } & Reading)
  | ({ do: 'tail' } & Reading)
  /** Lists names of logs that have entries, below these containers (`projects/p`). */
  | ({ do: 'logs'; containers: readonly string[] } & Reading)
  /** `entries:copy`: copies what a bucket (or view) has to files; the answer is already given: `operation` is its name. */
  | ({ do: 'copy'; filter: string; bucket: string; operation: string } & Reading)
  /** `operations.get` of a copy: `shown` is the operation as the tenant's resources know it. */
  | { do: 'operation'; operation: string; shown: JsonObject }
  | { do: 'deleteLog'; logName: string; buckets: readonly BucketFacts[] }
  /** Buckets were made, changed or are gone. */
  | { do: 'buckets'; buckets: readonly BucketFacts[] }
  /**
   * Spans to keep, judged, in the form of v2: `project` is `projects/p`. One that is there is replaced; with `merges` what
   * is sent is laid over it, and one that is new must be complete then.
   */
  | { do: 'writeSpans'; nowMs: number; project: string; spans: readonly JsonObject[]; merges?: true; isOwn?: true }
  | { do: 'listTraces'; nowMs: number; project: string; salt: string }
  | { do: 'getTrace'; project: string; traceId: string }
  /** The tenant was reset: all but what the service wrote itself goes. */
  | { do: 'reset' };
