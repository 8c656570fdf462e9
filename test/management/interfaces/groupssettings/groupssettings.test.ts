import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/lib/json.ts';
import { methods } from '../../../../src/management/core/table/method-row.ts';
import { getSchemas } from '../../../../src/management/core/table/schemas.ts';
import { GROUP_SETTINGS } from '../../../../src/management/interfaces/groupssettings/settings-data.ts';
import { addGroup, addUser } from '../../../support/management/directory.ts';
import { testTenant, type TestTenant } from '../../../support/management/management.ts';

const GROUP = 'crew@example.com';
const path = { groupUniqueId: GROUP };
const NOT_FOUND = '404 notFound: Resource Not Found: groupKey';

function withGroup(): TestTenant {
  const tenant = testTenant();
  addGroup(tenant, GROUP);
  return tenant;
}

const get = (tenant: TestTenant, groupUniqueId = GROUP): JsonObject =>
  tenant.ok('groupsSettings.groups.get', { path: { groupUniqueId } });
const patch = (tenant: TestTenant, body: JsonObject): JsonObject =>
  tenant.ok('groupsSettings.groups.patch', { path, body });

test('a group has all settings from the start, as texts, under its address, alias and id', () => {
  const tenant = testTenant();
  const id = addGroup(tenant, GROUP);
  tenant.ok('directory.groups.aliases.insert', { path: { groupKey: GROUP }, body: { alias: 'ship@example.com' } });
  const found = get(tenant);
  expect(found).toMatchObject({
    kind: 'groupsSettings#groups',
    email: GROUP,
    name: 'crew',
    description: '',
    allowExternalMembers: 'false',
    whoCanJoin: 'CAN_REQUEST_TO_JOIN',
    maxMessageBytes: 26_214_400,
  });
  for (const key of [id, 'ship@example.com', 'CREW@example.com']) expect(get(tenant, key)).toEqual(found);
});

test('every setting is a field of the vendor, and every field of the vendor is shown or settable', () => {
  const fields = Object.keys(getSchemas('groupssettings', 'v1')['Groups'] ?? {});
  expect(Object.keys(GROUP_SETTINGS).filter((name) => !fields.includes(name))).toEqual([]);
  const shown = get(withGroup());
  expect(fields.filter((name) => !(name in shown) && !(name in GROUP_SETTINGS))).toEqual([]);
  expect(Object.keys(shown).filter((name) => !fields.includes(name))).toEqual([]);
  expect(methods.filter((row) => row.interface === 'groupssettings')).toHaveLength(3);
});

test.each(['patch', 'update'])(
  '%s changes what is sent and keeps the rest; null is the initial value again',
  (verb) => {
    const tenant = withGroup();
    const initial = get(tenant);
    patch(tenant, { whoCanJoin: 'INVITED_CAN_JOIN', customFooterText: 'Ahoy' });
    const body = { allowExternalMembers: 'true', customFooterText: null };
    const changed = tenant.ok(`groupsSettings.groups.${verb}`, { path, body });
    expect(changed).toEqual({ ...initial, whoCanJoin: 'INVITED_CAN_JOIN', allowExternalMembers: 'true' });
    expect(get(tenant)).toEqual(changed);
  },
);

test('with strict_put, update gives what is left out its initial value again', () => {
  const tenant = withGroup();
  const initial = get(tenant);
  patch(tenant, { description: 'All of them', whoCanJoin: 'INVITED_CAN_JOIN', customFooterText: 'Ahoy' });
  tenant.engine.isStrictPut = () => true;
  const changed = tenant.ok('groupsSettings.groups.update', { path, body: { allowExternalMembers: 'true' } });
  expect(changed).toEqual({ ...initial, allowExternalMembers: 'true' });
  patch(tenant, { whoCanJoin: 'INVITED_CAN_JOIN' });
  expect(get(tenant)).toMatchObject({ allowExternalMembers: 'true', whoCanJoin: 'INVITED_CAN_JOIN' });
});

