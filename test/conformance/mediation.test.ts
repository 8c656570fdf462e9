import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { methods } from '../../src/management/core/table/method-row.ts';
import { groupCases } from './mediation/group-cases.ts';
import { inventoryCases } from './mediation/inventory-cases.ts';
import {
  line,
  lineNamed,
  listedGroup,
  newGroup,
  newMapping,
  type Publisher,
  publisherOf,
  unitId,
  unitName,
} from './mediation/publisher.ts';
import { joinControlStack } from './support/control-stack.ts';
import { statusRefusal } from './support/status-refusal.ts';

const cases = [...inventoryCases, ...groupCases];
const rows = methods.filter((row) => row.interface === 'mediation' && row.version === 'v1beta');

let stack: Awaited<ReturnType<typeof joinControlStack>>;
/** Of another tenant. */
let theirToken: string;

beforeAll(async () => {
  stack = await joinControlStack();
  theirToken = await stack.anotherToken('C00000002');
});
afterAll(async () => stack?.stop());

const publisher = (token = stack.world.token): Publisher => publisherOf(stack.world.url, token);

test('the seven rows of the seed, and nine beyond it, are called by the official client here', () => {
  expect(rows.filter(({ inSeed }) => inSeed)).toHaveLength(7);
  expect(rows).toHaveLength(16);
  expect(cases.map(({ method }) => method).toSorted()).toEqual(rows.map(({ id }) => id).toSorted());
});

describe.each(cases)('$method', ({ right, wrong }) => {
  test('does what it says, as another method shows', async () => {
    await right(publisher());
  });

  test('refuses what the vendor refuses, in its words', async () => {
    await wrong(publisher());
  });
});

