import { getTextMember, isText, type JsonObject } from '../../../../lib/json.ts';
import { vendorRefusals } from '../../../../lib/refusal.ts';
import { type Collection, defineCollectionHandlers, listBody } from '../../../core/engine/collection.ts';
import type { Call, Context, Handlers } from '../../../core/engine/operation.ts';
import type { ResourceRow } from '../../../core/engine/stored-row.ts';
import { refuseDomainInUse, refuseMissingDomain } from '../refusals.ts';
import { COLLECTIONS, defineCustomerCollection, DIRECTORY_NAMESPACES, requireCustomer } from '../rows.ts';
import { MAX_DOMAIN_ALIASES } from './rows.ts';
import { requireContact, requireNewDomain } from './schemas.ts';

/** Domains of a customer. */
const MAX_DOMAINS = 600;
const ALIAS_KIND = 'admin#directory#domainAlias';

/** The one customer of a tenant. Its primary domain is changed here, as the vendor does it. */
const customers: Collection = {
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

/** By `my_customer`, id or primary domain. @throws Refusal 403 for any other, foreign or unknown (rule K1) */
function requireCustomerRow(key: string, { store, tenant }: Context): ResourceRow {
  const row = store.get(COLLECTIONS.customers, '', tenant.id);
  if (row === undefined) throw new Error(`Tenant ${tenant.id} has no customer`);
  const keys = ['my_customer', tenant.id, getTextMember(row.body, 'customerDomain')];
  if (!keys.includes(key) && !keys.includes(key.toLowerCase())) throw vendorRefusals.forbidden();
  return row;
}

function makePrimary(from: string, to: string, { store }: Context): void {
  const [old, next] = [from, to].map((name) => store.get(COLLECTIONS.domains, '', name));
  if (next === undefined) throw refuseMissingDomain();
  if (old !== undefined) store.put({ ...old, body: { ...old.body, isPrimary: false } });
  store.put({ ...next, body: { ...next.body, isPrimary: true } });
}

/** Domains of a customer. Adding one is enough to own it: ownership is not checked, so each domain is verified. */
const domains: Collection = {
  name: COLLECTIONS.domains,
  schema: 'Domains',
  kind: 'admin#directory#domain',
  listKind: 'admin#directory#domains',
  items: 'domains',
  ...defineCustomerCollection('customer', (path, { store }) => {
    const found = store.get(COLLECTIONS.domains, '', (path['domainName'] ?? '').toLowerCase());
    if (found === undefined) throw refuseMissingDomain();
    return found;
  }),
  create: (_call, context, sent) => {
    const domainName = requireNewDomain(sent, 'domainName', context);
    if (context.store.count(COLLECTIONS.domains, '') >= MAX_DOMAINS)
      throw vendorRefusals.limitExceeded(`A customer has at most ${MAX_DOMAINS} domains`);
    const creationTime = String(context.now());
    return { id: domainName, body: { domainName, isPrimary: false, verified: true, creationTime } };
  },
  removing: (row, _call, context) => {
    if (row.body['isPrimary'] === true) throw vendorRefusals.conditionNotMet('The primary domain cannot be deleted');
    const hasAlias = context.store.byRef(COLLECTIONS.domainAliases, row.id, 1).length > 0;
    if (hasAlias || hasAddresses(row.id, context)) throw refuseDomainInUse();
  },
  view: (row, _call, context) => {
    const aliases = context.store.byRef(COLLECTIONS.domainAliases, row.id, MAX_DOMAIN_ALIASES);
    const nested = aliases.map((alias) => toAliasResource(alias, context));
    return { ...row.body, ...(nested.length > 0 && { domainAliases: nested }) };
  },
};

/** Further names of domains: every address works in them too. */
const domainAliases: Collection = {
  name: COLLECTIONS.domainAliases,
  schema: 'DomainAlias',
  kind: ALIAS_KIND,
  listKind: 'admin#directory#domainAliases',
  items: 'domainAliases',
  ...defineCustomerCollection('customer', (path, { store }) => {
    const found = store.get(COLLECTIONS.domainAliases, '', (path['domainAliasName'] ?? '').toLowerCase());
    if (found === undefined) throw vendorRefusals.missing('Domain alias does not exist');
    return found;
  }),
  create: (_call, context, sent) => {
    const parentDomainName = getTextMember(sent, 'parentDomainName').toLowerCase();
    const domainAliasName = requireNewDomain(sent, 'domainAliasName', context);
    const { store } = context;
    if (store.get(COLLECTIONS.domains, '', parentDomainName) === undefined) throw refuseMissingDomain();
    if (hasAddresses(domainAliasName, context)) throw refuseDomainInUse();
    if (store.byRef(COLLECTIONS.domainAliases, parentDomainName, MAX_DOMAIN_ALIASES).length >= MAX_DOMAIN_ALIASES)
      throw vendorRefusals.limitExceeded(`A domain has at most ${MAX_DOMAIN_ALIASES} aliases`);
    const body = { domainAliasName, parentDomainName, verified: true, creationTime: String(context.now()) };
    return { id: domainAliasName, body, ref: parentDomainName };
  },
  removing: (row, _call, context) => {
    if (hasAddresses(row.id, context)) throw refuseDomainInUse();
  },
};

/** The customer, its domains, and the further names of those. */
export const handlers: Handlers = {
  ...defineCollectionHandlers(customers, {
    get: 'directory.customers.get',
    patch: 'directory.customers.patch',
    update: 'directory.customers.update',
  }),
  ...defineCollectionHandlers(domains, {
    list: 'directory.domains.list',
    get: 'directory.domains.get',
    insert: 'directory.domains.insert',
    delete: 'directory.domains.delete',
  }),
  ...defineCollectionHandlers(domainAliases, {
    get: 'directory.domainAliases.get',
    insert: 'directory.domainAliases.insert',
    delete: 'directory.domainAliases.delete',
  }),
  'directory.domainAliases.list': listDomainAliasResources,
};

function listDomainAliasResources(call: Call, context: Context): JsonObject {
  requireCustomer(call.path['customer'] ?? '', context);
  const { parentDomainName: asked } = call.query;
  const rows = isText(asked) ? listAliasRows(asked.toLowerCase(), context) : listAllAliases(context);
  const items = rows.map((row) => toAliasResource(row, context));
  return listBody(domainAliases, items, undefined, context);
}

/** Whether a user, guest or group has an address in a domain as its own. One that an alias of the domain gives is none. */
const hasAddresses = (domain: string, { store }: Context): boolean =>
  store.hasNameEnding(DIRECTORY_NAMESPACES.email, `@${domain}`);

function listAliasRows(domain: string, { store }: Context): readonly ResourceRow[] {
  if (store.get(COLLECTIONS.domains, '', domain) === undefined) throw refuseMissingDomain();
  return store.byRef(COLLECTIONS.domainAliases, domain, MAX_DOMAIN_ALIASES);
}

const listAllAliases = ({ store }: Context): ResourceRow[] =>
  store
    .list({ collection: COLLECTIONS.domainAliases, parent: '', limit: MAX_DOMAINS * MAX_DOMAIN_ALIASES })
    .map(({ row }) => row);

const toAliasResource = (row: ResourceRow, context: Context): JsonObject => ({
  kind: ALIAS_KIND,
  etag: context.etagOf(row.revision, row.body),
  ...row.body,
});
