import * as z from 'zod';
import { extractEmailDomain } from '../../../lib/email.ts';
import { getMember, getTextMember, isObject, isText, type Json, type JsonObject } from '../../../lib/json.ts';
import { vendorRefusals } from '../../../lib/refusal.ts';
import type { Call } from '../../core/engine/operation.ts';
import { isEmail } from '../directory/schemas.ts';
import { type Sku, SKUS } from './skus-data.ts';
import * as machine from './subscriptions/machine.ts';

const PLANS = [...machine.PAYMENT_PLANS, 'TRIAL', 'FREE'] as const satisfies readonly machine.PlanName[];

const time = z.int().nonnegative();

/** A stored subscription (`StoredSubscription`): what the machine needs of it has no place in the vendor's schema. */
const storedSubscription = z.strictObject({
  customerId: z.string().min(1),
  domain: z.string().min(1),
  subscriptionId: z.string().min(1),
  skuId: z.string().min(1),
  createdMs: time,
  state: z.strictObject({
    plan: z.enum(PLANS),
    seats: z.int().positive(),
    suspensions: z.array(z.enum(machine.SUSPENSION_REASONS)).max(machine.SUSPENSION_REASONS.length),
    trialEndMs: time.optional(),
    commitment: z.strictObject({ startMs: time, endMs: time }).optional(),
    renewalType: z.enum(machine.RENEWAL_TYPES).optional(),
  }),
  purchaseOrderId: z.string().optional(),
  dealCode: z.string().optional(),
});

/** Whether a body is one of a stored subscription: a restore takes no other (rule K3). */
export const isStoredSubscription = (body: JsonObject): boolean => storedSubscription.safeParse(body).success;

const MAX_TOKEN_CHARS = 128;
const HEX = /^[0-9a-fA-F]+$/;

/** @throws Refusal 400 for a token that is missing or not hexadecimal */
export function requireHex(token: unknown, name: string): void {
  if (!isText(token) || token === '') throw vendorRefusals.required(name);
  if (token.length > MAX_TOKEN_CHARS || !HEX.test(token)) throw vendorRefusals.invalidInput(name);
}

/** The address that a listener is called by. @throws Refusal 400 */
export function requireServiceAccount({ query }: Call): string {
  const address = query['serviceAccountEmailAddress'];
  if (!isText(address) || address === '') throw vendorRefusals.required('serviceAccountEmailAddress');
  if (!isEmail(address)) throw vendorRefusals.invalidInput('serviceAccountEmailAddress');
  return address.toLowerCase();
}

const MAX_ADDRESS_CHARS = 255;
const REQUIRED_ADDRESS = ['contactName', 'organizationName', 'countryCode', 'postalCode'];
const MAX_DOMAIN_CHARS = 253;
const DOMAIN = /^[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63})+$/;
const COUNTRY = /^[A-Z]{2}$/;
const PHONE = /^\+[0-9][0-9 ().-]{5,30}$/;

/** What the reseller may say of a customer, complete. */
export function validateCustomer(sent: JsonObject, customerType: string): JsonObject {
  if (customerType !== 'domain' && customerType !== 'team') throw vendorRefusals.invalidInput('customerType');
  const customerDomain = getTextMember(sent, 'customerDomain').toLowerCase();
  if (customerDomain === '') throw vendorRefusals.required('customerDomain');
  const isDomain = customerDomain.length <= MAX_DOMAIN_CHARS && DOMAIN.test(customerDomain);
  if (!isDomain || customerDomain.startsWith('www.')) throw vendorRefusals.invalidInput('customerDomain');
  const email = validateAlternateEmail(sent, customerType, customerDomain);
  const { phoneNumber, primaryAdmin } = sent;
  return {
    customerDomain,
    customerType,
    postalAddress: validateAddress(sent),
    ...(email !== '' && { alternateEmail: email }),
    ...(isText(phoneNumber) && PHONE.test(phoneNumber) && { phoneNumber }),
    ...(customerType === 'team' && { primaryAdmin: validateAdmin(primaryAdmin) }),
  };
}

function validateAlternateEmail(sent: JsonObject, customerType: string, customerDomain: string): string {
  const email = getTextMember(sent, 'alternateEmail');
  if (email === '' && customerType === 'domain') throw vendorRefusals.required('alternateEmail');
  const isUsable = email === '' || (isEmail(email) && extractEmailDomain(email) !== customerDomain);
  if (!isUsable) throw vendorRefusals.invalidInput('alternateEmail');
  return email;
}

