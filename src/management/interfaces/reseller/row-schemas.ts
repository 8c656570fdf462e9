import * as z from 'zod';
import type { JsonObject } from '../../../lib/json.ts';
import { RESELLER } from './rows.ts';
import { PAYMENT_PLANS, RENEWAL_TYPES, SUSPENSION_REASONS } from './subscriptions/machine.ts';

/**
 * The schema that the rows of each collection have; '' for rows of our own. A restore judges rows by it (rule K3). None of
 * them is a credential: a listener is an address that nothing is sent to from here, and tokens of customers are not kept.
 */
export const RESELLER_SCHEMAS: Readonly<Record<string, string>> = {
  [RESELLER.customers]: 'Customer',
  [RESELLER.subscriptions]: 'Subscription',
  [RESELLER.transferred]: 'Subscription',
  [RESELLER.listeners]: '',
};

const time = z.int().nonnegative();

/** A stored subscription (`Kept`): what the machine needs of it has no place in the vendor's schema. */
const kept = z.strictObject({
  customerId: z.string().min(1),
  domain: z.string().min(1),
  subscriptionId: z.string().min(1),
  skuId: z.string().min(1),
  createdMs: time,
  state: z.strictObject({
    plan: z.enum([...PAYMENT_PLANS, 'TRIAL', 'FREE']),
    seats: z.int().positive(),
    suspensions: z.array(z.enum(SUSPENSION_REASONS)).max(SUSPENSION_REASONS.length),
    trialEndMs: time.optional(),
    commitment: z.strictObject({ startMs: time, endMs: time }).optional(),
    renewalType: z.enum(RENEWAL_TYPES).optional(),
  }),
  purchaseOrderId: z.string().optional(),
  dealCode: z.string().optional(),
});

const isKept = (body: JsonObject): boolean => kept.safeParse(body).success;

export const RESELLER_ROWS = { [RESELLER.subscriptions]: isKept, [RESELLER.transferred]: isKept };
