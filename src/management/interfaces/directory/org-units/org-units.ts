import { isText, type JsonObject, getTextMember } from '../../../../lib/json.ts';
import { vendorRefusals } from '../../../../lib/refusal.ts';
import {
  type Collection,
  defineCollectionHandlers,
  listBody,
  buildShownResource,
} from '../../../core/engine/collection.ts';
import { isKey } from '../../../core/engine/keys.ts';
import type { Context, Handlers } from '../../../core/engine/operation.ts';
import type { Indexed, ResourceRow } from '../../../core/engine/stored-row.ts';
import { COLLECTIONS } from '../collections.ts';
import { requireCustomer } from '../keys.ts';
import { unassign } from '../roles/role-assignments.ts';
import { requireShortTexts } from '../texts.ts';
import {
  isIdKey,
  generateOrgUnitId,
  findOrgUnit,
  normaliseOrgUnitPath,
  getOrgUnitRowPath,
  ROOT_PATH,
  formatOrgUnitId,
} from './org-unit-keys.ts';

/** Levels below the root. */
const MAX_DEPTH = 35;
/** Units that move with one above them: two statements each. */
const MAX_MOVED = 2_000;

/** All units below one, each after its parent; the root has all others below it. One statement. */
function listUnitsBelow(top: ResourceRow, limit: number, { store }: Context): ResourceRow[] {
  const path = normaliseOrgUnitPath(getOrgUnitRowPath(top));
  const prefix = path === ROOT_PATH ? ROOT_PATH : `${path}/`;
  const rows = store.list({ collection: COLLECTIONS.orgUnits, parent: '', order: { by: 's1' }, prefix, limit });
  return rows.map(({ row }) => row).filter(({ id }) => id !== top.id);
}

