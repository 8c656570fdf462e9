import { defineCollectionHandlers, type Collection } from '../../../core/engine/collection.ts';
import type { Call, Context, Handlers } from '../../../core/engine/operation.ts';
import type { ResourceRow } from '../../../core/engine/stored-row.ts';
import { isObject, isText, getMember, type Json, type JsonObject, getTextMember } from '../../../../lib/json.ts';
import { vendorRefusals } from '../../../../lib/refusal.ts';
import { findBuilding } from './buildings.ts';
import { COLLECTIONS } from '../collections.ts';
import { readFeatureName, findFeature } from './features.ts';
import { requireCustomer } from '../keys.ts';
import { requireShortTexts } from '../texts.ts';

/** Characters. The vendor's guide names them; ids are one index key. */
const LIMITS = {
  resourceId: 64,
  resourceName: 100,
  resourceDescription: 4_096,
  userVisibleDescription: 4_096,
} as const;
const CATEGORIES = ['CONFERENCE_ROOM', 'OTHER', 'CATEGORY_UNKNOWN'];
const MAX_FEATURES = 100;
/** Bytes in the name of a resource's address. */
const EMAIL_BYTES = 16;

/**
 * Rooms and other things that can be booked. The body keeps the ids of its features as `featureIds`; what its building
 * and its features are called is looked up when it is shown.
 */
export const calendars: Collection = {
  name: COLLECTIONS.calendars,
  schema: 'CalendarResource',
  kind: 'admin#directory#resources#calendars#CalendarResource',
  listKind: 'admin#directory#resources#calendars#calendarResourcesList',
  items: 'items',
  page: { parameter: 'maxResults', default: 100, max: 500 },
  find: ({ path }, context) => {
    requireCustomer(path['customer'] ?? '', context);
    const row = context.store.get(COLLECTIONS.calendars, '', path['calendarResourceId'] ?? '');
    if (row === undefined) throw vendorRefusals.notFound('calendarResourceId');
    return row;
  },
  parentOf: ({ path }, context) => {
    requireCustomer(path['customer'] ?? '', context);
    return '';
  },
  create: (call, context, sent) => {
    const resourceEmail = `c_${context.random(EMAIL_BYTES)}@resource.calendar.google.com`;
    const body = validateCalendar({ ...sent, resourceEmail }, {}, call, context);
    return { id: getTextMember(body, 'resourceId'), body, ...buildBuildingRef(body) };
  },
  change: (before, sent, call, context) => {
    const id = getMember(call.body, 'resourceId');
    if (isText(id) && id !== before.id) throw vendorRefusals.invalidInput('resourceId');
    const resourceEmail = getTextMember(before.body, 'resourceEmail');
    const body = validateCalendar({ ...sent, resourceId: before.id, resourceEmail }, before.body, call, context);
    return { body, ...buildBuildingRef(body) };
  },
  view: toCalendarResource,
  hasEtags: true,
};

export const calendarHandlers: Handlers = defineCollectionHandlers(calendars, {
  get: 'directory.resources.calendars.get',
  insert: 'directory.resources.calendars.insert',
  patch: 'directory.resources.calendars.patch',
  update: 'directory.resources.calendars.update',
  delete: 'directory.resources.calendars.delete',
});

/** A resource with the present names of its building and features. */
export function toCalendarResource({ body }: ResourceRow, _call: Call, context: Context): JsonObject {
  const { featureIds: _ids, ...rest } = body;
  const names = getFeatureIds(body)
    .map((id) => readFeatureName(id, context))
    .filter((name) => name !== '');
  return {
    ...rest,
    generatedResourceName: formatResourceName(body, context),
    ...(names.length > 0 && { featureInstances: names.map((name) => ({ feature: { name } })) }),
  };
}

function validateCalendar(sent: JsonObject, before: JsonObject, call: Call, context: Context): JsonObject {
  const { etags: _seen, generatedResourceName: _made, featureInstances, ...body } = sent;
  for (const name of ['resourceId', 'resourceName'])
    if (getTextMember(body, name) === '') throw vendorRefusals.required(name);
  requireShortTexts(body, LIMITS);
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

const getFeatureIds = ({ featureIds }: JsonObject): string[] =>
  Array.isArray(featureIds) ? featureIds.filter(isText) : [];

const buildBuildingRef = (body: JsonObject): { ref?: string } => {
  const ref = getTextMember(body, 'buildingId');
  return ref === '' ? {} : { ref };
};

/** The vendor's form: `NYC-2-Training Room 1A (16)`. */
function formatResourceName(body: JsonObject, context: Context): string {
  const floor = `${getTextMember(body, 'floorName')}${getTextMember(body, 'floorSection')}`;
  const parts = [
    readBuildingName(getTextMember(body, 'buildingId'), context),
    floor,
    getTextMember(body, 'resourceName'),
  ];
  const name = parts.filter((part) => part !== '').join('-');
  const { capacity } = body;
  return typeof capacity === 'number' && capacity > 0 ? `${name} (${capacity})` : name;
}

const buildingsOfCalls = new WeakMap<Context, Map<string, string>>();

/** Each building is read once a call. */
function readBuildingName(id: string, context: Context): string {
  if (id === '') return '';
  const known = buildingsOfCalls.get(context) ?? new Map<string, string>();
  buildingsOfCalls.set(context, known);
  const name = known.get(id) ?? getTextMember(findBuilding(id, context)?.body ?? {}, 'buildingName');
  known.set(id, name);
  return name;
}
