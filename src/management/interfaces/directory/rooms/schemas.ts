import { getMember, getTextMember, isObject, isText, type Json, type JsonObject } from '../../../../lib/json.ts';
import { vendorRefusals } from '../../../../lib/refusal.ts';
import type { Call, Context } from '../../../core/engine/operation.ts';
import { requireShortTexts } from '../schemas.ts';
import { findBuilding, findFeature, getFeatureIds } from './rows.ts';

/** Characters (discovery document). */
const BUILDING_LIMITS = { buildingId: 100, buildingName: 100 } as const;
const MAX_LATITUDE = 90;
const MAX_LONGITUDE = 180;

/** Characters. The vendor's guide names them; ids are one index key. */
const CALENDAR_LIMITS = {
  resourceId: 64,
  resourceName: 100,
  resourceDescription: 4_096,
  userVisibleDescription: 4_096,
} as const;
const CATEGORIES = ['CONFERENCE_ROOM', 'OTHER', 'CATEGORY_UNKNOWN'];
const MAX_FEATURES = 100;

const FEATURE_LIMITS = { name: 100, newName: 100 } as const;

/** The id that a body names may only be the one of the row. @throws Refusal 400 */
export function requireSameId(call: Call, member: 'buildingId' | 'resourceId', id: string): void {
  const sent = getMember(call.body, member);
  if (isText(sent) && sent !== id) throw vendorRefusals.invalidInput(member);
}

/** A building as it is stored. @throws Refusal 400 */
export function validateBuilding({ etags: _seen, ...sent }: JsonObject, call: Call): JsonObject {
  for (const name of ['buildingId', 'buildingName'])
    if (getTextMember(sent, name) === '') throw vendorRefusals.required(name);
  requireShortTexts(sent, BUILDING_LIMITS);
  const { floorNames, address } = sent;
  if (Array.isArray(floorNames) && floorNames.length === 0) throw vendorRefusals.invalidInput('floorNames');
  if (isObject(address) && getTextMember(address, 'regionCode') === '')
    throw vendorRefusals.required('address.regionCode');
  return withCoordinates(sent, call);
}

/**
 * Coordinates are what the caller says. Those of an address are not looked up here: where the caller asks for that, none
 * are kept.
 */
function withCoordinates(body: JsonObject, { query }: Call): JsonObject {
  const { coordinates, address } = body;
  if (isObject(coordinates) && !isPlace(coordinates)) throw vendorRefusals.invalidInput('coordinates');
  const source = query['coordinatesSource'];
  if (source === 'CLIENT_SPECIFIED' && !isObject(coordinates)) throw vendorRefusals.required('coordinates');
  if (source !== 'RESOLVED_FROM_ADDRESS') return body;
  if (!isObject(address)) throw vendorRefusals.required('address');
  const { coordinates: _sent, ...rest } = body;
  return rest;
}

const isPlace = ({ latitude, longitude }: JsonObject): boolean =>
  isBetween(latitude, MAX_LATITUDE) && isBetween(longitude, MAX_LONGITUDE);

const isBetween = (value: unknown, max: number): boolean => typeof value === 'number' && Math.abs(value) <= max;

/** A calendar resource as it is stored. `before`: what it was; nothing of a new one. @throws Refusal 400 */
export function validateCalendar(sent: JsonObject, before: JsonObject, call: Call, context: Context): JsonObject {
  const { etags: _seen, generatedResourceName: _made, featureInstances, ...body } = sent;
  for (const name of ['resourceId', 'resourceName'])
    if (getTextMember(body, name) === '') throw vendorRefusals.required(name);
  requireShortTexts(body, CALENDAR_LIMITS);
  const { resourceCategory = 'CATEGORY_UNKNOWN', capacity } = body;
  if (!isText(resourceCategory) || !CATEGORIES.includes(resourceCategory))
    throw vendorRefusals.invalidInput('resourceCategory');
  if (typeof capacity === 'number' && capacity < 0) throw vendorRefusals.invalidInput('capacity');
  if (!isSamePlace(before, body)) requirePlace(body, context);
  const isCleared = getMember(call.body, 'featureInstances') === null;
  const featureIds =
    featureInstances === undefined
      ? isCleared
        ? []
        : getFeatureIds(before)
      : requireFeatureIds(featureInstances, context);
  return { ...body, resourceCategory, featureIds };
}

/** A room that stays where it is may be changed, even when its building lost the floor meanwhile. */
const isSamePlace = (before: JsonObject, body: JsonObject): boolean =>
  ['buildingId', 'floorName'].every((name) => getTextMember(before, name) === getTextMember(body, name));

/** The building must be there, and have the floor. */
function requirePlace(body: JsonObject, context: Context): void {
  const id = getTextMember(body, 'buildingId');
  if (id === '') return;
  const building = findBuilding(id, context);
  if (building === undefined) throw vendorRefusals.invalidInput('buildingId');
  const { floorNames } = building.body;
  const floor = getTextMember(body, 'floorName');
  if (floor !== '' && Array.isArray(floorNames) && !floorNames.includes(floor))
    throw vendorRefusals.invalidInput('floorName');
}

function requireFeatureIds(instances: Json, context: Context): string[] {
  if (!Array.isArray(instances) || instances.length > MAX_FEATURES)
    throw vendorRefusals.invalidInput('featureInstances');
  const ids = instances.map((instance) => {
    const feature = isObject(instance) ? getMember(instance, 'feature') : undefined;
    const known = isObject(feature) ? findFeature(getTextMember(feature, 'name'), context) : undefined;
    if (known === undefined) throw vendorRefusals.invalidInput('featureInstances');
    return known.id;
  });
  return [...new Set(ids)];
}

/** The name of a feature. @throws Refusal 400 */
export function requireFeatureName(sent: JsonObject, field: 'name' | 'newName'): string {
  const name = getTextMember(sent, field);
  if (name === '') throw vendorRefusals.required(field);
  requireShortTexts(sent, FEATURE_LIMITS);
  return name;
}