/** A request as it is written on the wire, without a client that spells its query. */
async function sent(method: string, path: string, body: unknown): Promise<{ status: number; body: unknown }> {
  const answer = await fetch(`${stack.world.url}/v1beta/${path}`, {
    method,
    headers: { authorization: `Bearer ${stack.world.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: answer.status, body: await answer.json() };
}

test.each([
  ['quoted and percent-encoded, as the seed writes them', (id: string) => `mediationGroupLines%5B%22${id}%22%5D.state`],
  ['bare and percent-encoded', (id: string) => `mediationGroupLines%5B${id}%5D.state`],
  ['bare and as they are', (id: string) => `mediationGroupLines[${id}].state`],
  ['in the spelling of the vendor’s guide', (id: string) => `mediation_group_lines%5B%22${id}%22%5D.state`],
])('keys of a mask are read %s', async (_how, mask) => {
  const mine = publisher();
  const group = await newGroup(mine);
  const { id } = lineNamed(group, 'A');
  const body = { mediationGroupLines: { [id]: { id, state: 'DISABLED' } } };
  expect(await sent('PATCH', `${group.name}?updateMask=${mask(id)}`, body)).toMatchObject({ status: 200 });
  expect(lineNamed(await listedGroup(mine, group.name ?? ''), 'A').state).toBe('DISABLED');
});

test('several new lines and a mapping by a key with a slash, in one percent-encoded mask', async () => {
  const mine = publisher();
  const group = await newGroup(mine);
  const { id } = lineNamed(group, 'A');
  const mapping = await newMapping(mine);
  const unit = unitId(mine);
  const mask = `mediationGroupLines["-1"],mediationGroupLines["-2"],mediationGroupLines["${id}"].adUnitMappings["${unit}"]`;
  const body = {
    mediationGroupLines: {
      '-1': { id: '-1', ...line('New 1') },
      '-2': { id: '-2', ...line('New 2'), adUnitMappings: { [unit]: mapping } },
      [id]: { id, adUnitMappings: { [unit]: mapping } },
    },
  };
  const path = `${group.name}?updateMask=${encodeURIComponent(mask)}`;
  expect(await sent('PATCH', path, body)).toMatchObject({ status: 200 });
  const shown = await listedGroup(mine, group.name ?? '');
  expect(Object.keys(shown.mediationGroupLines ?? {})).toHaveLength(4);
  expect(lineNamed(shown, 'A').adUnitMappings).toEqual({ [unit]: mapping });
  expect(lineNamed(shown, 'New 2').adUnitMappings).toEqual({ [unit]: mapping });
});

test.each(['mediationAbExperiments', 'mediationAbExperiment'])(
  'an experiment is ended by its id behind %s too',
  async (segment) => {
    const mine = publisher();
    const parent = (await newGroup(mine)).name ?? '';
    const { data } = await mine.client.accounts.mediationGroups.mediationAbExperiments.create({
      parent,
      requestBody: {
        displayName: 'Dearer',
        treatmentTrafficPercentage: '30',
        treatmentMediationLines: [{ mediationGroupLine: line('B') }],
      },
    });
    const path = `${parent}/${segment}/${data.experimentId}:stop`;
    expect(await sent('POST', path, { variantChoice: 'VARIANT_CHOICE_A' })).toMatchObject({
      status: 200,
      body: { name: data.name, state: 'ENDED' },
    });
  },
);

test('a whole line is merged by what is sent, and a null clears', async () => {
  const mine = publisher();
  const group = await newGroup(mine);
  const { id } = lineNamed(group, 'A');
  const mapping = await newMapping(mine);
  const patch = async (mediationGroupLine: Record<string, unknown>) =>
    await sent('PATCH', `${group.name}?updateMask=${encodeURIComponent(`mediationGroupLines["${id}"],`)}`, {
      mediationGroupLines: { [id]: mediationGroupLine },
    });
  const shown = async () => lineNamed(await listedGroup(mine, group.name ?? ''), 'A');
  const before = await shown();
  await patch({ id, adUnitMappings: { [unitId(mine)]: mapping } });
  expect(await patch({ id, cpmMicros: '70000' })).toMatchObject({ status: 200 });
  expect(await shown()).toEqual({ ...before, cpmMicros: '70000', adUnitMappings: { [unitId(mine)]: mapping } });
  expect(await patch({ id, adUnitMappings: null })).toMatchObject({ status: 200 });
  expect(await shown()).toEqual({ ...before, cpmMicros: '70000' });
  expect(await patch({ id, cpmMicros: null })).toMatchObject({ status: 400 });
  expect(await shown()).toEqual({ ...before, cpmMicros: '70000' });
});

test('a publisher that was only read is in the list of accounts', async () => {
  const mine = publisher();
  await mine.client.accounts.mediationGroups.list({ parent: mine.name });
  const { data } = await mine.client.accounts.list({});
  expect(data.account?.map(({ name }) => name)).toContain(mine.name);
});

test('a mapping as the seed sends it, with a name, and a group with its spellings of platform and state', async () => {
  const mine = publisher();
  const made = await sent('POST', `${unitName(mine)}/adUnitMappings`, {
    name: 'Zone',
    adapterId: 107,
    adUnitConfigurations: { '1071': 'key' },
  });
  expect(made).toMatchObject({ status: 200, body: { adapterId: '107', state: 'ENABLED' } });
  expect(made.body).not.toMatchObject({ name: 'Zone' });
  const group = await sent('POST', `${mine.name}/mediationGroups`, {
    displayName: 'Group',
    state: 'NOT_RUNNING',
    targeting: { platform: 'iOS', format: 'BANNER', idfaTargeting: 'AVAILABLE', adUnitIds: [unitId(mine)] },
  });
  expect(group).toMatchObject({ status: 200, body: { state: 'ENABLED', targeting: { platform: 'IOS' } } });
});

describe('K1', () => {
  const DENIED = '403 PERMISSION_DENIED';
  const theirs = (): Publisher => publisher(theirToken);

  test.each(cases.map(({ method }) => method).filter((method) => method !== 'admob.accounts.list'))(
    '%s is refused to another tenant in the same words, whether the resource is there or not',
    async (method) => {
      const mine = publisher();
      const name = (await newGroup(mine)).name ?? '';
      const row = rows.find(({ id }) => id === method);
      const rest = (row?.path ?? '').replace(/^\/v1beta\/\{\w+=(.*)\}/, '$1').replace(/^accounts\/\*/, '');
      const path = (last: string) =>
        `${mine.name}${rest.replace('mediationGroups/*', `mediationGroups/${last}`).replaceAll('*', '1111111111')}`;
      const ask = async (at: string): Promise<[number, string]> => {
        const answer = await fetch(`${stack.world.url}/v1beta/${at}`, {
          method: row?.httpMethod ?? '',
          headers: { authorization: `Bearer ${theirToken}`, 'content-type': 'application/json' },
          ...(row?.request !== undefined && { body: '{}' }),
        });
        return [answer.status, await answer.text()];
      };
      const [ours, nobodys] = [await ask(path(name.split('/').at(-1) ?? '')), await ask(path('1'))];
      expect(ours[0]).toBe(403);
      expect(nobodys).toEqual(ours);
    },
  );

  test('a mapping of another publisher in a line, and a unit of it in a batch, are refused before they are looked up', async () => {
    const mapping = await newMapping(publisher());
    const other = theirs();
    const { id } = lineNamed(await newGroup(other), 'A');
    const name = (await other.client.accounts.mediationGroups.list({ parent: other.name })).data.mediationGroups?.[0]
      ?.name;
    for (const each of [mapping, mapping.replace(/\d+$/, '1')]) {
      const patch = other.client.accounts.mediationGroups.patch({
        name: name ?? '',
        updateMask: `mediationGroupLines["${id}"].adUnitMappings["${unitId(other)}"]`,
        requestBody: { mediationGroupLines: { [id]: { id, adUnitMappings: { [unitId(other)]: each } } } },
      });
      expect(await statusRefusal(patch)).toBe(DENIED);
    }
    const requests = [{ parent: mapping.replace(/\/adUnitMappings.*$/, ''), adUnitMapping: { adapterId: '101' } }];
    const batch = other.client.accounts.adUnitMappings.batchCreate({ parent: other.name, requestBody: { requests } });
    expect(await statusRefusal(batch)).toBe(DENIED);
  });

  test('publishers of one tenant are in no list of another', async () => {
    await newGroup(publisher());
    const other = theirs();
    await newGroup(other);
    const { data } = await other.client.accounts.list({});
    const mine = await publisher().client.accounts.list({});
    const names = new Set(data.account?.map(({ name }) => name));
    expect(names.has(other.name)).toBe(true);
    expect(mine.data.account?.filter(({ name }) => names.has(name))).toEqual([]);
  });
});

test('a batch creates all of a hundred mappings or none', async () => {
  const mine = publisher();
  const { client, name } = mine;
  const parent = unitName(mine);
  const requests = Array.from({ length: 100 }, () => ({ parent, adUnitMapping: { adapterId: '101' } }));
  await client.accounts.adUnitMappings.batchCreate({ parent: name, requestBody: { requests } });
  const count = async (): Promise<number> =>
    (await client.accounts.adUnits.adUnitMappings.list({ parent })).data.adUnitMappings?.length ?? 0;
  expect(await count()).toBe(100);
  const wrong = [...requests.slice(1), { parent, adUnitMapping: { adapterId: '1' } }];
  const batch = client.accounts.adUnitMappings.batchCreate({ parent: name, requestBody: { requests: wrong } });
  expect(await statusRefusal(batch)).toBe('400 INVALID_ARGUMENT');
  expect(await count()).toBe(100);
});
