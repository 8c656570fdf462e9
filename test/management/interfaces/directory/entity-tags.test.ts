import { beforeEach, describe, expect, test } from 'vitest';
import { addGroup, addUser, text } from '../../../support/management/directory.ts';
import { testTenant, type TestTenant } from '../../../support/management/management.ts';

const customer = 'my_customer';
const ANN = { userKey: 'ann@example.com' };
const TEAM = { groupKey: 'team@example.com' };

let tenant: TestTenant;
beforeEach(() => {
  tenant = testTenant();
  tenant.ok('directory.orgunits.insert', {
    path: { customerId: customer },
    body: { name: 'corp', parentOrgUnitPath: '/' },
  });
  addUser(tenant, 'ann@example.com', { orgUnitPath: '/corp' });
  addUser(tenant, 'bob@example.com');
  addGroup(tenant, 'team@example.com');
  tenant.ok('directory.members.insert', { path: TEAM, body: { email: 'ann@example.com' } });
  tenant.ok('directory.users.aliases.insert', { path: ANN, body: { alias: 'al@example.com' } });
  tenant.ok('directory.groups.aliases.insert', { path: TEAM, body: { alias: 'crew@example.com' } });
  const building = { buildingId: 'hq', buildingName: 'Headquarters', floorNames: ['1'] };
  tenant.ok('directory.resources.buildings.insert', { path: { customer }, body: building });
  const room = { resourceId: 'r1', resourceName: 'Blue', buildingId: 'hq', floorName: '1' };
  tenant.ok('directory.resources.calendars.insert', { path: { customer }, body: room });
});

const rename = (to: string) => () => {
  tenant.ok('directory.users.patch', { path: ANN, body: { primaryEmail: to } });
};
const renameUnit = () => {
  const path = { customerId: customer, orgUnitPath: 'corp' };
  tenant.ok('directory.orgunits.patch', { path, body: { name: 'company' } });
};
const addAlias = () => {
  const body = { domainAliasName: 'alias.com', parentDomainName: 'example.com' };
  tenant.ok('directory.domainAliases.insert', { path: { customer }, body });
};
const dropUnit = () => {
  const path = { customerId: customer, orgUnitPath: 'lab' };
  tenant.ok('directory.orgunits.delete', { path });
};
const addUnit = (name: string) => {
  tenant.ok('directory.orgunits.insert', { path: { customerId: customer }, body: { name, parentOrgUnitPath: '/' } });
};

describe('a reader whose tag is of what was shown before gets what is shown now', () => {
  test.each<[string, string, { path?: Record<string, string>; query?: Record<string, string> }, () => void]>([
    [
      'groups.get after a member is removed',
      'directory.groups.get',
      { path: TEAM },
      () => tenant.ok('directory.members.delete', { path: { ...TEAM, memberKey: 'ann@example.com' } }),
    ],
    [
      'groups.list after a member is added',
      'directory.groups.list',
      { query: { customer } },
      () => tenant.ok('directory.members.insert', { path: TEAM, body: { email: 'bob@example.com' } }),
    ],
    [
      'users.list after an older user is deleted',
      'directory.users.list',
      { query: { customer } },
      () => tenant.ok('directory.users.delete', { path: ANN }),
    ],
    ['users.list after an org unit is renamed', 'directory.users.list', { query: { customer } }, renameUnit],
    ['users.get after an org unit is renamed', 'directory.users.get', { path: ANN }, renameUnit],
    ['users.get after an alias of its domain is added', 'directory.users.get', { path: ANN }, addAlias],
    [
      'members.get after the user is renamed',
      'directory.members.get',
      { path: { ...TEAM, memberKey: 'ann@example.com' } },
      rename('anna@example.com'),
    ],
    ['members.list after the user is renamed', 'directory.members.list', { path: TEAM }, rename('anna@example.com')],
    ['users.aliases.list after a rename', 'directory.users.aliases.list', { path: ANN }, rename('anna@example.com')],
    [
      'groups.aliases.list after a rename',
      'directory.groups.aliases.list',
      { path: TEAM },
      () => tenant.ok('directory.groups.patch', { path: TEAM, body: { email: 'squad@example.com' } }),
    ],
    [
      'calendars.get after its building is renamed',
      'directory.resources.calendars.get',
      { path: { customer, calendarResourceId: 'r1' } },
      () => {
        const path = { customer, buildingId: 'hq' };
        tenant.ok('directory.resources.buildings.patch', { path, body: { buildingName: 'Old house' } });
      },
    ],
    [
      'domains.get after an alias is added',
      'directory.domains.get',
      { path: { customer, domainName: 'example.com' } },
      addAlias,
    ],
    ['domains.list after an alias is added', 'directory.domains.list', { path: { customer } }, addAlias],
  ])('%s', (_what, method, sent, change) => {
    const before = tenant.ok(method, sent);
    const ifNoneMatch = text(before['etag']);
    expect(tenant.call(method, { ...sent, ifNoneMatch })).toEqual({ ok: true, status: 304, etag: ifNoneMatch });
    change();
    const after = tenant.call(method, { ...sent, ifNoneMatch });
    expect(after).toMatchObject({ ok: true, status: 200 });
    expect(after).not.toHaveProperty('etag', ifNoneMatch);
  });

  test('orgunits.list after an older unit is deleted, and domainAliases.list after an older alias is', () => {
    addUnit('lab');
    addUnit('shop');
    const units = { path: { customerId: customer }, query: { type: 'all' } };
    const unitsTag = tenant.ok('directory.orgunits.list', units)['etag'];
    dropUnit();
    expect(tenant.ok('directory.orgunits.list', units)['etag']).not.toBe(unitsTag);
    for (const domainAliasName of ['one.com', 'two.com']) {
      const body = { domainAliasName, parentDomainName: 'example.com' };
      tenant.ok('directory.domainAliases.insert', { path: { customer }, body });
    }
    const aliases = { path: { customer } };
    const aliasesTag = tenant.ok('directory.domainAliases.list', aliases)['etag'];
    tenant.ok('directory.domainAliases.delete', { path: { customer, domainAliasName: 'one.com' } });
    expect(tenant.ok('directory.domainAliases.list', aliases)['etag']).not.toBe(aliasesTag);
  });

  test.each([
    ['users', 'directory.users.list'],
    ['groups', 'directory.groups.list'],
  ])('a list of %s whose page stays and that goes on now has another tag', (_what, method) => {
    const query = { customer, maxResults: method.includes('users') ? 2 : 1, orderBy: 'email' };
    const before = tenant.ok(method, { query });
    expect(before).not.toHaveProperty('nextPageToken');
    addUser(tenant, 'zoe@example.com');
    addGroup(tenant, 'zoo@example.com');
    const after = tenant.ok(method, { query });
    expect(after['nextPageToken']).toEqual(expect.any(String));
    expect(after['etag']).not.toBe(before['etag']);
  });
});

