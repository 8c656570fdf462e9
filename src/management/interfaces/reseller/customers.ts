import { requireMatch, buildShownResource, type Collection } from '../../core/engine/collection.ts';
import type { Call, Context, Handler } from '../../core/engine/operation.ts';
import type { ResourceRow } from '../../core/engine/stored-row.ts';
import { patchBody, replaceBody, selectWritable } from '../../core/engine/write.ts';
import { isObject, isText, getMember, type JsonObject, getTextMember } from '../../../lib/json.ts';
import { vendorRefusals } from '../../../lib/refusal.ts';
import { extractEmailDomain, isEmail } from '../directory/schemas.ts';
import { renameSubscriptions } from './subscriptions/rows.ts';
import { RESELLER, requireHex } from './rows.ts';

const MAX_ADDRESS_CHARS = 255;
const REQUIRED_ADDRESS = ['contactName', 'organizationName', 'countryCode', 'postalCode'];
const MAX_DOMAIN_CHARS = 253;
const DOMAIN = /^[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63})+$/;
const COUNTRY = /^[A-Z]{2}$/;
const PHONE = /^\+[0-9][0-9 ().-]{5,30}$/;
/** Random bytes of a customer's id: `C` and 8 of 36 characters. */
const ID_BYTES = 8;
const ID_CHARS = 8;

/** Customers of the reseller. `unmanaged: true` marks one whose subscriptions are all with the vendor again. */
export const resellerCustomers: Collection = {
  name: RESELLER.customers,
  schema: 'Customer',
  kind: 'reseller#customer',
  listKind: 'reseller#customers',
  items: 'customers',
  find: ({ path }, context) => requireResellerCustomer(path['customerId'] ?? '', context),
  create: () => {
    throw new Error('Customers are inserted by `insert`: one may be there already');
  },
  view: ({ body }) => (body['unmanaged'] === true ? toMinimalResource(body) : toManagedResource(body)),
};

export const getResellerCustomer: Handler = (call, context) =>
  buildShownResource(resellerCustomers, resellerCustomers.find(call, context), call, context);

/** A domain that is known but not managed any more comes back with the customer's token. */
export const insertResellerCustomer: Handler = (call, context) => {
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
};

export const patchResellerCustomer: Handler = (call, context) => change(call, context, patchBody);
export const updateResellerCustomer: Handler = (call, context) => change(call, context, replaceBody);

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
  put(row, isManaged ? rest : { ...rest, unmanaged: true }, context);
}

function change(call: Call, context: Context, merge: typeof patchBody): JsonObject {
  const before = resellerCustomers.find(call, context);
  if (before.body['unmanaged'] === true) throw vendorRefusals.forbidden();
  requireMatch(before, call, context);
  const merged = merge('Customer', before.body, call.body, context.row);
  const type = getTextMember(before.body, 'customerType');
  const sentType = getMember(call.body, 'customerType');
  if (isText(sentType) && sentType !== type) throw vendorRefusals.invalidInput('customerType');
  const { customerId = before.id, customerDomainVerified = false } = before.body;
  const body = { ...validateCustomer({ ...merged, customerType: type }, type), customerId, customerDomainVerified };
  rename(before, getTextMember(body, 'customerDomain'), context);
  return buildShownResource(resellerCustomers, put(before, body, context), call, context);
}

/** The old domain stops to be a key at once. */
function rename(before: ResourceRow, domain: string, context: Context): void {
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
    put(known, { ...body, customerId, customerDomainVerified }, context),
    call,
    context,
  );
}

const put = ({ collection, id }: ResourceRow, body: JsonObject, { store }: Context): ResourceRow =>
  store.put({ collection, parent: '', id, body, s1: getTextMember(body, 'customerDomain') });

/** What the reseller may say of a customer, complete. */
function validateCustomer(sent: JsonObject, customerType: string): JsonObject {
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

const generateCustomerId = (context: Context): string => {
  const drawn = BigInt(`0x${context.random(ID_BYTES)}`).toString(36);
  return `C${drawn.slice(-ID_CHARS).padStart(ID_CHARS, '0')}`;
};
