import { DAY_MS } from '../../../lib/time.ts';
import { buildShownResource, type Collection, readPageSize, requireMatch } from '../../core/engine/collection.ts';
import type { Call, Context, Handlers } from '../../core/engine/operation.ts';
import type { ListedRow, ResourceRow } from '../../core/engine/stored-row.ts';
import { patchBody, replaceBody, selectWritable } from '../../core/engine/write.ts';
import { getMember, getTextMember, isText, type JsonObject } from '../../../lib/json.ts';
import { vendorRefusals } from '../../../lib/refusal.ts';
import { requireMoved } from './refusals.ts';
import {
  generateCustomerId,
  getCustomerDomain,
  insertSubscriptionRow,
  listCustomerSubscriptions,
  listTransferableSubscriptions,
  MAX_LISTENERS,
  MAX_SUBSCRIPTIONS,
  putCustomer,
  putSubscriptionRow,
  readSubscription,
  removeSubscriptionRow,
  renameSubscriptions,
  requireResellerCustomer,
  requireSubscription,
  RESELLER,
  setManaged,
  type StoredSubscription,
  toCustomerResource,
  toSubscriptionResource,
} from './rows.ts';
import {
  parseRenewalType,
  requireHex,
  requirePaymentPlan,
  requirePlan,
  requireSeats,
  requireServiceAccount,
  requireSku,
  validateCustomer,
  validateOrderTexts,
} from './schemas.ts';
import { type Sku, SKUS } from './skus-data.ts';
import * as machine from './subscriptions/machine.ts';

const SUBSCRIPTION_LIST = 'reseller#subscriptions';
const SUBSCRIPTION_PAGE = { parameter: 'maxResults', default: 20, max: 100 } as const;
/** An offer to transfer is good for so long. */
const TRANSFER_MS = 14 * DAY_MS;

/** Customers of the reseller. */
const resellerCustomers: Collection = {
  name: RESELLER.customers,
  schema: 'Customer',
  kind: 'reseller#customer',
  listKind: 'reseller#customers',
  items: 'customers',
  find: ({ path }, context) => requireResellerCustomer(path['customerId'] ?? '', context),
  create: () => {
    throw new Error('Customers are inserted by `insertCustomer`: one may be there already');
  },
  view: ({ body }) => toCustomerResource(body),
};

/** Customers of a reseller, their subscriptions, and service accounts that listen for changes. */
export const handlers: Handlers = {
  'reseller.customers.get': (call, context) =>
    buildShownResource(resellerCustomers, resellerCustomers.find(call, context), call, context),
  'reseller.customers.insert': insertCustomer,
  'reseller.customers.patch': (call, context) => changeCustomer(call, context, patchBody),
  'reseller.customers.update': (call, context) => changeCustomer(call, context, replaceBody),
  'reseller.subscriptions.list': listSubscriptions,
  'reseller.subscriptions.get': (call, context) => toSubscriptionResource(requireNamedSubscription(call, context).kept),
  'reseller.subscriptions.insert': insertSubscription,
  'reseller.subscriptions.delete': removeSubscription,
  'reseller.subscriptions.activate': (call, context) =>
    moveSubscription(call, context, ({ state }) => machine.activateSubscription(state, context.now())),
  'reseller.subscriptions.changePlan': changePlan,
  'reseller.subscriptions.changeRenewalSettings': changeRenewalSettings,
  'reseller.subscriptions.changeSeats': (call, context) =>
    moveSubscription(call, context, ({ state }) =>
      machine.changeSubscriptionSeats(state, requireSeats(state.plan, call.body)),
    ),
  'reseller.subscriptions.startPaidService': (call, context) =>
    moveSubscription(call, context, ({ state }) => machine.startSubscriptionService(state, context.now())),
  'reseller.subscriptions.suspend': suspendByReseller,
  'reseller.resellernotify.getwatchdetails': getWatchDetails,
  'reseller.resellernotify.register': registerListener,
  'reseller.resellernotify.unregister': unregisterListener,
};

/** A domain that is known but not managed any more comes back with the customer's token. */
function insertCustomer(call: Call, context: Context): JsonObject {
  const sent = selectWritable('Customer', call.body, context.row);
  const body = validateCustomer(sent, getTextMember(sent, 'customerType') || 'domain');
  const domain = getTextMember(body, 'customerDomain');
  const known = context.store.named(RESELLER.domainNames, domain)?.row;
  if (known !== undefined) return restoreCustomer(known, body, call, context);
  const customerId = generateCustomerId(context);
  const stored: JsonObject = { ...body, customerId, customerDomainVerified: false };
  const row = context.store.insert({
    collection: RESELLER.customers,
    parent: '',
    id: customerId,
    body: stored,
    s1: domain,
  });
  if (row === undefined) throw vendorRefusals.duplicate();
  context.store.name(RESELLER.domainNames, domain, row);
  return buildShownResource(resellerCustomers, row, call, context);
}

