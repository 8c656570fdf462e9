import { DurableObject } from 'cloudflare:workers';
import type { EntryCalls } from '../src/management/entries/entry-object.ts';
import type { EntryOrder } from '../src/management/entries/order.ts';
import type { Answer, Call, Tenant } from '../src/management/engine/operation.ts';

/** The log entries and spans of one tenant, named by its id. */
export class EntryStore extends DurableObject<unknown> implements EntryCalls {
  async run(_tenant: Tenant, _call: Call, order: EntryOrder): Promise<Answer | null> {
    throw new Error(`Order ${order.do} is not served`);
  }

  async tail(_tenant: Tenant, _call: Call, order: EntryOrder): Promise<ReadableStream<Uint8Array> | Answer> {
    throw new Error(`Order ${order.do} is not served`);
  }

  async isEmpty(_tenant: Tenant, _bucket: string): Promise<boolean> {
    return true;
  }
}
