import type { Call, Context, Handlers } from '../../core/engine/operation.ts';
import type { ResourceRow } from '../../core/engine/stored-row.ts';
import { isObject, isText, type JsonObject } from '../../../lib/json.ts';
import { vendorRefusals } from '../../../lib/refusal.ts';
import { listAllInstances } from './instances/rows.ts';
import { refuseDefaultNamespace, refuseTakenName, refuseTokenInUse, refuseUnknownInstances } from './refusals.ts';
import {
  AISEARCH,
  buildResult,
  buildResultPage,
  DEFAULT_NAMESPACE,
  extractAccountId,
  formatInstanceParent,
  getAccountId,
  hasSubstring,
  hasToken,
  listAccountTokens,
  MAX_NAMESPACES,
  MAX_TOKENS,
  requireNamespace,
  requireToken,
  toNamespaceResource,
  toTokenResource,
} from './rows.ts';
import {
  asJson,
  changedNamespaceBody,
  newNamespaceBody,
  parseCallQuery,
  parseValue,
  searchPageQuery,
  SHOWN_OF_NAMESPACE,
  SHOWN_OF_TOKEN,
  storedNamespace,
  tokenBody,
  withoutShown,
} from './schemas.ts';

const TOKEN_ID_BYTES = 16;

/**
 * What an account has: namespaces, and tokens. Tokens are credentials for data sources at the vendor; here they are names
 * only, for websites are read without any.
 */
export const handlers: Handlers = {
  'aisearch.namespaces.create': createNamespace,
  'aisearch.namespaces.list': listNamespaces,
  'aisearch.namespaces.update': updateNamespace,
  'aisearch.namespaces.delete': removeNamespace,
  'aisearch.namespaces.read': (call, context) =>
    buildResult(toNamespaceResource(getNamespaceName(call), requireNamespace(getNamespaceName(call), call, context))),
  'aisearch.tokens.create': createToken,
  'aisearch.tokens.list': listTokens,
  'aisearch.tokens.update': updateToken,
  'aisearch.tokens.delete': removeToken,
  'aisearch.tokens.read': (call, context) => buildResult(toTokenResource(requireToken(call, context))),
};

const getNamespaceName = ({ path }: Call): string => path['name'] ?? '';

function createNamespace(call: Call, { store, now }: Context): JsonObject {
  const { name, description, public_endpoint_params: endpoint } = parseValue(newNamespaceBody, call.body);
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

function updateNamespace(call: Call, context: Context): JsonObject {
  const [name, account] = [getNamespaceName(call), getAccountId(call)];
  const kept = requireNamespace(name, call, context);
  const { description, public_endpoint_params: endpoint } = parseValue(
    changedNamespaceBody,
    withoutShown(call.body, 'name', name, SHOWN_OF_NAMESPACE),
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
function removeNamespace(call: Call, context: Context): JsonObject {
  const [name, account] = [getNamespaceName(call), getAccountId(call)];
  if (name === DEFAULT_NAMESPACE) throw refuseDefaultNamespace();
  const kept = requireNamespace(name, call, context);
  if (context.store.count(AISEARCH.instances, formatInstanceParent(account, name)) > 0)
    throw vendorRefusals.invalid('namespace_not_empty');
  context.store.remove({ collection: AISEARCH.namespaces, parent: account, id: name });
  return buildResult(toNamespaceResource(name, kept));
}

/** The default one first, then the others by name. */
function listNamespaces(call: Call, context: Context): JsonObject {
  const query = parseCallQuery(searchPageQuery, call);
  const limit = MAX_NAMESPACES + 1;
  const rows = context.store.list({ collection: AISEARCH.namespaces, parent: getAccountId(call), limit });
  const others = rows.filter(({ row }) => row.id !== DEFAULT_NAMESPACE);
  const all = [
    toNamespaceResource(DEFAULT_NAMESPACE, requireNamespace(DEFAULT_NAMESPACE, call, context)),
    ...others.map(({ row }) => toNamespaceResource(row.id, storedNamespace.parse(row.body))),
  ];
  const has = (text: unknown): boolean => typeof text === 'string' && hasSubstring(text, query.search);
  return buildResultPage(
    all.filter(({ name, description }) => has(name) || has(description)),
    query,
  );
}

function requireInstances(ids: readonly string[], parent: string, { store }: Context): void {
  if (ids.some((id) => store.get(AISEARCH.instances, parent, id) === undefined)) throw refuseUnknownInstances();
}

function createToken(call: Call, context: Context): JsonObject {
  const { cf_api_key: _secret, ...sent } = parseValue(tokenBody, call.body);
  const account = getAccountId(call);
  if (context.store.count(AISEARCH.tokens, account) >= MAX_TOKENS)
    throw vendorRefusals.limitExceeded(`An account has at most ${MAX_TOKENS} tokens`);
  const [at, by] = [new Date(context.now()).toISOString(), call.caller.userId];
  const made = context.store.insert({
    collection: AISEARCH.tokens,
    parent: account,
    id: formatUuid(context.random(TOKEN_ID_BYTES)),
    body: { ...sent, created_at: at, created_by: by, modified_at: at, modified_by: by },
  });
  if (made === undefined) throw new Error('An id was drawn twice');
  return buildResult(toTokenResource(made));
}

function updateToken(call: Call, context: Context): JsonObject {
  const row = requireToken(call, context);
  const { cf_api_key: _secret, ...sent } = parseValue(tokenBody, withoutShown(call.body, 'id', row.id, SHOWN_OF_TOKEN));
  const modified = { modified_at: new Date(context.now()).toISOString(), modified_by: call.caller.userId };
  return buildResult(toTokenResource(context.store.put({ ...row, body: { ...row.body, ...sent, ...modified } })));
}

function removeToken(call: Call, context: Context): JsonObject {
  const row = requireToken(call, context);
  if (isUsed(row, context)) throw refuseTokenInUse();
  context.store.remove(row);
  return buildResult(toTokenResource(row));
}

function listTokens(call: Call, context: Context): JsonObject {
  const query = parseCallQuery(searchPageQuery, call);
  const found = listAccountTokens(call, context).filter(
    ({ body: { name } }) => isText(name) && hasSubstring(name, query.search),
  );
  return buildResultPage(found.map(toTokenResource), query);
}

/** Whether an instance of an account that has it names it. */
const isUsed = (token: ResourceRow, { store }: Context): boolean =>
  listAllInstances(store).some(
    (row) => hasToken(extractAccountId(row.parent), token) && getSetting(row, 'token_id') === token.id,
  );

function getSetting({ body: { settings } }: ResourceRow, name: string): unknown {
  return isObject(settings) ? settings[name] : undefined;
}

const formatUuid = (hex: string): string =>
  [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
