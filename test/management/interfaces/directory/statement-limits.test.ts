import { expect, test } from 'vitest';
import { MAX_STATEMENTS } from '../../../../src/management/core/engine/execute.ts';
import type { QueryValue } from '../../../../src/management/core/engine/operation.ts';
import type { NewRow } from '../../../../src/management/core/engine/stored-row.ts';
import { addGroup, addUser, allPages } from '../../../support/management/directory.ts';
import { testTenant, type TestTenant } from '../../../support/management/management.ts';

const CUSTOMER = { customerId: 'my_customer' };
const GROUP = { groupKey: 'team@example.com' };

const many = (count: number, rowOf: (n: number) => NewRow[]): NewRow[] =>
  Array.from({ length: count }, (_, n) => rowOf(n)).flat();
const padded = (n: number): string => String(n).padStart(6, '0');

/** 5,600 devices, of which the last one in the order of notes has the serial number SOUGHT. */
function devices(): TestTenant {
  const tenant = testTenant();
  const rows = many(5_600, (n) => {
    const [id, notes] = [`d${padded(n)}`, `note ${padded(n)}`];
    const serialNumber = n === 5_599 ? 'SOUGHT' : `SN${n}`;
    const collection = 'directory.chromeosdevices';
    return [
      { collection, parent: '', id, s1: serialNumber.toLowerCase(), body: { deviceId: id, serialNumber, notes } },
      { collection: `${collection}.order1`, parent: '', id, s1: '', s2: '', s3: notes, body: {} },
    ];
  });
  tenant.engine.store.insertMany(rows, []);
  return tenant;
}

/** One user in 5,600 groups, of which one is of the domain that is asked for. */
function groups(): TestTenant {
  const tenant = testTenant();
  tenant.ok('directory.domains.insert', { path: { customer: 'my_customer' }, body: { domainName: 'side.com' } });
  const user = addUser(tenant, 'ann@example.com');
  const rows = many(5_600, (n) => {
    const email = `g${padded(n)}@${n === 5_599 ? 'side.com' : 'example.com'}`;
    const id = `g${padded(n)}`;
    return [
      { collection: 'directory.groups', parent: '', id, s1: email, body: { id, email, name: id } },
      { collection: 'directory.members', parent: id, id: user, ref: user, body: { role: 'MEMBER', type: 'USER' } },
    ];
  });
  tenant.engine.store.insertMany(rows, []);
  return tenant;
}

/** 150 groups in a group, with 18,000 members between them, of whom the last one is an owner. */
function nested(): TestTenant {
  const tenant = testTenant();
  const team = addGroup(tenant, 'team@example.com');
  const inner = many(150, (n) => {
    const [id, email] = [`g${padded(n)}`, `g${padded(n)}@example.com`];
    return [
      { collection: 'directory.groups', parent: '', id, s1: email, body: { id, email, name: id } },
      {
        collection: 'directory.members',
        parent: team,
        id,
        ref: id,
        s1: 'MEMBER',
        s2: 'GROUP',
        body: { role: 'MEMBER', type: 'GROUP' },
      },
    ];
  });
  const people = many(18_000, (n) => {
    const [id, role] = [`8${padded(n)}`, n === 17_999 ? 'OWNER' : 'MEMBER'];
    const body = { role, type: 'USER', email: `p${n}@elsewhere.org` };
    const parent = `g${padded(n % 150)}`;
    return [{ collection: 'directory.members', parent, id, ref: id, s1: role, body }];
  });
  tenant.engine.store.insertMany([...inner, ...people], []);
  return tenant;
}

/** 2,600 users, each with a manager of its own who is nobody here; the last one has the manager that is asked for. */
function managed(): TestTenant {
  const tenant = testTenant();
  const rows = many(2_600, (n) => {
    const [id, email] = [`1${padded(n)}`.padEnd(21, '0'), `u${padded(n)}@example.com`];
    const value = n === 2_599 ? 'boss@example.com' : `manager${n}@example.com`;
    const body = { id, primaryEmail: email, relations: [{ type: 'manager', value }] };
    return [{ collection: 'directory.users', parent: '', id, s1: email, s2: '', s3: '', body }];
  });
  tenant.engine.store.insertMany(rows, []);
  return tenant;
}

type Sent = { path?: Record<string, string>; query: Record<string, QueryValue> };

test.each<[string, () => TestTenant, string, string, Sent, Record<string, string>]>([
  [
    'devices in an order that stands beside them',
    devices,
    'directory.chromeosdevices.list',
    'chromeosdevices',
    { path: CUSTOMER, query: { orderBy: 'notes', query: 'id:SOUGHT' } },
    { deviceId: 'd005599' },
  ],
  [
    'the groups of a user in a domain',
    groups,
    'directory.groups.list',
    'groups',
    { query: { userKey: 'ann@example.com', domain: 'side.com' } },
    { email: 'g005599@side.com' },
  ],
  [
    'the owners of a group and of those in it',
    nested,
    'directory.members.list',
    'members',
    { path: GROUP, query: { includeDerivedMembership: true, roles: 'OWNER' } },
    { email: 'p17999@elsewhere.org' },
  ],
  [
    'those below a manager',
    managed,
    'directory.users.list',
    'users',
    { query: { customer: 'my_customer', query: 'manager=boss@example.com' } },
    { primaryEmail: 'u002599@example.com' },
  ],
])('K9: a scan of %s ends its page before its statements do, and page tokens lead through', (...row) => {
  const [_what, world, method, items, sent, found] = row;
  const tenant = world();
  const { store } = tenant.engine;
  const before = store.statements();
  expect(tenant.ok(method, sent)['nextPageToken']).toEqual(expect.any(String));
  expect(store.statements() - before).toBeLessThan(MAX_STATEMENTS);
  expect(allPages(tenant, method, items, sent)).toMatchObject([found]);
});
