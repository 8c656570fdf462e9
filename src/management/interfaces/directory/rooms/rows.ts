import { getTextMember, type JsonObject, getTextList } from '../../../../lib/json.ts';
import type { Call, Context } from '../../../core/engine/operation.ts';
import type { ResourceRow } from '../../../core/engine/stored-row.ts';
import { COLLECTIONS, createCallReader, DIRECTORY_NAMESPACES } from '../rows.ts';

/** Limits of a page of buildings, features or calendar resources. */
export const ROOM_PAGE = { parameter: 'maxResults', default: 100, max: 500 } as const;

/** The building of an id, if there is one. */
export const findBuilding = (id: string, { store }: Context): ResourceRow | undefined =>
  store.get(COLLECTIONS.buildings, '', id);

/** The feature of a name, in any case. */
export const findFeature = (name: string, { store }: Context): ResourceRow | undefined =>
  store.named(DIRECTORY_NAMESPACES.feature, name.toLowerCase())?.row;

const readBuildingName = createCallReader((id: string, context: Context) =>
  id === '' ? '' : getTextMember(findBuilding(id, context)?.body ?? {}, 'buildingName'),
);

/** The present name of a feature by the id that rooms keep; '' for one that is gone. */
const readFeatureName = createCallReader((id: string, { store }: Context) =>
  getTextMember(store.get(COLLECTIONS.features, '', id)?.body ?? {}, 'name'),
);

/** Shown members of a resource that are made of others (`Collection.parts`). */
export const CALENDAR_PARTS = {
  featureInstances: ['featureIds'],
  generatedResourceName: ['buildingId', 'floorName', 'floorSection', 'resourceName', 'capacity'],
} as const;

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

/** The ids of the features that a resource has. */
export const getFeatureIds = (body: JsonObject): string[] => getTextList(body, 'featureIds');

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
