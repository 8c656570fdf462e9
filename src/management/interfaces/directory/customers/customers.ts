import { defineCollectionHandlers, type Collection } from '../../../core/engine/collection.ts';
import type { Context, Handlers } from '../../../core/engine/operation.ts';
import type { ResourceRow } from '../../../core/engine/stored-row.ts';
import { isObject, type JsonObject, getTextMember } from '../../../../lib/json.ts';
import { vendorRefusals } from '../../../../lib/refusal.ts';
import { COLLECTIONS } from '../collections.ts';
import { extractEmailDomain, isEmail } from '../keys.ts';
import { requireShortTexts } from '../texts.ts';

/** Characters of a line of an address, and of other texts. */
const MAX_ADDRESS_CHARS = 255;
const ADDRESS_LINES = [
  'addressLine1',
  'addressLine2',
  'addressLine3',
  'contactName',
  'locality',
  'organizationName',
  'postalCode',
  'region',
];
const COUNTRY = /^[A-Z]{2}$/;
const LANGUAGE = /^[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8}){0,3}$/;
const PHONE = /^\+?[0-9][0-9 ().-]{2,30}$/;

/** The one customer of a tenant. Its primary domain is changed here, as the vendor does it. */
export const directoryCustomers: Collection = {
  name: COLLECTIONS.customers,
  schema: 'Customer',
  kind: 'admin#directory#customer',
  listKind: 'admin#directory#customers',
  items: 'customers',
  find: (call, context) => requireCustomerRow(call.path['customerKey'] ?? '', context),
  create: () => {
    throw new Error('A tenant has its customer from the start');
  },
  change: (before, sent) => {
    const { id = before.id, customerDomain = '', customerCreationTime = '' } = before.body;
    const asked = getTextMember(sent, 'customerDomain').toLowerCase();
    const body = { ...sent, id, customerCreationTime, customerDomain: asked || customerDomain };
    requireContact(body);
    return { body };
  },
  updated: (before, row, _call, context) => {
    const [from, to] = [getTextMember(before.body, 'customerDomain'), getTextMember(row.body, 'customerDomain')];
    if (from !== to) makePrimary(from, to, context);
  },
};

export const customerHandlers: Handlers = defineCollectionHandlers(directoryCustomers, {
  get: 'directory.customers.get',
  patch: 'directory.customers.patch',
  update: 'directory.customers.update',
});

/** By `my_customer`, id or primary domain. @throws Refusal 403 for any other, foreign or unknown (rule K1) */
function requireCustomerRow(key: string, { store, tenant }: Context): ResourceRow {
  const row = store.get(COLLECTIONS.customers, '', tenant.id);
  if (row === undefined) throw new Error(`Tenant ${tenant.id} has no customer`);
  const keys = ['my_customer', tenant.id, getTextMember(row.body, 'customerDomain')];
  if (!keys.includes(key) && !keys.includes(key.toLowerCase())) throw vendorRefusals.forbidden();
  return row;
}

function requireContact(body: JsonObject): void {
  const alternate = getTextMember(body, 'alternateEmail');
  const isOutside = isEmail(alternate) && extractEmailDomain(alternate) !== body['customerDomain'];
  if (alternate !== '' && !isOutside) throw vendorRefusals.invalidInput('alternateEmail');
  requireForm(body, 'language', LANGUAGE);
  requireForm(body, 'phoneNumber', PHONE);
  const { postalAddress } = body;
  if (!isObject(postalAddress)) return;
  if (getTextMember(postalAddress, 'countryCode') === '') throw vendorRefusals.required('postalAddress.countryCode');
  requireForm(postalAddress, 'countryCode', COUNTRY);
  requireShortTexts(postalAddress, Object.fromEntries(ADDRESS_LINES.map((line) => [line, MAX_ADDRESS_CHARS])));
}

function requireForm(body: JsonObject, name: string, form: RegExp): void {
  const value = getTextMember(body, name);
  if (value !== '' && !form.test(value)) throw vendorRefusals.invalidInput(name);
}

function makePrimary(from: string, to: string, { store }: Context): void {
  const [old, next] = [from, to].map((name) => store.get(COLLECTIONS.domains, '', name));
  if (next === undefined) throw vendorRefusals.missing('Domain not found');
  if (old !== undefined) store.put({ ...old, body: { ...old.body, isPrimary: false } });
  store.put({ ...next, body: { ...next.body, isPrimary: true } });
}
