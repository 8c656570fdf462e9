import type { Call, Context, Handler } from '../../../core/engine/operation.ts';
import type { ResourceRow } from '../../../core/engine/stored-row.ts';
import { isObject, isText, getMember, type Json, type JsonObject, getTextMember } from '../../../../lib/json.ts';
import { vendorRefusals } from '../../../../lib/refusal.ts';
import { requireResellerCustomer, setManaged } from '../customers.ts';
import { RESELLER, requireHex } from '../rows.ts';
import { type Sku, SKUS } from '../skus-data.ts';
import * as machine from './machine.ts';
import { requireMoved } from './refusals.ts';
import {
  insertKept,
  type StoredSubscription,
  readSubscription,
  MAX_SUBSCRIPTIONS,
  validateOrderTexts,
  removeKept,
  requireSeats,
  toSubscriptionResource,
  listCustomerSubscriptions,
} from './rows.ts';

const PLANS: readonly machine.PlanName[] = [...machine.PAYMENT_PLANS, 'TRIAL', 'FREE'];

/** Buys a SKU, changes to it from another of the same product, or takes back what was transferred to the vendor. */
export const insertSubscription: Handler = (call, context) => {
  const customer = requireResellerCustomer(call.path['customerId'] ?? '', context);
  const { body: sent } = call;
  requireSameCustomer(sent, customer);
  const sku = requireSku(sent);
  const plan = requirePlan(sent, sku);
  const seats = requireSeats(plan, sent['seats']);
  const renewalType = parseRenewalType(getMember(sent, 'renewalSettings'));
  const texts = validateOrderTexts(sent);
  const owned = listCustomerSubscriptions(customer.id, context);
  if (owned.some(({ skuId }) => skuId === sku.id)) throw vendorRefusals.duplicate();
  if (owned.length >= MAX_SUBSCRIPTIONS) throw vendorRefusals.limitExceeded('The customer has too many subscriptions');
  takeBack(customer, sku, seats, call, context);
  const source = findSwitchSource(owned, sku, call);
  if (source !== undefined) removeKept(source, context);
  const now = context.now();
  const state = source
    ? requireMoved(machine.switchSubscription(source.state, plan, seats, renewalType, now))
    : machine.buildSubscription(plan, seats, renewalType, now);
  const domain = getCustomerDomain(customer);
  const kept = { customerId: customer.id, domain, skuId: sku.id, createdMs: now, state, ...texts };
  return toSubscriptionResource(insertKept(kept, context));
};

/** Hands a subscription over to the vendor. A customer that has none left is not managed any more. */
export function transfer(kept: StoredSubscription, customer: ResourceRow, context: Context): void {
  removeKept(kept, context);
  const address = { collection: RESELLER.transferred, parent: customer.id, id: kept.skuId };
  context.store.remove(address);
  context.store.insert({ ...address, body: kept as unknown as JsonObject }); // JSON all through.
  if (listCustomerSubscriptions(customer.id, context).length === 0) setManaged(customer, false, context);
}

/** A customer's subscriptions with the vendor, which could be transferred. They show the customer's present domain. */
export const listTransferableSubscriptions = (customer: ResourceRow, context: Context): readonly StoredSubscription[] =>
  context.store
    .list({ collection: RESELLER.transferred, parent: customer.id, limit: MAX_SUBSCRIPTIONS })
    .map(({ row }) => ({ ...readSubscription(row.body, context), domain: getCustomerDomain(customer) }));

export const getCustomerDomain = ({ body }: ResourceRow): string => getTextMember(body, 'customerDomain');

/** The reseller's renewal settings in a body. @throws Refusal 400 for a word that is none */
export function parseRenewalType(settings: Json | undefined): machine.RenewalType | undefined {
  const type = isObject(settings) ? settings['renewalType'] : undefined;
  if (!isText(type) || type === '') return undefined;
  const known = machine.RENEWAL_TYPES.find((each) => each === type);
  if (known === undefined) throw vendorRefusals.invalidInput('renewalSettings.renewalType');
  return known;
}

/** A customer that is not managed any more comes back with its token only; so does what it had. */
function takeBack(customer: ResourceRow, sku: Sku, seats: number, { query }: Call, context: Context): void {
  const isManaged = customer.body['unmanaged'] !== true;
  const former = context.store.get(RESELLER.transferred, customer.id, sku.id);
  if (former === undefined && isManaged) return;
  requireHex(query['customerAuthToken'], 'customerAuthToken');
  if (former !== undefined) {
    if (seats < readSubscription(former.body, context).state.seats) throw vendorRefusals.invalidInput('seats');
    context.store.remove(former);
  }
  if (!isManaged) setManaged(customer, true, context);
}

/** The subscription that a switch replaces; undefined where nothing is switched. */
function findSwitchSource(
  owned: readonly StoredSubscription[],
  sku: Sku,
  { query }: Call,
): StoredSubscription | undefined {
  const { action, sourceSkuId } = query;
  if (action !== 'switch') return undefined;
  if (!isText(sourceSkuId) || sourceSkuId === '') throw vendorRefusals.required('sourceSkuId');
  const source = owned.find(({ skuId }) => skuId === sourceSkuId);
  const product = SKUS.find(({ id }) => id === sourceSkuId)?.product;
  if (source === undefined || product !== sku.product) throw vendorRefusals.invalidInput('sourceSkuId');
  return source;
}

/** A customer in the body must be the one of the path, by id or domain. */
function requireSameCustomer(sent: JsonObject, customer: ResourceRow): void {
  const named = getTextMember(sent, 'customerId');
  const isSame = named === '' || named === customer.id || named.toLowerCase() === getCustomerDomain(customer);
  if (!isSame) throw vendorRefusals.invalidInput('customerId');
}

function requireSku(sent: JsonObject): Sku {
  const skuId = getTextMember(sent, 'skuId');
  if (skuId === '') throw vendorRefusals.required('skuId');
  const sku = SKUS.find(({ id }) => id === skuId);
  if (sku === undefined) throw vendorRefusals.invalidInput('skuId');
  return sku;
}

/** The free plan goes with the free SKU, and only with it. */
function requirePlan(sent: JsonObject, sku: Sku): machine.PlanName {
  const plan = getMember(sent, 'plan');
  const name = isObject(plan) ? getTextMember(plan, 'planName') : '';
  if (name === '') throw vendorRefusals.required('plan.planName');
  const known = PLANS.find((each) => each === name);
  if (known === undefined || (known === 'FREE') !== (sku.free === true))
    throw vendorRefusals.invalidInput('plan.planName');
  return known;
}
