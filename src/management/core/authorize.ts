import type { Caller } from './engine/tenant.ts';
import { isObject, isText, type Json, type JsonObject } from '../../lib/json.ts';
import { type RefusalData, vendorRefusals } from '../../lib/refusal.ts';
import type { MethodRow } from './table/method-row.ts';

/** A resource name that a call mentions, with the tenant it is to be judged by. */
export type ResourceName =
  /** The key of a directory customer: `my_customer`, or an id. */
  | { kind: 'customer'; key: string }
  /** What everything below it belongs to: `projects/p`, `accounts/pub-1`. */
  | {
      kind: 'container';
      container: string;
      /** The tenant must already own it: naming it claims nothing. */
      isKnown?: true;
    };

/** What a call says before its tenant is asked: what the table made of its path, query and body. */
export type Mentions = {
  path: Readonly<Record<string, string>>;
  query: Readonly<Record<string, unknown>>;
  body: JsonObject;
};

/**
 * Whether a tenant may use a container: the first that uses it owns it (`TenantNames.claim`).
 * @param isKnown it is only asked whether it is the tenant's (`TenantNames.owns`)
 */
export type Claim = (tenant: string, container: string, isKnown?: boolean) => Promise<'own' | 'foreign'>;

/** The token's tenant by the vendors' word for it. */
const MY_CUSTOMER = 'my_customer';
const CUSTOMER_SLOTS = ['customer', 'customerId', 'customerKey'];
/** What printers of a customer belong to: `customers/C1`, or below it. */
const CUSTOMER_NAME = /^customers\/([^/]+)/;
/** Path parameters that hold the id alone, and what it is the id of. */
const ID_SLOTS: ReadonlyMap<string, string> = new Map([
  ['account_id', 'accounts'],
  ['projectId', 'projects'],
]);
/** Interfaces whose names all belong to one tenant: the names of another tenant simply do not exist there. */
const NAMES_INSIDE = new Set(['directory', 'groupssettings', 'licensing', 'reseller', 'drive']);
/** Query parameters, and body members at any depth, that hold resource names. */
const NAME_MEMBERS = new Set([
  'destination',
  'logName',
  'name',
  'parent',
  'resourceName',
  'resourceNames',
  'viewName',
  'views',
]);
/** Body members that hold bare ids, and what they identify. They also accept the full form, `projects/p`. */
const ID_MEMBERS: ReadonlyMap<string, string> = new Map([['projectIds', 'projects']]);
/** Members of bodies whose values are resource names, under keys of other things: those of mediation lines, by ad unit. */
const NAME_MAPS = new Set(['adUnitMappings']);
/** Members whose content is the caller's own data, not names. */
const DATA_MEMBERS = new Set([
  'jsonPayload',
  'protoPayload',
  'labels',
  'textPayload',
  'attributes',
  'adUnitConfigurations',
]);
/** A name by itself, or behind the host of its service: `logging.googleapis.com/projects/p/locations/l/buckets/b`. */
const CONTAINER =
  /^(?:(?:\/\/)?[a-z][a-z0-9.-]*\.[a-z]+\/)?(projects|folders|organizations|billingAccounts|accounts)\/([^/]+)/;
const MAX_DEPTH = 10;
/** Mediation containers: publishers. Any other form is refused as malformed before its owner is looked up. */
const PUBLISHER = /^accounts\/pub-\d{1,30}$/;
/** Members of mediation bodies that only the server sets: whatever a caller sends there is dropped. */
const SET_BY_SERVER: ReadonlySet<string> = new Set(['name']);
const NOTHING: ReadonlySet<string> = new Set();
/** Most containers that one call may name: the limit for the `resourceNames` list of `entries.list`. */
const MAX_CONTAINERS = 100;
const MAX_CONTAINER_CHARS = 256;

/**
 * Every resource name that a call mentions in path, query and body, each once (rule K1). A body of mediation only refers to
 * what there is: its names must be the publisher's of the path, or of the tenant already.
 * @throws Refusal for more of them than a call may have, for a path of mediation that is not of a publisher
 */
