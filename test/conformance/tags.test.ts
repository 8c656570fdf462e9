import { type cloudresourcemanager_v3, google } from 'googleapis';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { methods } from '../../src/management/core/table/method-row.ts';
import { joinControlStack } from './support/control-stack.ts';
import { statusRefusal } from './support/status-refusal.ts';

/** The official client, in an organization of its own. */
type Tags = { client: cloudresourcemanager_v3.Cloudresourcemanager; organization: string };
type Case = { method: string; right: (tags: Tags) => Promise<void>; wrong: (tags: Tags) => Promise<void> };
type Operation = cloudresourcemanager_v3.Schema$Operation;

const RESOURCE = '//cloudresourcemanager.googleapis.com/projects/';

/** The response of a finished operation, which can be asked for as well. */
async function done({ client }: Tags, call: Promise<{ data: Operation }>): Promise<{ name: string } & object> {
  const { data } = await call;
  expect(data.done).toBe(true);
  expect((await client.operations.get({ name: data.name ?? '' })).data).toEqual(data);
  return { name: '', ...data.response };
}

const newKey = async (tags: Tags): Promise<string> => {
  const requestBody = { parent: `organizations/${tags.organization}`, shortName: 'env' };
  return (await done(tags, tags.client.tagKeys.create({ requestBody }))).name;
};

const newValue = async (tags: Tags, parent?: string): Promise<string> => {
  const requestBody = { parent: parent ?? (await newKey(tags)), shortName: 'prod' };
  return (await done(tags, tags.client.tagValues.create({ requestBody }))).name;
};

const bind = async (tags: Tags, tagValue: string): Promise<string> => {
  const requestBody = { parent: `${RESOURCE}p-${tags.organization}`, tagValue };
  return (await done(tags, tags.client.tagBindings.create({ requestBody }))).name;
};

const DENIED = '403 PERMISSION_DENIED';

const keyCases: readonly Case[] = [
  {
    method: 'cloudresourcemanager.tagKeys.create',
    right: async (tags) => {
      const name = await newKey(tags);
      const { data } = await tags.client.tagKeys.get({ name });
      expect(data).toMatchObject({ name, shortName: 'env', namespacedName: `${tags.organization}/env` });
    },
    wrong: async (tags) => {
      await newKey(tags);
      expect(await statusRefusal(newKey(tags))).toBe('409 ALREADY_EXISTS');
    },
  },
  {
    method: 'cloudresourcemanager.tagKeys.get',
    right: async (tags) => {
      const name = await newKey(tags);
      expect((await tags.client.tagKeys.get({ name })).data.name).toBe(name);
    },
    wrong: async ({ client }) => {
      expect(await statusRefusal(client.tagKeys.get({ name: 'tagKeys/1' }))).toBe(DENIED);
    },
  },
  {
    method: 'cloudresourcemanager.tagKeys.getNamespaced',
    right: async (tags) => {
      const name = await newKey(tags);
      const { data } = await tags.client.tagKeys.getNamespaced({ name: `${tags.organization}/env` });
      expect(data.name).toBe(name);
    },
    wrong: async ({ client }) => {
      expect(await statusRefusal(client.tagKeys.getNamespaced({ name: '999/env' }))).toBe(DENIED);
    },
  },
  {
    method: 'cloudresourcemanager.tagKeys.list',
    right: async (tags) => {
      const name = await newKey(tags);
      const { data } = await tags.client.tagKeys.list({ parent: `organizations/${tags.organization}` });
      expect(data.tagKeys?.map((key) => key.name)).toEqual([name]);
    },
    wrong: async ({ client }) => {
      expect(await statusRefusal(client.tagKeys.list({ parent: 'folders/1' }))).toBe('400 INVALID_ARGUMENT');
    },
  },
  {
    method: 'cloudresourcemanager.tagKeys.patch',
    right: async (tags) => {
      const name = await newKey(tags);
      const requestBody = { description: 'Where it runs' };
      await done(tags, tags.client.tagKeys.patch({ name, updateMask: 'description', requestBody }));
      expect((await tags.client.tagKeys.get({ name })).data.description).toBe('Where it runs');
    },
    wrong: async (tags) => {
      const name = await newKey(tags);
      const call = tags.client.tagKeys.patch({ name, requestBody: { description: 'x', etag: 'other' } });
      expect(await statusRefusal(call)).toBe('409 ABORTED');
    },
  },
  {
    method: 'cloudresourcemanager.tagKeys.delete',
    right: async (tags) => {
      const name = await newKey(tags);
      await done(tags, tags.client.tagKeys.delete({ name }));
      expect(await statusRefusal(tags.client.tagKeys.get({ name }))).toBe(DENIED);
    },
    wrong: async (tags) => {
      const name = await newKey(tags);
      await newValue(tags, name);
      expect(await statusRefusal(tags.client.tagKeys.delete({ name }))).toBe('400 FAILED_PRECONDITION');
    },
  },
];

