import type { Call, Context, Handlers } from '../../../core/engine/operation.ts';
import type { ResourceRow } from '../../../core/engine/stored-row.ts';
import type { JsonObject } from '../../../../lib/json.ts';
import { vendorRefusals } from '../../../../lib/refusal.ts';
import { refuseTakenId } from '../refusals.ts';
import {
  AISEARCH,
  buildResult,
  buildResultPage,
  extractAccountId,
  getAccountId,
  hasSubstring,
  requireNamespacePlace,
} from '../rows.ts';
import { parseCallQuery, parseValue, withoutShown } from '../schemas.ts';
import {
  buildInstanceFacts,
  buildInstanceRow,
  getInstanceNamespace,
  listAllInstances,
  MAX_INSTANCES,
  readSandboxClock,
  readStoredInstance,
  requireInstance,
  toInstanceResource,
  toListedInstance,
} from './rows.ts';
import {
  instanceIdentity,
  instanceListQuery,
  mergeSettings,
  parseInstanceSource,
  SHOWN_OF_INSTANCE,
} from './schemas.ts';

/** Bytes of the name of an instance's object. */
const UID_BYTES = 16;

/** Instances, on both families of paths. */
export const handlers: Handlers = defineInstanceHandlers({
  create: createInstance,
  list: listInstances,
  update: updateInstance,
  delete: removeInstance,
  read: (call, context) => buildResult(toInstanceResource(requireInstance(call, context))),
});

/** The methods of an instance on both families of paths: the flat ones, and those below a namespace. */
export function defineInstanceHandlers(methods: Handlers): Handlers {
  return Object.fromEntries(
    Object.entries(methods).flatMap(([name, handler]) => [
      [`aisearch.instances.${name}`, handler],
      [`aisearch.namespaces.instances.${name}`, handler],
    ]),
  );
}

function createInstance(call: Call, context: Context): JsonObject {
  const place = requireNamespacePlace(call, context);
  const { id, source, type } = parseValue(instanceIdentity, call.body);
  const { id: _id, source: _source, type: _type, ...sent } = call.body;
  const origin = parseInstanceSource({ source, type });
  const settings = mergeSettings({}, sent);
  if (context.store.get(AISEARCH.instances, place.parent, id) !== undefined) throw refuseTakenId();
  if (listAllInstances(context.store).length >= MAX_INSTANCES)
    throw vendorRefusals.limitExceeded('max_instances_reached');
  const now = { ms: context.now(), by: call.caller.userId };
  const uid = context.secret(UID_BYTES);
  const row = buildInstanceRow(
    { ...place, id },
    { uid, createdMs: now.ms, modifiedMs: now.ms, createdBy: now.by, modifiedBy: now.by, ...origin, settings },
  );
  const made = context.store.insert(row);
  if (made === undefined) throw refuseTakenId();
  context.handSearch({
    do: 'configure',
    instance: buildInstanceFacts(made, context.tenant.id),
    ...readSandboxClock(context),
  });
  return buildResult(toInstanceResource(made));
}

function updateInstance(call: Call, context: Context): JsonObject {
  const row = requireInstance(call, context);
  const kept = readStoredInstance(row);
  const { namespace, source, type, ...sent } = withoutShown(call.body, 'id', row.id, SHOWN_OF_INSTANCE);
  requireSame('namespace', namespace, getInstanceNamespace(row));
  requireSame('source', source, kept.source);
  requireSame('type', type, kept.type);
  const settings = mergeSettings(kept.settings, sent);
  const changed = { ...kept, settings, modifiedMs: context.now(), modifiedBy: call.caller.userId };
  const put = context.store.put(buildInstanceRow(row, changed));
  context.handSearch({
    do: 'configure',
    instance: buildInstanceFacts(put, context.tenant.id),
    ...readSandboxClock(context),
  });
  return buildResult(toInstanceResource(put));
}

function removeInstance(call: Call, context: Context): JsonObject {
  const row = requireInstance(call, context);
  const shown = toInstanceResource(row);
  context.store.remove(row);
  context.handSearch({ do: 'drop', instances: [buildInstanceFacts(row, context.tenant.id)] });
  return buildResult(shown);
}

/**
 * Those of the path's namespace; by a flat path those of all of the account's namespaces. Newest first. No instance has a
 * hostname of its own here: a list of one is empty.
 * @throws Refusal 404 for a path of a namespace that is not there; a filter by one finds nothing
 */
function listInstances(call: Call, context: Context): JsonObject {
  const query = parseCallQuery(instanceListQuery, call);
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
  return buildResultPage(found.map(toListedInstance), query);
}

/** @throws Refusal 400: the place of an instance and the source of its items are fixed at creation */
function requireSame(name: string, sent: unknown, kept: string | null): void {
  if (sent === undefined || sent === kept) return;
  throw vendorRefusals.invalid(`${name}: cannot be changed after the instance is made`);
}
