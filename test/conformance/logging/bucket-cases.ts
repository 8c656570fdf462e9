import { expect } from 'vitest';
import type { JsonObject } from '../../../src/lib/json.ts';
import { ABORTED, type Cases, EXISTS, INVALID, listOf, namesIn, NOT_FOUND, type On, PRECONDITION } from './on.ts';
import { statusRefusal as refused } from '../support/status-refusal.ts';

const nameOf = ({ name }: JsonObject): string => (typeof name === 'string' ? name : '');
const placeOf = ({ container }: On): string => `${container}/locations/global`;

async function newBucket(on: On, requestBody: Record<string, unknown> = {}): Promise<string> {
  const bucketId = on.fresh('bucket');
  await on.call('locations.buckets.create', { parent: placeOf(on), bucketId, requestBody });
  return `${placeOf(on)}/buckets/${bucketId}`;
}

async function newView(on: On, filter = 'LOG_ID("app")'): Promise<string> {
  const parent = await newBucket(on);
  const viewId = on.fresh('view');
  await on.call('locations.buckets.views.create', { parent, viewId, requestBody: { filter } });
  return `${parent}/views/${viewId}`;
}

async function newLink(on: On): Promise<string> {
  const parent = await newBucket(on, { analyticsEnabled: true });
  const linkId = on.fresh('link').replaceAll('-', '_');
  const order = { parent, linkId, requestBody: { description: 'a link' } };
  const operation = await on.call('locations.buckets.links.create', order);
  await done(on, nameOf(operation));
  return `${parent}/links/${linkId}`;
}

/** An operation of this location, with what it makes. */
async function newOperation(on: On): Promise<{ name: string; bucket: string }> {
  const bucketId = on.fresh('slow');
  const made = await on.call('locations.buckets.createAsync', { parent: placeOf(on), bucketId, requestBody: {} });
  return { name: nameOf(made), bucket: `${placeOf(on)}/buckets/${bucketId}` };
}

