import type { Interface } from '../../core/engine/operation.ts';
import { handlers } from './handlers.ts';
import { RESELLER } from './rows.ts';
import { isStoredSubscription } from './schemas.ts';

/**
 * Reseller v1: customers of a reseller and their subscriptions. None of the rows is a credential: a listener is an address
 * that nothing is sent to from here, and tokens of customers are not kept.
 */
export const reseller: Interface = {
  name: 'reseller',
  version: 'v1',
  errors: 'legacy',
  handlers,
  collections: {
    [RESELLER.customers]: 'Customer',
    [RESELLER.subscriptions]: 'Subscription',
    [RESELLER.transferred]: 'Subscription',
    [RESELLER.listeners]: '',
  },
  rows: { [RESELLER.subscriptions]: isStoredSubscription, [RESELLER.transferred]: isStoredSubscription },
};
