import type { Call, Context } from '../../core/engine/operation.ts';
import type { ResourceRow } from '../../core/engine/stored-row.ts';
import { isObject, type Json, type JsonObject } from '../../../lib/json.ts';
import { refuseMissingNamespace, refuseMissingToken } from './refusals.ts';
import { asJson, storedNamespace, type StoredNamespace } from './schemas.ts';

/** Names in the store. */
export const AISEARCH = {
  /** parent = account, id = name. `default` has a row only where its public endpoint was described. */
  namespaces: 'aisearch.namespaces',
  /** parent = `<account>/<namespace>`, id = its own; ref = `EVERY`. */
  instances: 'aisearch.instances',
  /** parent = account, id = a UUID. */
  tokens: 'aisearch.tokens',
  /** The token that a sandbox begins with, which all its accounts have: no secret, so that snapshots hold it. */
  sandboxTokens: 'aisearch.sandboxTokens',
} as const;

/** The `ref` of every instance: with it those of all accounts are found in one statement. */
export const EVERY = 'instance';
/** Always there, and what the flat paths mean. */
export const DEFAULT_NAMESPACE = 'default';
/** Namespaces of an account (the vendor's limit). */
export const MAX_NAMESPACES = 100;
/** Tokens of an account. */
export const MAX_TOKENS = 100;

/** Where an instance is. */
export type NamespacePlace = { account: string; namespace: string; parent: string };

/** The namespace that a path means. @throws Refusal 404 for one that is not there */
export function requireNamespacePlace(call: Call, context: Context): NamespacePlace {
  const account = getAccountId(call);
  const namespace = call.path['name'] ?? DEFAULT_NAMESPACE;
  const isThere = namespace === DEFAULT_NAMESPACE || context.store.get(AISEARCH.namespaces, account, namespace);
  if (!isThere) throw refuseMissingNamespace();
  return { account, namespace, parent: formatInstanceParent(account, namespace) };
}

/** No namespace has a slash in its name: two accounts never share a parent. */
export const formatInstanceParent = (account: string, namespace: string): string => `${account}/${namespace}`;

/** The account that an instance's parent begins with. */
export const extractAccountId = (parent: string): string => parent.slice(0, parent.lastIndexOf('/'));

export const getAccountId = ({ path }: Call): string => path['account_id'] ?? '';

const ALWAYS_THERE: StoredNamespace = { createdMs: null, description: null, endpoint: null };

/** @throws Refusal 404 */
export function requireNamespace(name: string, call: Call, { store }: Context): StoredNamespace {
  const row = store.get(AISEARCH.namespaces, getAccountId(call), name);
  if (row !== undefined && isObject(row.body)) return storedNamespace.parse(row.body);
  if (name === DEFAULT_NAMESPACE) return ALWAYS_THERE;
  throw refuseMissingNamespace();
}

export const toNamespaceResource = (
  name: string,
  { createdMs, description, endpoint }: StoredNamespace,
): JsonObject => ({
  created_at: createdMs === null ? null : new Date(createdMs).toISOString(),
  name,
  description,
  public_endpoint_id: null,
  public_endpoint_params: endpoint === null ? null : asJson(endpoint),
});

/** Clients such as wrangler make no instance in an account without a token. */
const SANDBOX_TOKEN = '00000000-0000-4000-8000-000000000001';

/** What a new sandbox has, and one that is reset. */
export function startSandbox({ store, tenant, now }: Context): void {
  if (tenant.mode !== 'sandbox') return;
  const at = new Date(now()).toISOString();
  const times = { created_at: at, created_by: null, modified_at: at, modified_by: null };
  const body = { cf_api_id: 'sandbox', name: 'sandbox', legacy: false, ...times };
  store.insert({ collection: AISEARCH.sandboxTokens, parent: '', id: SANDBOX_TOKEN, body });
}

/** Whether a token is one of an account. */
export const hasToken = (account: string, { collection, parent }: ResourceRow): boolean =>
  parent === account || collection === AISEARCH.sandboxTokens;

/** Tokens of an account, with that of a sandbox. */
export const listAccountTokens = (call: Call, { store }: Context): readonly ResourceRow[] =>
  [
    store.list({ collection: AISEARCH.tokens, parent: getAccountId(call), limit: MAX_TOKENS }),
    store.list({ collection: AISEARCH.sandboxTokens, parent: '', limit: MAX_TOKENS }),
  ].flatMap((rows) => rows.map(({ row }) => row));

/** The token that a path names. @throws Refusal 404 */
export function requireToken(call: Call, { store }: Context): ResourceRow {
  const id = call.path['id'] ?? '';
  const row = store.get(AISEARCH.tokens, getAccountId(call), id) ?? store.get(AISEARCH.sandboxTokens, '', id);
  if (row === undefined) throw refuseMissingToken();
  return row;
}

export const toTokenResource = ({ id, body: stored }: ResourceRow): JsonObject => ({ id, ...stored, enabled: true });

/** One page of a list that is all there; one beyond its end is empty: the vendor's clients ask until they see one. */
export function buildResultPage(
  all: readonly JsonObject[],
  { page, per_page }: { page: number; per_page: number },
): JsonObject {
  const result = all.slice((page - 1) * per_page, page * per_page);
  return { result, result_info: { page, per_page, count: result.length, total_count: all.length } };
}

/** Whether a text contains another, upper and lower case alike. */
export const hasSubstring = (text: string, part: string): boolean => text.toLowerCase().includes(part.toLowerCase());

export const buildResult = (result: Json): JsonObject => ({ result });

/** The order's own answer takes the place of this one. */
export const HANDED: JsonObject = {};
