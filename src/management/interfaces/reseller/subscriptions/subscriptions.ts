import { readPageSize } from '../../../core/engine/collection.ts';
import type { Call, Context, Handler } from '../../../core/engine/operation.ts';
import type { ListedRow, ResourceRow } from '../../../core/engine/stored-row.ts';
import { isText, type JsonObject, getTextMember } from '../../../../lib/json.ts';
import { vendorRefusals } from '../../../../lib/refusal.ts';
import { requireResellerCustomer } from '../customers.ts';
import { RESELLER, requireHex } from '../rows.ts';
import * as machine from './machine.ts';
import { getCustomerDomain, parseRenewalType, transfer, listTransferableSubscriptions } from './orders.ts';
import { requireMoved } from './refusals.ts';
import {
  insertKept,
  type StoredSubscription,
  readSubscription,
  requireSubscription,
  validateOrderTexts,
  putKept,
  removeKept,
  requireSeats,
  toSubscriptionResource,
} from './rows.ts';

const LIST_KIND = 'reseller#subscriptions';
const SIZES = { parameter: 'maxResults', default: 20, max: 100 } as const;
/** An offer to transfer is good for so long. */
const TRANSFER_MS = 14 * 86_400_000;

export const getSubscription: Handler = (call, context) => {
  const customer = requireResellerCustomer(call.path['customerId'] ?? '', context);
  return toSubscriptionResource(requireSubscription(customer.id, call, context));
};

/** All of the reseller's, one customer's, those of customers by prefix; with a token, what a customer could transfer. */
export const listSubscriptions: Handler = (call, context) => {
  const { customerId, customerNamePrefix, customerAuthToken } = call.query;
  if (isText(customerAuthToken) && customerAuthToken !== '') return listTransferable(call, context);
  const customer = isText(customerId) && customerId !== '' ? requireResellerCustomer(customerId, context) : undefined;
  const prefix = isText(customerNamePrefix) ? customerNamePrefix.toLowerCase() : '';
  if (customer !== undefined && !getCustomerDomain(customer).startsWith(prefix)) return { kind: LIST_KIND };
  const size = readPageSize(call.query['maxResults'], SIZES);
  const found = context.store.list({
    collection: RESELLER.subscriptions,
    parent: '',
    order: { by: customer === undefined ? 's1' : 'id' },
    prefix: customer === undefined ? prefix : `${customer.id}/`,
    after: context.pages.open(),
    limit: size + 1,
  });
  return buildListAnswer(found, size, context);
};

export const handleChangePlan: Handler = (call, context) => {
  const planName = getTextMember(call.body, 'planName');
  if (planName === '') throw vendorRefusals.required('planName');
  const plan = machine.PAYMENT_PLANS.find((each) => each === planName);
  if (plan === undefined) throw vendorRefusals.invalidInput('planName');
  const seats = requireSeats(plan, call.body['seats']);
  const texts = validateOrderTexts(call.body);
  const { kept } = requireNamedSubscription(call, context);
  const state = requireMoved(machine.changeSubscriptionPlan(kept.state, plan, seats, context.now()));
  removeKept(kept, context);
  const { subscriptionId: _old, ...rest } = kept;
  return toSubscriptionResource(insertKept({ ...rest, ...texts, state }, context));
};

export const handleChangeSeats: Handler = (call, context) =>
  move(call, context, ({ state }) => machine.changeSubscriptionSeats(state, requireSeats(state.plan, call.body)));

export const changeRenewalSettings: Handler = (call, context) => {
  const type = parseRenewalType(call.body);
  if (type === undefined) throw vendorRefusals.required('renewalType');
  return move(call, context, ({ state }) => machine.changeRenewal(state, type));
};

export const handleStartPaidService: Handler = (call, context) =>
  move(call, context, ({ state }) => machine.startSubscriptionService(state, context.now()));

export const handleSuspend: Handler = (call, context) =>
  move(call, context, ({ state }) => machine.suspendSubscription(state));

export const handleActivate: Handler = (call, context) =>
  move(call, context, ({ state }) => machine.activateSubscription(state, context.now()));

export const remove: Handler = (call, context) => {
  const { deletionType } = call.query;
  if (!isText(deletionType) || deletionType === 'deletion_type_undefined')
    throw vendorRefusals.required('deletionType');
  if (deletionType === 'suspend') handleSuspend(call, context);
  else {
    const { kept, customer } = requireNamedSubscription(call, context);
    if (deletionType === 'cancel') removeKept(kept, context);
    else if (deletionType === 'transfer_to_direct') transfer(kept, customer, context);
    else throw vendorRefusals.invalidInput('deletionType');
  }
  return undefined;
};

/**
 * Suspends a subscription for a reason that no method gives: for tests of those who meet one
 * (`PENDING_TOS_ACCEPTANCE`, `OTHER`).
 * @throws Refusal 404 when there is none
 */
export function suspendFor(reason: machine.SuspensionReason, call: Call, context: Context): void {
  const { kept } = requireNamedSubscription(call, context);
  putKept({ ...kept, state: machine.withSuspension(kept.state, reason) }, context);
}

function move(call: Call, context: Context, by: (kept: StoredSubscription) => machine.Moved): JsonObject {
  const { kept } = requireNamedSubscription(call, context);
  const after = { ...kept, state: requireMoved(by(kept)) };
  putKept(after, context);
  return toSubscriptionResource(after);
}

function requireNamedSubscription(call: Call, context: Context): { kept: StoredSubscription; customer: ResourceRow } {
  const customer = requireResellerCustomer(call.path['customerId'] ?? '', context);
  return { kept: requireSubscription(customer.id, call, context), customer };
}

function buildListAnswer(found: readonly ListedRow[], size: number, context: Context): JsonObject {
  const page = found.slice(0, size);
  const last = page.at(-1);
  return {
    kind: LIST_KIND,
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
  return { kind: LIST_KIND, ...(offers.length > 0 && { subscriptions: offers }) };
}

const toTransferableResource = (kept: StoredSubscription, context: Context): JsonObject => ({
  ...toSubscriptionResource(kept),
  transferInfo: {
    minimumTransferableSeats: kept.state.seats,
    transferabilityExpirationTime: String(context.now() + TRANSFER_MS),
  },
});
