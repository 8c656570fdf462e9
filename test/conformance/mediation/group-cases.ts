import { expect } from 'vitest';
import { statusRefusal } from '../support/status-refusal.ts';
import {
  ADMOB_NETWORK,
  APPLOVIN,
  type Case,
  FRAGMENT,
  INVALID,
  line,
  lineNamed,
  listedGroup,
  newGroup,
  newMapping,
  NOT_FOUND,
  PRECONDITION,
  type Publisher,
  unitId,
} from './publisher.ts';

/** Names of a group's lines and their variants, in order. */
async function variantsOf(publisher: Publisher, name: string): Promise<string[]> {
  const { mediationGroupLines: lines } = await listedGroup(publisher, name);
  return Object.values(lines ?? {})
    .map((each) => `${each.displayName}: ${each.experimentVariant}`)
    .toSorted();
}

const EXPERIMENT = {
  displayName: 'Dearer',
  treatmentTrafficPercentage: '30',
  treatmentMediationLines: [{ mediationGroupLine: line('B') }],
};

/** Mediation groups and their A/B experiments. */
export const groupCases: readonly Case[] = [
  {
    method: 'admob.accounts.mediationGroups.create',
    right: async (publisher) => {
      const group = await newGroup(publisher, ['A', 'B']);
      expect(group).toMatchObject({
        displayName: 'Group',
        state: 'ENABLED',
        mediationAbExperimentState: 'NOT_RUNNING',
      });
      expect(group.name).toBe(`${publisher.name}/mediationGroups/${group.mediationGroupId}`);
      const shown = await listedGroup(publisher, group.name ?? '');
      const sources = Object.values(shown.mediationGroupLines ?? {}).map(({ adSourceId }) => adSourceId);
      expect(sources).toHaveLength(3);
      expect(sources).toEqual(expect.arrayContaining([APPLOVIN, ADMOB_NETWORK]));
      expect(shown.targeting).toMatchObject({ adUnitIds: [unitId(publisher)], adUnits: [FRAGMENT] });
    },
    wrong: async ({ client, name, digits }) => {
      const targeting = { platform: 'ANDROID', format: 'BANNER', adUnitIds: [`ca-app-pub-${digits}/${FRAGMENT}`] };
      const right = { displayName: 'Group', targeting };
      const bodies = [
        { targeting },
        { displayName: 'Group' },
        { ...right, mediationGroupLines: { '1': line('A') } },
        { ...right, mediationGroupLines: { '-1': { ...line('A'), cpmMicros: '9999' } } },
        { ...right, targeting: { ...targeting, adUnitIds: ['ca-app-pub-1/2222222222'] } },
      ];
      for (const requestBody of bodies)
        expect(await statusRefusal(client.accounts.mediationGroups.create({ parent: name, requestBody }))).toBe(
          INVALID,
        );
      expect((await client.accounts.mediationGroups.list({ parent: name })).data).toEqual({});
    },
  },
  {
    method: 'admob.accounts.mediationGroups.list',
    right: async (publisher) => {
      const { client, name } = publisher;
      const group = await newGroup(publisher);
      const found = async (filter: string) =>
        (await client.accounts.mediationGroups.list({ parent: name, filter })).data.mediationGroups?.map(
          (each) => each.name,
        );
      const both = `IN(PLATFORM, "ANDROID") AND CONTAINS_ANY(AD_SOURCE_IDS, "${APPLOVIN}", "1")`;
      expect(await found(both)).toEqual([group.name]);
      expect(await found('IN(PLATFORM, "IOS")')).toBeUndefined();
    },
    wrong: async ({ client, name }) => {
      for (const filter of ['IN(COLOUR, "red")', 'IN(PLATFORM, "IOS") OR IN(FORMAT, "BANNER")'])
        expect(await statusRefusal(client.accounts.mediationGroups.list({ parent: name, filter }))).toBe(INVALID);
    },
  },
  {
    method: 'admob.accounts.mediationGroups.patch',
    right: async (publisher) => {
      const { mediationGroups } = publisher.client.accounts;
      const group = await newGroup(publisher);
      const name = group.name ?? '';
      const mapping = await newMapping(publisher);
      const { id } = lineNamed(group, 'A');
      const other = unitId(publisher, '2222222222');
      const { data } = await mediationGroups.patch({
        name,
        updateMask: [
          'mediationGroupLines["-1"]',
          'mediationGroupLines["-2"]',
          `mediationGroupLines["${id}"].adUnitMappings["${unitId(publisher)}"]`,
          `mediationGroupLines["${id}"].state`,
          'targeting.adUnitIds',
        ].join(','),
        requestBody: {
          targeting: { adUnitIds: [unitId(publisher), other] },
          mediationGroupLines: {
            '-1': { id: '-1', ...line('New 1') },
            '-2': { id: '-2', ...line('New 2') },
            [id]: { id, state: 'DISABLED', adUnitMappings: { [unitId(publisher)]: mapping } },
          },
        },
      });
      expect(data.name).toBe(name);
      const shown = await listedGroup(publisher, name);
      expect(shown.targeting).toMatchObject({ adUnitIds: [unitId(publisher), other], targetedRegionCodes: ['US'] });
      expect(lineNamed(shown, 'A')).toEqual({
        ...lineNamed(group, 'A'),
        state: 'DISABLED',
        adUnitMappings: { [unitId(publisher)]: mapping },
      });
      expect([lineNamed(shown, 'New 1').id, lineNamed(shown, 'New 2').id]).toEqual([
        expect.stringMatching(/^\d{16}$/),
        expect.stringMatching(/^\d{16}$/),
      ]);
    },
    wrong: async (publisher) => {
      const { mediationGroups } = publisher.client.accounts;
      const name = (await newGroup(publisher)).name ?? '';
      const before = await listedGroup(publisher, name);
      const lines = { '-1': { id: '-1', ...line('New') } };
      const tries: [string | undefined, Record<string, unknown>][] = [
        [undefined, { displayName: 'Other' }],
        ['colour', {}],
        ['targeting.platform', { targeting: { platform: 'IOS' } }],
        ['mediationGroupLines["-1"', { mediationGroupLines: lines }],
        ['mediationGroupLines["-1"],mediationGroupLines["-1"]', { mediationGroupLines: lines }],
        ['mediationGroupLines["-2"]', { mediationGroupLines: lines }],
        ['mediationGroupLines["1"].state', { mediationGroupLines: { '1': { id: '1', state: 'DISABLED' } } }],
      ];
      for (const [updateMask, requestBody] of tries) {
        const call = mediationGroups.patch({ name, ...(updateMask !== undefined && { updateMask }), requestBody });
        expect(await statusRefusal(call)).toBe(INVALID);
      }
      expect(await listedGroup(publisher, name)).toEqual(before);
      const gone = { name: `${publisher.name}/mediationGroups/1`, updateMask: 'displayName' };
      expect(await statusRefusal(mediationGroups.patch({ ...gone, requestBody: { displayName: 'x' } }))).toBe(
        NOT_FOUND,
      );
    },
  },
  {
    method: 'admob.accounts.mediationGroups.mediationAbExperiments.create',
    right: async (publisher) => {
      const { mediationAbExperiments } = publisher.client.accounts.mediationGroups;
      const parent = (await newGroup(publisher)).name ?? '';
      const { data } = await mediationAbExperiments.create({ parent, requestBody: EXPERIMENT });
      expect(data).toMatchObject({ displayName: 'Dearer', state: 'RUNNING', treatmentTrafficPercentage: '30' });
      expect((await listedGroup(publisher, parent)).mediationAbExperimentState).toBe('RUNNING');
      expect(await variantsOf(publisher, parent)).toEqual(['A: VARIANT_A', 'AdMob Network: VARIANT_A', 'B: VARIANT_B']);
    },
    wrong: async (publisher) => {
      const { mediationAbExperiments } = publisher.client.accounts.mediationGroups;
      const parent = (await newGroup(publisher)).name ?? '';
      for (const more of [{ treatmentTrafficPercentage: '100' }, { treatmentMediationLines: [] }]) {
        const requestBody = { ...EXPERIMENT, ...more };
        expect(await statusRefusal(mediationAbExperiments.create({ parent, requestBody }))).toBe(INVALID);
      }
      expect(await variantsOf(publisher, parent)).toEqual(['A: ORIGINAL', 'AdMob Network: ORIGINAL']);
      await mediationAbExperiments.create({ parent, requestBody: EXPERIMENT });
      const again = mediationAbExperiments.create({ parent, requestBody: EXPERIMENT });
      expect(await statusRefusal(again)).toBe(PRECONDITION);
    },
  },
  {
    method: 'admob.accounts.mediationGroups.mediationAbExperiments.stop',
    right: async (publisher) => {
      const { mediationAbExperiments } = publisher.client.accounts.mediationGroups;
      const parent = (await newGroup(publisher)).name ?? '';
      const created = await mediationAbExperiments.create({ parent, requestBody: EXPERIMENT });
      expect(created.data.name).toBe(`${parent}/mediationAbExperiment/${created.data.experimentId}`);
      const { data } = await mediationAbExperiments.stop({
        name: `${parent}/mediationAbExperiments`,
        requestBody: { variantChoice: 'VARIANT_CHOICE_B' },
      });
      expect(data).toMatchObject({ name: created.data.name, state: 'ENDED' });
      expect((await listedGroup(publisher, parent)).mediationAbExperimentState).toBe('NOT_RUNNING');
      expect(await variantsOf(publisher, parent)).toEqual(['AdMob Network: ORIGINAL', 'B: ORIGINAL']);
    },
    wrong: async (publisher) => {
      const { mediationAbExperiments } = publisher.client.accounts.mediationGroups;
      const parent = (await newGroup(publisher)).name ?? '';
      const name = (await mediationAbExperiments.create({ parent, requestBody: EXPERIMENT })).data.name ?? '';
      const requestBody = { variantChoice: 'VARIANT_CHOICE_A' };
      expect(await statusRefusal(mediationAbExperiments.stop({ name, requestBody: {} }))).toBe(INVALID);
      const gone = mediationAbExperiments.stop({ name: `${parent}/mediationAbExperiments/1`, requestBody });
      expect(await statusRefusal(gone)).toBe(NOT_FOUND);
      expect((await listedGroup(publisher, parent)).mediationAbExperimentState).toBe('RUNNING');
      await mediationAbExperiments.stop({ name, requestBody });
      for (const ended of [name, `${parent}/mediationAbExperiments`])
        expect(await statusRefusal(mediationAbExperiments.stop({ name: ended, requestBody }))).toBe(PRECONDITION);
    },
  },
];
