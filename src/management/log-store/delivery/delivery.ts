import type { AddressPolicy } from '../../../net/address-policy.ts';
import type { FetchFunction } from '../../../net/guarded-fetch.ts';
import type { Sql } from '../../../lib/sqlite.ts';
import { postBatch } from './post.ts';
import { deliveryQueue, type Post } from './queue.ts';
import type { PlacedEntry } from '../routed-entry.ts';
import { webhookKey } from './webhook-key.ts';

/** Posts under way at a time: the platform opens six connections for an object. */
const AT_ONCE = 4;
/** Rounds of posts that one alarm makes; it comes again for the rest. */
const MAX_ROUNDS = 5;

export type DeliveryTools = {
  sql: Sql;
  transaction: <T>(work: () => T) => T;
  /** Real time, Unix milliseconds. */
  now: () => number;
  /** Random bytes as hex. */
  random: (bytes: number) => string;
  fetch: FetchFunction;
  /** Addresses that may be posted to. */
  policy: AddressPolicy;
  log: (line: Record<string, unknown>) => void;
};

/** What sinks send to webhooks: kept with the entries in one transaction, sent by the object's alarm. */
export type Deliveries = {
  /** Keeps what goes to webhooks; inside the transaction that writes the entries. */
  keep: (placed: readonly PlacedEntry[]) => void;
  /** Forgets what waits for a sink. */
  drop: (sink: string) => void;
  /** Sends what is due. Never throws for what a receiver does. */
  send: () => Promise<void>;
  /** When there is something to send, Unix milliseconds; undefined when nothing waits. */
  nextMs: () => number | undefined;
  /** `whpk_<base64>`: the writer identity of the tenant's webhook sinks. */
  identity: () => Promise<string>;
  reset: () => void;
};

/**
 * The deliveries of a tenant's webhook sinks: in order for each sink, one post at a time, at least once. A batch keeps its
 * id over all its tries, so that receivers can tell. After its last try, and where too much waits, entries are lost:
 * counted and logged.
 */
export function deliveriesOf(tools: DeliveryTools): Deliveries {
  const { sql, transaction, log } = tools;
  const queue = deliveryQueue(tools);
  const key = webhookKey(sql);
  const sendOne = async (post: Post): Promise<void> => {
    const { outcome, seen } = await postBatch(post, { ...tools, sign: key.sign });
    const lost = transaction(() => queue.book(post, outcome));
    const { id, attempt, entries } = post;
    log({ event: 'sink_post', batch: id, attempt, entries, outcome: outcome.is, seen, lost });
  };
  return {
    keep: queue.keep,
    drop: queue.dropSink,
    send: async () => {
      for (let round = 0; round < MAX_ROUNDS; round += 1) {
        const posts = transaction(() => queue.claim(AT_ONCE));
        if (posts.length === 0) break;
        await Promise.all(posts.map(sendOne));
      }
      transaction(() => queue.prune());
    },
    nextMs: queue.nextMs,
    identity: key.identity,
    reset: queue.reset,
  };
}
