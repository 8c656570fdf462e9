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
    requestBody: { appId: app.appId ?? '', displayName: 'Banner', adFormat: 'BANNER', adTypes: ['RICH_MEDIA'] },
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
  const day = { year: 2026, month: 1, day: 5 };
  const reportSpec = { dateRange: { startDate: day, endDate: day }, dimensions: ['AD_UNIT'], metrics: ['IMPRESSIONS'] };
  const report = await released.accounts.networkReport.generate({ parent, requestBody: { reportSpec } });
  expect(report.data).toMatchObject([
    { header: { dateRange: reportSpec.dateRange } },
    { row: { dimensionValues: { AD_UNIT: { value: unit.adUnitId, displayLabel: 'Banner' } } } },
    { footer: { matchingRowCount: '1' } },
  ]);
  const { data: footer } = await released.accounts.mediationReport.generate({
    parent,
    fields: 'footer',
    requestBody: { reportSpec },
  });
  expect(footer).toEqual([{}, {}, { footer: { matchingRowCount: '1' } }]);
});

test('storage: a bucket that a client makes is found, listed in its project, empty, and gone once deleted', async () => {
  const storage = google.storage({ version: 'v1', ...at() });
  const [project, bucket] = ['first-calls', 'first-calls-bucket'];
  const requestBody = { name: bucket, location: 'eu', labels: { team: 'crew' }, versioning: { enabled: true } };
  const { data: made } = await storage.buckets.insert({ project, requestBody });
  expect(made).toMatchObject({
    kind: 'storage#bucket',
    id: bucket,
    name: bucket,
    location: 'EU',
    locationType: 'multi-region',
    storageClass: 'STANDARD',
    labels: { team: 'crew' },
    metageneration: '1',
  });
  expect((await storage.buckets.get({ bucket })).data).toEqual(made);
  expect((await storage.buckets.list({ project })).data.items).toEqual([made]);
  expect((await storage.buckets.list({ project, prefix: 'other' })).data.items).toBeUndefined();
  expect((await storage.objects.list({ bucket })).data).toEqual({ kind: 'storage#objects' });
  expect(await refused(storage.buckets.insert({ project, requestBody }))).toBe(409);
  expect(await refused(storage.objects.list({ bucket: 'first-calls-none' }))).toBe(404);
  await storage.buckets.delete({ bucket });
  expect(await refused(storage.buckets.get({ bucket }))).toBe(404);
  expect(await refused(storage.objects.list({ bucket }))).toBe(404);
});

test('storage: a bucket that a sink wrote to is there without being made, and is not deleted with its files', async () => {
  const { logging, storage } = {
    logging: google.logging({ version: 'v2', ...at() }),
    storage: google.storage({ version: 'v1', ...at() }),
  };
  const [project, bucket] = ['first-calls', 'first-calls-files'];
  const sink = { name: 'files', destination: `storage.googleapis.com/${bucket}`, filter: 'log_id("filed")' };
  await logging.projects.sinks.create({ parent: `projects/${project}`, requestBody: sink });
  const logName = `projects/${project}/logs/filed`;
  const requestBody = { logName, resource: { type: 'global' }, entries: [{ textPayload: 'one' }] };
  expect(await refused(storage.buckets.get({ bucket }))).toBe(404);
  await logging.entries.write({ requestBody });
  expect((await storage.buckets.get({ bucket })).data).toMatchObject({ name: bucket, location: 'US' });
  expect(await refused(storage.buckets.insert({ project, requestBody: { name: bucket } }))).toBe(409);
  expect(await refused(storage.buckets.delete({ bucket }))).toBe(409);
  expect((await storage.objects.list({ bucket })).data.items).toHaveLength(1);
});

