import { pageSize } from '../../../core/engine/collection.ts';
import type { Call, Context, Handler } from '../../../core/engine/operation.ts';
import type { Listed, StoredRow } from '../../../core/engine/stored-row.ts';
import { isText, type JsonObject } from '../../../../lib/json.ts';
import { refuse } from '../../../../lib/refusal.ts';
import { customerOf } from '../customers.ts';
import { RESELLER, requireHex, textOf } from '../rows.ts';
import * as machine from './machine.ts';
import { domainOfCustomer, renewalTypeOf, transfer, transferable } from './orders.ts';
import { done } from './refusals.ts';
import { insertKept, type Kept, keptIn, keptOf, orderTexts, putKept, removeKept, seatsFor, shownKept } from './rows.ts';

const LIST_KIND = 'reseller#subscriptions';
const SIZES = { parameter: 'maxResults', default: 20, max: 100 } as const;
/** An offer to transfer is good for so long. */
const TRANSFER_MS = 14 * 86_400_000;

export const get: Handler = (call, context) => {
  const customer = customerOf(call.path['customerId'] ?? '', context);
  return shownKept(keptOf(customer.id, call, context));
};

/** All of the reseller's, one customer's, those of customers by prefix; with a token, what a customer could transfer. */
export const list: Handler = (call, context) => {
  const { customerId, customerNamePrefix, customerAuthToken } = call.query;
  if (isText(customerAuthToken) && customerAuthToken !== '') return listTransferable(call, context);
  const customer = isText(customerId) && customerId !== '' ? customerOf(customerId, context) : undefined;
  const prefix = isText(customerNamePrefix) ? customerNamePrefix.toLowerCase() : '';
  if (customer !== undefined && !domainOfCustomer(customer).startsWith(prefix)) return { kind: LIST_KIND };
  const size = pageSize(call.query['maxResults'], SIZES);
  const found = context.store.list({
    collection: RESELLER.subscriptions,
    parent: '',
    order: { by: customer === undefined ? 's1' : 'id' },
    prefix: customer === undefined ? prefix : `${customer.id}/`,
    after: context.pages.open(),
    limit: size + 1,
  });
  return envelope(found, size, context);
};

export const changePlan: Handler = (call, context) => {
  const planName = textOf(call.body, 'planName');
  if (planName === '') throw refuse.required('planName');
  const plan = machine.PAYMENT_PLANS.find((each) => each === planName);
  if (plan === undefined) throw refuse.invalidInput('planName');
  const seats = seatsFor(plan, call.body['seats']);
  const texts = orderTexts(call.body);
  const { kept } = named(call, context);
  const state = done(machine.changePlan(kept.state, plan, seats, context.now()));
  removeKept(kept, context);
  const { subscriptionId: _old, ...rest } = kept;
  return shownKept(insertKept({ ...rest, ...texts, state }, context));
};

export const changeSeats: Handler = (call, context) =>
  move(call, context, ({ state }) => machine.changeSeats(state, seatsFor(state.plan, call.body)));

export const changeRenewalSettings: Handler = (call, context) => {
  const type = renewalTypeOf(call.body);
  if (type === undefined) throw refuse.required('renewalType');
  return move(call, context, ({ state }) => machine.changeRenewal(state, type));
};

export const startPaidService: Handler = (call, context) =>
  move(call, context, ({ state }) => machine.startPaidService(state, context.now()));

export const suspend: Handler = (call, context) => move(call, context, ({ state }) => machine.suspend(state));

export const activate: Handler = (call, context) =>
  move(call, context, ({ state }) => machine.activate(state, context.now()));

export const remove: Handler = (call, context) => {
  const { deletionType } = call.query;
  if (!isText(deletionType) || deletionType === 'deletion_type_undefined') throw refuse.required('deletionType');
  if (deletionType === 'suspend') suspend(call, context);
  else {
    const { kept, customer } = named(call, context);
    if (deletionType === 'cancel') removeKept(kept, context);
    else if (deletionType === 'transfer_to_direct') transfer(kept, customer, context);
    else throw refuse.invalidInput('deletionType');
  }
  return undefined;
};

/**
 * Suspends a subscription for a reason that no method gives: for tests of those who meet one
 * (`PENDING_TOS_ACCEPTANCE`, `OTHER`).
 * @throws Refusal 404 when there is none
 */
export function suspendFor(reason: machine.SuspensionReason, call: Call, context: Context): void {
  const { kept } = named(call, context);
  putKept({ ...kept, state: machine.suspended(kept.state, reason) }, context);
}

function move(call: Call, context: Context, by: (kept: Kept) => machine.Moved): JsonObject {
  const { kept } = named(call, context);
  const after = { ...kept, state: done(by(kept)) };
  putKept(after, context);
  return shownKept(after);
}

function named(call: Call, context: Context): { kept: Kept; customer: StoredRow } {
  const customer = customerOf(call.path['customerId'] ?? '', context);
  return { kept: keptOf(customer.id, call, context), customer };
}

function envelope(found: readonly Listed[], size: number, context: Context): JsonObject {
  const page = found.slice(0, size);
  const last = page.at(-1);
  return {
    kind: LIST_KIND,
    ...(page.length > 0 && { subscriptions: page.map(({ row }) => shownKept(keptIn(row.body, context))) }),
    ...(found.length > size && last && { nextPageToken: context.pages.seal(last.cursor) }),
  };
}

/** What one customer has with the vendor. The list is whole. */
function listTransferable({ query }: Call, context: Context): JsonObject {
  const { customerId, customerAuthToken } = query;
  if (!isText(customerId) || customerId === '') throw refuse.required('customerId');
  requireHex(customerAuthToken, 'customerAuthToken');
  const customer = customerOf(customerId, context);
  const offers = transferable(customer, context).map((kept) => offered(kept, context));
  return { kind: LIST_KIND, ...(offers.length > 0 && { subscriptions: offers }) };
}

const offered = (kept: Kept, context: Context): JsonObject => ({
  ...shownKept(kept),
  transferInfo: {
    minimumTransferableSeats: kept.state.seats,
    transferabilityExpirationTime: String(context.now() + TRANSFER_MS),
  },
});
