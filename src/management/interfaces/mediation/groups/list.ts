import { pageSize } from '../../../core/engine/collection.ts';
import type { Call, Context } from '../../../core/engine/operation.ts';
import type { Cursor, Listed, StoredRow } from '../../../core/engine/stored-row.ts';
import type { JsonObject } from '../../../../lib/json.ts';
import { groupMatcher } from './filter.ts';
import { shownChars } from '../matching-list.ts';
import { shownGroup } from './rows.ts';
import { MEDIATION, MEDIATION_PAGE, publisherOf } from '../rows.ts';
import { targetedFragments } from './targeting.ts';
import { objectIn } from '../texts.ts';

/** Groups that one statement reads: as many of the largest as it may answer. */
export const GROUPS_A_STATEMENT = 15;
/** Characters of the groups that one call looks at, shown or not. */
const MAX_SCANNED_CHARS = 32_000_000;

/**
 * One page of a publisher's groups that pass the filter, in the order of their ids. The page may have fewer than asked
 * for where the groups are large, in a batch the more so; it then has a token (AIP-158).
 */
export function listGroups(call: Call, context: Context): JsonObject {
  const { name: parent, digits } = publisherOf(call.path['parent'] ?? '');
  const limit = pageSize(call.query['pageSize'], { parameter: 'pageSize', ...MEDIATION_PAGE });
  const keep = groupMatcher(call.query['filter'], { name: parent, digits }, context);
  const { groups, next } = pageOf(parent, { rows: limit, chars: shownChars(call) }, keep, context);
  return {
    ...(groups.length > 0 && { mediationGroups: groups }),
    ...(next !== undefined && { nextPageToken: context.pages.seal(next) }),
  };
}

/** A group as lists show it: with the fragments of its ad units too (seed 2). */
function listedGroup(row: StoredRow): JsonObject {
  const adUnits = [...targetedFragments(row.body)];
  const shown = shownGroup(row);
  return adUnits.length > 0 ? { ...shown, targeting: { ...objectIn(shown, 'targeting'), adUnits } } : shown;
}

type Page = { groups: JsonObject[]; next: Cursor | undefined };
/** What a page may have. */
type Limits = { rows: number; chars: number };

function pageOf(parent: string, limits: Limits, keep: (row: StoredRow) => boolean, context: Context): Page {
  const groups: JsonObject[] = [];
  let last = context.pages.open();
  let [shown, scannedChars] = [0, 0];
  const read = (): readonly Listed[] =>
    context.store.list({ collection: MEDIATION.groups, parent, after: last, limit: GROUPS_A_STATEMENT });
  for (let found = read(); found.length > 0; found = found.length < GROUPS_A_STATEMENT ? [] : read()) {
    for (const { row, cursor } of found) {
      const chars = JSON.stringify(row.body).length;
      if (scannedChars + chars > MAX_SCANNED_CHARS) return { groups, next: last };
      scannedChars += chars;
      if (keep(row)) {
        if (groups.length === limits.rows) return { groups, next: last };
        const group = listedGroup(row);
        shown += JSON.stringify(group).length + 1;
        if (groups.length > 0 && shown > limits.chars) return { groups, next: last };
        groups.push(group);
      }
      last = cursor;
    }
  }
  return { groups, next: undefined };
}
