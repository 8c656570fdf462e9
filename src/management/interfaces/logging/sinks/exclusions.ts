import { formatIsoTimestamp } from '../../../core/engine/named-collection.ts';
import type { Context } from '../../../core/engine/operation.ts';
import { isSameJson } from '../../../core/engine/write.ts';
import type { Json, JsonObject } from '../../../../lib/json.ts';
import { vendorRefusals } from '../../../../lib/refusal.ts';
import { refuseLogField, toObjects, requireDescription, requireFilter, requireId, toTextOrEmpty } from '../texts.ts';

/** Exclusions of one sink (the vendor's). */
export const MAX_EXCLUSIONS = 50;

/** The exclusions of a sink that was sent. @throws Refusal for an invalid one, two of one name, or too many */
export function requireExclusions(sent: Json | undefined): readonly JsonObject[] {
  const exclusions = toObjects(sent);
  if (exclusions.length > MAX_EXCLUSIONS)
    throw refuseLogField('exclusions', `A sink has at most ${MAX_EXCLUSIONS} exclusions.`);
  const ids = new Set(exclusions.map(requireExclusion));
  if (ids.size < exclusions.length) throw refuseLogField('exclusions', 'Two exclusions have the same name.');
  return exclusions;
}

/** The name of a valid exclusion. @throws Refusal */
export function requireExclusion(exclusion: JsonObject): string {
  const id = requireId(exclusion['name'], 'name');
  if (toTextOrEmpty(exclusion['filter']) === '') throw vendorRefusals.required('filter');
  requireFilter(exclusion['filter']);
  requireDescription(exclusion['description']);
  return id;
}

/** Exclusions with their times: those that say something else than before were updated now. */
export function withExclusionTimes(
  before: Json | undefined,
  after: readonly JsonObject[],
  context: Context,
): readonly JsonObject[] {
  const known = new Map(toObjects(before).map((each) => [each['name'], each]));
  return after.map((each) => withTimes(known.get(each['name'] ?? ''), each, formatIsoTimestamp(context.now())));
}

function withTimes(before: JsonObject | undefined, after: JsonObject, now: string): JsonObject {
  const { createTime = now, updateTime = now, ...was } = before ?? {};
  const { createTime: _created, updateTime: _updated, ...is } = after;
  return { ...is, createTime, updateTime: isSameJson(was, is) ? updateTime : now };
}
