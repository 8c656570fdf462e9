import { beforeEach, describe, expect, test } from 'vitest';
import { addGroup, addUser, listed, text } from '../../../../support/management/directory.ts';
import { testTenant, type TestTenant } from '../../../../support/management/management.ts';

const customer = 'my_customer';

let tenant: TestTenant;
let ann: string;
beforeEach(() => {
  tenant = testTenant();
  for (const domainName of ['side.com', 'third.com'])
    tenant.ok('directory.domains.insert', { path: { customer }, body: { domainName } });
  ann = addUser(tenant, 'ann@example.com');
  tenant.changes.length = 0;
});

/** A channel with a host of its own, which has got its sync message. */
function watch(id: string, query: Record<string, string>): void {
  const body = { id, type: 'web_hook', address: `https://${id}.example.net/` };
  tenant.ok('directory.users.watch', { query, body });
  for (const key of tenant.outbox.claim()) {
    tenant.outbox.take(key);
    tenant.outbox.pushed(key, 'delivered');
  }
  tenant.later(1_000);
}

const heard = (): string[] =>
  tenant.outbox
    .claim()
    .map((key) => `${key.channelId} ${tenant.outbox.take(key)?.headers['X-Goog-Resource-State']}`)
    .toSorted();
const told = (): string[] =>
  tenant.changes.map(({ watched, event, user }) => `${watched} ${event} ${user.primaryEmail}`);
const patch = (body: Record<string, string | boolean>) =>
  tenant.ok('directory.users.patch', { path: { userKey: ann }, body });

describe('a rename', () => {
  test('into another domain is told once to those who watch the old one, the new one, and all', () => {
    watch('old', { domain: 'example.com' });
    watch('new', { domain: 'side.com' });
    watch('all', { customer });
    watch('third', { domain: 'third.com' });
    watch('added', { domain: 'side.com', event: 'add' });
    patch({ primaryEmail: 'ann@side.com' });
    expect(heard()).toEqual(['all update', 'new update', 'old update']);
    patch({ suspended: true });
    expect(heard().toSorted()).toEqual(['all update', 'new update']);
  });

  test('within a domain is told once to those who watch it', () => {
    watch('old', { domain: 'example.com' });
    watch('new', { domain: 'side.com' });
    patch({ primaryEmail: 'anna@example.com' });
    expect(heard()).toEqual(['old update']);
  });
});

test('who watches the aliases of a user hears of each one that goes with the user, and comes back', () => {
  for (const alias of ['al@example.com', 'am@example.com'])
    tenant.ok('directory.users.aliases.insert', { path: { userKey: ann }, body: { alias } });
  tenant.changes.length = 0;
  tenant.ok('directory.users.delete', { path: { userKey: ann } });
  expect(told().toSorted()).toEqual([
    'aliases delete ann@example.com',
    'aliases delete ann@example.com',
    'users delete ann@example.com',
  ]);
  expect(tenant.changes.every(({ user }) => user.id === ann)).toBe(true);
  tenant.changes.length = 0;
  tenant.ok('directory.users.undelete', { path: { userKey: ann }, body: { orgUnitPath: '/' } });
  expect(told().toSorted()).toEqual([
    'aliases add ann@example.com',
    'aliases add ann@example.com',
    'users undelete ann@example.com',
  ]);
});

describe('a patch', () => {
  test.each([[{}], [{ suspended: false }], [{ primaryEmail: 'ann@example.com' }]])(
    'of %j changes nothing, and tells nothing',
    (body) => {
      patch(body);
      expect(told()).toEqual([]);
    },
  );

  test.each([[{ suspended: true }], [{ password: 'another horse' }]])('of %j is told', (body) => {
    patch(body);
    expect(told()).toEqual(['users update ann@example.com']);
  });
});

describe('the rights of a delegated administrator', () => {
  const assign = (roleId: unknown, assignedTo: string): string =>
    text(
      tenant.ok('directory.roleAssignments.insert', { path: { customer }, body: { roleId: text(roleId), assignedTo } })[
        'roleAssignmentId'
      ],
    );
  const drop = (roleAssignmentId: string) =>
    tenant.ok('directory.roleAssignments.delete', { path: { customer, roleAssignmentId } });

  test('are told when they come with the first role and when they go with the last', () => {
    const roles = listed(tenant.ok('directory.roles.list', { path: { customer } }), 'items').map(
      ({ roleId }) => roleId,
    );
    const first = assign(roles[1], ann);
    expect(told()).toEqual(['users update ann@example.com']);
    const second = assign(roles[2], ann);
    drop(first);
    expect(told()).toHaveLength(1);
    drop(second);
    expect(told()).toEqual(['users update ann@example.com', 'users update ann@example.com']);
    assign(roles[1], addGroup(tenant, 'team@example.com'));
    expect(told()).toHaveLength(2);
  });
});
