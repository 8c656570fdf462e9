import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/lib/json.ts';
import { addUser, listed, text } from '../../../support/management/directory.ts';
import { testTenant, type TestTenant } from '../../../support/management/management.ts';

const CUSTOMER = 'reports.customerUsageReports.get';
const USER = 'reports.userUsageReport.get';

/** The last day that has a report, as a refusal names it. */
function lastDay(tenant: TestTenant): string {
  const refusal = tenant.refused(CUSTOMER, { path: { date: '9999-01-01' } });
  const [, day = ''] = /^400 invalid: Data for dates later than (\S+) is not yet available/.exec(refusal) ?? [];
  return day;
}

const parametersOf = (report: JsonObject | undefined): Record<string, unknown> =>
  Object.fromEntries(
    listed(report ?? {}, 'parameters').map(({ name, ...value }) => [text(name), Object.values(value)[0]]),
  );

test('the report of the customer counts users and licences as they are now', () => {
  const tenant = testTenant();
  const before = tenant.ok(CUSTOMER, { path: { date: lastDay(tenant) } });
  const users = Number(parametersOf(listed(before, 'usageReports')[0])['accounts:num_users']);
  for (const name of ['ann', 'bob', 'cid']) addUser(tenant, `${name}@example.com`);
  tenant.ok('directory.users.patch', { path: { userKey: 'bob@example.com' }, body: { suspended: true } });
  tenant.ok('licensing.licenseAssignments.insert', {
    path: { productId: 'Google-Vault', skuId: 'Google-Vault' },
    body: { userId: 'ann@example.com' },
  });
  const date = lastDay(tenant);
  const [report] = listed(tenant.ok(CUSTOMER, { path: { date } }), 'usageReports');
  expect(report).toMatchObject({ date, entity: { type: 'CUSTOMER' } });
  expect(parametersOf(report)).toMatchObject({
    'accounts:num_users': String(users + 3),
    'accounts:num_suspended_users': '1',
    'accounts:vault_used_licenses': '1',
    'accounts:gsuite_basic_used_licenses': '0',
  });
  const query = { parameters: 'accounts:num_users,accounts:nothing_of_ours' };
  const [part] = listed(tenant.ok(CUSTOMER, { path: { date }, query }), 'usageReports');
  expect(parametersOf(part)).toEqual({ 'accounts:num_users': String(users + 3) });
});

test('reports of users say what the Directory does, of one or of all by pages', () => {
  const tenant = testTenant();
  const id = addUser(tenant, 'ann@example.com');
  addUser(tenant, 'bob@example.com');
  tenant.ok('directory.users.patch', { path: { userKey: id }, body: { suspended: true } });
  const date = lastDay(tenant);
  const [one] = listed(tenant.ok(USER, { path: { date, userKey: 'ann@example.com' } }), 'usageReports');
  expect(one).toMatchObject({ date, entity: { type: 'USER', profileId: id, userEmail: 'ann@example.com' } });
  expect(parametersOf(one)).toMatchObject({
    'accounts:is_suspended': true,
    'accounts:is_super_admin': false,
    'accounts:admin_set_name': 'Ann Other',
  });
  const all = listed(tenant.ok(USER, { path: { date, userKey: 'all' } }), 'usageReports');
  const query = { maxResults: all.length - 1 };
  const first = tenant.ok(USER, { path: { date, userKey: 'all' }, query });
  const rest = { ...query, pageToken: text(first['nextPageToken']) };
  const second = tenant.ok(USER, { path: { date, userKey: 'all' }, query: rest });
  expect([...listed(first, 'usageReports'), ...listed(second, 'usageReports')]).toEqual(all);
  expect(all.map(({ entity }) => (entity as JsonObject)['userEmail'])).toEqual(
    expect.arrayContaining(['ann@example.com', 'bob@example.com']),
  );
});

test.each([
  [CUSTOMER, { date: '2026-13-01' }, {}, /^400 invalid: Invalid date/],
  [CUSTOMER, { date: 'today' }, {}, /^400 invalid: Invalid date/],
  [CUSTOMER, { date: '2001-01-01' }, {}, /^400 invalid: Data of this date is no longer available$/],
  [CUSTOMER, {}, { parameters: 'num_users' }, /^400 invalid: Invalid parameters/],
  [CUSTOMER, {}, { customerId: 'C0other' }, /^403 /],
  [USER, { userKey: 'none@example.com' }, {}, /^404 notFound: Resource Not Found: userKey$/],
  [USER, { userKey: 'all' }, { filters: 'accounts:is_suspended==true' }, /^501 notImplemented/],
])('%s of %j with %j is refused', (method, path, query, refusal) => {
  const tenant = testTenant();
  expect(tenant.refused(method, { path: { date: lastDay(tenant), ...path }, query })).toMatch(refusal);
});