/** @throws Refusal 400 for a place inside of the unit itself, or one that is too deep for it and what is below it */
function requireRoom(path: string, parent: ResourceRow, before: ResourceRow | undefined, context: Context): void {
  const from = before && normaliseOrgUnitPath(getOrgUnitRowPath(before));
  const isInside = from !== undefined && `${normaliseOrgUnitPath(getOrgUnitRowPath(parent))}/`.startsWith(`${from}/`);
  if (isInside) throw vendorRefusals.invalid('Invalid Parent Orgunit Id');
  const isMoved = before !== undefined && normaliseOrgUnitPath(path) !== from;
  const moved = isMoved ? listUnitsBelow(before, MAX_MOVED + 1, context) : [];
  if (moved.length > MAX_MOVED) throw vendorRefusals.limitExceeded(`At most ${MAX_MOVED} org units move at once`);
  const paths = [path, ...moved.map((row) => path + getOrgUnitRowPath(row).slice(from?.length))];
  if (paths.some((each) => computeDepth(each) > MAX_DEPTH)) throw vendorRefusals.invalid('Invalid Parent Orgunit Id');
  if (paths.some((each) => !isKey(normaliseOrgUnitPath(each)))) throw vendorRefusals.invalid('Invalid Ou Name');
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

const computeDepth = (path: string): number => (path === ROOT_PATH ? 0 : path.split('/').length - 1);

/** Characters of a name, and of a description. */
const LIMITS = { name: 256, description: 4_096 } as const;
/** Units of one tenant: a list shows them all. */
const MAX_ORG_UNITS = 10_000;
/** Role assignments that end with one unit: seven statements each. */
const MAX_UNASSIGNED = 500;

/**
 * The tree of org units. A stored one has its own path and, as `ref`, its parent's id. It always has a name and a place:
 * a PUT that leaves them out does not clear them.
 */
export const orgUnits: Collection = {
  name: COLLECTIONS.orgUnits,
  schema: 'OrgUnit',
  kind: 'admin#directory#orgUnit',
  listKind: 'admin#directory#orgUnits',
  items: 'organizationUnits',
  find: (call, context) => {
    requireCustomer(call.path['customerId'] ?? '', context);
    return requireUnit(call.path['orgUnitPath'] ?? '', context);
  },
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

export const orgUnitHandlers: Handlers = {
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
        : listChildren(top, context);
    const units = type === 'allIncludingParent' ? [top, ...below] : below;
    const shownUnits = units.map((row) => buildShownResource(orgUnits, row, call, context));
    return listBody(orgUnits, shownUnits, undefined, context);
  },
};

/** By path or `id:`, also of a unit that is named so; also by a path that a client sent as a list (`corp,sales`). @throws Refusal 404 */
function requireUnit(key: string, context: Context): ResourceRow {
  const found = findOrgUnit(key, context) ?? (isIdKey(key) ? findOrgUnit(`/${key}`, context) : undefined);
  const unit = found ?? (key.includes(',') ? findOrgUnit(key.replaceAll(',', '/'), context) : undefined);
  if (unit === undefined) throw vendorRefusals.missing('Org unit not found');
  return unit;
}

/**
 * The parent that a body names by path or id; undefined where it names none. Of a changed resource that is sent back
 * whole, the one that is new counts. @throws Refusal 400 for one that is not there
 */
function readSentParent(body: JsonObject, context: Context, before?: ResourceRow): ResourceRow | undefined {
  const [sentId, path] = [getTextMember(body, 'parentOrgUnitId'), getTextMember(body, 'parentOrgUnitPath')];
  if (sentId === '' && path === '') return undefined;
  const id = formatOrgUnitId(sentId.replace(/^id:/, ''));
  const isOld = path !== '' && id === before?.body['parentOrgUnitId'];
  const key = sentId === '' || isOld ? path : id;
  const parent = findOrgUnit(key, context);
  if (parent === undefined) throw vendorRefusals.invalid('Invalid Parent Orgunit Id');
  return parent;
}

function requireParentUnit(row: ResourceRow, context: Context): ResourceRow {
  const parent = findOrgUnit(extractParentPath(getOrgUnitRowPath(row)), context);
  if (parent === undefined) throw new Error(`Org unit ${row.id} has no parent`); // Only an empty one can be deleted.
  return parent;
}

/** A unit with this name in a place where it fits. `before`: the unit itself, when it is already there. @throws Refusal */
function buildPlacedUnit(
  parent: ResourceRow,
  sent: JsonObject,
  context: Context,
  before?: ResourceRow,
): { body: JsonObject } & Indexed {
  const { name, path } = validateUnitName(sent, getOrgUnitRowPath(parent));
  const there = findOrgUnit(path, context);
  if (there !== undefined && there.id !== before?.id) throw vendorRefusals.duplicate();
  requireRoom(path, parent, before, context);
  const body = {
    name,
    description: getTextMember(sent, 'description'),
    orgUnitPath: path,
    parentOrgUnitId: formatOrgUnitId(parent.id),
    blockInheritance: false,
  };
  return { body, s1: normaliseOrgUnitPath(path), ref: parent.id };
}

function validateUnitName(sent: JsonObject, parent: string): { name: string; path: string } {
  const name = getTextMember(sent, 'name').trim();
  if (name === '' || name.includes('/') || name.length > LIMITS.name) throw vendorRefusals.invalid('Invalid Ou Name');
  requireShortTexts(sent, { description: LIMITS.description });
  return { name, path: parent === ROOT_PATH ? `/${name}` : `${parent}/${name}` };
}

/** The root keeps its place and name; what it is for can be said. */
function buildRootBody(before: ResourceRow, sent: JsonObject, asked: JsonObject): JsonObject {
  if (getTextMember(asked, 'parentOrgUnitId') || getTextMember(asked, 'parentOrgUnitPath'))
    throw vendorRefusals.invalid('Invalid Parent Orgunit Id');
  if (getTextMember(asked, 'name') && asked['name'] !== before.body['name'])
    throw vendorRefusals.invalid('Invalid Ou Name');
  requireShortTexts(sent, { description: LIMITS.description });
  return { ...before.body, description: getTextMember(sent, 'description') };
}

function requireEmpty(row: ResourceRow, { store }: Context): void {
  if (getOrgUnitRowPath(row) === ROOT_PATH) throw vendorRefusals.invalidInput('INVALID_OU_ID');
  const holders = [COLLECTIONS.orgUnits, COLLECTIONS.users, COLLECTIONS.chromeDevices];
  const isUsed = holders.some((collection) => store.byRef(collection, row.id, 1).length > 0);
  if (isUsed)
    throw vendorRefusals.conditionNotMet('Org unit is not empty: move its users, devices and org units first');
}

/** Role assignments that held in a unit end with it. */
function removeAssignments({ id }: ResourceRow, context: Context): void {
  const [collection, order] = [COLLECTIONS.roleAssignments, { by: 's2' } as const];
  const rows = context.store.list({ collection, parent: '', order, prefix: id, limit: MAX_UNASSIGNED });
  for (const { row } of rows) unassign(row, context);
}

function toUnitResource(row: ResourceRow): JsonObject {
  const path = getOrgUnitRowPath(row);
  return {
    ...row.body,
    orgUnitId: formatOrgUnitId(row.id),
    ...(path !== ROOT_PATH && { parentOrgUnitPath: extractParentPath(path) }),
  };
}

const extractParentPath = (path: string): string => path.slice(0, path.lastIndexOf('/')) || ROOT_PATH;

const listChildren = (top: ResourceRow, { store }: Context): ResourceRow[] =>
  store
    .byRef(COLLECTIONS.orgUnits, top.id, MAX_ORG_UNITS)
    .toSorted((a, b) =>
      normaliseOrgUnitPath(getOrgUnitRowPath(a)) < normaliseOrgUnitPath(getOrgUnitRowPath(b)) ? -1 : 1,
    );