function changeCustomer(call: Call, context: Context, merge: typeof patchBody): JsonObject {
  const before = resellerCustomers.find(call, context);
  if (before.body['unmanaged'] === true) throw vendorRefusals.forbidden();
  requireMatch(before, call, context);
  const merged = merge('Customer', before.body, call.body, context.row);
  const type = getTextMember(before.body, 'customerType');
  const sentType = getMember(call.body, 'customerType');
  if (isText(sentType) && sentType !== type) throw vendorRefusals.invalidInput('customerType');
  const { customerId = before.id, customerDomainVerified = false } = before.body;
  const body = { ...validateCustomer({ ...merged, customerType: type }, type), customerId, customerDomainVerified };
  renameCustomer(before, getTextMember(body, 'customerDomain'), context);
  return buildShownResource(resellerCustomers, putCustomer(before, body, context), call, context);
}

/** The old domain stops to be a key at once. */
function renameCustomer(before: ResourceRow, domain: string, context: Context): void {
  const old = getTextMember(before.body, 'customerDomain');
  if (old === domain) return;
  context.store.unname(RESELLER.domainNames, old);
  if (!context.store.name(RESELLER.domainNames, domain, before)) throw vendorRefusals.duplicate();
  renameSubscriptions(before.id, domain, context);
}

function restoreCustomer(known: ResourceRow, body: JsonObject, call: Call, context: Context): JsonObject {
  if (known.body['unmanaged'] !== true) throw vendorRefusals.duplicate();
  requireHex(call.query['customerAuthToken'], 'customerAuthToken');
  const { customerId = known.id, customerDomainVerified = false } = known.body;
  return buildShownResource(
    resellerCustomers,
    putCustomer(known, { ...body, customerId, customerDomainVerified }, context),
    call,
    context,
  );
}

/** All of the reseller's, one customer's, those of customers by prefix; with a token, what a customer could transfer. */
function listSubscriptions(call: Call, context: Context): JsonObject {
  const { customerId, customerNamePrefix, customerAuthToken } = call.query;
  if (isText(customerAuthToken) && customerAuthToken !== '') return listTransferable(call, context);
  const customer = isText(customerId) && customerId !== '' ? requireResellerCustomer(customerId, context) : undefined;
  const prefix = isText(customerNamePrefix) ? customerNamePrefix.toLowerCase() : '';
  if (customer !== undefined && !getCustomerDomain(customer).startsWith(prefix)) return { kind: SUBSCRIPTION_LIST };
  const size = readPageSize(call.query['maxResults'], SUBSCRIPTION_PAGE);
  const found = context.store.list({
    collection: RESELLER.subscriptions,
    parent: '',
    order: { by: customer === undefined ? 's1' : 'id' },
    prefix: customer === undefined ? prefix : `${customer.id}/`,
    after: context.pages.open(),
    limit: size + 1,
  });
  return buildListAnswer(found, size, context);
}

function buildListAnswer(found: readonly ListedRow[], size: number, context: Context): JsonObject {
  const page = found.slice(0, size);
  const last = page.at(-1);
  return {
    kind: SUBSCRIPTION_LIST,
    ...(page.length > 0 && {
      subscriptions: page.map(({ row }) => toSubscriptionResource(readSubscription(row.body, context))),
    }),
    ...(found.length > size && last && { nextPageToken: context.pages.seal(last.cursor) }),
  };
}

/** What one customer has with the vendor. The list is whole. */
function listTransferable({ query }: Call, context: Context): JsonObject {
  const { customerId, customerAuthToken } = query;
  if (!isText(customerId) || customerId === '') throw vendorRefusals.required('customerId');
  requireHex(customerAuthToken, 'customerAuthToken');
  const customer = requireResellerCustomer(customerId, context);
  const offers = listTransferableSubscriptions(customer, context).map((kept) => toTransferableResource(kept, context));
  return { kind: SUBSCRIPTION_LIST, ...(offers.length > 0 && { subscriptions: offers }) };
}

const toTransferableResource = (kept: StoredSubscription, context: Context): JsonObject => ({
  ...toSubscriptionResource(kept),
  transferInfo: {
    minimumTransferableSeats: kept.state.seats,
    transferabilityExpirationTime: String(context.now() + TRANSFER_MS),
  },
});

