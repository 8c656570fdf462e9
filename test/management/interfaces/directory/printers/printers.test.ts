import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../../src/lib/json.ts';
import { methods } from '../../../../../src/management/core/table/method-row.ts';
import { listed, text } from '../../../../support/management/directory.ts';
import { testTenant, type TestTenant } from '../../../../support/management/management.ts';

const parent = 'customers/my_customer';
const PRINTER = { displayName: 'North', uri: 'ipp://10.0.0.1/ipp', makeAndModel: 'brother mfc-8840d' };
const SERVER = { displayName: 'queue', uri: 'ipps://print.example.com/' };
const id = (verb: string, resource = 'printers'): string => `admin.customers.chrome.${resource}.${verb}`;

const create = (tenant: TestTenant, more: JsonObject = {}): JsonObject =>
  tenant.ok(id('create'), { path: { parent }, body: { ...PRINTER, ...more } });
const list = (tenant: TestTenant, query: Record<string, string | number> = {}): JsonObject =>
  tenant.ok(id('list'), { path: { parent }, query });
const shownNames = (answer: JsonObject): unknown[] => listed(answer, 'printers').map(({ displayName }) => displayName);

function addUnit(tenant: TestTenant, name: string, parentOrgUnitPath: string): string {
  const path = { customerId: 'my_customer' };
  const made = tenant.ok('directory.orgunits.insert', { path, body: { name, parentOrgUnitPath } });
  return text(made['orgUnitId']).slice('id:'.length);
}

test('the fifteen methods of the vendor are rows beyond the seed documents', () => {
  const rows = methods.filter((row) => row.id.startsWith('admin.customers.chrome.'));
  expect([rows.length, rows.filter((row) => row.inSeed).length]).toEqual([15, 0]);
});

test('a printer is in the root unless an org unit is named, and is listed for that unit and those below', () => {
  const tenant = testTenant();
  const sales = addUnit(tenant, 'sales', '/');
  const east = addUnit(tenant, 'east', '/sales');
  const other = addUnit(tenant, 'other', '/');
  const inRoot = create(tenant, { displayName: 'root' });
  create(tenant, { displayName: 'sales', orgUnitId: sales });
  create(tenant, { displayName: 'east', orgUnitId: `id:${east}` });
  const order = { orderBy: 'displayName' };
  expect(shownNames(list(tenant, { ...order, orgUnitId: east }))).toEqual(['east', 'root', 'sales']);
  expect(shownNames(list(tenant, { ...order, orgUnitId: sales }))).toEqual(['root', 'sales']);
  expect(shownNames(list(tenant, { ...order, orgUnitId: other }))).toEqual(['root']);
  expect(text(inRoot['orgUnitId'])).not.toContain('id:');
  expect(tenant.refused(id('list'), { path: { parent }, query: { orgUnitId: 'none' } })).toBe(
    '400 invalid: Invalid Input: orgUnitId',
  );
});

test('an org unit with printers is not empty, also after they were changed', () => {
  const tenant = testTenant();
  const sales = addUnit(tenant, 'sales', '/');
  const name = text(create(tenant, { orgUnitId: sales })['name']);
  tenant.ok(id('patch'), { path: { name }, body: { displayName: 'South' } });
  const unit = { path: { customerId: 'my_customer', orgUnitPath: `id:${sales}` } };
  expect(tenant.refused('directory.orgunits.delete', unit)).toContain('Org unit is not empty');
  tenant.ok(id('delete'), { path: { name } });
  tenant.ok('directory.orgunits.delete', unit);
});

test('pages hold every printer once, in the order that was asked for', () => {
  const tenant = testTenant();
  for (const displayName of ['b', 'c', 'a', 'e', 'd']) create(tenant, { displayName });
  const query = { orderBy: 'display_name desc', pageSize: 2 };
  const first = list(tenant, query);
  const second = list(tenant, { ...query, pageToken: text(first['nextPageToken']) });
  const third = list(tenant, { ...query, pageToken: text(second['nextPageToken']) });
  expect([first, second, third].flatMap(shownNames)).toEqual(['e', 'd', 'c', 'b', 'a']);
  expect(third).not.toHaveProperty('nextPageToken');
});

test.each([{}, { orderBy: 'display_name' }, { orderBy: 'display_name desc' }])(
  'pages by %j hold every printer once, whatever is deleted and made between them',
  (order) => {
    const tenant = testTenant();
    const names = Array.from({ length: 10 }, (_, n) => `p${n}`);
    for (const displayName of names) create(tenant, { displayName });
    const seen: unknown[] = [];
    let query: Record<string, string | number> = { ...order, pageSize: 2 };
    for (let pages = 0; pages < 10; pages += 1) {
      const answer = list(tenant, query);
      seen.push(...shownNames(answer));
      for (const { name } of listed(answer, 'printers')) tenant.ok(id('delete'), { path: { name: text(name) } });
      const { nextPageToken } = answer;
      if (nextPageToken === undefined) break;
      query = { ...query, pageToken: text(nextPageToken) };
    }
    expect(seen.map(text).toSorted()).toEqual(names);
  },
);

