import type { Context } from '../../../core/engine/operation.ts';
import type { NewRow, ResourceRow } from '../../../core/engine/stored-row.ts';
import { vendorRefusals } from '../../../../lib/refusal.ts';
import { generateNumericId } from '../rows.ts';

/** Draws of an id before the caller is asked to come again. */
const MAX_DRAWS = 5;

/**
 * Stores a new row under an id of so many digits that nothing else has there.
 * @param rowOf the row of an id
 * @throws Refusal 409 when every drawn id is taken
 */
export function insertFresh(rowOf: (id: string) => NewRow, digits: number, context: Context): ResourceRow {
  for (let draw = 0; draw < MAX_DRAWS; draw += 1) {
    const row = context.store.insert(rowOf(generateNumericId(context, digits)));
    if (row !== undefined) return row;
  }
  throw vendorRefusals.aborted('The new ids are taken: ask again');
}
