import { getObjectMember } from '../../../../lib/json.ts';
import { measureUtf8Bytes } from '../../../core/engine/keys.ts';
import { refuseMissingName, putChanged, splitName } from '../../../core/engine/named-collection.ts';
import type { Context } from '../../../core/engine/operation.ts';
import type { ResourceRow } from '../../../core/engine/stored-row.ts';
import type { JsonObject } from '../../../../lib/json.ts';
import { vendorRefusals } from '../../../../lib/refusal.ts';
import { getGroupLines } from './lines.ts';
import { refuseMediationField, MEDIATION, parsePublisher } from '../rows.ts';

/** Lines of a group that are not removed. */
export const MAX_LINES = 200;
/** Lines that a group still shows after they were removed: the first of them go. */
export const MAX_REMOVED_LINES = 50;
/** Ad unit mappings of a group, in all its lines. */
export const MAX_GROUP_MAPPINGS = 2_000;
/** A stored group, as JSON. So many of them are read at once that a statement's answer stays below what one may have. */
export const MAX_GROUP_BYTES = 524_288;

/** The row of `accounts/pub-1/mediationGroups/2`. @throws Refusal 404 when it is not there */
export function requireMediationGroup(name: string, { store }: Context): ResourceRow {
  const { parent, collection, id } = splitName(name);
  const row =
    collection === 'mediationGroups' ? store.get(MEDIATION.groups, parsePublisher(parent).name, id) : undefined;
  if (row === undefined || row.parent !== parent) throw refuseMissingName(name);
  return row;
}

/** A group as writers see it. */
export const toMediationGroupResource = ({
  parent,
  id,
  body,
}: Pick<ResourceRow, 'parent' | 'id' | 'body'>): JsonObject => ({
  name: `${parent}/mediationGroups/${id}`,
  mediationGroupId: id,
  ...body,
});

/** Stores a changed group. @throws Refusal for one that is too large */
export const putGroup = (row: ResourceRow, body: JsonObject, context: Context): ResourceRow =>
  putChanged(row, enforceGroupLimits(body), context);

/**
 * A group within its limits: of the lines that were removed long ago, it shows those no more that are too many.
 * @throws Refusal 400 for more lines, mappings or bytes than a group may have
 */
export function enforceGroupLimits(body: JsonObject): JsonObject {
  const all = [...getGroupLines(body)];
  const removed = all.filter(([, line]) => line['state'] === 'REMOVED').map(([id]) => id);
  if (all.length - removed.length > MAX_LINES) throw refuseTooMuch(`a group has at most ${MAX_LINES} lines`);
  const forgotten = new Set(removed.slice(0, Math.max(removed.length - MAX_REMOVED_LINES, 0)));
  const lines = all.filter(([id]) => !forgotten.has(id));
  const mappings = lines.reduce(
    (sum, [, line]) => sum + Object.keys(getObjectMember(line, 'adUnitMappings')).length,
    0,
  );
  if (mappings > MAX_GROUP_MAPPINGS) throw refuseTooMuch(`a group has at most ${MAX_GROUP_MAPPINGS} ad unit mappings`);
  const bounded = { ...body, mediationGroupLines: Object.fromEntries(lines) };
  if (measureUtf8Bytes(JSON.stringify(bounded)) > MAX_GROUP_BYTES)
    throw vendorRefusals.invalid(`A mediation group may take at most ${MAX_GROUP_BYTES} bytes`);
  return bounded;
}

const refuseTooMuch = (why: string) => refuseMediationField('mediationGroupLines', why);
