import { expect, test } from 'vitest';
import { testTenant } from '../../../support/management/management.ts';

/** Reads of whole tables or collections: every row of a tenant, or every membership. */
const SCANS = [
  /^SCAN (?:resource|name|r|n)\b/,
  /\(collection=\?\)$/,
  /\(collection=\? AND \(parent,id\)/,
  /\(namespace=\?\)$/,
];
/** What a statement says of references, and the only way to find them. */
const BY_REF = /\bref = (?!\?,)/g;
const REF_INDEX = /USING (?:COVERING )?INDEX resource_ref \(collection=\? AND ref=\?/;

/** What calls of every kind ask SQLite, with the plan of each statement. */
function plansOfManyCalls(): readonly { query: string; details: readonly string[] }[] {
  const queries = new Set<string>();
  const tenant = testTenant(undefined, (query) => queries.add(query));
  const name = { givenName: 'Ada', familyName: 'Lovelace' };
  const user = (primaryEmail: string) => ({ body: { primaryEmail, password: 'correct horse', name } });
  queries.clear();
  for (const each of ['ada', 'bob']) tenant.ok('directory.users.insert', user(`${each}@example.com`));
  for (const each of ['one', 'two']) tenant.ok('directory.groups.insert', { body: { email: `${each}@example.com` } });
  const one = { groupKey: 'one@example.com' };
  tenant.ok('directory.members.insert', { path: one, body: { email: 'two@example.com' } });
  tenant.ok('directory.members.insert', { path: { groupKey: 'two@example.com' }, body: { email: 'ada@example.com' } });
  tenant.ok('directory.members.hasMember', { path: { ...one, memberKey: 'ada@example.com' } });
  tenant.ok('directory.members.list', { path: one, query: { includeDerivedMembership: true } });
  tenant.ok('directory.groups.list', { query: { userKey: 'ada@example.com' } });
  tenant.ok('directory.users.get', { path: { userKey: 'ada@example.com' } });
  for (const orderBy of ['email', 'givenName', 'familyName'])
    tenant.ok('directory.users.list', { query: { customer: 'my_customer', orderBy, query: 'email:a*' } });
  tenant.ok('directory.users.patch', {
    path: { userKey: 'ada@example.com' },
    body: { primaryEmail: 'countess@example.com' },
  });
  tenant.ok('directory.users.delete', { path: { userKey: 'countess@example.com' } });
  tenant.ok('directory.groups.delete', { path: one });
  const calls = [...queries];
  return calls.map((query) => ({
    query,
    details: tenant.sql
      .exec(`EXPLAIN QUERY PLAN ${query}`, ...(query.match(/\?/g) ?? []).map(() => ''))
      .toArray()
      .map((row) => String(row['detail'])),
  }));
}

test('K9: no statement of users, groups and members reads a whole collection: each is found by an index', () => {
  const plans = plansOfManyCalls();
  expect(plans.length).toBeGreaterThan(15);
  const scans = plans.filter(({ details }) => details.some((detail) => SCANS.some((scan) => scan.test(detail))));
  expect(scans).toEqual([]);
  const byRef = plans.filter(({ query }) => query.match(BY_REF));
  expect(byRef.length).toBeGreaterThan(3);
  const slow = byRef.filter(({ query, details }) => {
    const found = details.filter((detail) => REF_INDEX.test(detail)).length;
    return found < (query.match(BY_REF) ?? []).length;
  });
  expect(slow).toEqual([]);
});
