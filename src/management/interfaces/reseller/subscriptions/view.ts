import type { JsonObject } from '../../../../lib/json.ts';
import { SKUS } from '../skus-data.ts';
import { isActive, isAnnual, isInTrial, type Subscription } from './machine.ts';
import { type Kept, seatsField } from './rows.ts';

/**
 * A subscription as callers see it. It has no etag, as at the vendor: time alone changes it, and no revision tells that.
 */
export function shownKept(kept: Kept): JsonObject {
  const { customerId, domain, subscriptionId, skuId, createdMs, state, purchaseOrderId, dealCode } = kept;
  return {
    kind: 'reseller#subscription',
    customerId,
    customerDomain: domain,
    subscriptionId,
    skuId,
    skuName: SKUS.find(({ id }) => id === skuId)?.name ?? skuId,
    billingMethod: 'ONLINE',
    creationTime: String(createdMs),
    plan: planView(state),
    seats: seatsView(state),
    trialSettings: trialView(state),
    status: isActive(state) ? 'ACTIVE' : 'SUSPENDED',
    resourceUiUrl: `https://www.google.com/a/cpanel/${domain}/Subscriptions`,
    ...(state.renewalType !== undefined && {
      renewalSettings: { kind: 'subscriptions#renewalSettings', renewalType: state.renewalType },
    }),
    ...(!isActive(state) && { suspensionReasons: [...state.suspensions] }),
    ...(purchaseOrderId !== undefined && { purchaseOrderId }),
    ...(dealCode !== undefined && { dealCode }),
  };
}

/** `ANNUAL_MONTHLY_PAY` is shown as `ANNUAL`. */
function planView({ plan, commitment }: Subscription): JsonObject {
  return {
    planName: plan === 'ANNUAL_MONTHLY_PAY' ? 'ANNUAL' : plan,
    isCommitmentPlan: isAnnual(plan),
    ...(commitment && {
      commitmentInterval: { startTime: String(commitment.startMs), endTime: String(commitment.endMs) },
    }),
  };
}

/** Nobody of a customer's users is known here: no licence is assigned. */
const seatsView = ({ plan, seats }: Subscription): JsonObject => ({
  kind: 'subscriptions#seats',
  licensedNumberOfSeats: 0,
  [seatsField(plan)]: seats,
});

const trialView = (state: Subscription): JsonObject => ({
  isInTrial: isInTrial(state),
  ...(state.trialEndMs !== undefined && { trialEndTime: String(state.trialEndMs) }),
});
