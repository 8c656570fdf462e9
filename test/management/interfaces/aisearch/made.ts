import type { SearchOrder } from '../../../../src/search/order.ts';
import type { QueryValue } from '../../../../src/management/core/engine/operation.ts';
import type { Json, JsonObject } from '../../../../src/lib/json.ts';
import { type TestTenant, testTenant } from '../../../support/management/management.ts';

export const ACCOUNT = 'c3dc5f0b34a14ff8e1b3ec04895e1b22';
export const OTHER_ACCOUNT = 'd4dc5f0b34a14ff8e1b3ec04895e1b22';
const IN_ACCOUNT = { account_id: ACCOUNT };

/** What a call of AI Search sends, without its account. */
type Sent = { path?: Record<string, string>; query?: Record<string, QueryValue>; body?: JsonObject };

/** What a call answers. */
type Shown = JsonObject & { result?: Json };

/** A tenant whose calls are of one account. */
export type Searching = {
  tenant: TestTenant;
  ok: (method: string, sent?: Sent) => Shown;
  refused: (method: string, sent?: Sent) => string;
  /** The order that a call hands on, which must be one. */
  order: (method: string, sent?: Sent) => SearchOrder;
};

/** @param instances are made, as uploads-only ones unless they say otherwise */
export function searching(...instances: readonly JsonObject[]): Searching {
  const tenant = testTenant();
  const of = (sent: Sent) => ({ ...sent, path: { ...IN_ACCOUNT, ...sent.path } });
  for (const body of instances) tenant.ok('aisearch.instances.create', of({ body }));
  return {
    tenant,
    ok: (method, sent = {}) => tenant.ok(method, of(sent)),
    refused: (method, sent = {}) => tenant.refused(method, of(sent)),
    order: (method, sent = {}) => {
      tenant.searches.length = 0;
      tenant.ok(method, of(sent));
      const [order, ...others] = tenant.searches;
      if (order === undefined || others.length > 0)
        throw new Error(`${method} handed ${tenant.searches.length} orders`);
      return order;
    },
  };
}

/** Custom metadata of each type. */
export const FIELDS = [
  { field_name: 'category', data_type: 'text' },
  { field_name: 'version', data_type: 'number' },
  { field_name: 'public', data_type: 'boolean' },
  { field_name: 'published', data_type: 'datetime' },
] as const satisfies readonly JsonObject[];