test('Directory: printers and print servers are made, changed, listed by org unit and deleted in batches', async () => {
  const { admin, customer } = stack.world;
  const parent = `customers/${customer}`;
  const { printers, printServers } = admin.customers.chrome;
  const { data: unit } = await admin.orgunits.insert({
    customerId: 'my_customer',
    requestBody: { name: 'Print room', parentOrgUnitPath: '/' },
  });
  const orgUnitId = (unit.orgUnitId ?? '').replace('id:', '');
  const requestBody = { displayName: 'North', uri: 'ipp://10.0.0.1/ipp', makeAndModel: 'brother mfc-8840d' };
  const { data: made } = await printers.create({ parent, requestBody: { ...requestBody, orgUnitId } });
  expect(made).toMatchObject({ ...requestBody, orgUnitId, name: `${parent}/chrome/printers/${made.id}` });
  const name = made.name ?? '';
  await printers.patch({ name, updateMask: 'description', requestBody: { description: 'By the door', uri: 'x' } });
  expect((await printers.get({ name })).data).toMatchObject({ ...requestBody, description: 'By the door' });
  expect((await printers.list({ parent, orgUnitId })).data.printers).toHaveLength(1);
  const requests = ['East', 'West'].map((displayName) => ({ parent, printer: { ...requestBody, displayName } }));
  const { data: batch } = await printers.batchCreatePrinters({
    parent,
    requestBody: { requests: [...requests, { parent, printer: { displayName: 'No address' } }] },
  });
  expect([batch.printers?.length, batch.failures]).toMatchObject([2, [{ errorCode: 'INVALID_ARGUMENT' }]]);
  const { data: sorted } = await printers.list({ parent, orderBy: 'display_name desc' });
  expect(sorted.printers?.map(({ displayName }) => displayName)).toEqual(['West', 'North', 'East']);
  const printerIds = [...(batch.printers ?? []).map(({ id }) => id ?? ''), 'none'];
  const { data: gone } = await printers.batchDeletePrinters({ parent, requestBody: { printerIds } });
  expect(gone).toMatchObject({ printerIds: printerIds.slice(0, 2), failedPrinters: [{ printerId: 'none' }] });
  const { data: models } = await printers.listPrinterModels({ parent, filter: 'manufacturer:Brother' });
  expect(models.printerModels).toContainEqual({
    manufacturer: 'Brother',
    displayName: 'Brother MFC-8840D',
    makeAndModel: requestBody.makeAndModel,
  });
  const server = { displayName: 'queue', uri: 'ipps://print.example.com/' };
  const { data: queue } = await printServers.create({ parent, requestBody: server });
  const filter = "printServer.displayName=='queue'";
  expect((await printServers.list({ parent, filter })).data.printServers).toEqual([queue]);
  await printServers.delete({ name: queue.name ?? '' });
  expect(await refused(printServers.get({ name: queue.name ?? '' }))).toBe(404);
  expect(await refused(printers.list({ parent: 'customers/C0foreign' }))).toBe(403);
});

test('licensing and usage reports: a licence that is given is listed, counted, moved and taken', async () => {
  const { admin, domain, customer } = stack.world;
  const licenses = google.licensing({ version: 'v1', ...at() }).licenseAssignments;
  const { customerUsageReports, userUsageReport } = google.admin({ version: 'reports_v1', ...at() });
  const userId = `licensed@${domain}`;
  const name = { givenName: 'Ann', familyName: 'Other' };
  await admin.users.insert({ requestBody: { primaryEmail: userId, password: 'correct horse', name } });
  const [productId, skuId, other] = ['Google-Apps', 'Google-Apps-For-Business', '1010020020'];
  await licenses.insert({ productId, skuId, requestBody: { userId } });
  expect((await licenses.get({ productId, skuId, userId })).data).toMatchObject({ userId, skuId });
  expect((await licenses.listForProduct({ productId, customerId: customer })).data.items).toMatchObject([{ userId }]);
  const date = new Date(Date.now() - 2 * 86_400_000).toISOString().slice(0, 10);
  const parameters = 'accounts:num_users,accounts:gsuite_basic_used_licenses';
  const { data: report } = await customerUsageReports.get({ date, parameters });
  expect(report.usageReports?.[0]?.parameters).toContainEqual({
    name: 'accounts:gsuite_basic_used_licenses',
    intValue: '1',
  });
  const { data: users } = await userUsageReport.get({ date, userKey: userId });
  expect(users.usageReports).toMatchObject([{ entity: { type: 'USER', userEmail: userId } }]);
  await licenses.patch({ productId, skuId, userId, requestBody: { skuId: other } });
  expect(await refused(licenses.get({ productId, skuId, userId }))).toBe(404);
  await licenses.delete({ productId, skuId: other, userId });
  expect(
    (await licenses.listForProductAndSku({ productId, skuId: other, customerId: customer })).data.items,
  ).toBeUndefined();
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
