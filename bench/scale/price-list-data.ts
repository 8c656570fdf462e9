/** What the platform asks for beyond what the plan includes in a month, in USD: read in copies of the vendor's pages. */
export const PRICE_LIST = {
  read: '2026-11-27',
  pages: [
    'https://developers.cloudflare.com/workers/platform/pricing/',
    'https://developers.cloudflare.com/durable-objects/platform/pricing/',
    'https://developers.cloudflare.com/queues/platform/pricing/',
    'https://developers.cloudflare.com/r2/pricing/',
  ],
  planUsd: 5,
  requests: { included: 10e6, usdPerMillion: 0.3 },
  cpuMs: { included: 30e6, usdPerMillion: 0.02 },
  objectCalls: { included: 1e6, usdPerMillion: 0.15 },
  objectGbS: { included: 400_000, usdPerMillion: 12.5 },
  rowsRead: { included: 25e9, usdPerMillion: 0.001 },
  rowsWritten: { included: 50e6, usdPerMillion: 1 },
  bucketWrites: { included: 1e6, usdPerMillion: 4.5 },
  bucketReads: { included: 10e6, usdPerMillion: 0.36 },
  bucketGb: { included: 10, usdPerMillion: 15_000 },
  queueOperations: { included: 1e6, usdPerMillion: 0.4 },
  /** Until 2026-11-30; from 2026-12-01 logs have a price list of their own. */
  logEvents: { included: 20e6, usdPerMillion: 0.6 },
} as const;

export type PricedUse = Exclude<keyof typeof PRICE_LIST, 'read' | 'pages' | 'planUsd'>;

/** What the platform's pages say that one part carries. */
export const PLATFORM_LIMITS = {
  /** Requests a second of one object: a soft limit. */
  objectPerS: 1_000,
  objectMib: 128,
  queueMessagesPerS: 5_000,
  queueConsumers: 250,
} as const;

/** Time of one call of an object by what it does, in milliseconds: what the plan assumes, and no one measured. */
export const SERVICE_MS = { read: 1.5, write: 4 } as const;
/** Prompts that one consumer works on at once (`max_batch_size` of the queue), and how long an engine takes: assumed. */
export const PROMPTS_PER_CONSUMER = 6;
export const ANSWER_S = 8;
/** A queued message is written, read and deleted. */
export const OPERATIONS_PER_MESSAGE = 3;
/** Memory that an object is billed by while it works, in GB. */
export const OBJECT_GB = 0.128;
