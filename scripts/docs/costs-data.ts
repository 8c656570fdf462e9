/** A thing that the platform bills, by its list price beyond what the plan includes. */
type Price = {
  /** USD for `per` units. */
  usd: number;
  per: number;
  unit: string;
  /** A month, in the plan of 5 USD. */
  included: number;
  source: string;
};

/** The day on which copies of the platform's price pages were last read. */
export const PRICES_READ = '2026-11-27';
/** Older than this many days they must be read again (a test fails). */
export const PRICES_GOOD_DAYS = 180;

const WORKERS = 'https://developers.cloudflare.com/workers/platform/pricing/';
const OBJECTS = 'https://developers.cloudflare.com/durable-objects/platform/pricing/';
const BUCKETS = 'https://developers.cloudflare.com/r2/pricing/';
const QUEUES = 'https://developers.cloudflare.com/queues/platform/pricing/';
const MILLION = 1_000_000;

export const prices = {
  requests: { usd: 0.3, per: MILLION, unit: 'requests to Workers', included: 10 * MILLION, source: WORKERS },
  cpuMs: { usd: 0.02, per: MILLION, unit: 'ms of processor time', included: 30 * MILLION, source: WORKERS },
  objectRequests: { usd: 0.15, per: MILLION, unit: 'requests to objects', included: MILLION, source: OBJECTS },
  objectGbS: { usd: 12.5, per: MILLION, unit: 'GB-s of objects', included: 400_000, source: OBJECTS },
  rowsWritten: { usd: 1, per: MILLION, unit: 'rows written', included: 50 * MILLION, source: OBJECTS },
  rowsRead: { usd: 0.001, per: MILLION, unit: 'rows read', included: 25_000 * MILLION, source: OBJECTS },
  objectGb: { usd: 0.2, per: 1, unit: 'GB in objects for a month', included: 5, source: OBJECTS },
  bucketWrites: { usd: 4.5, per: MILLION, unit: 'writes to R2', included: MILLION, source: BUCKETS },
  bucketReads: { usd: 0.36, per: MILLION, unit: 'reads from R2', included: 10 * MILLION, source: BUCKETS },
  bucketGb: { usd: 0.015, per: 1, unit: 'GB in R2 for a month', included: 10, source: BUCKETS },
  queueOperations: { usd: 0.4, per: MILLION, unit: 'operations of queues', included: MILLION, source: QUEUES },
} as const satisfies Readonly<Record<string, Price>>;
export type BilledUnit = keyof typeof prices;
export const billedUnits = Object.keys(prices) as readonly BilledUnit[]; // It has no other keys.

/**
 * What one call uses of objects and buckets, as `test/routes/api/billed-operations.test.ts` and that of the control
 * Worker count it in the Workers' runtime. Alarms count as fired, and pairs of a name and a value as rows. A sale reports
 * to the books of the ledger once when it takes less than a second (31 and 114 rows written were counted) and more often
 * when it takes longer: these leave room.
 */
export const countedOperations = {
  unpaid: { objectRequests: 0, rowsWritten: 0, rowsRead: 0, bucketWrites: 0, bucketReads: 0 },
  audit: { objectRequests: 10, rowsWritten: 42, rowsRead: 50, bucketWrites: 2, bucketReads: 0 },
  measurement: { objectRequests: 81, rowsWritten: 136, rowsRead: 300, bucketWrites: 3, bucketReads: 0 },
  /** Of two and of four engines. */
  panel2: { objectRequests: 154, rowsWritten: 240, rowsRead: 560, bucketWrites: 4, bucketReads: 0 },
  panel4: { objectRequests: 300, rowsWritten: 420, rowsRead: 1_100, bucketWrites: 6, bucketReads: 0 },
  /** Of one call with 1,000 entries. */
  entries: { objectRequests: 2, rowsWritten: 2001, rowsRead: 11, bucketWrites: 0, bucketReads: 0 },
} as const;

/** A prompt is written to its queue, read and deleted. */
export const QUEUE_OPERATIONS_A_MESSAGE = 3;
export const PROMPTS_A_MEASUREMENT = 30;
/** Prompts of one batch, as `wrangler.toml` has it: each batch is an invocation, which is no request. */
export const ENTRIES_A_CALL = 1_000;

/** Assumed: how long an object is busy with one request, and one of a run with its buyer. */
export const OBJECT_MS_A_REQUEST = 4;
export const RUN_HELD_S = 120;
/** 128 MB of memory is what an object is billed for. */
export const OBJECT_GB = 0.128;

/** Of one result, in bytes: report and snapshot of the good demo site, and the answers of a run. */
export const AUDIT_BYTES = 530_000;
export const MEASUREMENT_BYTES = 420_000;