function validateAdmin(primaryAdmin: unknown): JsonObject {
  const primaryEmail = isObject(primaryAdmin) ? getTextMember(primaryAdmin, 'primaryEmail') : '';
  if (primaryEmail === '') throw vendorRefusals.required('primaryAdmin.primaryEmail');
  if (!isEmail(primaryEmail)) throw vendorRefusals.invalidInput('primaryAdmin.primaryEmail');
  return { primaryEmail };
}

function validateAddress({ postalAddress }: JsonObject): JsonObject {
  if (!isObject(postalAddress)) throw vendorRefusals.required('postalAddress');
  for (const name of REQUIRED_ADDRESS)
    if (getTextMember(postalAddress, name) === '') throw vendorRefusals.required(`postalAddress.${name}`);
  for (const [name, value] of Object.entries(postalAddress)) {
    if (isText(value) && value.length > MAX_ADDRESS_CHARS) throw vendorRefusals.invalidInput(`postalAddress.${name}`);
  }
  if (!COUNTRY.test(getTextMember(postalAddress, 'countryCode')))
    throw vendorRefusals.invalidInput('postalAddress.countryCode');
  return postalAddress;
}

/** The field that has the seats of a plan. */
export const getSeatsField = (plan: machine.PlanName): 'numberOfSeats' | 'maximumNumberOfSeats' =>
  machine.isAnnual(plan) ? 'numberOfSeats' : 'maximumNumberOfSeats';

/** Most seats that a reseller's contract allows here. */
const MAX_SEATS = 1_000_000;

/** The seats that a body gives for a plan. @throws Refusal 400 for none, or the field of another kind of plan */
export function requireSeats(plan: machine.PlanName, seats: Json | undefined): number {
  const field = getSeatsField(plan);
  const value = isObject(seats) ? seats[field] : undefined;
  if (value === undefined || value === null) throw vendorRefusals.required(`seats.${field}`);
  const isCount = typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= MAX_SEATS;
  if (!isCount) throw vendorRefusals.invalidInput(`seats.${field}`);
  return value;
}

/** What a body of an order says beside plan and seats. */
export type OrderTexts = { purchaseOrderId?: string; dealCode?: string };

const TEXT_LIMITS = { purchaseOrderId: 80, dealCode: 100 } as const;

/** Purchase order and deal of a body. @throws Refusal 400 for one that is too long */
export function validateOrderTexts(sent: JsonObject): OrderTexts {
  for (const [name, maxChars] of Object.entries(TEXT_LIMITS)) {
    if (getTextMember(sent, name).length > maxChars) throw vendorRefusals.invalidInput(name);
  }
  const { purchaseOrderId, dealCode } = sent;
  return {
    ...(isText(purchaseOrderId) && purchaseOrderId !== '' && { purchaseOrderId }),
    ...(isText(dealCode) && dealCode !== '' && { dealCode }),
  };
}

/** The reseller's renewal settings in a body. @throws Refusal 400 for a word that is none */
export function parseRenewalType(settings: Json | undefined): machine.RenewalType | undefined {
  const type = isObject(settings) ? settings['renewalType'] : undefined;
  if (!isText(type) || type === '') return undefined;
  const known = machine.RENEWAL_TYPES.find((each) => each === type);
  if (known === undefined) throw vendorRefusals.invalidInput('renewalSettings.renewalType');
  return known;
}

/** @throws Refusal 400 for none, and for one that is not sold */
export function requireSku(sent: JsonObject): Sku {
  const skuId = getTextMember(sent, 'skuId');
  if (skuId === '') throw vendorRefusals.required('skuId');
  const sku = SKUS.find(({ id }) => id === skuId);
  if (sku === undefined) throw vendorRefusals.invalidInput('skuId');
  return sku;
}

/** The free plan goes with the free SKU, and only with it. */
export function requirePlan(sent: JsonObject, sku: Sku): machine.PlanName {
  const plan = getMember(sent, 'plan');
  const name = isObject(plan) ? getTextMember(plan, 'planName') : '';
  if (name === '') throw vendorRefusals.required('plan.planName');
  const known = PLANS.find((each) => each === name);
  if (known === undefined || (known === 'FREE') !== (sku.free === true))
    throw vendorRefusals.invalidInput('plan.planName');
  return known;
}

/** The plan that a subscription changes to: one that is paid for. @throws Refusal 400 */
export function requirePaymentPlan(sent: JsonObject): machine.PaymentPlan {
  const planName = getTextMember(sent, 'planName');
  if (planName === '') throw vendorRefusals.required('planName');
  const plan = machine.PAYMENT_PLANS.find((each) => each === planName);
  if (plan === undefined) throw vendorRefusals.invalidInput('planName');
  return plan;
}
