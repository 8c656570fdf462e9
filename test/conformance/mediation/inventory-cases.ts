import { expect } from 'vitest';
import { statusRefusal } from '../support/status-refusal.ts';
import { APPLOVIN, type Case, INVALID, newMapping, NOT_FOUND, type Publisher, unitName } from './publisher.ts';

const newApp = async ({ client, name }: Publisher): Promise<string> => {
  const requestBody = { platform: 'ANDROID', manualAppInfo: { displayName: 'Puzzle' } };
  return (await client.accounts.apps.create({ parent: name, requestBody })).data.appId ?? '';
};

/** Accounts, the catalogue, apps, ad units and their mappings. */
export const inventoryCases: readonly Case[] = [
  {
    method: 'admob.accounts.get',
    right: async ({ client, name, digits }) => {
      const { data } = await client.accounts.get({ name });
      expect(data).toMatchObject({ name, publisherId: `pub-${digits}`, currencyCode: 'USD' });
    },
    wrong: async ({ client }) => {
      expect(await statusRefusal(client.accounts.get({ name: 'accounts/none' }))).toBe(INVALID);
    },
  },
  {
    method: 'admob.accounts.list',
    right: async (publisher) => {
      const { client, name } = publisher;
      const names = async () => (await client.accounts.list({})).data.account?.map((each) => each.name) ?? [];
      expect(await names()).not.toContain(name);
      await newApp(publisher);
      expect(await names()).toContain(name);
    },
    wrong: async ({ client }) => {
      expect(await statusRefusal(client.accounts.list({ pageSize: -1 }))).toBe(INVALID);
      expect(await statusRefusal(client.accounts.list({ pageToken: 'made-up' }))).toBe(INVALID);
    },
  },
  {
    method: 'admob.accounts.adSources.list',
    right: async ({ client, name }) => {
      const first = (await client.accounts.adSources.list({ parent: name, pageSize: 15 })).data;
      const pageToken = first.nextPageToken ?? '';
      const { data } = await client.accounts.adSources.list({ parent: name, pageSize: 15, pageToken });
      const all = [...(first.adSources ?? []), ...(data.adSources ?? [])];
      expect(all.length).toBeGreaterThan(20);
      expect(all).toContainEqual({
        name: `${name}/adSources/${APPLOVIN}`,
        adSourceId: APPLOVIN,
        title: 'AppLovin',
      });
    },
    wrong: async ({ client, name }) => {
      const call = client.accounts.adSources.list({ parent: name, pageToken: 'made-up' });
      expect(await statusRefusal(call)).toBe(INVALID);
    },
  },
  {
    method: 'admob.accounts.adSources.adapters.list',
    right: async ({ client, name }) => {
      const { data } = await client.accounts.adSources.adapters.list({ parent: `${name}/adSources/${APPLOVIN}` });
      expect(data.adapters?.map(({ platform }) => platform)).toEqual(['ANDROID', 'IOS']);
      expect(data.adapters?.[0]?.adapterConfigMetadata).toContainEqual({
        adapterConfigMetadataId: expect.stringMatching(/^\d+$/),
        adapterConfigMetadataLabel: 'SDK Key',
        isRequired: true,
      });
    },
    wrong: async ({ client, name }) => {
      const call = client.accounts.adSources.adapters.list({ parent: `${name}/adSources/1` });
      expect(await statusRefusal(call)).toBe(NOT_FOUND);
    },
  },
  {
    method: 'admob.accounts.apps.create',
    right: async (publisher) => {
      const appId = await newApp(publisher);
      expect(appId.replace(publisher.digits, '1')).toMatch(/^ca-app-pub-1~\d{10}$/);
      const { data } = await publisher.client.accounts.apps.list({ parent: publisher.name });
      expect(data.apps).toMatchObject([{ appId, platform: 'ANDROID', manualAppInfo: { displayName: 'Puzzle' } }]);
    },
    wrong: async ({ client, name }) => {
      const call = client.accounts.apps.create({ parent: name, requestBody: { platform: 'PAPER' } });
      expect(await statusRefusal(call)).toBe(INVALID);
      expect((await client.accounts.apps.list({ parent: name })).data).toEqual({});
    },
  },
  {
    method: 'admob.accounts.apps.list',
    right: async (publisher) => {
      const ids = [await newApp(publisher), await newApp(publisher)];
      const { data } = await publisher.client.accounts.apps.list({ parent: publisher.name });
      expect(data.apps?.map(({ appId }) => appId)).toEqual(ids.toSorted());
    },
    wrong: async ({ client, name }) => {
      expect(await statusRefusal(client.accounts.apps.list({ parent: name, pageSize: -1 }))).toBe(INVALID);
    },
  },
  {
    method: 'admob.accounts.adUnits.create',
    right: async (publisher) => {
      const { client, name } = publisher;
      const requestBody = {
        appId: await newApp(publisher),
        displayName: 'Coins',
        adFormat: 'REWARDED',
        rewardSettings: { unitAmount: '10', unitType: 'coins' },
      };
      const { data } = await client.accounts.adUnits.create({ parent: name, requestBody });
      expect(data).toMatchObject({ ...requestBody, adTypes: ['RICH_MEDIA', 'VIDEO'] });
      expect((await client.accounts.adUnits.list({ parent: name })).data.adUnits).toEqual([data]);
    },
    wrong: async (publisher) => {
      const { client, name, digits } = publisher;
      const requestBody = { appId: `ca-app-pub-${digits}~0000000000`, displayName: 'Unit', adFormat: 'BANNER' };
      expect(await statusRefusal(client.accounts.adUnits.create({ parent: name, requestBody }))).toBe(INVALID);
      expect((await client.accounts.adUnits.list({ parent: name })).data).toEqual({});
    },
  },
  {
    method: 'admob.accounts.adUnits.list',
    right: async (publisher) => {
      const { client, name } = publisher;
      const requestBody = { appId: await newApp(publisher), displayName: 'Unit', adFormat: 'BANNER' };
      for (let count = 0; count < 3; count += 1) await client.accounts.adUnits.create({ parent: name, requestBody });
      const first = (await client.accounts.adUnits.list({ parent: name, pageSize: 2 })).data;
      const pageToken = first.nextPageToken ?? '';
      const { data } = await client.accounts.adUnits.list({ parent: name, pageSize: 2, pageToken });
      expect([first.adUnits?.length, data.adUnits?.length, data.nextPageToken]).toEqual([2, 1, undefined]);
    },
    wrong: async ({ client, name }) => {
      expect(await statusRefusal(client.accounts.adUnits.list({ parent: name, pageToken: 'x' }))).toBe(INVALID);
    },
  },
  {
    method: 'admob.accounts.adUnits.adUnitMappings.create',
    right: async (publisher) => {
      const name = await newMapping(publisher);
      expect(name.replace(unitName(publisher), '')).toMatch(/^\/adUnitMappings\/\d+$/);
      const { data } = await publisher.client.accounts.adUnits.adUnitMappings.list({ parent: unitName(publisher) });
      expect(data.adUnitMappings).toMatchObject([{ name, displayName: 'Zone', state: 'ENABLED' }]);
    },
    wrong: async (publisher) => {
      const { adUnitMappings } = publisher.client.accounts.adUnits;
      const parent = unitName(publisher);
      const bodies = [
        {},
        { adapterId: '1' },
        { adapterId: '107', adUnitConfigurations: {} },
        { adapterId: '107', adUnitConfigurations: { '1071': 'key', other: 'x' } },
      ];
      for (const requestBody of bodies)
        expect(await statusRefusal(adUnitMappings.create({ parent, requestBody }))).toBe(INVALID);
      expect((await adUnitMappings.list({ parent })).data).toEqual({});
    },
  },
  {
    method: 'admob.accounts.adUnits.adUnitMappings.list',
    right: async (publisher) => {
      const names = [await newMapping(publisher, 'One, "quoted"'), await newMapping(publisher, 'Two')];
      const parent = unitName(publisher);
      const filter = 'IN(DISPLAY_NAME, "One, \\"quoted\\"", "Three")';
      const { data } = await publisher.client.accounts.adUnits.adUnitMappings.list({ parent, filter });
      expect(data.adUnitMappings?.map(({ name }) => name)).toEqual([names[0]]);
    },
    wrong: async (publisher) => {
      const { adUnitMappings } = publisher.client.accounts.adUnits;
      const parent = unitName(publisher);
      expect(await statusRefusal(adUnitMappings.list({ parent, filter: 'IN(STATE, "ENABLED")' }))).toBe(INVALID);
      expect(await statusRefusal(adUnitMappings.list({ parent: `${publisher.name}/adUnits/1` }))).toBe(INVALID);
    },
  },
  {
    method: 'admob.accounts.adUnitMappings.batchCreate',
    right: async (publisher) => {
      const { client, name } = publisher;
      const requests = ['1111111111', '2222222222'].map((fragment) => ({
        parent: unitName(publisher, fragment),
        adUnitMapping: { displayName: fragment, adapterId: '101' },
      }));
      const { data } = await client.accounts.adUnitMappings.batchCreate({ parent: name, requestBody: { requests } });
      expect(data.adUnitMappings?.map(({ displayName }) => displayName)).toEqual(['1111111111', '2222222222']);
      const found = await client.accounts.adUnits.adUnitMappings.list({ parent: unitName(publisher, '2222222222') });
      expect(found.data.adUnitMappings).toEqual(data.adUnitMappings?.slice(1));
    },
    wrong: async (publisher) => {
      const { client, name } = publisher;
      const parent = unitName(publisher);
      const one = { parent, adUnitMapping: { adapterId: '101' } };
      const tries = [[], Array.from({ length: 101 }, () => one), [one, { parent, adUnitMapping: { adapterId: '1' } }]];
      for (const requests of tries) {
        const call = client.accounts.adUnitMappings.batchCreate({ parent: name, requestBody: { requests } });
        expect(await statusRefusal(call)).toBe(INVALID);
      }
      expect((await client.accounts.adUnits.adUnitMappings.list({ parent })).data).toEqual({});
    },
  },
];
