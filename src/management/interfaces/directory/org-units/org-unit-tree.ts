import { isKey } from '../../../core/engine/keys.ts';
import type { Context } from '../../../core/engine/operation.ts';
import type { StoredRow } from '../../../core/engine/stored-row.ts';
import { refuse } from '../../../../lib/refusal.ts';
import { COLLECTIONS } from '../collections.ts';
import { pathKey, pathOf, ROOT_PATH } from './org-unit-keys.ts';
import { textOf } from '../texts.ts';

/** Levels below the root. */
const MAX_DEPTH = 35;
/** Units that move with one above them: two statements each. */
const MAX_MOVED = 2_000;

/** All units below one, each after its parent; the root has all others below it. One statement. */
export function unitsBelow(top: StoredRow, limit: number, { store }: Context): StoredRow[] {
  const path = pathKey(pathOf(top));
  const prefix = path === ROOT_PATH ? ROOT_PATH : `${path}/`;
  const rows = store.list({ collection: COLLECTIONS.orgUnits, parent: '', order: { by: 's1' }, prefix, limit });
  return rows.map(({ row }) => row).filter(({ id }) => id !== top.id);
}

/** @throws Refusal 400 for a place inside of the unit itself, or one that is too deep for it and what is below it */
export function requireRoom(path: string, parent: StoredRow, before: StoredRow | undefined, context: Context): void {
  const from = before && pathKey(pathOf(before));
  const isInside = from !== undefined && `${pathKey(pathOf(parent))}/`.startsWith(`${from}/`);
  if (isInside) throw refuse.invalid('Invalid Parent Orgunit Id');
  const isMoved = before !== undefined && pathKey(path) !== from;
  const moved = isMoved ? unitsBelow(before, MAX_MOVED + 1, context) : [];
  if (moved.length > MAX_MOVED) throw refuse.limitExceeded(`At most ${MAX_MOVED} org units move at once`);
  const paths = [path, ...moved.map((row) => path + pathOf(row).slice(from?.length))];
  if (paths.some((each) => depthOf(each) > MAX_DEPTH)) throw refuse.invalid('Invalid Parent Orgunit Id');
  if (paths.some((each) => !isKey(pathKey(each)))) throw refuse.invalid('Invalid Ou Name');
}

/** Gives everything below a unit that was renamed or moved its new path. What is in the units does not change: it has their ids. */
export function moveBelow(before: StoredRow, after: StoredRow, context: Context): void {
  const [from, to] = [pathOf(before), pathOf(after)];
  if (from === to) return;
  for (const { collection, parent, id, body } of unitsBelow(before, MAX_MOVED, context)) {
    const orgUnitPath = to + pathOf({ ...after, body }).slice(from.length);
    const ref = textOf(body, 'parentOrgUnitId').slice('id:'.length);
    context.store.put({ collection, parent, id, body: { ...body, orgUnitPath }, s1: pathKey(orgUnitPath), ref });
  }
}

const depthOf = (path: string): number => (path === ROOT_PATH ? 0 : path.split('/').length - 1);
