import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/lib/json.ts';
import { addUser, listed, text } from '../../../support/management/directory.ts';
import { testTenant, type TestTenant } from '../../../support/management/management.ts';

const ANN = 'ann@example.com';
const APPS = 'Google-Apps';
const STARTER = '1010020027';
const STANDARD = '1010020028';
const query = { customerId: 'my_customer' };

const id = (verb: string): string => `licensing.licenseAssignments.${verb}`;
const path = (userId = ANN, skuId = STARTER, productId = APPS) => ({ productId, skuId, userId });
const assign = (tenant: TestTenant, userId = ANN, skuId = STARTER, productId = APPS): JsonObject =>
  tenant.ok(id('insert'), { path: { productId, skuId }, body: { userId } });
const usersOf = (answer: JsonObject): unknown[] =>
  listed(answer, 'items').map(({ userId, skuId }) => `${text(skuId)} ${text(userId)}`);

function withUsers(...names: readonly string[]): TestTenant {
  const tenant = testTenant();
  for (const name of ['ann', ...names]) addUser(tenant, `${name}@example.com`);
  return tenant;
}

test('a licence is given, read by address and by id, and taken', () => {
  const tenant = testTenant();
  const user = addUser(tenant, ANN);
  const made = assign(tenant);
  expect(made).toMatchObject({
    kind: 'licensing#licenseAssignment',
    productId: APPS,
    skuId: STARTER,
    skuName: 'Google Workspace Business Starter',
    userId: ANN,
  });
  expect(tenant.ok(id('get'), { path: path() })).toEqual(made);
  expect(tenant.ok(id('get'), { path: path(user) })).toEqual(made);
  tenant.ok(id('delete'), { path: path() });
  expect(tenant.refused(id('get'), { path: path() })).toBe('404 notFound: Not Found');
});

test('a user has one SKU of a product, and is moved to another by patch and update', () => {
  const tenant = withUsers();
  assign(tenant);
  for (const sku of [STARTER, STANDARD])
    expect(tenant.refused(id('insert'), { path: { productId: APPS, skuId: sku }, body: { userId: ANN } })).toMatch(
      /^412 conditionNotMet: User already has a license/,
    );
  expect(tenant.ok(id('patch'), { path: path(), body: { skuId: STANDARD } })).toMatchObject({ skuId: STANDARD });
  expect(tenant.refused(id('get'), { path: path() })).toMatch(/^404/);
  expect(tenant.ok(id('update'), { path: path(ANN, STANDARD), body: { skuId: STARTER } })).toMatchObject({
    skuId: STARTER,
  });
  assign(tenant, ANN, 'Google-Vault', 'Google-Vault');
  expect(tenant.refused(id('patch'), { path: path(), body: { skuId: 'Google-Vault' } })).toMatch(/^404/);
});

test('lists show a product over its SKUs, or one SKU, by pages without gaps', () => {
  const tenant = withUsers('bob', 'cid', 'dan');
  for (const [name, sku] of [
    ['ann', STANDARD],
    ['bob', STARTER],
    ['cid', STANDARD],
    ['dan', STARTER],
  ] as const)
    assign(tenant, `${name}@example.com`, sku);
  const seen: unknown[] = [];
  let pageToken = '';
  do {
    const more = pageToken === '' ? {} : { pageToken };
    const page = tenant.ok(id('listForProduct'), {
      path: { productId: APPS },
      query: { ...query, maxResults: 1, ...more },
    });
    seen.push(...usersOf(page));
    pageToken = 'nextPageToken' in page ? text(page['nextPageToken']) : '';
  } while (pageToken !== '' && seen.length < 10);
  expect(new Set(seen)).toEqual(
    new Set([
      `${STARTER} bob@example.com`,
      `${STARTER} dan@example.com`,
      `${STANDARD} ann@example.com`,
      `${STANDARD} cid@example.com`,
    ]),
  );
  expect(seen).toHaveLength(4);
  const one = tenant.ok(id('listForProductAndSku'), { path: { productId: APPS, skuId: STANDARD }, query });
  expect(usersOf(one)).toHaveLength(2);
  expect(tenant.ok(id('listForProduct'), { path: { productId: 'Google-Vault' }, query })).not.toHaveProperty('items');
});

test('a licence follows its user: a new address is shown, and none is left of one who is deleted', () => {
  const tenant = withUsers();
  assign(tenant);
  tenant.ok('directory.users.patch', { path: { userKey: ANN }, body: { primaryEmail: 'anna@example.com' } });
  const list = () => tenant.ok(id('listForProduct'), { path: { productId: APPS }, query });
  expect(usersOf(list())).toEqual([`${STARTER} anna@example.com`]);
  tenant.ok('directory.users.delete', { path: { userKey: 'anna@example.com' } });
  expect(list()).not.toHaveProperty('items');
});

test.each([
  ['another product', id('get'), { path: path(ANN, STARTER, 'Google-Vault') }, /^404 notFound: Not Found$/],
  [
    'a SKU that is not sold',
    id('insert'),
    { path: path('', 'none'), body: { userId: ANN } },
    /^404 notFound: Not Found$/,
  ],
  ['nobody', id('get'), { path: path('none@example.com') }, /^404 notFound: Resource Not Found: userKey$/],
  ['no user', id('insert'), { path: path() }, /^400 required: /],
  ['another customer', id('listForProduct'), { path: { productId: APPS }, query: { customerId: 'C0other' } }, /^403 /],
  [
    'another domain',
    id('listForProduct'),
    { path: { productId: APPS }, query: { customerId: 'example.org' } },
    /^403 /,
  ],
])('%s is refused', (_what, method, sent, refusal) => {
  const tenant = withUsers();
  assign(tenant);
  expect(tenant.refused(method, sent)).toMatch(refusal);
});
