import { notFound, splitName } from '../../core/engine/named-collection.ts';
import { pageSize } from '../../core/engine/collection.ts';
import type { Call, Context } from '../../core/engine/operation.ts';
import type { JsonObject } from '../../../lib/json.ts';
import { quotaInfo, quotaNamed, quotasOf, type QuotaValue } from './catalogue.ts';
import type { QuotaRow } from './catalogue-data.ts';
import { serviceParent } from './names.ts';
import { type Preference, preferencesOf } from './preference-rows.ts';

const PAGE = { parameter: 'pageSize', default: 100, max: 1_000 };

export function get(call: Call, context: Context): JsonObject {
  const name = call.path['name'] ?? '';
  const { parent, id } = splitName(name);
  const place = serviceParent(parent);
  const row = quotaNamed(place.service, id);
  if (row === undefined) throw notFound(name);
  return quotaInfo(row, place, valuesOf(row, preferencesOf(place.container, context)));
}

/** The quotas of a service by their ids; an empty list for a service that the catalogue lacks. */
export function list(call: Call, context: Context): JsonObject {
  const place = serviceParent(call.path['parent'] ?? '');
  const after = context.pages.open()?.id ?? '';
  const limit = pageSize(call.query['pageSize'], PAGE);
  const left = quotasOf(place.service).filter(({ quotaId }) => quotaId > after);
  const page = left.slice(0, limit);
  const last = left.length > limit ? page.at(-1)?.quotaId : undefined;
  const preferences = page.length === 0 ? [] : preferencesOf(place.container, context);
  return {
    ...(page.length > 0 && { quotaInfos: page.map((row) => quotaInfo(row, place, valuesOf(row, preferences))) }),
    ...(last !== undefined && { nextPageToken: context.pages.seal({ sort: last, id: last }) }),
  };
}

/** What is granted of a quota: for the dimensions of preferences, more of them first, and for all the others. */
function valuesOf(row: QuotaRow, preferences: readonly Preference[]): readonly QuotaValue[] {
  const own = preferences
    .filter(({ kept }) => kept.service === row.service && kept.quotaId === row.quotaId)
    .map(({ kept, granted }) => ({ dimensions: kept.dimensions, value: granted }));
  const ofAll = own.find(({ dimensions }) => sizeOf(dimensions) === 0) ?? { dimensions: {}, value: String(row.value) };
  const special = own.filter(({ dimensions }) => sizeOf(dimensions) > 0);
  return [...special.toSorted((a, b) => sizeOf(b.dimensions) - sizeOf(a.dimensions)), ofAll];
}

const sizeOf = (dimensions: QuotaValue['dimensions']): number => Object.keys(dimensions).length;