const valueCases: readonly Case[] = [
  {
    method: 'cloudresourcemanager.tagValues.create',
    right: async (tags) => {
      const name = await newValue(tags);
      expect((await tags.client.tagValues.get({ name })).data).toMatchObject({ name, shortName: 'prod' });
    },
    wrong: async (tags) => {
      expect(await statusRefusal(newValue(tags, 'tagKeys/1'))).toBe(DENIED);
    },
  },
  {
    method: 'cloudresourcemanager.tagValues.get',
    right: async (tags) => {
      const name = await newValue(tags);
      expect((await tags.client.tagValues.get({ name })).data.name).toBe(name);
    },
    wrong: async ({ client }) => {
      expect(await statusRefusal(client.tagValues.get({ name: 'tagValues/1' }))).toBe(DENIED);
    },
  },
  {
    method: 'cloudresourcemanager.tagValues.getNamespaced',
    right: async (tags) => {
      const name = await newValue(tags);
      const { data } = await tags.client.tagValues.getNamespaced({ name: `${tags.organization}/env/prod` });
      expect(data.name).toBe(name);
    },
    wrong: async ({ client }) => {
      expect(await statusRefusal(client.tagValues.getNamespaced({ name: '999/env/prod' }))).toBe(DENIED);
    },
  },
  {
    method: 'cloudresourcemanager.tagValues.list',
    right: async (tags) => {
      const parent = await newKey(tags);
      const name = await newValue(tags, parent);
      expect((await tags.client.tagValues.list({ parent })).data.tagValues?.map((each) => each.name)).toEqual([name]);
    },
    wrong: async ({ client }) => {
      expect(await statusRefusal(client.tagValues.list({ parent: 'tagKeys/1' }))).toBe(DENIED);
    },
  },
  {
    method: 'cloudresourcemanager.tagValues.patch',
    right: async (tags) => {
      const name = await newValue(tags);
      await done(tags, tags.client.tagValues.patch({ name, requestBody: { description: 'Live' } }));
      expect((await tags.client.tagValues.get({ name })).data.description).toBe('Live');
    },
    wrong: async (tags) => {
      const name = await newValue(tags);
      const call = tags.client.tagValues.patch({ name, updateMask: 'shortName', requestBody: { shortName: 'x' } });
      expect(await statusRefusal(call)).toBe('400 INVALID_ARGUMENT');
    },
  },
  {
    method: 'cloudresourcemanager.tagValues.delete',
    right: async (tags) => {
      const { tagValues } = tags.client;
      const name = await newValue(tags);
      const { etag } = (await tagValues.get({ name })).data;
      await done(tags, tagValues.delete({ name, validateOnly: true }));
      expect((await tagValues.get({ name })).data.etag).toBe(etag);
      expect(await done(tags, tagValues.delete({ name, etag: etag ?? '' }))).toMatchObject({ name, shortName: 'prod' });
      expect(await statusRefusal(tagValues.get({ name }))).toBe(DENIED);
    },
    wrong: async (tags) => {
      const { tagValues, tagBindings } = tags.client;
      const name = await newValue(tags);
      const binding = await bind(tags, name);
      expect(await statusRefusal(tagValues.delete({ name }))).toBe('400 FAILED_PRECONDITION');
      await tagBindings.delete({ name: binding });
      expect(await statusRefusal(tagValues.delete({ name, etag: 'other' }))).toBe('409 ABORTED');
      expect(await statusRefusal(tagValues.delete({ name: 'tagValues/1' }))).toBe(DENIED);
    },
  },
];