test('name and description are those of the group of the Directory, which stays findable by its new name', () => {
  const tenant = withGroup();
  expect(patch(tenant, { name: 'Deck hands', description: 'All of them' })).toMatchObject({ name: 'Deck hands' });
  expect(tenant.ok('directory.groups.get', { path: { groupKey: GROUP } })).toMatchObject({
    name: 'Deck hands',
    description: 'All of them',
  });
  const query = { customer: 'my_customer', query: "name:'Deck*'" };
  expect(tenant.ok('directory.groups.list', { query })).toMatchObject({ groups: [{ email: GROUP }] });
});

test('settings follow a group that is renamed, and go with one that is deleted', () => {
  const tenant = withGroup();
  patch(tenant, { whoCanJoin: 'ANYONE_CAN_JOIN' });
  tenant.ok('directory.groups.patch', { path: { groupKey: GROUP }, body: { email: 'team@example.com' } });
  expect(get(tenant, 'team@example.com')).toMatchObject({ email: 'team@example.com', whoCanJoin: 'ANYONE_CAN_JOIN' });
  tenant.ok('directory.groups.delete', { path: { groupKey: 'team@example.com' } });
  expect(tenant.refused('groupsSettings.groups.get', { path })).toBe(NOT_FOUND);
  addGroup(tenant, GROUP);
  expect(get(tenant)).toMatchObject({ whoCanJoin: 'CAN_REQUEST_TO_JOIN' });
});

test('a user, and an address that nothing has, are no groups', () => {
  const tenant = testTenant();
  addUser(tenant, 'ann@example.com');
  for (const groupUniqueId of ['ann@example.com', 'none@example.com', 'none'])
    for (const verb of ['get', 'patch', 'update'])
      expect(tenant.refused(`groupsSettings.groups.${verb}`, { path: { groupUniqueId } })).toBe(NOT_FOUND);
});

test('a group that is archived takes no posts, and managers post once it is not', () => {
  const tenant = withGroup();
  expect(patch(tenant, { archiveOnly: 'true' })).toMatchObject({ whoCanPostMessage: 'NONE_CAN_POST' });
  expect(patch(tenant, { archiveOnly: 'false' })).toMatchObject({ whoCanPostMessage: 'ALL_MANAGERS_CAN_POST' });
  patch(tenant, { archiveOnly: 'true' });
  const opened = { archiveOnly: 'false', whoCanPostMessage: 'ANYONE_CAN_POST' };
  expect(patch(tenant, opened)).toMatchObject(opened);
});

test.each<[string, JsonObject, string]>([
  ['a word of another setting', { whoCanJoin: 'NONE_CAN_POST' }, '400 invalid: Invalid Value for: whoCanJoin'],
  ['a boolean in capitals', { isArchived: 'True' }, '400 invalid: Invalid Value for: isArchived'],
  ['a long footer', { customFooterText: 'x'.repeat(1_001) }, '400 invalid: Invalid Value for: customFooterText'],
  ['a long name', { name: 'x'.repeat(76) }, '400 invalid: Invalid Value for: name'],
  ['a long description', { description: 'x'.repeat(301) }, '400 invalid: Invalid Value for: description'],
  ['replies to nowhere', { replyTo: 'REPLY_TO_CUSTOM' }, '400 required: Missing required field: customReplyTo'],
  [
    'no posts without an archive',
    { whoCanPostMessage: 'NONE_CAN_POST' },
    '400 invalid: whoCanPostMessage can be NONE_CAN_POST only where archiveOnly is true',
  ],
])('%s is refused, and changes nothing', (_what, body, refusal) => {
  const tenant = withGroup();
  const before = get(tenant);
  expect(tenant.refused('groupsSettings.groups.update', { path, body: { name: 'Other', ...body } })).toBe(refusal);
  expect(get(tenant)).toEqual(before);
});

test('what only the server sets is ignored', () => {
  const tenant = withGroup();
  const before = get(tenant);
  const body = {
    email: 'other@example.com',
    kind: 'x',
    maxMessageBytes: 1,
    customRolesEnabledForSettingsToBeMerged: 'true',
  };
  expect(patch(tenant, body)).toEqual(before);
});
