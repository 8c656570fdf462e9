import { readPageSize } from '../../../core/engine/collection.ts';
import type { Call, Context, Handler } from '../../../core/engine/operation.ts';
import type { ListCursor, ListedRow, ResourceRow } from '../../../core/engine/stored-row.ts';
import { isText } from '../../../../lib/json.ts';
import { vendorRefusals } from '../../../../lib/refusal.ts';
import { chromeDevices, chromeRows, getOrgUnitId, requireOrgUnit } from './chrome-rows.ts';
import { COLLECTIONS } from '../collections.ts';
import { createDeviceTest, type QueryFields } from './device-query.ts';
import { createDeviceSource } from './device-rows.ts';
import { answerRowPage, readRowPage, type RowSource } from '../../../core/engine/filtered-list.ts';
import { requireCustomer } from '../keys.ts';
import { normaliseOrgUnitPath, getOrgUnitRowPath } from '../org-units/org-unit-keys.ts';

/** The vendor's "List query operators" that look at what a device of ours has. */
const QUERY_FIELDS: QueryFields = {
  id: { of: ['serialNumber'], how: 'text' },
  asset_id: { of: ['annotatedAssetId'], how: 'text' },
  user: { of: ['annotatedUser'], how: 'text' },
  location: { of: ['annotatedLocation'], how: 'text' },
  note: { of: ['notes'], how: 'text' },
  public_model_name: { of: ['model'], how: 'text' },
  model: { of: ['model'], how: 'text' },
  meid: { of: ['meid'], how: 'text' },
  wifi_mac: { of: ['macAddress'], how: 'text' },
  ethernet_mac: { of: ['ethernetMacAddress', 'ethernetMacAddress0'], how: 'text' },
  chrome_version: { of: ['osVersion'], how: 'text' },
  register: { of: ['lastEnrollmentTime'], how: 'time' },
  sync: { of: ['lastSync'], how: 'time' },
  status: {
    of: ['status'],
    how: 'word',
    words: {
      provisioned: ['ACTIVE'],
      managed: ['ACTIVE', 'DISABLED', 'INACTIVE'],
      disabled: ['DISABLED'],
      deprovisioned: ['DEPROVISIONED'],
    },
  },
};

/** Org units below one that a list looks into. */
const MAX_ORG_UNITS = 5_000;
/** Devices that are read at once where all are counted. */
const COUNT_BATCH = 1_000;

export const listChromeDevices: Handler = (call, context) => {
  requireCustomer(call.path['customerId'] ?? '', context);
  const units = findOrgUnitIds(call, context);
  const size = readPageSize(call.query['maxResults'], { parameter: 'maxResults', default: 100, max: 300 });
  const { orderBy } = call.query;
  const isOrdered = isText(orderBy) && orderBy !== '';
  if (!isOrdered && call.query['sortOrder'] === 'DESCENDING') throw vendorRefusals.invalidInput('sortOrder');
  const source =
    units !== undefined && !isOrdered ? createOrgUnitSource(units, context) : createOrderedSource(call, context);
  const matches = createRowTest(call.query['query'], isOrdered ? units : undefined);
  return answerRowPage(chromeDevices, readRowPage(source, size, context, matches), call, context);
};

export const countChromeDevices: Handler = (call, context) => {
  requireCustomer(call.path['customerId'] ?? '', context);
  const units = findOrgUnitIds(call, context);
  const matches = createRowTest(call.query['filter'], undefined);
  if (units === undefined && matches === undefined) {
    return { count: String(context.store.count(COLLECTIONS.chromeDevices, '')) };
  }
  const source =
    units === undefined
      ? createDeviceSource(chromeRows, undefined, false, context)
      : createOrgUnitSource(units, context);
  return { count: String(countMatches(source, matches ?? (() => true))) };
};

/** Ends by the store's own limit of statements. */
function countMatches(source: RowSource, matches: (row: ResourceRow) => boolean): number {
  let sum = 0;
  let after: ListCursor | undefined;
  for (;;) {
    const batch = source(after, COUNT_BATCH);
    sum += batch.filter(({ row }) => matches(row)).length;
    after = batch.at(-1)?.cursor;
    if (batch.length < COUNT_BATCH || after === undefined) return sum;
  }
}

function createOrderedSource({ query }: Call, context: Context): RowSource {
  const { orderBy } = query;
  return createDeviceSource(
    chromeRows,
    isText(orderBy) ? orderBy : undefined,
    query['sortOrder'] === 'DESCENDING',
    context,
  );
}

function createRowTest(
  query: unknown,
  units: readonly string[] | undefined,
): ((row: ResourceRow) => boolean) | undefined {
  const isDevice = isText(query) && query.trim() !== '' ? createDeviceTest(query, QUERY_FIELDS) : undefined;
  const within = units && new Set(units);
  if (isDevice === undefined && within === undefined) return undefined;
  return ({ body }) => (within?.has(getOrgUnitId(body) ?? '') ?? true) && (isDevice?.(body) ?? true);
}

/** The ids of the org units that are asked for, in order; undefined for all. */
function findOrgUnitIds({ query }: Call, context: Context): string[] | undefined {
  const { orgUnitPath, includeChildOrgunits } = query;
  if (!isText(orgUnitPath) || orgUnitPath === '') {
    if (includeChildOrgunits === true) throw vendorRefusals.required('orgUnitPath');
    return undefined;
  }
  const unit = requireOrgUnit(orgUnitPath, context);
  if (includeChildOrgunits !== true) return [unit.id];
  const path = normaliseOrgUnitPath(getOrgUnitRowPath(unit));
  const below = context.store.list({
    collection: COLLECTIONS.orgUnits,
    parent: '',
    order: { by: 's1' },
    prefix: path === '/' ? path : `${path}/`,
    limit: MAX_ORG_UNITS,
  });
  return [...new Set([unit.id, ...below.map(({ row }) => row.id)])].toSorted();
}

/** The devices of some org units, unit by unit: a place in it is the unit and the device. */
function createOrgUnitSource(units: readonly string[], context: Context): RowSource {
  return (after, limit) => {
    const found: ListedRow[] = [];
    for (const unit of units) {
      if (after !== undefined && unit < after.sort) continue;
      const from = after?.sort === unit ? { parent: '', id: after.id } : undefined;
      const rows = context.store.byRef(COLLECTIONS.chromeDevices, unit, limit - found.length, from);
      found.push(...rows.map((row) => ({ row, cursor: { sort: unit, id: row.id } })));
      if (found.length >= limit) break;
    }
    return found;
  };
}