describe('a writer names the version, however it was shown', () => {
  test('a tag of the public view, of a list, or from before the org unit was renamed lets a user be written', () => {
    const shown = tenant.ok('directory.users.get', { path: ANN, query: { viewType: 'domain_public' } });
    const whole = tenant.ok('directory.users.get', { path: ANN });
    expect(shown['etag']).not.toBe(whole['etag']);
    renameUnit();
    const renamed = tenant.ok('directory.users.get', { path: ANN });
    expect(renamed['etag']).not.toBe(whole['etag']);
    const patch = { path: ANN, body: { etag: text(shown['etag']), suspended: true } };
    expect(tenant.ok('directory.users.patch', { ...patch, ifMatch: text(whole['etag']) })['suspended']).toBe(true);
    expect(tenant.refused('directory.users.patch', { ...patch, ifMatch: text(renamed['etag']) })).toBe(
      '412 conditionNotMet: Precondition Failed: the resource was changed meanwhile',
    );
  });

  test.each([
    ['another revision with the same hash', (tag: string) => tag.replace('.', '0.')],
    ['a revision that only begins alike', (tag: string) => `${tag.split('.')[0]?.slice(0, -1)}."`],
    ['no revision', (tag: string) => `${tag.split('/')[0]}/"`],
    ['a hash alone', (tag: string) => `"${tag.split('.')[1]}`],
  ])('a tag of %s is of another version', (_what, changed) => {
    for (let n = 0; n < 40; n += 1) tenant.ok('directory.users.patch', { path: ANN, body: { suspended: n % 2 === 0 } });
    const tag = text(tenant.ok('directory.users.get', { path: ANN })['etag']);
    expect(tenant.refused('directory.users.patch', { path: ANN, body: {}, ifMatch: changed(tag) })).toMatch(/^412 /);
    expect(tenant.call('directory.users.patch', { path: ANN, body: {}, ifMatch: tag })).toMatchObject({ ok: true });
  });
});

test('a room, its building and a feature show their tag twice', () => {
  const building = tenant.ok('directory.resources.buildings.get', { path: { customer, buildingId: 'hq' } });
  const room = tenant.ok('directory.resources.calendars.get', { path: { customer, calendarResourceId: 'r1' } });
  const feature = tenant.ok('directory.resources.features.insert', { path: { customer }, body: { name: 'TV' } });
  for (const each of [building, room, feature]) expect(each['etags']).toBe(each['etag']);
});

test('K9: users.get needs two statements at most, tag and all', () => {
  addAlias();
  const { store } = tenant.engine;
  const before = store.statements();
  tenant.ok('directory.users.get', { path: ANN });
  expect(store.statements() - before).toBeLessThanOrEqual(2);
});

describe('a change that leaves all as it was', () => {
  test.each([
    ['directory.users.patch', ANN, {}],
    ['directory.users.patch', ANN, { suspended: false, name: { familyName: 'Other' } }],
    ['directory.users.patch', ANN, { primaryEmail: 'ANN@example.com', orgUnitPath: '/corp' }],
    ['directory.groups.patch', TEAM, { name: 'team' }],
    ['directory.orgunits.patch', { customerId: customer, orgUnitPath: 'corp' }, { name: 'corp' }],
  ])('%s %j %j writes no new revision and tells nothing', (method, path, body) => {
    const get = method.replace('patch', 'get');
    const before = tenant.ok(get, { path });
    const told = tenant.changes.length;
    const { etag, ...rest } = tenant.ok(method, { path, body });
    expect(tenant.ok(get, { path })).toEqual(before);
    expect({ ...rest, etag }).toMatchObject({ etag: before['etag'] });
    expect(tenant.changes).toHaveLength(told);
  });

  test('is still refused to a writer who saw another version', () => {
    expect(tenant.refused('directory.users.patch', { path: ANN, ifMatch: '"old"' })).toMatch(/^412 /);
  });
});
