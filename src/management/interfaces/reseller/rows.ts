import type { Call, Context } from '../../core/engine/operation.ts';
import type { ResourceRow } from '../../core/engine/stored-row.ts';
import { getTextMember, isObject, type JsonObject } from '../../../lib/json.ts';
import { vendorRefusals } from '../../../lib/refusal.ts';
import { generateDigits } from '../directory/rows.ts';
import { getSeatsField, type OrderTexts } from './schemas.ts';
import { SKUS } from './skus-data.ts';
import { advanceSubscription, isActive, isAnnual, isInTrial, type Subscription } from './subscriptions/machine.ts';

/** Names in the store of a reseller's tenant. */
export const RESELLER = {
  /** id = customer id, s1 = domain; names: DOMAIN. */
  customers: 'reseller.customers',
  /** Present primary domains of customers, lower case. */
  domainNames: 'reseller.domain',
  /** id = `<customer id>/<subscription id>`, s1 = `<domain>/<subscription id>`, ref = customer id: a list of all of them is one index. */
  subscriptions: 'reseller.subscriptions',
  /** What was transferred to the vendor; parent = customer id, id = subscription id. */
  transferred: 'reseller.transferred',
  /** id = address of a service account that hears of changes. */
  listeners: 'reseller.listeners',
} as const;

/** Digits of subscription ids. */
const SUBSCRIPTION_ID_DIGITS = 16;
/** Subscriptions that one customer can have. */
export const MAX_SUBSCRIPTIONS = 200;
/** Service accounts that one reseller can register. */
export const MAX_LISTENERS = 100;
/** Random bytes of a customer's id: `C` and 8 of 36 characters. */
const CUSTOMER_ID_BYTES = 8;
const CUSTOMER_ID_CHARS = 8;

/** A customer as callers see it; `unmanaged: true` marks one whose subscriptions are all with the vendor again. */
export const toCustomerResource = (body: JsonObject): JsonObject =>
  body['unmanaged'] === true ? toMinimalResource(body) : toManagedResource(body);

function toManagedResource(body: JsonObject): JsonObject {
  const { postalAddress, ...rest } = body;
  const domain = getTextMember(body, 'customerDomain');
  return {
    ...rest,
    ...(isObject(postalAddress) && { postalAddress: { kind: 'customers#address', ...postalAddress } }),
    resourceUiUrl: `https://www.google.com/a/cpanel/${domain}/DomainSettings`,
  };
}

const toMinimalResource = ({
  customerId = '',
  customerDomain = '',
  customerType = 'domain',
}: JsonObject): JsonObject => ({
  customerId,
  customerDomain,
  customerType,
});

/** The customer of an id or a present primary domain. @throws Refusal 404 */
export function requireResellerCustomer(key: string, context: Context): ResourceRow {
  const { store } = context;
  const row = key.includes('.')
    ? store.named(RESELLER.domainNames, key.toLowerCase())?.row
    : store.get(RESELLER.customers, '', key);
  if (row === undefined) throw vendorRefusals.notFound('customerId');
  return row;
}

/** Says whether the reseller manages a customer still. */
export function setManaged(row: ResourceRow, isManaged: boolean, context: Context): void {
  const { unmanaged: _before, ...rest } = row.body;
  putCustomer(row, isManaged ? rest : { ...rest, unmanaged: true }, context);
}

/** Stores a changed customer. */
export const putCustomer = ({ collection, id }: ResourceRow, body: JsonObject, { store }: Context): ResourceRow =>
  store.put({ collection, parent: '', id, body, s1: getTextMember(body, 'customerDomain') });

export const generateCustomerId = (context: Context): string => {
  const drawn = BigInt(`0x${context.random(CUSTOMER_ID_BYTES)}`).toString(36);
  return `C${drawn.slice(-CUSTOMER_ID_CHARS).padStart(CUSTOMER_ID_CHARS, '0')}`;
};

export const getCustomerDomain = ({ body }: ResourceRow): string => getTextMember(body, 'customerDomain');

/** What is stored of a subscription: its state, and what it is called. */
export type StoredSubscription = OrderTexts & {
  customerId: string;
  /** The customer's present domain. */
  domain: string;
  subscriptionId: string;
  skuId: string;
  createdMs: number;
  state: Subscription;
};

/** Stores a new subscription, under a fresh id. */
export function insertSubscriptionRow(
  sent: Omit<StoredSubscription, 'subscriptionId'>,
  context: Context,
): StoredSubscription {
  const kept = { ...sent, subscriptionId: generateDigits(context, SUBSCRIPTION_ID_DIGITS) };
  if (context.store.insert(buildSubscriptionRow(kept)) === undefined) throw vendorRefusals.duplicate();
  return kept;
}

/** Stores a changed subscription; what it is called stays. */
export function putSubscriptionRow(kept: StoredSubscription, { store }: Context): void {
  store.put(buildSubscriptionRow(kept));
}

export const removeSubscriptionRow = (
  { customerId, subscriptionId }: StoredSubscription,
  { store }: Context,
): boolean => store.remove({ collection: RESELLER.subscriptions, parent: '', id: `${customerId}/${subscriptionId}` });

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

/** A customer's subscriptions with the vendor, which could be transferred. They show the customer's present domain. */
export const listTransferableSubscriptions = (customer: ResourceRow, context: Context): readonly StoredSubscription[] =>
  context.store
    .list({ collection: RESELLER.transferred, parent: customer.id, limit: MAX_SUBSCRIPTIONS })
    .map(({ row }) => ({ ...readSubscription(row.body, context), domain: getCustomerDomain(customer) }));

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