describe('patch', () => {
  const patch = (tenant: TestTenant, name: string, body: JsonObject, query = {}): JsonObject =>
    tenant.ok(id('patch'), { path: { name }, body, query });

  test('changes what is sent, or what the mask names, and nothing that is not editable', () => {
    const tenant = testTenant();
    const made = create(tenant, { description: 'old' });
    const name = text(made['name']);
    const sent = { id: 'x', name: 'x', orgUnitId: 'x', createTime: 'x', displayName: 'South' };
    expect(patch(tenant, name, sent)).toEqual({ ...made, displayName: 'South' });
    const masked = patch(
      tenant,
      name,
      { displayName: 'West', description: 'new' },
      { updateMask: 'description,org_unit_id' },
    );
    expect(masked).toEqual({ ...made, displayName: 'South', description: 'new' });
    const { description: _, ...cleared } = masked;
    expect(patch(tenant, name, {}, { clearMask: 'description' })).toEqual(cleared);
    expect(tenant.ok(id('get'), { path: { name } })).toEqual(cleared);
  });

  test('that would leave no address is refused', () => {
    const tenant = testTenant();
    const name = text(create(tenant)['name']);
    expect(tenant.refused(id('patch'), { path: { name }, body: {}, query: { clearMask: 'uri' } })).toBe(
      '400 required: Missing required field: uri',
    );
    expect(tenant.ok(id('get'), { path: { name } })).toMatchObject(PRINTER);
  });
});

test.each<[JsonObject, string]>([
  [{ displayName: '' }, '400 required: Missing required field: displayName'],
  [{ uri: '' }, '400 required: Missing required field: uri'],
  [{ uri: 'javascript:alert(1)' }, '400 invalid: Invalid Input: uri'],
  [{ makeAndModel: '' }, '400 required: Missing required field: makeAndModel'],
  [{ displayName: 'x'.repeat(256) }, '400 invalid: Invalid Input: displayName'],
  [{ orgUnitId: 'none' }, '400 invalid: Invalid Input: orgUnitId'],
])('create refuses %j', (body, refusal) => {
  const tenant = testTenant();
  expect(tenant.refused(id('create'), { path: { parent }, body: { ...PRINTER, ...body } })).toBe(refusal);
  expect(list(tenant)).toEqual({});
});

test('a batch makes and deletes what it can, and says of the rest why not', () => {
  const tenant = testTenant();
  const requests = [PRINTER, { displayName: 'bad' }, { ...PRINTER, useDriverlessConfig: true, makeAndModel: '' }];
  const body = { requests: requests.map((printer) => ({ parent, printer })) };
  const made = tenant.ok(id('batchCreatePrinters'), { path: { parent }, body });
  expect(listed(made, 'printers')).toHaveLength(2);
  expect(listed(made, 'failures')).toEqual([
    { errorCode: 'INVALID_ARGUMENT', errorMessage: 'Missing required field: uri', printer: { displayName: 'bad' } },
  ]);
  const printerIds = [...listed(made, 'printers').map((each) => text(each['id'])), 'none'];
  expect(tenant.ok(id('batchDeletePrinters'), { path: { parent }, body: { printerIds } })).toEqual({
    printerIds: printerIds.slice(0, 2),
    failedPrinters: [
      {
        errorCode: 'NOT_FOUND',
        errorMessage: 'Resource Not Found: printer',
        printer: { id: 'none' },
        printerId: 'none',
      },
    ],
  });
  expect(list(tenant)).toEqual({});
});

test.each([
  ['batchCreatePrinters', { requests: Array.from({ length: 51 }, () => ({ printer: PRINTER })) }, /at most 50/],
  ['batchCreatePrinters', {}, /required: .*requests/],
  ['batchDeletePrinters', { printerIds: Array.from({ length: 101 }, () => 'x') }, /at most 100/],
  ['batchDeletePrinters', {}, /required: .*printerIds/],
])('%s of too many or none is refused whole', (verb, body, refusal) => {
  const tenant = testTenant();
  expect(tenant.refused(id(verb), { path: { parent }, body })).toMatch(refusal);
  expect(list(tenant)).toEqual({});
});

test.each([
  ['north', ['North wing']],
  ['brother wing', ['North wing', 'South wing']],
  ['manufacturer:brother', ['North wing', 'South wing']],
  ["printer.displayName=='South wing'", ['South wing']],
  ["display_name == 'South wing' && uri == 'ipp://10.0.0.1/ipp'", ['South wing']],
  ['nothing', []],
])('the filter %j takes %j', (filter, expected) => {
  const tenant = testTenant();
  for (const displayName of ['North wing', 'South wing']) create(tenant, { displayName });
  create(tenant, { displayName: 'Lobby', makeAndModel: 'hp laserjet 4250' });
  expect(shownNames(list(tenant, { filter, orderBy: 'display_name' }))).toEqual(expected);
});

test.each(['x'.repeat(2_001), "size=='a'", "displayName='a", Array.from({ length: 11 }, () => 'a').join(' && ')])(
  'the filter %j is refused (%#)',
  (filter) => {
    expect(testTenant().refused(id('list'), { path: { parent }, query: { filter } })).toBe(
      '400 invalid: Invalid Input: filter',
    );
  },
);

test('print servers are apart from printers, and need no model', () => {
  const tenant = testTenant();
  create(tenant);
  const made = tenant.ok(id('create', 'printServers'), { path: { parent }, body: SERVER });
  expect(text(made['name'])).toMatch(/^customers\/[^/]+\/chrome\/printServers\/[0-9a-z]{15}$/);
  const all = tenant.ok(id('list', 'printServers'), { path: { parent }, query: { orderBy: 'create_time' } });
  expect(all).toEqual({ printServers: [made] });
  const query = { filter: 'queue' };
  expect(tenant.refused(id('list', 'printServers'), { path: { parent }, query })).toMatch(/^400 invalid/);
  const printServerIds = [text(made['id'])];
  const gone = tenant.ok(id('batchDeletePrintServers', 'printServers'), { path: { parent }, body: { printServerIds } });
  expect(gone).toEqual({ printServerIds });
});
