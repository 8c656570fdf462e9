import * as z from 'zod';
import type { Call, Context, Handlers } from '../../core/engine/operation.ts';
import type { Resources, StoredRow } from '../../core/engine/stored-row.ts';
import { isText, type JsonObject } from '../../../lib/json.ts';
import { Refusal, refuse } from '../../../lib/refusal.ts';
import { factsOf, keptOf, type KeptInstance, namespaceOf, shownInstance } from './kept.ts';
import { asJson, contains, pageOf, parsed, queryOf, resultOf, searchQuery, withoutShown } from './parse.ts';
import {
  accountIn,
  accountOf,
  AISEARCH,
  bothFamilies,
  EVERY,
  instanceNotFound,
  type Place,
  placeOf,
  slug,
} from './rows.ts';
import { changedSettings } from './settings.ts';
import { sentSource, sourceOf } from './source.ts';

/** Instances of a tenant, in all its accounts and namespaces (facts: the vendor's limit in open beta; rule K9). */
const MAX_INSTANCES = 10;
/** Bytes of the name of an instance's object. */
const UID_BYTES = 16;

/** Of what a read shows what nobody sets. */
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
export const instanceHandlers: Handlers = bothFamilies({
  create,
  list,
  update,
  delete: remove,
  read: (call, context) => resultOf(shownInstance(instanceOf(call, context))),
});

/** The instance that a path names. @throws Refusal 404 */
export function instanceOf(call: Call, context: Context): StoredRow {
  return instanceIn(placeOf(call, context), call.path['id'] ?? '', context);
}

/** An instance of a namespace. @throws Refusal 404 */
export function instanceIn({ parent }: Place, id: string, { store }: Context): StoredRow {
  const row = store.get(AISEARCH.instances, parent, id);
  if (row === undefined) throw instanceNotFound();
  return row;
}

/** Whether an object is still that of an instance: one whose row is gone (a reset, a restored snapshot) may go as well. */
export const isInstance = (store: Resources, uid: string): boolean => uidsIn(store).includes(uid);

/** Names of the objects of all instances. */
export const uidsIn = (store: Resources): readonly string[] =>
  instancesIn(store).flatMap(({ body: { uid } }) => (isText(uid) ? [uid] : []));

/** All instances of the tenant. */
export const instancesIn = (store: Resources): readonly StoredRow[] =>
  store.byRef(AISEARCH.instances, EVERY, MAX_INSTANCES + 1);

function create(call: Call, context: Context): JsonObject {
  const place = placeOf(call, context);
  const { id, source, type } = parsed(identity, call.body);
  const { id: _id, source: _source, type: _type, ...sent } = call.body;
  const origin = sourceOf({ source, type });
  const settings = changedSettings({}, sent);
  if (context.store.get(AISEARCH.instances, place.parent, id) !== undefined) throw taken();
  if (instancesIn(context.store).length >= MAX_INSTANCES) throw refuse.limitExceeded('max_instances_reached');
  const now = { ms: context.now(), by: call.caller.userId };
  const uid = context.secret(UID_BYTES);
  const row = store(
    { ...place, id },
    { uid, createdMs: now.ms, modifiedMs: now.ms, createdBy: now.by, modifiedBy: now.by, ...origin, settings },
  );
  const made = context.store.insert(row);
  if (made === undefined) throw taken();
  context.handSearch({ do: 'configure', instance: factsOf(made, context.tenant.id) });
  return resultOf(shownInstance(made));
}

function update(call: Call, context: Context): JsonObject {
  const row = instanceOf(call, context);
  const kept = keptOf(row);
  const { namespace, source, type, ...sent } = withoutShown(call.body, 'id', row.id, SHOWN);
  requireSame('namespace', namespace, namespaceOf(row));
  requireSame('source', source, kept.source);
  requireSame('type', type, kept.type);
  const settings = changedSettings(kept.settings, sent);
  const changed = { ...kept, settings, modifiedMs: context.now(), modifiedBy: call.caller.userId };
  const put = context.store.put(store(row, changed));
  context.handSearch({ do: 'configure', instance: factsOf(put, context.tenant.id) });
  return resultOf(shownInstance(put));
}

function remove(call: Call, context: Context): JsonObject {
  const row = instanceOf(call, context);
  const shown = shownInstance(row);
  context.store.remove(row);
  context.handSearch({ do: 'drop', instances: [factsOf(row, context.tenant.id)] });
  return resultOf(shown);
}

const listQuery = {
  ...searchQuery,
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
  const query = queryOf(listQuery, call);
  const parent = call.path['name'] === undefined ? undefined : placeOf(call, context).parent;
  const isListed = (row: StoredRow): boolean =>
    (parent === undefined ? accountIn(row.parent) === accountOf(call) : row.parent === parent) &&
    (query.namespace === undefined || query.namespace === namespaceOf(row)) &&
    query.hostname === undefined &&
    contains(row.id, query.search);
  const found = instancesIn(context.store)
    .filter(isListed)
    .toSorted((one, other) => keptOf(one).createdMs - keptOf(other).createdMs);
  if (query.order_by_direction === 'desc') found.reverse();
  return pageOf(found.map(shownInstance), query);
}

const store = ({ parent, id }: { parent: string; id: string }, kept: KeptInstance) => ({
  collection: AISEARCH.instances,
  parent,
  id,
  ref: EVERY,
  body: asJson(kept),
});

/** @throws Refusal 400: where an instance stands, and where its items come from, is settled when it is made */
function requireSame(name: string, sent: unknown, kept: string | null): void {
  if (sent === undefined || sent === kept) return;
  throw refuse.invalid(`${name}: cannot be changed after the instance is made`);
}

/** 400, as the vendor documents it: of a namespace it is 409. */
const taken = (): Refusal => refuse.invalid('ai_search_with_this_name_already_exist');
