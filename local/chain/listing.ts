import type { PaymentPayload, PaymentRequirements } from '@x402/core/types';
import { extractDiscoveryInfo } from '@x402/extensions/bazaar';

/** A page of the list, at most. */
const MAX_PAGE = 100;

type ListedResource = {
  resource: string;
  type: 'http';
  x402Version: 2;
  accepts: readonly PaymentRequirements[];
  lastUpdated: string;
};

/** What a facilitator lists: each resource that was paid for with a discovery block that the official package accepts. */
export function createDiscoveryListing() {
  const listed = new Map<string, ListedResource & Record<string, unknown>>();
  return {
    /** Lists what a settled payment was for, where its client sent the block back. */
    settled(payload: PaymentPayload, requirements: PaymentRequirements): void {
      if (payload.resource === undefined) return;
      const found = extractDiscoveryInfo(payload, requirements);
      if (found === null) return;
      const { resourceUrl, description, serviceName, tags, iconUrl } = found;
      listed.set(resourceUrl, {
        resource: resourceUrl,
        type: 'http',
        x402Version: 2,
        accepts: [requirements],
        lastUpdated: new Date().toISOString(),
        description,
        serviceName,
        tags,
        iconUrl,
      });
    },
    /** `GET /discovery/resources`. */
    read(query: URLSearchParams): Record<string, unknown> {
      const payTo = query.get('payTo')?.toLowerCase();
      const limit = Math.min(Number(query.get('limit') ?? 20) || 20, MAX_PAGE);
      const offset = Number(query.get('offset') ?? 0) || 0;
      const all = [...listed.values()].filter(
        ({ accepts }) => payTo === undefined || accepts.some((one) => one.payTo.toLowerCase() === payTo),
      );
      const items = all.slice(offset, offset + limit);
      return { x402Version: 2, items, pagination: { limit, offset, total: all.length } };
    },
  };
}
