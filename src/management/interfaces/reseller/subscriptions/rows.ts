import { isObject, isText, type Json, type JsonObject } from '../../../../lib/json.ts';
import { refuse } from '../../../../lib/refusal.ts';
import type { Call, Context } from '../../../core/engine/operation.ts';
import { newDigits } from '../../directory/keys.ts';
import { RESELLER, textOf } from '../rows.ts';
import { SKUS } from '../skus-data.ts';
import { advanced, isActive, isAnnual, isInTrial, type Subscription } from './machine.ts';

/** Digits of subscription ids. */
const ID_DIGITS = 16;
/** Subscriptions that one customer can have. */
export const MAX_SUBSCRIPTIONS = 200;

/** What is kept of a subscription: its state, and what it is called. */
export type Kept = {
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
export function insertKept(sent: Omit<Kept, 'subscriptionId'>, context: Context): Kept {
  const kept = { ...sent, subscriptionId: newDigits(context, ID_DIGITS) };
  if (context.store.insert(rowOf(kept)) === undefined) throw refuse.duplicate();
  return kept;
}

/** Stores a changed subscription; what it is called stays. */
export function putKept(kept: Kept, { store }: Context): void {
  store.put(rowOf(kept));
}

export const removeKept = ({ customerId, subscriptionId }: Kept, { store }: Context): boolean =>
  store.remove({ collection: RESELLER.subscriptions, parent: '', id: `${customerId}/${subscriptionId}` });

/** The subscription that the path names, as it is now. @throws Refusal 404 */
export function keptOf(customerId: string, { path }: Call, context: Context): Kept {
  const id = `${customerId}/${path['subscriptionId'] ?? ''}`;
  const row = context.store.get(RESELLER.subscriptions, '', id);
  if (row === undefined) throw refuse.notFound('subscriptionId');
  return keptIn(row.body, context);
}

/** All subscriptions of a customer, as they are now. */
export const subscriptionsOf = (customerId: string, context: Context): Kept[] =>
  context.store.byRef(RESELLER.subscriptions, customerId, MAX_SUBSCRIPTIONS).map(({ body }) => keptIn(body, context));

/** Time goes on for a stored subscription whether or not anybody looks. */
export function keptIn(body: JsonObject, context: Context): Kept {
  const kept = body as unknown as Kept; // Written by `rowOf`.
  return { ...kept, state: advanced(kept.state, context.now()) };
}

/** A customer's subscriptions are listed under its new domain. */
export function renameSubscriptions(customerId: string, domain: string, context: Context): void {
  for (const { body } of context.store.byRef(RESELLER.subscriptions, customerId, MAX_SUBSCRIPTIONS)) {
    context.store.put(rowOf({ ...keptIn(body, context), domain }));
  }
}

function rowOf(kept: Kept) {
  const { customerId, subscriptionId, domain } = kept;
  const id = `${customerId}/${subscriptionId}`;
  const body = kept as unknown as JsonObject; // JSON all through: `undefined` stands nowhere in it.
  return {
    collection: RESELLER.subscriptions,
    parent: '',
    id,
    body,
    s1: `${domain}/${subscriptionId}`,
    ref: customerId,
  };
}

/** Where the seats of a plan stand. */
export const seatsField = (plan: Subscription['plan']): 'numberOfSeats' | 'maximumNumberOfSeats' =>
  isAnnual(plan) ? 'numberOfSeats' : 'maximumNumberOfSeats';

/** Most seats that a reseller's contract allows here. */
const MAX_SEATS = 1_000_000;

/** The seats that a body gives for a plan. @throws Refusal 400 for none, or the field of another kind of plan */
export function seatsFor(plan: Subscription['plan'], seats: Json | undefined): number {
  const field = seatsField(plan);
  const value = isObject(seats) ? seats[field] : undefined;
  if (value === undefined || value === null) throw refuse.required(`seats.${field}`);
  const isCount = typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= MAX_SEATS;
  if (!isCount) throw refuse.invalidInput(`seats.${field}`);
  return value;
}

const TEXT_LIMITS = { purchaseOrderId: 80, dealCode: 100 } as const;

/** Purchase order and deal of a body. @throws Refusal 400 for one that is too long */
export function orderTexts(sent: JsonObject): Pick<Kept, 'purchaseOrderId' | 'dealCode'> {
  for (const [name, maxChars] of Object.entries(TEXT_LIMITS)) {
    if (textOf(sent, name).length > maxChars) throw refuse.invalidInput(name);
  }
  const { purchaseOrderId, dealCode } = sent;
  return {
    ...(isText(purchaseOrderId) && purchaseOrderId !== '' && { purchaseOrderId }),
    ...(isText(dealCode) && dealCode !== '' && { dealCode }),
  };
}

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
