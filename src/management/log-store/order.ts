import type { JsonObject } from '../../lib/json.ts';

/** A log bucket as the store of entries needs it: known by its full name, `projects/p/locations/global/buckets/_Default`. */
export type BucketFacts = {
  name: string;
  /** Entries older than this are not shown, and are deleted. */
  retentionDays: number;
  /** While an operation changes the retention: entries are deleted only when they are older than this. */
  keptDays?: number;
  /** Which of the buckets that had this name one after the other: entries of the others are deleted. */
  generation?: string;
  /** The bucket is deleted, and gone for good after so many milliseconds unless it is had back. */
  goneInMs?: number;
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
  /** Filters of what is left out. */
  exclusions: readonly string[];
  target: SinkTarget;
  /** Of a sink above: sinks below it do not get what it takes. */
  intercepts?: true;
};

/** What of a bucket is read: all of it, or what a view shows. */
export type EntrySource = { bucket: string; filter?: string };

/** What all reading orders have. */
type ReadOrderFields = {
  /** The tenant's time, Unix milliseconds: what is newer than a day ahead or older than the retention is not shown. */
  nowMs: number;
  sources: readonly EntrySource[];
  buckets: readonly BucketFacts[];
  /** Page tokens hang on it (engine/page-token.ts). */
  salt: string;
};

/**
 * What the tenant's resources hand to its store of entries and spans, once their own transaction is committed: they
 * know sinks, views, buckets and names; the store knows entries and spans. JSON throughout. The whole call goes along.
 */
export type EntryOrder = SomeOrder & {
  /** When the tenant's resources made it, real time in Unix milliseconds: of two orders the later knows buckets better. */
  madeMs?: number;
};

type SomeOrder =
  /**
   * `entries:write`: the sinks by container (`projects/p`), for every container that the entries' log names belong to
   * or that sinks send to; and, once, those of organizations and folders that include what is below them.
   */
  | {
      do: 'write';
      nowMs: number;
      routes: Readonly<Record<string, readonly Route[]>>;
      above?: readonly Route[];
      buckets: readonly BucketFacts[];
      /** Log metrics to count, by container: name and filter. */
      metrics?: Readonly<Record<string, readonly { name: string; filter: string }[]>>;
      /** What the service wrote itself: a reset of the tenant leaves it (rule K2). */
      isOwn?: true;
    }
  | ({ do: 'list' } & ReadOrderFields)
  | ({ do: 'tail' } & ReadOrderFields)
  /** Lists names of logs that have entries, below these containers (`projects/p`). */
  | ({ do: 'logs'; containers: readonly string[] } & ReadOrderFields)
  /** `entries:copy`: copies what a bucket (or view) has to files; the answer is already given: `operation` is its name. */
  | ({ do: 'copy'; filter: string; bucket: string; operation: string } & ReadOrderFields)
  /** `operations.get` of a copy: `shown` is the operation as the tenant's resources know it. */
  | { do: 'operation'; operation: string; shown: JsonObject }
  /** `operations.list`: the same for the copies of a page; a filter ('' takes all) judges them as they are by now. */
  | { do: 'operations'; page: JsonObject; filter: string }
  /** `operations.cancel` of a copy: what it has copied stays. */
  | { do: 'cancelCopy'; operation: string }
  /** Lists the files of a storage bucket, by the query of the call. `isMade`: a caller made it, so it may have none. */
  | { do: 'files'; bucket: string; salt: string; isMade?: true }
  /** One file of a storage bucket: what is known of it, or its content. */
  | { do: 'file'; bucket: string; name: string }
  /** A sink was deleted, disabled or sent elsewhere: what waits for its web address is not posted any more. */
  | { do: 'sinkGone'; sink: string }
  | { do: 'deleteLog'; logName: string; buckets: readonly BucketFacts[] }
  /** Buckets were made, changed or are gone. */
  | { do: 'buckets'; buckets: readonly BucketFacts[] }
  /** The tenant's resources are about to be replaced: what was said of buckets may hold no more. */
  | { do: 'doubtBuckets' }
  /**
   * Spans to keep, judged, in the form of v2: `project` is `projects/p`. One that is there is replaced; with `merges` what
   * is sent is laid over it, and one that is new must be complete then. `indexes`: which of the caller's spans they are.
   */
  | {
      do: 'writeSpans';
      nowMs: number;
      project: string;
      spans: readonly JsonObject[];
      indexes?: readonly number[];
      merges?: true;
      isOwn?: true;
      /** Spans that a trace has no room for are left out and counted, as the service's own are. */
      leavesOut?: true;
    }
  | { do: 'listTraces'; nowMs: number; project: string; salt: string }
  | { do: 'getTrace'; project: string; traceId: string }
  /** The tenant was reset: all but what the service wrote itself goes. */
  | { do: 'reset' };
