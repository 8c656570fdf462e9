import { refuseMissingName, splitName } from '../../core/engine/named-collection.ts';
import { readPageSize } from '../../core/engine/collection.ts';
import type { Call, Context } from '../../core/engine/operation.ts';
import type { JsonObject } from '../../../lib/json.ts';
import { buildQuotaInfo, findQuota, listServiceQuotas, type QuotaValue } from './catalogue.ts';
import type { QuotaRow } from './catalogue-data.ts';
import { parseServiceParent } from './names.ts';
import { type Preference, listContainerPreferences } from './preference-rows.ts';

const PAGE = { parameter: 'pageSize', default: 100, max: 1_000 };

export function getQuotaInfo(call: Call, context: Context): JsonObject {
  const name = call.path['name'] ?? '';
  const { parent, id } = splitName(name);
  const place = parseServiceParent(parent);
  const row = findQuota(place.service, id);
  if (row === undefined) throw refuseMissingName(name);
  return buildQuotaInfo(row, place, listQuotaValues(row, listContainerPreferences(place.container, context)));
}

/** The quotas of a service by their ids; an empty list for a service that the catalogue lacks. */
export function listQuotaInfos(call: Call, context: Context): JsonObject {
  const place = parseServiceParent(call.path['parent'] ?? '');
  const after = context.pages.open()?.id ?? '';
  const limit = readPageSize(call.query['pageSize'], PAGE);
  const left = listServiceQuotas(place.service).filter(({ quotaId }) => quotaId > after);
  const page = left.slice(0, limit);
  const last = left.length > limit ? page.at(-1)?.quotaId : undefined;
  const preferences = page.length === 0 ? [] : listContainerPreferences(place.container, context);
  return {
    ...(page.length > 0 && {
      quotaInfos: page.map((row) => buildQuotaInfo(row, place, listQuotaValues(row, preferences))),
    }),
    ...(last !== undefined && { nextPageToken: context.pages.seal({ sort: last, id: last }) }),
  };
}

/** What is granted of a quota: for the dimensions of preferences, more of them first, and for all the others. */
function listQuotaValues(row: QuotaRow, preferences: readonly Preference[]): readonly QuotaValue[] {
  const own = preferences
    .filter(({ kept }) => kept.service === row.service && kept.quotaId === row.quotaId)
    .map(({ kept, granted }) => ({ dimensions: kept.dimensions, value: granted }));
  const ofAll = own.find(({ dimensions }) => countDimensions(dimensions) === 0) ?? {
    dimensions: {},
    value: String(row.value),
  };
  const special = own.filter(({ dimensions }) => countDimensions(dimensions) > 0);
  return [...special.toSorted((a, b) => countDimensions(b.dimensions) - countDimensions(a.dimensions)), ofAll];
}

const countDimensions = (dimensions: QuotaValue['dimensions']): number => Object.keys(dimensions).length;