/** The operation when it is done. */
async function done(on: On, name: string) {
  const LOOKS = 50;
  for (let look = 0; look < LOOKS; look += 1) {
    const operation = await on.call('locations.operations.get', { name });
    if (operation['done'] === true) return operation;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error(`${name} is not done`);
}

const gone = (on: On): string => `${placeOf(on)}/buckets/none`;
const lastOf = (name: string): string => name.split('/').at(-1) ?? '';
const POLICY = { bindings: [{ role: 'roles/logging.viewAccessor', members: ['user:ada@example.com'] }] };

/** Buckets, views, links, locations, operations. */
export const bucketCases: Cases = {
  'locations.buckets.create': {
    right: async (on) => {
      const name = await newBucket(on, { retentionDays: 7, description: 'a week' });
      const bucket = await on.call('locations.buckets.get', { name });
      expect(bucket).toMatchObject({ name, retentionDays: 7, description: 'a week', lifecycleState: 'ACTIVE' });
    },
    wrong: async (on) => {
      const parent = placeOf(on);
      const name = await newBucket(on);
      const again = { parent, bucketId: lastOf(name), requestBody: {} };
      expect(await refused(on.call('locations.buckets.create', again))).toBe(EXISTS);
      const odd = { parent, bucketId: '.starts-with-a-dot', requestBody: {} };
      expect(await refused(on.call('locations.buckets.create', odd))).toBe(INVALID);
      const short = { parent, bucketId: on.fresh('b'), requestBody: { retentionDays: -1 } };
      expect(await refused(on.call('locations.buckets.create', short))).toBe(INVALID);
    },
  },
  'locations.buckets.createAsync': {
    right: async (on) => {
      const { name, bucket } = await newOperation(on);
      const operation = await done(on, name);
      expect(operation['response']).toMatchObject({ name: bucket });
      expect(await on.call('locations.buckets.get', { name: bucket })).toMatchObject({ lifecycleState: 'ACTIVE' });
    },
    wrong: async (on) => {
      const odd = { parent: placeOf(on), bucketId: 'a'.repeat(101), requestBody: {} };
      expect(await refused(on.call('locations.buckets.createAsync', odd))).toBe(INVALID);
    },
  },
  'locations.buckets.get': {
    right: async (on) => {
      const name = `${placeOf(on)}/buckets/_Required`;
      const bucket = await on.call('locations.buckets.get', { name });
      expect(bucket).toMatchObject({ name, retentionDays: 400, locked: true });
    },
    wrong: async (on) => {
      expect(await refused(on.call('locations.buckets.get', { name: gone(on) }))).toBe(NOT_FOUND);
    },
  },
  'locations.buckets.list': {
    right: async (on) => {
      const name = await newBucket(on);
      const parent = `${on.container}/locations/-`;
      const found = namesIn(await on.call('locations.buckets.list', { parent, pageSize: 1000 }), 'buckets');
      expect(found).toEqual(expect.arrayContaining([name, `${placeOf(on)}/buckets/_Default`]));
    },
    wrong: async (on) => {
      const query = { parent: placeOf(on), pageToken: 'made-up' };
      expect(await refused(on.call('locations.buckets.list', query))).toBe(INVALID);
    },
  },
  'locations.buckets.patch': {
    right: async (on) => {
      const name = await newBucket(on, { description: 'stays' });
      await on.call('locations.buckets.patch', {
        name,
        updateMask: 'retention_days',
        requestBody: { retentionDays: 3 },
      });
      const bucket = await on.call('locations.buckets.get', { name });
      expect(bucket).toMatchObject({ retentionDays: 3, description: 'stays' });
    },
    wrong: async (on) => {
      const name = await newBucket(on);
      expect(await refused(on.call('locations.buckets.patch', { name, requestBody: { retentionDays: 3 } }))).toBe(
        INVALID,
      );
      await on.call('locations.buckets.delete', { name });
      const late = { name, updateMask: 'description', requestBody: { description: 'late' } };
      expect(await refused(on.call('locations.buckets.patch', late))).toBe(PRECONDITION);
    },
  },
  'locations.buckets.updateAsync': {
    right: async (on) => {
      const name = await newBucket(on);
      const order = { name, updateMask: 'description', requestBody: { description: 'later' } };
      const operation = await on.call('locations.buckets.updateAsync', order);
      await done(on, nameOf(operation));
      expect(await on.call('locations.buckets.get', { name })).toMatchObject({ description: 'later' });
    },
    wrong: async (on) => {
      const order = { name: gone(on), updateMask: 'description', requestBody: { description: 'x' } };
      expect(await refused(on.call('locations.buckets.updateAsync', order))).toBe(NOT_FOUND);
    },
  },
  'locations.buckets.delete': {
    right: async (on) => {
      const name = await newBucket(on);
      expect(await on.call('locations.buckets.delete', { name })).toEqual({});
      const bucket = await on.call('locations.buckets.get', { name });
      expect(bucket).toMatchObject({ lifecycleState: 'DELETE_REQUESTED' });
    },
    wrong: async (on) => {
      expect(await refused(on.call('locations.buckets.delete', { name: gone(on) }))).toBe(NOT_FOUND);
      const name = `${placeOf(on)}/buckets/_Required`;
      expect(await refused(on.call('locations.buckets.delete', { name }))).toMatch(/^400 /);
    },
  },
  'locations.buckets.undelete': {
    right: async (on) => {
      const name = await newBucket(on);
      await on.call('locations.buckets.delete', { name });
      expect(await on.call('locations.buckets.undelete', { name, requestBody: {} })).toEqual({});
      expect(await on.call('locations.buckets.get', { name })).toMatchObject({ lifecycleState: 'ACTIVE' });
    },
    wrong: async (on) => {
      expect(await refused(on.call('locations.buckets.undelete', { name: gone(on), requestBody: {} }))).toBe(NOT_FOUND);
    },
  },
  'locations.buckets.views.create': {
    right: async (on) => {
      const name = await newView(on);
      expect(await on.call('locations.buckets.views.get', { name })).toMatchObject({ name, filter: 'LOG_ID("app")' });
    },
    wrong: async (on) => {
      const parent = await newBucket(on);
      const create = (filter: string) =>
        on.call('locations.buckets.views.create', { parent, viewId: on.fresh('view'), requestBody: { filter } });
      expect(await refused(create('severity>=ERROR'))).toBe(INVALID);
      expect(await refused(create('LOG_ID('))).toBe(INVALID);
    },
  },
  'locations.buckets.views.get': {
    right: async (on) => {
      const name = `${placeOf(on)}/buckets/_Default/views/_AllLogs`;
      expect(await on.call('locations.buckets.views.get', { name })).toMatchObject({ name });
    },
    wrong: async (on) => {
      const name = `${placeOf(on)}/buckets/_Default/views/none`;
      expect(await refused(on.call('locations.buckets.views.get', { name }))).toBe(NOT_FOUND);
    },
  },
  'locations.buckets.views.list': {
    right: async (on) => {
      const name = await newView(on);
      const parent = name.replace(/\/views\/.*/, '');
      const found = namesIn(await on.call('locations.buckets.views.list', { parent }), 'views');
      expect(found).toEqual(expect.arrayContaining([name, `${parent}/views/_AllLogs`]));
    },
    wrong: async (on) => {
      expect(await refused(on.call('locations.buckets.views.list', { parent: gone(on) }))).toBe(NOT_FOUND);
    },
  },
  'locations.buckets.views.patch': {
    right: async (on) => {
      const name = await newView(on);
      await on.call('locations.buckets.views.patch', {
        name,
        updateMask: 'description',
        requestBody: { description: 'changed', filter: 'LOG_ID("other")' },
      });
      const view = await on.call('locations.buckets.views.get', { name });
      expect(view).toMatchObject({ description: 'changed', filter: 'LOG_ID("app")' });
    },
    wrong: async (on) => {
      const name = await newView(on);
      const order = { name, updateMask: 'filter', requestBody: { filter: 'severity=ERROR' } };
      expect(await refused(on.call('locations.buckets.views.patch', order))).toBe(INVALID);
    },
  },
  'locations.buckets.views.delete': {
    right: async (on) => {
      const name = await newView(on);
      await on.call('locations.buckets.views.delete', { name });
      expect(await refused(on.call('locations.buckets.views.get', { name }))).toBe(NOT_FOUND);
    },
    wrong: async (on) => {
      const name = `${await newBucket(on)}/views/none`;
      expect(await refused(on.call('locations.buckets.views.delete', { name }))).toBe(NOT_FOUND);
    },
  },
  'locations.buckets.views.getIamPolicy': {
    right: async (on) => {
      const resource = await newView(on);
      const policy = await on.call('locations.buckets.views.getIamPolicy', { resource, requestBody: {} });
      expect(listOf(policy, 'bindings')).toEqual([]);
    },
    wrong: async (on) => {
      const resource = `${await newBucket(on)}/views/none`;
      const order = { resource, requestBody: {} };
      expect(await refused(on.call('locations.buckets.views.getIamPolicy', order))).toBe(NOT_FOUND);
    },
  },
  'locations.buckets.views.setIamPolicy': {
    right: async (on) => {
      const resource = await newView(on);
      await on.call('locations.buckets.views.setIamPolicy', { resource, requestBody: { policy: POLICY } });
      const policy = await on.call('locations.buckets.views.getIamPolicy', { resource, requestBody: {} });
      expect(policy['bindings']).toEqual(POLICY.bindings);
    },
    wrong: async (on) => {
      const resource = await newView(on);
      const { etag } = await on.call('locations.buckets.views.getIamPolicy', { resource, requestBody: {} });
      const set = (tag: unknown) =>
        on.call('locations.buckets.views.setIamPolicy', {
          resource,
          requestBody: { policy: { ...POLICY, etag: tag } },
        });
      await set(etag);
      expect(await refused(set(etag))).toBe(ABORTED);
    },
  },
  'locations.buckets.views.testIamPermissions': {
    right: async (on) => {
      const resource = await newView(on);
      const permissions = ['logging.views.access'];
      const held = await on.call('locations.buckets.views.testIamPermissions', {
        resource,
        requestBody: { permissions },
      });
      expect(held['permissions']).toEqual(permissions);
    },
    wrong: async (on) => {
      // The vendor tells of a resource that is not there with an empty set.
      const resource = `${await newBucket(on)}/views/none`;
      const requestBody = { permissions: ['logging.views.access'] };
      const held = await on.call('locations.buckets.views.testIamPermissions', { resource, requestBody });
      expect(held['permissions'] ?? []).toEqual([]);
    },
  },
  'locations.buckets.links.create': {
    right: async (on) => {
      const name = await newLink(on);
      expect(await on.call('locations.buckets.links.get', { name })).toMatchObject({ name, lifecycleState: 'ACTIVE' });
    },
    wrong: async (on) => {
      const parent = await newBucket(on);
      const order = { parent, linkId: 'plain', requestBody: {} };
      expect(await refused(on.call('locations.buckets.links.create', order))).toBe(PRECONDITION);
    },
  },
  'locations.buckets.links.get': {
    right: async (on) => {
      const name = await newLink(on);
      expect(await on.call('locations.buckets.links.get', { name })).toMatchObject({ description: 'a link' });
    },
    wrong: async (on) => {
      const name = `${await newBucket(on)}/links/none`;
      expect(await refused(on.call('locations.buckets.links.get', { name }))).toBe(NOT_FOUND);
    },
  },
  'locations.buckets.links.list': {
    right: async (on) => {
      const name = await newLink(on);
      const parent = name.replace(/\/links\/.*/, '');
      expect(namesIn(await on.call('locations.buckets.links.list', { parent }), 'links')).toEqual([name]);
    },
    wrong: async (on) => {
      expect(await refused(on.call('locations.buckets.links.list', { parent: gone(on) }))).toBe(NOT_FOUND);
    },
  },
  'locations.buckets.links.delete': {
    right: async (on) => {
      const name = await newLink(on);
      const operation = await on.call('locations.buckets.links.delete', { name });
      expect(await done(on, nameOf(operation))).not.toHaveProperty('error');
      expect(await refused(on.call('locations.buckets.links.get', { name }))).toBe(NOT_FOUND);
    },
    wrong: async (on) => {
      const name = `${await newBucket(on)}/links/none`;
      expect(await refused(on.call('locations.buckets.links.delete', { name }))).toBe(NOT_FOUND);
    },
  },
  'locations.get': {
    right: async (on) => {
      const place = await on.call('locations.get', { name: placeOf(on) });
      expect(place).toMatchObject({ name: placeOf(on), locationId: 'global' });
    },
    wrong: async (on) => {
      expect(await refused(on.call('locations.get', { name: `${on.container}/locations/atlantis` }))).toBe(NOT_FOUND);
    },
  },
  'locations.list': {
    right: async (on) => {
      const found = listOf(await on.call('locations.list', { name: on.container, pageSize: 1000 }), 'locations');
      expect(found.map((place) => place['locationId'])).toEqual(expect.arrayContaining(['global', 'us-central1']));
    },
    wrong: async (on) => {
      expect(await refused(on.call('locations.list', { name: on.container, pageToken: 'x' }))).toBe(INVALID);
    },
  },
  'locations.operations.get': {
    right: async (on) => {
      const { name } = await newOperation(on);
      expect(await done(on, name)).toMatchObject({ name, done: true });
    },
    wrong: async (on) => {
      const name = `${placeOf(on)}/operations/none`;
      expect(await refused(on.call('locations.operations.get', { name }))).toBe(NOT_FOUND);
    },
  },
  'locations.operations.list': {
    right: async (on) => {
      const { name } = await newOperation(on);
      const found = await on.call('locations.operations.list', { name: placeOf(on), pageSize: 1000 });
      expect(namesIn(found, 'operations')).toContain(name);
    },
    wrong: async (on) => {
      expect(await refused(on.call('locations.operations.list', { name: placeOf(on), pageToken: 'x' }))).toBe(INVALID);
    },
  },
  'locations.operations.cancel': {
    right: async (on) => {
      const { name, bucket } = await newOperation(on);
      expect(await on.call('locations.operations.cancel', { name, requestBody: {} })).toEqual({});
      const operation = await done(on, name);
      expect(operation['error']).toMatchObject({ code: 1 });
      expect(await refused(on.call('locations.buckets.get', { name: bucket }))).toBe(NOT_FOUND);
    },
    wrong: async (on) => {
      const name = `${placeOf(on)}/operations/none`;
      expect(await refused(on.call('locations.operations.cancel', { name, requestBody: {} }))).toBe(NOT_FOUND);
    },
  },
};
