import { getTextMember, type JsonObject } from '../../../../lib/json.ts';
import { vendorRefusals } from '../../../../lib/refusal.ts';
import type { Context } from '../../../core/engine/operation.ts';
import type { ListCursor, ListedRow, ResourceRow } from '../../../core/engine/stored-row.ts';
import { extractParentPath, findOrgUnit, getOrgUnitRowPath, ROOT_PATH } from '../org-units/rows.ts';
import { COLLECTIONS } from '../rows.ts';

/** What differs between printers and print servers. */
export type PrinterKind = {
  /** Name in the store, and schema of one. */
  collection: string;
  schema: string;
  /** Of the path `customers/C1/chrome/<items>`; also the array of lists and of a batch's answer. */
  items: string;
  /** Member of a request of a batch, and of what failed. */
  one: string;
  ids: string;
  failed: string;
  /** Fields that a caller may change, and lists may be sorted by or searched for. */
  editable: readonly string[];
  sorts: readonly string[];
  texts: readonly string[];
};

export const printers: PrinterKind = {
  collection: COLLECTIONS.printers,
  schema: 'Printer',
  items: 'printers',
  one: 'printer',
  ids: 'printerIds',
  failed: 'failedPrinters',
  editable: ['description', 'displayName', 'makeAndModel', 'uri', 'useDriverlessConfig'],
  sorts: ['displayName', 'description', 'makeAndModel', 'createTime'],
  texts: ['displayName', 'description', 'makeAndModel', 'uri'],
};

export const printServers: PrinterKind = {
  collection: COLLECTIONS.printServers,
  schema: 'PrintServer',
  items: 'printServers',
  one: 'printServer',
  ids: 'printServerIds',
  failed: 'failedPrintServers',
  editable: ['description', 'displayName', 'uri'],
  sorts: ['displayName', 'description', 'createTime'],
  texts: ['displayName', 'description', 'uri'],
};

/** Of each kind in a tenant: a list is sorted in memory. */
export const MAX_PRINTERS = 1_000;

/** The id of the org unit that owns what is named none. The vendor shows these ids without `id:` here. */
export function requireOwnerId(orgUnitId: string, context: Context): string {
  const key = orgUnitId === '' ? ROOT_PATH : `id:${orgUnitId.replace(/^id:/, '')}`;
  const unit = findOrgUnit(key, context);
  if (unit === undefined) throw vendorRefusals.invalid('Invalid Input: orgUnitId');
  return unit.id;
}

/** Ids of a unit and of all above it: what it owns or inherits belongs to one of these. */
export function listOwnerIds(orgUnitId: string, context: Context): ReadonlySet<string> {
  const ids = new Set<string>();
  let unit = findOrgUnit(`id:${requireOwnerId(orgUnitId, context)}`, context);
  while (unit !== undefined && !ids.has(unit.id)) {
    ids.add(unit.id);
    const path = getOrgUnitRowPath(unit);
    unit = path === ROOT_PATH ? undefined : findOrgUnit(extractParentPath(path), context);
  }
  return ids;
}

/** One as callers see it. */
export const toPrinterResource = (
  { items }: PrinterKind,
  { id, body }: ResourceRow,
  { tenant }: Context,
): JsonObject => ({
  name: `customers/${tenant.id}/chrome/${items}/${id}`,
  id,
  ...body,
});

/** All of a kind after a place, sorted by a field and then by id, or by id alone; each with its place. */
export function listSortedPrinters(
  { collection }: PrinterKind,
  { by, descending, after }: { by: string | undefined; descending: boolean; after: ListCursor | undefined },
  { store }: Context,
): readonly ListedRow[] {
  const rows = store.list({ collection, parent: '', limit: MAX_PRINTERS }).map(({ row }): ListedRow => {
    const sort = by === undefined ? '' : getTextMember(row.body, by).toLowerCase();
    return { row, cursor: { sort, id: row.id } };
  });
  const sign = by !== undefined && descending ? -1 : 1;
  const compare = (a: ListCursor, b: ListCursor): number =>
    sign * (compareTexts(a.sort, b.sort) || compareTexts(a.id, b.id));
  return rows
    .filter(({ cursor }) => after === undefined || compare(cursor, after) > 0)
    .toSorted((a, b) => compare(a.cursor, b.cursor));
}

function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