export function extractMentionedNames(row: MethodRow, mentions: Mentions): readonly ResourceName[] {
  if (row.interface === 'directory' || row.interface === 'reports') return extractCustomers(mentions);
  if (row.interface === 'storage') return extractProjects(mentions);
  if (NAMES_INSIDE.has(row.interface)) return [];
  // All else that its calls name is inside of the account: such texts claim nothing.
  if (row.interface === 'aisearch')
    return [{ kind: 'container', container: `accounts/${mentions.path['account_id']}` }];
  const found = new Set<string>();
  const queried = Object.entries(mentions.query).filter(([name]) => NAME_MEMBERS.has(name));
  for (const [name, value] of [...Object.entries(mentions.path), ...queried]) {
    const collection = ID_SLOTS.get(name);
    if (collection !== undefined) found.add(`${collection}/${String(value)}`);
    else for (const text of listTexts(value)) addContainer(text, found);
  }
  if (row.interface === 'mediation' && [...found].some((name) => !PUBLISHER.test(name)))
    throw vendorRefusals.invalid('A publisher must be accounts/pub-[PUBLISHER_DIGITS]');
  const isMediation = row.interface === 'mediation';
  const before = new Set(found);
  searchBody(mentions.body, { found, ignored: isMediation ? SET_BY_SERVER : NOTHING }, 0);
  if (found.size > MAX_CONTAINERS)
    throw vendorRefusals.invalid(`A request may name at most ${MAX_CONTAINERS} containers`);
  return [...found].map((container) => ({
    kind: 'container',
    container,
    ...(isMediation && !before.has(container) && { isKnown: true }),
  }));
}

/**
 * Whether a caller may access the resource that a name refers to (rule K1). A name of another tenant and a name without
 * an owner are refused in the same words. Creates no object: compares customers, looks containers up by `claim`.
 */
export async function authorize(caller: Caller, name: ResourceName, claim: Claim): Promise<RefusalData | undefined> {
  if (name.kind === 'customer')
    return name.key === MY_CUSTOMER || name.key === caller.tenant ? undefined : vendorRefusals.forbidden().data;
  const isPossible = name.container.length <= MAX_CONTAINER_CHARS;
  const isOwn = isPossible && (await claim(caller.tenant, name.container, name.isKnown)) === 'own';
  return isOwn ? undefined : refusePermission();
}

function extractCustomers({ path, query, body }: Mentions): readonly ResourceName[] {
  const slots = CUSTOMER_SLOTS.flatMap((slot) => [path[slot], query[slot]]).filter(isText);
  const { requests } = body;
  const parts = Array.isArray(requests) ? requests.filter(isObject).map(({ parent }) => parent) : [];
  const names = [path['name'], path['parent'], ...parts].filter(isText);
  const keys = [...slots, ...names.flatMap((name) => CUSTOMER_NAME.exec(name)?.[1] ?? [])];
  return [...new Set(keys)].filter((key) => !isOwnKey(key, path)).map((key) => ({ kind: 'customer', key }));
}

/** Buckets are the tenant's; the project that they are made in and listed by is a bare id. */
const extractProjects = ({ query: { project } }: Mentions): readonly ResourceName[] =>
  isText(project) ? [{ kind: 'container', container: `projects/${project}` }] : [];

/** The customer itself has its primary domain as a key too: a name inside the tenant, which its object judges. */
const isOwnKey = (key: string, path: Mentions['path']): boolean => key === path['customerKey'] && key.includes('.');

/** Where names of a body are put, and members that are not looked into. */
type Search = { found: Set<string>; ignored: ReadonlySet<string> };

function searchBody(body: Json, search: Search, depth: number): void {
  const { found, ignored } = search;
  if (depth > MAX_DEPTH || found.size > MAX_CONTAINERS) return;
  if (Array.isArray(body)) for (const item of body) searchBody(item, search, depth + 1);
  if (!isObject(body)) return;
  for (const [name, value] of Object.entries(body)) {
    if (DATA_MEMBERS.has(name) || ignored.has(name)) continue;
    const collection = ID_MEMBERS.get(name);
    if (collection !== undefined)
      for (const id of listTexts(value)) found.add(id.startsWith(`${collection}/`) ? id : `${collection}/${id}`);
    if (NAME_MEMBERS.has(name)) for (const text of listTexts(value)) addContainer(text, found);
    if (NAME_MAPS.has(name) && isObject(value))
      for (const text of listTexts(Object.values(value))) addContainer(text, found);
    searchBody(value, search, depth + 1);
  }
}

const listTexts = (value: unknown): readonly string[] => (Array.isArray(value) ? value : [value]).filter(isText);

function addContainer(text: string, found: Set<string>): void {
  const [, collection, id] = CONTAINER.exec(text) ?? [];
  if (collection !== undefined && id !== undefined) found.add(`${collection}/${id}`);
}

const refusePermission = (): RefusalData => ({
  status: 403,
  word: 'PERMISSION_DENIED',
  reason: 'forbidden',
  message: 'The caller does not have permission',
});
