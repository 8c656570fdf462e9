import type { Context } from '../../../core/engine/operation.ts';
import type { ResourceRow } from '../../../core/engine/stored-row.ts';
import { isText } from '../../../../lib/json.ts';
import { COLLECTIONS } from '../collections.ts';
import { generateDirectoryId } from '../keys.ts';

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
  const wanted = normaliseOrgUnitPath(path);
  const [first] = context.store.list({
    collection: COLLECTIONS.orgUnits,
    parent: '',
    order: { by: 's1' },
    prefix: wanted,
    limit: 1,
  });
  return first !== undefined && first.cursor.sort === wanted ? first.row : undefined;
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
