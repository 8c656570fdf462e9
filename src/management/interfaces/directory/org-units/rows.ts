import { isText, type JsonObject } from '../../../../lib/json.ts';
import type { Context } from '../../../core/engine/operation.ts';
import type { ResourceRow } from '../../../core/engine/stored-row.ts';
import { refuseUnknownOrgUnit } from '../refusals.ts';
import { COLLECTIONS, findSortedRow, generateDirectoryId } from '../rows.ts';

/** Units of one tenant: a list shows them all. */
export const MAX_ORG_UNITS = 10_000;

/** The org unit that everything is in when nothing else is said. */
export const ROOT_PATH = '/';
/** How ids begin where they are shown: `id:03ph8a2z1x4k7m9`. */
const ID_PREFIX = 'id:';

/** A fresh id, without `id:`. */
export const generateOrgUnitId = (context: Context): string => `03ph8a2z${generateDirectoryId(context).slice(-7)}`;

/** An id as it is shown: `id:03ph8a2z1x4k7m9`. */
export const formatOrgUnitId = (id: string): string => `${ID_PREFIX}${id}`;

/** Whether a key is the id of an org unit rather than its path. */
export const isIdKey = (key: string): boolean => key.startsWith(ID_PREFIX);

/**
 * The org unit at a path (`/corp/sales`, with or without the leading slash, in any case) or with an id (`id:03ph...`);
 * undefined when there is none. One statement.
 *
 * Rows in an org unit (users, devices) store its id as their `ref`, none for the root, and show its present path by
 * `readOrgUnitPath`. So moving a unit touches no row in it, and `ref` shows whether it is empty.
 */
export function findOrgUnit(path: string, context: Context): ResourceRow | undefined {
  if (isIdKey(path)) return context.store.get(COLLECTIONS.orgUnits, '', path.slice(ID_PREFIX.length));
  return findSortedRow(COLLECTIONS.orgUnits, normaliseOrgUnitPath(path), context);
}

/** The org unit that a path or id names. @throws Refusal 400, the vendor's word for a unit that is not there */
export function requireOrgUnit(path: string, context: Context): ResourceRow {
  const unit = findOrgUnit(path, context);
  if (unit === undefined) throw refuseUnknownOrgUnit();
  return unit;
}

/** The present path of an org unit by its id (without `id:`); `/` for none, without a statement. */
export function readOrgUnitPath(id: string | undefined, context: Context): string {
  const row = id === undefined || id === '' ? undefined : context.store.get(COLLECTIONS.orgUnits, '', id);
  return row === undefined ? ROOT_PATH : getOrgUnitRowPath(row);
}

/** The path of an org unit's row. */
export function getOrgUnitRowPath(row: ResourceRow): string {
  const { orgUnitPath } = row.body;
  return isText(orgUnitPath) ? orgUnitPath : ROOT_PATH;
}

/** What a row in this org unit stores as its `ref`: undefined for the root. */
export const getOrgUnitRef = (row: ResourceRow): string | undefined =>
  getOrgUnitRowPath(row) === ROOT_PATH ? undefined : row.id;

/** A path as it is found and sorted by: lower case, with one leading slash. */
export const normaliseOrgUnitPath = (path: string): string => `/${path.replace(/^\/+/, '')}`.toLowerCase();

/** All units below one, each after its parent; the root has all others below it. One statement. */
export function listUnitsBelow(top: ResourceRow, limit: number, { store }: Context): ResourceRow[] {
  const path = normaliseOrgUnitPath(getOrgUnitRowPath(top));
  const prefix = path === ROOT_PATH ? ROOT_PATH : `${path}/`;
  const rows = store.list({ collection: COLLECTIONS.orgUnits, parent: '', order: { by: 's1' }, prefix, limit });
  return rows.map(({ row }) => row).filter(({ id }) => id !== top.id);
}

/** The units directly below one, by path. */
export const listChildUnits = (top: ResourceRow, { store }: Context): ResourceRow[] =>
  store
    .byRef(COLLECTIONS.orgUnits, top.id, MAX_ORG_UNITS)
    .toSorted((a, b) =>
      normaliseOrgUnitPath(getOrgUnitRowPath(a)) < normaliseOrgUnitPath(getOrgUnitRowPath(b)) ? -1 : 1,
    );

/** The path of the unit above one. */
export const extractParentPath = (path: string): string => path.slice(0, path.lastIndexOf('/')) || ROOT_PATH;

/** A unit with the id and path that callers see. */
export function toUnitResource(row: ResourceRow): JsonObject {
  const path = getOrgUnitRowPath(row);
  return {
    ...row.body,
    orgUnitId: formatOrgUnitId(row.id),
    ...(path !== ROOT_PATH && { parentOrgUnitPath: extractParentPath(path) }),
  };
}
