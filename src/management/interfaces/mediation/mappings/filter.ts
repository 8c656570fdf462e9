import type { StoredRow } from '../../../core/engine/stored-row.ts';
import { isText } from '../../../../lib/json.ts';
import { type FilterCall, readFilter } from '../filter-text.ts';
import { textIn } from '../texts.ts';

/** Fields of mappings that a list can be filtered by, beside the vendor's DISPLAY_NAME also the adapter. */
const MEMBERS: ReadonlyMap<string, string> = new Map([
  ['DISPLAY_NAME', 'displayName'],
  ['ADAPTER_ID', 'adapterId'],
]);
const FIELDS: ReadonlyMap<string, FilterCall> = new Map([...MEMBERS.keys()].map((field) => [field, 'IN']));

/**
 * What a list's filter lets through: `IN(DISPLAY_NAME, "a", "b") AND IN(ADAPTER_ID, "107")`.
 * @throws Refusal 400 for anything else
 */
export function mappingMatcher(filter: unknown): (row: StoredRow) => boolean {
  const terms = readFilter(isText(filter) ? filter : '', FIELDS).map(({ field, values }) => ({
    member: MEMBERS.get(field) ?? '',
    wanted: new Set(values),
  }));
  return ({ body }) => terms.every(({ member, wanted }) => wanted.has(textIn(body, member)));
}