/** Buys a SKU, changes to it from another of the same product, or takes back what was transferred to the vendor. */
function insertSubscription(call: Call, context: Context): JsonObject {
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
  if (source !== undefined) removeSubscriptionRow(source, context);
  const now = context.now();
  const state = source
    ? requireMoved(machine.switchSubscription(source.state, plan, seats, renewalType, now))
    : machine.buildSubscription(plan, seats, renewalType, now);
  const domain = getCustomerDomain(customer);
  const kept = { customerId: customer.id, domain, skuId: sku.id, createdMs: now, state, ...texts };
  return toSubscriptionResource(insertSubscriptionRow(kept, context));
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

/** The subscription begins anew under another id, with its other plan. */
function changePlan(call: Call, context: Context): JsonObject {
  const plan = requirePaymentPlan(call.body);
  const seats = requireSeats(plan, call.body['seats']);
  const texts = validateOrderTexts(call.body);
  const { kept } = requireNamedSubscription(call, context);
  const state = requireMoved(machine.changeSubscriptionPlan(kept.state, plan, seats, context.now()));
  removeSubscriptionRow(kept, context);
  const { subscriptionId: _old, ...rest } = kept;
  return toSubscriptionResource(insertSubscriptionRow({ ...rest, ...texts, state }, context));
}

function changeRenewalSettings(call: Call, context: Context): JsonObject {
  const type = parseRenewalType(call.body);
  if (type === undefined) throw vendorRefusals.required('renewalType');
  return moveSubscription(call, context, ({ state }) => machine.changeRenewal(state, type));
}

function suspendByReseller(call: Call, context: Context): JsonObject {
  return moveSubscription(call, context, ({ state }) => machine.suspendSubscription(state));
}

function removeSubscription(call: Call, context: Context): undefined {
  const { deletionType } = call.query;
  if (!isText(deletionType) || deletionType === 'deletion_type_undefined')
    throw vendorRefusals.required('deletionType');
  if (deletionType === 'suspend') suspendByReseller(call, context);
  else {
    const { kept, customer } = requireNamedSubscription(call, context);
    if (deletionType === 'cancel') removeSubscriptionRow(kept, context);
    else if (deletionType === 'transfer_to_direct') transferSubscription(kept, customer, context);
    else throw vendorRefusals.invalidInput('deletionType');
  }
}

/** Hands a subscription over to the vendor. A customer that has none left is not managed any more. */
function transferSubscription(kept: StoredSubscription, customer: ResourceRow, context: Context): void {
  removeSubscriptionRow(kept, context);
  const address = { collection: RESELLER.transferred, parent: customer.id, id: kept.skuId };
  context.store.remove(address);
  context.store.insert({ ...address, body: kept as unknown as JsonObject }); // JSON all through.
  if (listCustomerSubscriptions(customer.id, context).length === 0) setManaged(customer, false, context);
}

/**
 * Suspends a subscription for a reason that no method gives: for tests of those who meet one
 * (`PENDING_TOS_ACCEPTANCE`, `OTHER`).
 * @throws Refusal 404 when there is none
 */
export function suspendFor(reason: machine.SuspensionReason, call: Call, context: Context): void {
  const { kept } = requireNamedSubscription(call, context);
  putSubscriptionRow({ ...kept, state: machine.withSuspension(kept.state, reason) }, context);
}

function moveSubscription(call: Call, context: Context, by: (kept: StoredSubscription) => machine.Moved): JsonObject {
  const { kept } = requireNamedSubscription(call, context);
  const after = { ...kept, state: requireMoved(by(kept)) };
  putSubscriptionRow(after, context);
  return toSubscriptionResource(after);
}

function requireNamedSubscription(call: Call, context: Context): { kept: StoredSubscription; customer: ResourceRow } {
  const customer = requireResellerCustomer(call.path['customerId'] ?? '', context);
  return { kept: requireSubscription(customer.id, call, context), customer };
}

/** Registers a service account; one that is registered stays so. */
function registerListener(call: Call, context: Context): JsonObject {
  const id = requireServiceAccount(call);
  const isKnown = context.store.get(RESELLER.listeners, '', id) !== undefined;
  if (isKnown) return buildTopic(context);
  if (context.store.count(RESELLER.listeners, '') >= MAX_LISTENERS)
    throw vendorRefusals.limitExceeded('Too many registrations');
  context.store.insert({ collection: RESELLER.listeners, parent: '', id, body: {} });
  return buildTopic(context);
}

function unregisterListener(call: Call, context: Context): JsonObject {
  const isGone = context.store.remove({ collection: RESELLER.listeners, parent: '', id: requireServiceAccount(call) });
  if (!isGone) throw vendorRefusals.notFound('serviceAccountEmailAddress');
  return buildTopic(context);
}

function getWatchDetails(_call: Call, context: Context): JsonObject {
  const found = context.store.list({ collection: RESELLER.listeners, parent: '', limit: MAX_LISTENERS });
  const addresses = found.map(({ row }) => row.id);
  return addresses.length === 0 ? {} : { serviceAccountEmailAddresses: addresses, ...buildTopic(context) };
}

const buildTopic = ({ tenant }: Context): JsonObject => ({ topicName: `projects/partner-watch/topics/${tenant.id}` });