const bindingCases: readonly Case[] = [
  {
    method: 'cloudresourcemanager.tagBindings.create',
    right: async (tags) => {
      const value = await newValue(tags);
      const name = await bind(tags, value);
      const { data } = await tags.client.tagBindings.list({ parent: `${RESOURCE}p-${tags.organization}` });
      expect(data.tagBindings).toMatchObject([{ name, tagValue: value }]);
    },
    wrong: async (tags) => {
      const value = await newValue(tags);
      await bind(tags, value);
      expect(await statusRefusal(bind(tags, value))).toBe('409 ALREADY_EXISTS');
    },
  },
  {
    method: 'cloudresourcemanager.tagBindings.list',
    right: async (tags) => {
      const { data } = await tags.client.tagBindings.list({ parent: `${RESOURCE}p-${tags.organization}` });
      expect(data).toEqual({});
    },
    wrong: async ({ client }) => {
      expect(await statusRefusal(client.tagBindings.list({ parent: '//x' }))).toBe('400 INVALID_ARGUMENT');
    },
  },
  {
    method: 'cloudresourcemanager.tagBindings.delete',
    right: async (tags) => {
      const name = await bind(tags, await newValue(tags));
      await done(tags, tags.client.tagBindings.delete({ name }));
      const { data } = await tags.client.tagBindings.list({ parent: `${RESOURCE}p-${tags.organization}` });
      expect(data).toEqual({});
    },
    wrong: async (tags) => {
      const name = await bind(tags, await newValue(tags));
      await tags.client.tagBindings.delete({ name });
      expect(await statusRefusal(tags.client.tagBindings.delete({ name }))).toBe('404 NOT_FOUND');
    },
  },
  {
    method: 'cloudresourcemanager.operations.get',
    right: async (tags) => {
      await newKey(tags); // Asks for its operation.
    },
    wrong: async ({ client }) => {
      expect(await statusRefusal(client.operations.get({ name: 'operations/none' }))).toBe('404 NOT_FOUND');
    },
  },
];

const cases = [...keyCases, ...valueCases, ...bindingCases];
const rows = methods.filter((row) => row.interface === 'tags');

let stack: Awaited<ReturnType<typeof joinControlStack>>;
let organizations = 0;

beforeAll(async () => {
  stack = await joinControlStack();
});
afterAll(async () => stack?.stop());

function tagsOf(token = stack.world.token): Tags {
  const auth = new google.auth.OAuth2();
  auth.setCredentials({ access_token: token });
  const client = google.cloudresourcemanager({ version: 'v3', rootUrl: `${stack.world.url}/`, auth });
  return { client, organization: String((organizations += 1)) };
}

test('the row of the seed, and 15 beyond it, are called by the official client here', () => {
  expect(rows.filter(({ inSeed }) => inSeed).map(({ id }) => id)).toEqual(['cloudresourcemanager.tagValues.delete']);
  expect(rows).toHaveLength(16);
  expect(cases.map(({ method }) => method).toSorted()).toEqual(rows.map(({ id }) => id).toSorted());
});

describe.each(cases)('$method', ({ right, wrong }) => {
  test('does what it says, as another method shows', async () => {
    await right(tagsOf());
  });

  test('refuses what the vendor refuses, in its words', async () => {
    await wrong(tagsOf());
  });
});

test.each([
  ['{"validateOnly":true}', 400],
  ['{"etag":"x"}', 400],
  ['[]', 400],
  ['x', 400],
])('DELETE of a tag value with the body %s answers %d and deletes nothing', async (body, status) => {
  const tags = tagsOf();
  const name = await newValue(tags);
  const answer = await fetch(`${stack.world.url}/v3/${name}`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${stack.world.token}`, 'content-type': 'application/json' },
    body,
  });
  expect(answer.status).toBe(status);
  expect(await answer.json()).toMatchObject({ error: { code: 400, status: 'INVALID_ARGUMENT' } });
  expect((await tags.client.tagValues.get({ name })).data.name).toBe(name);
});

test('K1: another tenant is told the same of a value that is ours and of one that is nobody’s', async () => {
  const mine = tagsOf();
  const name = await newValue(mine);
  const theirs = tagsOf(await stack.anotherToken('C00000002'));
  const messageOf = async (call: Promise<unknown>): Promise<string> => {
    const error: unknown = await call.catch((thrown: unknown) => thrown);
    return error instanceof Error ? error.message : '';
  };
  const { tagValues } = theirs.client;
  const [ours, nobodys] = [
    await messageOf(tagValues.delete({ name })),
    await messageOf(tagValues.delete({ name: 'tagValues/1' })),
  ];
  expect(ours).toBe(nobodys.replace('tagValues/1', name));
  expect(ours).toContain('Permission denied on resource');
  expect(await statusRefusal(theirs.client.tagKeys.list({ parent: `organizations/${mine.organization}` }))).toBe(
    DENIED,
  );
  expect((await mine.client.tagValues.get({ name })).data.name).toBe(name);
});
