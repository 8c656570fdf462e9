import { defineCollectionHandlers, listBody, type Collection } from '../../../core/engine/collection.ts';
import type { Context, Handlers } from '../../../core/engine/operation.ts';
import type { ResourceRow } from '../../../core/engine/stored-row.ts';
import { isText, type JsonObject, getTextMember } from '../../../../lib/json.ts';
import { type Refusal, vendorRefusals } from '../../../../lib/refusal.ts';
import { COLLECTIONS, DIRECTORY_NAMESPACES } from '../collections.ts';
import { isOwnDomain, requireCustomer } from '../keys.ts';

/** Domains of a customer, and aliases of one domain. */
const MAX_DOMAINS = 600;
const MAX_ALIASES = 50;
/** RFC 1035: a name of at most 253 characters with labels of at most 63, here at least two of them. */
const MAX_DOMAIN_CHARS = 253;
const MAX_LABEL_CHARS = 63;
const LABEL = /^[a-z0-9]+(?:-+[a-z0-9]+)*$/;
const ALIAS_KIND = 'admin#directory#domainAlias';

/** Domains of a customer. Adding one is enough to own it: ownership is not checked, so each domain is verified. */
export const domains: Collection = {
  name: COLLECTIONS.domains,
  schema: 'Domains',
  kind: 'admin#directory#domain',
  listKind: 'admin#directory#domains',
  items: 'domains',
  parentOf: (call, context) => requireTopParent(call.path['customer'], context),
  find: (call, context) => {
    requireTopParent(call.path['customer'], context);
    const found = context.store.get(COLLECTIONS.domains, '', (call.path['domainName'] ?? '').toLowerCase());
    if (found === undefined) throw vendorRefusals.missing('Domain not found');
    return found;
  },
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
    const aliases = context.store.byRef(COLLECTIONS.domainAliases, row.id, MAX_ALIASES);
    const nested = aliases.map((alias) => toAliasResource(alias, context));
    return { ...row.body, ...(nested.length > 0 && { domainAliases: nested }) };
  },
};

/** Further names of domains: every address works in them too. */
export const domainAliases: Collection = {
  name: COLLECTIONS.domainAliases,
  schema: 'DomainAlias',
  kind: ALIAS_KIND,
  listKind: 'admin#directory#domainAliases',
  items: 'domainAliases',
  parentOf: (call, context) => requireTopParent(call.path['customer'], context),
  find: (call, context) => {
    requireTopParent(call.path['customer'], context);
    const found = context.store.get(COLLECTIONS.domainAliases, '', (call.path['domainAliasName'] ?? '').toLowerCase());
    if (found === undefined) throw vendorRefusals.missing('Domain alias does not exist');
    return found;
  },
  create: (_call, context, sent) => {
    const parentDomainName = getTextMember(sent, 'parentDomainName').toLowerCase();
    const domainAliasName = requireNewDomain(sent, 'domainAliasName', context);
    const { store } = context;
    if (store.get(COLLECTIONS.domains, '', parentDomainName) === undefined)
      throw vendorRefusals.missing('Domain not found');
    if (hasAddresses(domainAliasName, context)) throw refuseDomainInUse();
    if (store.byRef(COLLECTIONS.domainAliases, parentDomainName, MAX_ALIASES).length >= MAX_ALIASES)
      throw vendorRefusals.limitExceeded(`A domain has at most ${MAX_ALIASES} aliases`);
    const body = { domainAliasName, parentDomainName, verified: true, creationTime: String(context.now()) };
    return { id: domainAliasName, body, ref: parentDomainName };
  },
  removing: (row, _call, context) => {
    if (hasAddresses(row.id, context)) throw refuseDomainInUse();
  },
};

export const domainHandlers: Handlers = {
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
  'directory.domainAliases.list': (call, context) => {
    requireTopParent(call.path['customer'], context);
    const { parentDomainName: asked } = call.query;
    const rows = isText(asked) ? listAliasRows(asked.toLowerCase(), context) : listAllAliases(context);
    const items = rows.map((row) => toAliasResource(row, context));
    return listBody(domainAliases, items, undefined, context);
  },
};

function requireTopParent(customer: string | undefined, context: Context): '' {
  requireCustomer(customer ?? '', context);
  return '';
}

/** Whether a user, guest or group has an address in a domain as its own. One that an alias of the domain gives is none. */
const hasAddresses = (domain: string, { store }: Context): boolean =>
  store.hasNameEnding(DIRECTORY_NAMESPACES.email, `@${domain}`);

const refuseDomainInUse = (): Refusal =>
  vendorRefusals.conditionNotMet('Domain is in use: remove its users, groups and aliases first');

/** A name that is neither a domain nor an alias of one yet, in lower case. @throws Refusal */
function requireNewDomain(body: JsonObject, field: string, context: Context): string {
  const name = getTextMember(body, field).toLowerCase();
  if (!isDomain(name)) throw vendorRefusals.invalidInput(field);
  if (isOwnDomain(name, context)) throw vendorRefusals.duplicate();
  return name;
}

function isDomain(name: string): boolean {
  if (name.length > MAX_DOMAIN_CHARS) return false;
  const labels = name.split('.');
  return labels.length > 1 && labels.every((label) => label.length <= MAX_LABEL_CHARS && LABEL.test(label));
}

function listAliasRows(domain: string, { store }: Context): readonly ResourceRow[] {
  if (store.get(COLLECTIONS.domains, '', domain) === undefined) throw vendorRefusals.missing('Domain not found');
  return store.byRef(COLLECTIONS.domainAliases, domain, MAX_ALIASES);
}

const listAllAliases = ({ store }: Context): ResourceRow[] =>
  store
    .list({ collection: COLLECTIONS.domainAliases, parent: '', limit: MAX_DOMAINS * MAX_ALIASES })
    .map(({ row }) => row);

const toAliasResource = (row: ResourceRow, context: Context): JsonObject => ({
  kind: ALIAS_KIND,
  etag: context.etagOf(row.revision, row.body),
  ...row.body,
});
