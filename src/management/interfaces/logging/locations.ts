import { truncateSentText } from '../../core/conventions/invalid.ts';
import { listAtHand, refuseMissingName } from '../../core/engine/named-collection.ts';
import type { Call, Context, Handlers } from '../../core/engine/operation.ts';
import { vendorRefusals } from '../../../lib/refusal.ts';
import type { JsonObject } from '../../../lib/json.ts';
import { parseLogContainer, defineParentHandlers, parseLocationName } from './rows.ts';
import { requireListFilter } from './texts.ts';
import { LOCATIONS } from './locations-data.ts';

const LIST = { items: 'locations', page: { default: 100, max: 1_000 } };

/** Where buckets can be: the same for every container. All of them are in one place here; the names are the vendor's. */
export const locationHandlers: Handlers = {
  ...defineParentHandlers('locations.get', get),
  ...defineParentHandlers('locations.list', list),
};

/** @throws Refusal 400 for a location that no bucket can be in */
export function requireLocation(location: string): void {
  if (!Object.hasOwn(LOCATIONS, location))
    throw vendorRefusals.invalid(`Location ${truncateSentText(location)} is not found or access is unauthorized.`);
}

function get(call: Call): JsonObject {
  const name = call.path['name'] ?? '';
  const { container, location } = parseLocationName(name);
  if (!Object.hasOwn(LOCATIONS, location)) throw refuseMissingName(name);
  return toLocationResource(container, location);
}

function list(call: Call, context: Context): JsonObject {
  const container = parseLogContainer(call.path['name'] ?? '');
  const fits = requireListFilter(call);
  const items = Object.keys(LOCATIONS)
    .map((id) => ({ id, body: toLocationResource(container, id) }))
    .filter(({ body }) => fits(body));
  return listAtHand(LIST, items, call, context);
}

const toLocationResource = (container: string, locationId: string): JsonObject => ({
  name: `${container}/locations/${locationId}`,
  locationId,
  displayName: LOCATIONS[locationId] ?? '',
  labels: { 'cloud.googleapis.com/region': locationId },
});
