import { getTextMember, isText } from '../../../../lib/json.ts';
import { vendorRefusals } from '../../../../lib/refusal.ts';
import {
  buildShownItems,
  type Collection,
  defineCollectionHandlers,
  listBody,
} from '../../../core/engine/collection.ts';
import type { Context, Handlers } from '../../../core/engine/operation.ts';
import type { ResourceRow } from '../../../core/engine/stored-row.ts';
import { refuseUnknownOrgUnit } from '../refusals.ts';
import { unassign } from '../roles/rows.ts';
import { COLLECTIONS, defineCustomerCollection, requireCustomer } from '../rows.ts';
import {
  extractParentPath,
  findOrgUnit,
  generateOrgUnitId,
  getOrgUnitRowPath,
  isIdKey,
  listChildUnits,
  listUnitsBelow,
  MAX_ORG_UNITS,
  normaliseOrgUnitPath,
  ROOT_PATH,
  toUnitResource,
} from './rows.ts';
import { buildPlacedUnit, buildRootBody, MAX_MOVED, readSentParent } from './schemas.ts';

/** Role assignments that end with one unit: seven statements each. */
const MAX_UNASSIGNED = 500;

/**
 * The tree of org units. A stored one has its own path and, as `ref`, its parent's id. It always has a name and a place:
 * a PUT that leaves them out does not clear them.
 */
const orgUnits: Collection = {
  name: COLLECTIONS.orgUnits,
  schema: 'OrgUnit',
  kind: 'admin#directory#orgUnit',
  listKind: 'admin#directory#orgUnits',
  items: 'organizationUnits',
  find: defineCustomerCollection('customerId', (path, context) => requireUnit(path['orgUnitPath'] ?? '', context)).find,
  create: (call, context, sent) => {
    requireCustomer(call.path['customerId'] ?? '', context);
    if (context.store.count(COLLECTIONS.orgUnits, '') >= MAX_ORG_UNITS)
      throw vendorRefusals.limitExceeded(`A customer has at most ${MAX_ORG_UNITS} org units`);
    const parent = readSentParent(sent, context);
    if (parent === undefined) throw vendorRefusals.required('parentOrgUnitPath');
    const placed = buildPlacedUnit(parent, sent, context);
    return { id: generateOrgUnitId(context), ...placed };
  },
  change: (before, sent, call, context) => {
    if (getOrgUnitRowPath(before) === ROOT_PATH) return { body: buildRootBody(before, sent, call.body), s1: ROOT_PATH };
    const parent = readSentParent(call.body, context, before) ?? requireParentUnit(before, context);
    const name = getTextMember(sent, 'name') || getTextMember(before.body, 'name');
    return buildPlacedUnit(parent, { ...sent, name }, context, before);
  },
  updated: (before, row, _call, context) => moveBelow(before, row, context),
  removing: (row, _call, context) => requireEmpty(row, context),
  removed: (row, _call, context) => removeAssignments(row, context),
  view: toUnitResource,
};

/** Org units, and the list of those below one. */
export const handlers: Handlers = {
  ...defineCollectionHandlers(orgUnits, {
    get: 'directory.orgunits.get',
    insert: 'directory.orgunits.insert',
    patch: 'directory.orgunits.patch',
    update: 'directory.orgunits.update',
    delete: 'directory.orgunits.delete',
  }),
  'directory.orgunits.list': (call, context) => {
    requireCustomer(call.path['customerId'] ?? '', context);
    const { orgUnitPath, type } = call.query;
    const top = requireUnit(isText(orgUnitPath) ? orgUnitPath : ROOT_PATH, context);
    const below =
      type === 'all' || type === 'allIncludingParent'
        ? listUnitsBelow(top, MAX_ORG_UNITS, context)
        : listChildUnits(top, context);
    const units = type === 'allIncludingParent' ? [top, ...below] : below;
    return listBody(orgUnits, buildShownItems(orgUnits, units, call, context), undefined, context);
  },
};

/** By path or `id:`, also of a unit that is named so; also by a path that a client sent as a list (`corp,sales`). @throws Refusal 404 */
function requireUnit(key: string, context: Context): ResourceRow {
  const found = findOrgUnit(key, context) ?? (isIdKey(key) ? findOrgUnit(`/${key}`, context) : undefined);
  const unit = found ?? (key.includes(',') ? findOrgUnit(key.replaceAll(',', '/'), context) : undefined);
  if (unit === undefined) throw vendorRefusals.missing('Org unit not found');
  return unit;
}

function requireParentUnit(row: ResourceRow, context: Context): ResourceRow {
  const parent = findOrgUnit(extractParentPath(getOrgUnitRowPath(row)), context);
  if (parent === undefined) throw new Error(`Org unit ${row.id} has no parent`); // Only an empty one can be deleted.
  return parent;
}

/** Gives everything below a unit that was renamed or moved its new path. What is in the units does not change: it has their ids. */
function moveBelow(before: ResourceRow, after: ResourceRow, context: Context): void {
  const [from, to] = [getOrgUnitRowPath(before), getOrgUnitRowPath(after)];
  if (from === to) return;
  for (const { collection, parent, id, body } of listUnitsBelow(before, MAX_MOVED, context)) {
    const orgUnitPath = to + getOrgUnitRowPath({ ...after, body }).slice(from.length);
    const ref = getTextMember(body, 'parentOrgUnitId').slice('id:'.length);
    context.store.put({
      collection,
      parent,
      id,
      body: { ...body, orgUnitPath },
      s1: normaliseOrgUnitPath(orgUnitPath),
      ref,
    });
  }
}

function requireEmpty(row: ResourceRow, { store }: Context): void {
  if (getOrgUnitRowPath(row) === ROOT_PATH) throw refuseUnknownOrgUnit();
  const { orgUnits: units, users, chromeDevices, printers, printServers } = COLLECTIONS;
  const holders = [units, users, chromeDevices, printers, printServers];
  const isUsed = holders.some((collection) => store.byRef(collection, row.id, 1).length > 0);
  if (isUsed)
    throw vendorRefusals.conditionNotMet(
      'Org unit is not empty: move its users, devices, printers and org units first',
    );
}

/** Role assignments that held in a unit end with it. */
function removeAssignments({ id }: ResourceRow, context: Context): void {
  const [collection, order] = [COLLECTIONS.roleAssignments, { by: 's2' } as const];
  const rows = context.store.list({ collection, parent: '', order, prefix: id, limit: MAX_UNASSIGNED });
  for (const { row } of rows) unassign(row, context);
}
