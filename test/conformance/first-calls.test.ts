import { google } from 'googleapis';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { joinControlStack } from './support/control-stack.ts';

let stack: Awaited<ReturnType<typeof joinControlStack>>;

beforeAll(async () => {
  stack = await joinControlStack();
});
afterAll(async () => stack?.stop());

/** How an official client is pointed at the stack. */
function at() {
  const auth = new google.auth.OAuth2();
  auth.setCredentials({ access_token: stack.world.token });
  return { rootUrl: `${stack.world.url}/`, auth };
}

/** What a client says of a refusal. */
const refused = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => 'not refused',
    (error: unknown) => (error as { status?: unknown }).status,
  );

test('AdMob v1: accounts, apps and ad units that the beta made are read by the released version', async () => {
  const [beta, released] = [google.admob({ version: 'v1beta', ...at() }), google.admob({ version: 'v1', ...at() })];
  const parent = `accounts/pub-${Date.now()}`;
  const { data: app } = await beta.accounts.apps.create({
    parent,
    requestBody: { platform: 'ANDROID', linkedAppInfo: { appStoreId: 'com.example.first' } },
  });
  const { data: unit } = await beta.accounts.adUnits.create({
    parent,
    requestBody: { appId: app.appId, displayName: 'Banner', adFormat: 'BANNER', adTypes: ['RICH_MEDIA'] },
  });
  const { data: account } = await released.accounts.get({ name: parent });
  expect(account).toEqual((await beta.accounts.get({ name: parent })).data);
  expect((await released.accounts.list()).data.account).toContainEqual(account);
  const { data: apps } = await released.accounts.apps.list({ parent });
  expect(apps.apps).toMatchObject([{ appId: app.appId, linkedAppInfo: { appStoreId: 'com.example.first' } }]);
  expect(apps.apps?.[0]?.linkedAppInfo).not.toHaveProperty('androidAppStores');
  expect((await released.accounts.adUnits.list({ parent })).data.adUnits).toMatchObject([
    { adUnitId: unit.adUnitId, adFormat: 'BANNER' },
  ]);
  expect(await refused(released.accounts.get({ name: 'accounts/someone' }))).toBe(400);
});

test('groups settings: what the client sets of a group is read back, and the group of the Directory is renamed', async () => {
  const { admin, domain } = stack.world;
  const settings = google.groupssettings({ version: 'v1', ...at() });
  const groupUniqueId = `first-calls@${domain}`;
  await admin.groups.insert({ requestBody: { email: groupUniqueId, name: 'First' } });
  expect((await settings.groups.get({ groupUniqueId })).data).toMatchObject({ email: groupUniqueId, name: 'First' });
  const requestBody = { name: 'Second', whoCanJoin: 'INVITED_CAN_JOIN', allowExternalMembers: 'true' };
  await settings.groups.update({ groupUniqueId, requestBody });
  await settings.groups.patch({ groupUniqueId, requestBody: { isArchived: 'true' } });
  const { data } = await settings.groups.get({ groupUniqueId });
  expect(data).toMatchObject({ ...requestBody, isArchived: 'true', kind: 'groupsSettings#groups' });
  expect((await admin.groups.get({ groupKey: groupUniqueId })).data.name).toBe('Second');
  expect(await refused(settings.groups.get({ groupUniqueId: `none@${domain}` }))).toBe(404);
});
