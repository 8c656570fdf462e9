import * as z from 'zod';
import type { Call, Context, Handlers } from '../../core/engine/operation.ts';
import type { Resources, ResourceRow } from '../../core/engine/stored-row.ts';
import { isText, type JsonObject } from '../../../lib/json.ts';
import { Refusal, vendorRefusals } from '../../../lib/refusal.ts';
import {
  buildInstanceFacts,
  readStoredInstance,
  type StoredInstance,
  getInstanceNamespace,
  toInstanceResource,
} from './kept.ts';
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
  extractAccountId,
  getAccountId,
  AISEARCH,
  defineInstanceHandlers,
  EVERY,
  refuseMissingInstance,
  type NamespacePlace,
  requireNamespacePlace,
  slug,
} from './rows.ts';
import { mergeSettings } from './settings.ts';
import { sentSource, parseInstanceSource } from './source.ts';

/** Instances of a tenant, in all its accounts and namespaces: the vendor's limit in open beta (rule K9). */
const MAX_INSTANCES = 10;
/** Bytes of the name of an instance's object. */
const UID_BYTES = 16;

/** Members that a read shows and that callers cannot set. */
const SHOWN: ReadonlySet<string> = new Set([
  'created_at',
  'created_by',
  'modified_at',
  'modified_by',
  'status',
  'enable',
  'engine_version',
  'last_activity',
  'public_endpoint_id',
]);

const identity = z.object({ id: slug, ...sentSource });
const order = z.enum(['asc', 'desc']).default('desc');

/** Instances, on both families of paths. */
export const instanceHandlers: Handlers = defineInstanceHandlers({
  create,
  list,
  update,
  delete: remove,
  read: (call, context) => buildResult(toInstanceResource(requireInstance(call, context))),
});

/** The instance that a path names. @throws Refusal 404 */
export function requireInstance(call: Call, context: Context): ResourceRow {
  return requireInstanceById(requireNamespacePlace(call, context), call.path['id'] ?? '', context);
}

/** An instance of a namespace. @throws Refusal 404 */
export function requireInstanceById({ parent }: NamespacePlace, id: string, { store }: Context): ResourceRow {
  const row = store.get(AISEARCH.instances, parent, id);
  if (row === undefined) throw refuseMissingInstance();
  return row;
}

/** Whether an object is still that of an instance: one whose row is gone (a reset, a restored snapshot) may go as well. */
export const isInstance = (store: Resources, uid: string): boolean => listInstanceUids(store).includes(uid);

/** Names of the objects of all instances. */
export const listInstanceUids = (store: Resources): readonly string[] =>
  listAllInstances(store).flatMap(({ body: { uid } }) => (isText(uid) ? [uid] : []));

/** All instances of the tenant. */
export const listAllInstances = (store: Resources): readonly ResourceRow[] =>
  store.byRef(AISEARCH.instances, EVERY, MAX_INSTANCES + 1);

function create(call: Call, context: Context): JsonObject {
  const place = requireNamespacePlace(call, context);
  const { id, source, type } = parseValue(identity, call.body);
  const { id: _id, source: _source, type: _type, ...sent } = call.body;
  const origin = parseInstanceSource({ source, type });
  const settings = mergeSettings({}, sent);
  if (context.store.get(AISEARCH.instances, place.parent, id) !== undefined) throw refuseTakenId();
  if (listAllInstances(context.store).length >= MAX_INSTANCES)
    throw vendorRefusals.limitExceeded('max_instances_reached');
  const now = { ms: context.now(), by: call.caller.userId };
  const uid = context.secret(UID_BYTES);
  const row = store(
    { ...place, id },
    { uid, createdMs: now.ms, modifiedMs: now.ms, createdBy: now.by, modifiedBy: now.by, ...origin, settings },
  );
  const made = context.store.insert(row);
  if (made === undefined) throw refuseTakenId();
  context.handSearch({ do: 'configure', instance: buildInstanceFacts(made, context.tenant.id) });
  return buildResult(toInstanceResource(made));
}

function update(call: Call, context: Context): JsonObject {
  const row = requireInstance(call, context);
  const kept = readStoredInstance(row);
  const { namespace, source, type, ...sent } = withoutShown(call.body, 'id', row.id, SHOWN);
  requireSame('namespace', namespace, getInstanceNamespace(row));
  requireSame('source', source, kept.source);
  requireSame('type', type, kept.type);
  const settings = mergeSettings(kept.settings, sent);
  const changed = { ...kept, settings, modifiedMs: context.now(), modifiedBy: call.caller.userId };
  const put = context.store.put(store(row, changed));
  context.handSearch({ do: 'configure', instance: buildInstanceFacts(put, context.tenant.id) });
  return buildResult(toInstanceResource(put));
}

function remove(call: Call, context: Context): JsonObject {
  const row = requireInstance(call, context);
  const shown = toInstanceResource(row);
  context.store.remove(row);
  context.handSearch({ do: 'drop', instances: [buildInstanceFacts(row, context.tenant.id)] });
  return buildResult(shown);
}

const listQuery = {
  ...searchPageQuery,
  namespace: z.string().optional(),
  hostname: z.string().optional(),
  order_by: z.literal('created_at').optional(),
  order_by_direction: order,
};

/**
 * Those of the path's namespace; by a flat path those of all of the account's namespaces. Newest first. No instance has a
 * hostname of its own here: a list of one is empty.
 * @throws Refusal 404 for a path of a namespace that is not there; a filter by one finds nothing
 */
function list(call: Call, context: Context): JsonObject {
  const query = parseCallQuery(listQuery, call);
  const parent = call.path['name'] === undefined ? undefined : requireNamespacePlace(call, context).parent;
  const isListed = (row: ResourceRow): boolean =>
    (parent === undefined ? extractAccountId(row.parent) === getAccountId(call) : row.parent === parent) &&
    (query.namespace === undefined || query.namespace === getInstanceNamespace(row)) &&
    query.hostname === undefined &&
    hasSubstring(row.id, query.search);
  const found = listAllInstances(context.store)
    .filter(isListed)
    .toSorted((one, other) => readStoredInstance(one).createdMs - readStoredInstance(other).createdMs);
  if (query.order_by_direction === 'desc') found.reverse();
  return buildResultPage(found.map(toInstanceResource), query);
}

const store = ({ parent, id }: { parent: string; id: string }, kept: StoredInstance) => ({
  collection: AISEARCH.instances,
  parent,
  id,
  ref: EVERY,
  body: asJson(kept),
});

/** @throws Refusal 400: the place of an instance and the source of its items are fixed at creation */
function requireSame(name: string, sent: unknown, kept: string | null): void {
  if (sent === undefined || sent === kept) return;
  throw vendorRefusals.invalid(`${name}: cannot be changed after the instance is made`);
}

/** 400, as the vendor documents it: of a namespace it is 409. */
const refuseTakenId = (): Refusal => vendorRefusals.invalid('ai_search_with_this_name_already_exist');
