import { readPageSize } from '../../core/engine/collection.ts';
import { formatIsoTimestamp } from '../../core/engine/named-collection.ts';
import type { Call, Context } from '../../core/engine/operation.ts';
import { createFilterMatcher, parseFilter } from '../../core/filter/index.ts';
import type { Expression } from '../../core/filter/ast.ts';
import { isText, type JsonObject } from '../../../lib/json.ts';
import { parseQuotaContainer, refuseQuotaField } from './names.ts';
import {
  formatPreferenceName,
  ORIGIN,
  type Preference,
  listContainerPreferences,
  toPreferenceResource,
} from './preference-rows.ts';

const PAGE = { parameter: 'pageSize', default: 100, max: 1_000 };
const MAX_ORDER_FIELDS = 5;
const MAX_ORDER_CHARS = 256;

/** What `buildFilterSubject` gives. */
const FILTER_FIELDS = new Set([
  'name',
  'service',
  'quotaId',
  'quota_id',
  'dimensions',
  'reconciling',
  'requestType',
  'request_type',
  'createTime',
  'create_time',
  'creation_time',
  'updateTime',
  'update_time',
  'quotaConfig',
  'quota_config',
]);

/** What a list can be ordered by, as texts and numbers that compare as the values do. */
const ORDERS: Readonly<Record<string, (preference: Preference) => string | number>> = {
  name: ({ row }) => row.id,
  service: ({ kept }) => kept.service,
  quota_id: ({ kept }) => kept.quotaId,
  create_time: ({ kept }) => kept.createdMs,
  update_time: ({ kept }) => kept.updatedMs,
};

/** One page of a container's preferences, by the time of their making unless asked otherwise. */
export function listQuotaPreferences(call: Call, context: Context): JsonObject {
  const { container } = parseQuotaContainer(call.path['parent'] ?? '');
  const keep = parsePreferenceFilter(call.query['filter']);
  const compare = createComparer(parseOrder(call.query['orderBy']));
  const limit = readPageSize(call.query['pageSize'], PAGE);
  const after = parsePlace(context.pages.open()?.sort);
  const left = listContainerPreferences(container, context)
    .filter((preference) => keep(buildFilterSubject(preference)))
    .map((preference) => ({ preference, place: compare.placeOf(preference) }))
    .filter(({ place }) => after === undefined || compare.places(place, after) > 0)
    .toSorted((a, b) => compare.places(a.place, b.place));
  const page = left.slice(0, limit);
  const last = left.length > limit ? page.at(-1) : undefined;
  return {
    ...(page.length > 0 && {
      quotaPreferences: page.map(({ preference: { row } }) => toPreferenceResource(row, context)),
    }),
    ...(last !== undefined && {
      nextPageToken: context.pages.seal({ sort: JSON.stringify(last.place), id: last.preference.row.id }),
    }),
  };
}

/** Values of the order's fields, and the id at the end, so that no two preferences have the same. */
type Place = readonly (string | number)[];
type Ordered = { field: string; isDescending: boolean };

function createComparer(order: readonly Ordered[]) {
  return {
    placeOf: (preference: Preference): Place => [
      ...order.map(({ field }) => ORDERS[field]?.(preference) ?? ''),
      preference.row.id,
    ],
    places: (a: Place, b: Place): number => {
      const at = a.findIndex((value, index) => value !== b[index]);
      if (at < 0) return 0;
      const isLess = (a[at] ?? '') < (b[at] ?? '');
      return isLess === (order[at]?.isDescending ?? false) ? 1 : -1;
    },
  };
}

/** Ours: the token that held it was sealed. */
const parsePlace = (sort: string | undefined): Place | undefined =>
  sort === undefined ? undefined : (JSON.parse(sort) as Place);

/** `service, create_time desc`. @throws Refusal for what no list is ordered by */
function parseOrder(text: unknown): readonly Ordered[] {
  if (!isText(text) || text.trim() === '') return [{ field: 'create_time', isDescending: false }];
  const parts = text.slice(0, MAX_ORDER_CHARS + 1).split(',');
  if (text.length > MAX_ORDER_CHARS || parts.length > MAX_ORDER_FIELDS)
    throw refuseQuotaField('orderBy', 'The order is too long');
  return parts.map((part) => {
    const [field = '', direction = 'asc', ...rest] = part
      .trim()
      .split(' ')
      .filter((word) => word !== '');
    const name = field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    const isOrder = Object.hasOwn(ORDERS, name) && rest.length === 0 && (direction === 'asc' || direction === 'desc');
    if (!isOrder)
      throw refuseQuotaField('orderBy', `Quota preferences cannot be ordered by "${part.trim().slice(0, 64)}"`);
    return { field: name, isDescending: direction === 'desc' };
  });
}

function parsePreferenceFilter(text: unknown): (subject: JsonObject) => boolean {
  const parsed = parseFilter(isText(text) ? text : '', { profile: 'aip' });
  if (!parsed.ok) throw refuseQuotaField('filter', parsed.message);
  const { expression } = parsed.filter;
  const strange = expression === undefined ? undefined : findUnknownField(expression);
  if (strange !== undefined)
    throw refuseQuotaField('filter', `Quota preferences have no field "${strange.slice(0, 64)}"`);
  return createFilterMatcher(parsed.filter);
}

/** The first field of a filter that no preference has. */
function findUnknownField(expression: Expression): string | undefined {
  switch (expression.kind) {
    case 'and':
    case 'or':
      return expression.terms.map(findUnknownField).find((name) => name !== undefined);
    case 'not':
      return findUnknownField(expression.term);
    case 'compare': {
      const [name = ''] = expression.written;
      return FILTER_FIELDS.has(name) ? undefined : name;
    }
    case 'bare':
    case 'call':
      return undefined;
  }
}

/** A preference as filters see it: by the fields of the resource in both spellings, and by the vendor's own words. */
function buildFilterSubject({ row, kept, granted, isPending }: Preference): JsonObject {
  const { service, quotaId, dimensions, createdMs, updatedMs } = kept;
  const [created, updated] = [formatIsoTimestamp(createdMs), formatIsoTimestamp(updatedMs)];
  const [preferred, value] = [Number(kept.preferredValue), Number(granted)];
  const config = { preferredValue: preferred, preferred_value: preferred, grantedValue: value, granted_value: value };
  return {
    name: formatPreferenceName(row),
    service,
    quotaId,
    quota_id: quotaId,
    dimensions: { ...dimensions },
    reconciling: isPending,
    requestType: ORIGIN,
    request_type: ORIGIN,
    createTime: created,
    create_time: created,
    creation_time: created,
    updateTime: updated,
    update_time: updated,
    quotaConfig: config,
    quota_config: config,
  };
}
