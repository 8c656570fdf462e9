import { isObject, type Json } from '../../../lib/json.ts';
import { requireKey, requireRoom } from './keys.ts';
import type { Address, Binding, NewRow, ResourceRow } from './stored-row.ts';

/** Columns that a stored row is read from. */
export const ROW = 'collection, parent, id, revision, json';
export const ADDRESS = 'collection = ? AND parent = ? AND id = ?';

export const formatRowAddress = ({ collection, parent, id }: Address): Address => ({ collection, parent, id });

/** The columns of a row in the order of the table. @throws Refusal for an id, a sort value or a body that is too long */
export function buildRowColumns(row: NewRow, revision: number): [string, string, string, ...Binding[]] {
  requireKey(row.id, 'id');
  for (const value of [row.parent, row.s1, row.s2, row.s3, row.ref])
    if (value !== undefined) requireKey(value, 'value');
  const json = JSON.stringify(row.body);
  requireRoom(json);
  const { s1 = null, s2 = null, s3 = null, ref = null } = row;
  return [row.collection, row.parent, row.id, s1, s2, s3, ref, revision, json];
}

export function readStoredRow(row: Record<string, unknown>): ResourceRow {
  const body = JSON.parse(String(row['json'])) as Json; // Written by this folder.
  return {
    collection: String(row['collection']),
    parent: String(row['parent']),
    id: String(row['id']),
    revision: Number(row['revision']),
    body: isObject(body) ? body : {},
  };
}
