import type { CallAnswer, Call } from '../core/engine/operation.ts';
import type { Tenant } from '../core/engine/tenant.ts';
import type { EntryOrder } from './order.ts';
import type { OwnOutcome } from './self-telemetry.ts';

/** What the Worker asks the tenant's store of entries and spans, by RPC. */
export type EntryCalls = {
  /**
   * Executes an order, for a call that already has a first answer.
   * @returns the answer that replaces it; null where the first one holds
   */
  run: (tenant: Tenant, call: Call, order: EntryOrder) => Promise<CallAnswer | null>;
  /**
   * Keeps what the service wrote of itself, entries and spans in one (own.ts, `ownText`).
   * @returns what was refused, and how many are not kept
   */
  keepOwn: (tenant: Tenant, text: string) => Promise<OwnOutcome>;
  /**
   * `entries:tail`: the bytes of a JSON array whose elements come while it is read. The first answer says whether the
   * call is accepted; only then is the stream opened. (`tail` itself is a name that the platform keeps.)
   */
  follow: (tenant: Tenant, call: Call, order: EntryOrder) => Promise<ReadableStream<Uint8Array> | CallAnswer>;
  /** Whether a bucket has entries: a locked one is deleted only without. */
  isEmpty: (tenant: Tenant, bucket: string) => Promise<boolean>;
  /** What receivers verify the webhooks of the tenant's sinks with: `whpk_<base64>`, the same for ever. */
  webhookIdentity: (tenant: Tenant) => Promise<string>;
};
