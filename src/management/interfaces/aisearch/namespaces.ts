import * as z from 'zod';
import type { Call, Context, Handlers } from '../../core/engine/operation.ts';
import { isObject, type JsonObject } from '../../../lib/json.ts';
import { vendorRefusals } from '../../../lib/refusal.ts';
import {
  asJson,
  hasSubstring,
  buildResultPage,
  parseValue,
  parseCallQuery,
  buildResult,
  searchPageQuery,
  withoutShown,
} from './parse.ts';
import {
  getAccountId,
  AISEARCH,
  DEFAULT_NAMESPACE,
  namespaceEndpoint,
  refuseMissingNamespace,
  formatInstanceParent,
  slug,
} from './rows.ts';

/** Namespaces of an account (the vendor's limit). */
const MAX_NAMESPACES = 100;
const MAX_DESCRIPTION_CHARS = 256;

const changes = {
  description: z.string().max(MAX_DESCRIPTION_CHARS).nullish(),
  public_endpoint_params: namespaceEndpoint.nullish(),
};
const newBody = z.strictObject({ name: slug, ...changes });
/** Members that a read shows and that callers cannot set. */
const SHOWN: ReadonlySet<string> = new Set(['created_at', 'public_endpoint_id']);
const changeBody = z.strictObject(changes);

const keptNamespace = z.strictObject({
  /** Null: it was always there. */
  createdMs: z.int().nonnegative().nullable(),
  description: z.string().max(MAX_DESCRIPTION_CHARS).nullable(),
  endpoint: namespaceEndpoint.nullable(),
});
type StoredNamespace = z.infer<typeof keptNamespace>;

/** Whether a body is one of a stored namespace (rule K3). */
export const isKeptNamespace = (body: JsonObject): boolean => keptNamespace.safeParse(body).success;

export const namespaceHandlers: Handlers = {
  'aisearch.namespaces.create': create,
  'aisearch.namespaces.list': list,
  'aisearch.namespaces.update': update,
  'aisearch.namespaces.delete': remove,
  'aisearch.namespaces.read': (call, context) =>
    buildResult(toNamespaceResource(getNamespaceName(call), requireNamespace(getNamespaceName(call), call, context))),
};

const ALWAYS_THERE: StoredNamespace = { createdMs: null, description: null, endpoint: null };

const getNamespaceName = ({ path }: Call): string => path['name'] ?? '';

function create(call: Call, { store, now }: Context): JsonObject {
  const { name, description, public_endpoint_params: endpoint } = parseValue(newBody, call.body);
  const account = getAccountId(call);
  if (name === DEFAULT_NAMESPACE) throw refuseTakenName();
  if (endpoint?.instances_allowed?.length) throw refuseUnknownInstances(); // A new one has none.
  const kept = { createdMs: now(), description: description ?? null, endpoint: endpoint ?? null };
  if (store.count(AISEARCH.namespaces, account) >= MAX_NAMESPACES && !store.get(AISEARCH.namespaces, account, name))
    throw vendorRefusals.limitExceeded('max_namespaces_reached');
  const made = store.insert({ collection: AISEARCH.namespaces, parent: account, id: name, body: asJson(kept) });
  if (made === undefined) throw refuseTakenName();
  return buildResult(toNamespaceResource(name, kept));
}

function update(call: Call, context: Context): JsonObject {
  const [name, account] = [getNamespaceName(call), getAccountId(call)];
  const kept = requireNamespace(name, call, context);
  const { description, public_endpoint_params: endpoint } = parseValue(
    changeBody,
    withoutShown(call.body, 'name', name, SHOWN),
  );
  if (name === DEFAULT_NAMESPACE && (description ?? null) !== null) throw refuseDefaultNamespace();
  requireInstances(endpoint?.instances_allowed ?? [], formatInstanceParent(account, name), context);
  const changed = {
    createdMs: kept.createdMs,
    description: description === undefined ? kept.description : description,
    endpoint: endpoint === undefined ? kept.endpoint : endpoint,
  };
  const row = { collection: AISEARCH.namespaces, parent: account, id: name, body: asJson(changed) };
  if (context.store.insert(row) === undefined) context.store.put(row); // The default one may have none yet.
  return buildResult(toNamespaceResource(name, changed));
}

/** @throws Refusal for one with instances, whose content would be lost with it */
function remove(call: Call, context: Context): JsonObject {
  const [name, account] = [getNamespaceName(call), getAccountId(call)];
  if (name === DEFAULT_NAMESPACE) throw refuseDefaultNamespace();
  const kept = requireNamespace(name, call, context);
  if (context.store.count(AISEARCH.instances, formatInstanceParent(account, name)) > 0)
    throw vendorRefusals.invalid('namespace_not_empty');
  context.store.remove({ collection: AISEARCH.namespaces, parent: account, id: name });
  return buildResult(toNamespaceResource(name, kept));
}

/** The default one first, then the others by name. */
function list(call: Call, context: Context): JsonObject {
  const query = parseCallQuery(searchPageQuery, call);
  const limit = MAX_NAMESPACES + 1;
  const rows = context.store.list({ collection: AISEARCH.namespaces, parent: getAccountId(call), limit });
  const others = rows.filter(({ row }) => row.id !== DEFAULT_NAMESPACE);
  const all = [
    toNamespaceResource(DEFAULT_NAMESPACE, requireNamespace(DEFAULT_NAMESPACE, call, context)),
    ...others.map(({ row }) => toNamespaceResource(row.id, keptNamespace.parse(row.body))),
  ];
  const has = (text: unknown): boolean => typeof text === 'string' && hasSubstring(text, query.search);
  return buildResultPage(
    all.filter(({ name, description }) => has(name) || has(description)),
    query,
  );
}

/** @throws Refusal 404 */
function requireNamespace(name: string, call: Call, { store }: Context): StoredNamespace {
  const row = store.get(AISEARCH.namespaces, getAccountId(call), name);
  if (row !== undefined && isObject(row.body)) return keptNamespace.parse(row.body);
  if (name === DEFAULT_NAMESPACE) return ALWAYS_THERE;
  throw refuseMissingNamespace();
}

const toNamespaceResource = (name: string, { createdMs, description, endpoint }: StoredNamespace): JsonObject => ({
  created_at: createdMs === null ? null : new Date(createdMs).toISOString(),
  name,
  description,
  public_endpoint_id: null,
  public_endpoint_params: endpoint === null ? null : asJson(endpoint),
});

function requireInstances(ids: readonly string[], parent: string, { store }: Context): void {
  if (ids.some((id) => store.get(AISEARCH.instances, parent, id) === undefined)) throw refuseUnknownInstances();
}

const refuseUnknownInstances = () => vendorRefusals.invalid('instances_allowed_contains_unknown_instances');
const refuseDefaultNamespace = () => vendorRefusals.invalid('cannot_modify_default_namespace');
const refuseTakenName = () => vendorRefusals.duplicate('namespace_already_exists');
