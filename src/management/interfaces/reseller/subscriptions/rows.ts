import { isObject, isText, type Json, type JsonObject, getTextMember } from '../../../../lib/json.ts';
import { vendorRefusals } from '../../../../lib/refusal.ts';
import type { Call, Context } from '../../../core/engine/operation.ts';
import { generateDigits } from '../../directory/rows.ts';
import { RESELLER } from '../rows.ts';
import { SKUS } from '../skus-data.ts';
import { advanceSubscription, isActive, isAnnual, isInTrial, type Subscription } from './machine.ts';

/** Digits of subscription ids. */
const ID_DIGITS = 16;
/** Subscriptions that one customer can have. */
export const MAX_SUBSCRIPTIONS = 200;

/** What is kept of a subscription: its state, and what it is called. */
export type StoredSubscription = {
  customerId: string;
  /** The customer's present domain. */
  domain: string;
  subscriptionId: string;
  skuId: string;
  createdMs: number;
  state: Subscription;
  purchaseOrderId?: string;
  dealCode?: string;
};

/** Stores a new subscription, under a fresh id. */
export function insertKept(sent: Omit<StoredSubscription, 'subscriptionId'>, context: Context): StoredSubscription {
  const kept = { ...sent, subscriptionId: generateDigits(context, ID_DIGITS) };
  if (context.store.insert(buildSubscriptionRow(kept)) === undefined) throw vendorRefusals.duplicate();
  return kept;
}

/** Stores a changed subscription; what it is called stays. */
export function putKept(kept: StoredSubscription, { store }: Context): void {
  store.put(buildSubscriptionRow(kept));
}

export const removeKept = ({ customerId, subscriptionId }: StoredSubscription, { store }: Context): boolean =>
  store.remove({ collection: RESELLER.subscriptions, parent: '', id: `${customerId}/${subscriptionId}` });

/** The subscription that the path names, as it is now. @throws Refusal 404 */
export function requireSubscription(customerId: string, { path }: Call, context: Context): StoredSubscription {
  const id = `${customerId}/${path['subscriptionId'] ?? ''}`;
  const row = context.store.get(RESELLER.subscriptions, '', id);
  if (row === undefined) throw vendorRefusals.notFound('subscriptionId');
  return readSubscription(row.body, context);
}

/** All subscriptions of a customer, as they are now. */
export const listCustomerSubscriptions = (customerId: string, context: Context): StoredSubscription[] =>
  context.store
    .byRef(RESELLER.subscriptions, customerId, MAX_SUBSCRIPTIONS)
    .map(({ body }) => readSubscription(body, context));

/** A stored subscription, advanced to now: time goes on for it between reads. */
export function readSubscription(body: JsonObject, context: Context): StoredSubscription {
  const kept = body as unknown as StoredSubscription; // Written by `buildSubscriptionRow`.
  return { ...kept, state: advanceSubscription(kept.state, context.now()) };
}

/** A customer's subscriptions are listed under its new domain. */
export function renameSubscriptions(customerId: string, domain: string, context: Context): void {
  for (const { body } of context.store.byRef(RESELLER.subscriptions, customerId, MAX_SUBSCRIPTIONS)) {
    context.store.put(buildSubscriptionRow({ ...readSubscription(body, context), domain }));
  }
}

function buildSubscriptionRow(kept: StoredSubscription) {
  const { customerId, subscriptionId, domain } = kept;
  const id = `${customerId}/${subscriptionId}`;
  const body = kept as unknown as JsonObject; // JSON throughout: it contains no `undefined`.
  return {
    collection: RESELLER.subscriptions,
    parent: '',
    id,
    body,
    s1: `${domain}/${subscriptionId}`,
    ref: customerId,
  };
}

/** The field that has the seats of a plan. */
export const getSeatsField = (plan: Subscription['plan']): 'numberOfSeats' | 'maximumNumberOfSeats' =>
  isAnnual(plan) ? 'numberOfSeats' : 'maximumNumberOfSeats';

/** Most seats that a reseller's contract allows here. */
const MAX_SEATS = 1_000_000;

/** The seats that a body gives for a plan. @throws Refusal 400 for none, or the field of another kind of plan */
export function requireSeats(plan: Subscription['plan'], seats: Json | undefined): number {
  const field = getSeatsField(plan);
  const value = isObject(seats) ? seats[field] : undefined;
  if (value === undefined || value === null) throw vendorRefusals.required(`seats.${field}`);
  const isCount = typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= MAX_SEATS;
  if (!isCount) throw vendorRefusals.invalidInput(`seats.${field}`);
  return value;
}

const TEXT_LIMITS = { purchaseOrderId: 80, dealCode: 100 } as const;

/** Purchase order and deal of a body. @throws Refusal 400 for one that is too long */
export function validateOrderTexts(sent: JsonObject): Pick<StoredSubscription, 'purchaseOrderId' | 'dealCode'> {
  for (const [name, maxChars] of Object.entries(TEXT_LIMITS)) {
    if (getTextMember(sent, name).length > maxChars) throw vendorRefusals.invalidInput(name);
  }
  const { purchaseOrderId, dealCode } = sent;
  return {
    ...(isText(purchaseOrderId) && purchaseOrderId !== '' && { purchaseOrderId }),
    ...(isText(dealCode) && dealCode !== '' && { dealCode }),
  };
}

/**
 * A subscription as callers see it. It has no etag, as at the vendor: time alone changes it without a new revision.
 */
export function toSubscriptionResource(kept: StoredSubscription): JsonObject {
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
    seats: toSeatsResource(state),
    trialSettings: toTrialResource(state),
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

/** The users of a customer are not known here: no licence is assigned. */
const toSeatsResource = ({ plan, seats }: Subscription): JsonObject => ({
  kind: 'subscriptions#seats',
  licensedNumberOfSeats: 0,
  [getSeatsField(plan)]: seats,
});

const toTrialResource = (state: Subscription): JsonObject => ({
  isInTrial: isInTrial(state),
  ...(state.trialEndMs !== undefined && { trialEndTime: String(state.trialEndMs) }),
});
