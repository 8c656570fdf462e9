import { DurableObject } from 'cloudflare:workers';
import type { InstanceFacts, InstanceOrder, SearchQuery } from '../src/management/aisearch/order.ts';
import { type AddressPolicy, publicOnly } from '../src/net/address-policy.ts';
import type { Download, Found, InstanceAnswer, SearchCalls, UploadedFile } from '../src/search/search-object.ts';

/** Items, chunks and jobs of one AI Search instance. */
export class SearchInstance extends DurableObject<Record<string, unknown>> implements SearchCalls {
  /** Hosts that may be crawled: public ones. The local stack allows its own machine as well. */
  protected crawlPolicy(_env: Record<string, unknown>): AddressPolicy {
    return publicOnly({ alternatePorts: true });
  }

  async configure(_instance: InstanceFacts, _isNew: boolean): Promise<void> {
    throw new Error('not yet');
  }

  async drop(): Promise<void> {
    throw new Error('not yet');
  }

  async search(_instance: InstanceFacts, _query: SearchQuery): Promise<Found> {
    throw new Error('not yet');
  }

  async upload(_instance: InstanceFacts, _file: UploadedFile): Promise<InstanceAnswer> {
    throw new Error('not yet');
  }

  async ask(_order: InstanceOrder): Promise<InstanceAnswer> {
    throw new Error('not yet');
  }

  async download(_instance: InstanceFacts, _itemId: string): Promise<Download> {
    throw new Error('not yet');
  }
}
