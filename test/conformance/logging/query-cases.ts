import { expect } from 'vitest';
import { type Cases, EXISTS, INVALID, listOf, namesIn, NOT_FOUND, type On } from './on.ts';
import { statusRefusal as refused } from '../support/status-refusal.ts';

const placeOf = ({ container }: On): string => `${container}/locations/global`;
const SAVED = { displayName: 'Errors', visibility: 'SHARED', loggingQuery: { filter: 'severity>=ERROR' } };

async function newSaved(on: On, more: Record<string, unknown> = {}): Promise<string> {
  const savedQueryId = on.fresh('query');
  const requestBody = { ...SAVED, ...more };
  await on.call('locations.savedQueries.create', { parent: placeOf(on), savedQueryId, requestBody });
  return `${placeOf(on)}/savedQueries/${savedQueryId}`;
}

async function newScope(on: On): Promise<string> {
  const logScopeId = on.fresh('scope');
  const requestBody = { resourceNames: ['projects/conformance'], description: 'ours' };
  await on.call('locations.logScopes.create', { parent: placeOf(on), logScopeId, requestBody });
  return `${placeOf(on)}/logScopes/${logScopeId}`;
}

/** Settings, saved and recent queries, log scopes. */
export const queryCases: Cases = {
  getSettings: {
    right: async (on) => {
      const name = on.container;
      expect(await on.call('getSettings', { name })).toMatchObject({ name: `${name}/settings` });
    },
    wrong: async (on) => {
      expect(await refused(on.call('getSettings', { name: `${on.container}/sinks` }))).toMatch(/^40[04] /);
    },
  },
  updateSettings: {
    right: async (on) => {
      const name = on.parent === 'generic' ? 'organizations/777888999' : on.container;
      await on.call('updateSettings', { name, updateMask: 'storageLocation', requestBody: { storageLocation: 'eu' } });
      expect(await on.call('getSettings', { name })).toMatchObject({ storageLocation: 'eu' });
    },
    wrong: async (on) => {
      const name = on.parent === 'generic' ? 'organizations/777888999' : on.container;
      const order = { name, updateMask: 'colour', requestBody: {} };
      expect(await refused(on.call('updateSettings', order))).toBe(INVALID);
    },
  },
  getCmekSettings: {
    right: async (on) => {
      const name = on.container;
      expect(await on.call('getCmekSettings', { name })).toMatchObject({ name: `${name}/cmekSettings` });
    },
    wrong: async (on) => {
      expect(await refused(on.call('getCmekSettings', { name: `${on.container}/sinks` }))).toMatch(/^40[04] /);
    },
  },
  updateCmekSettings: {
    right: async (on) => {
      const name = on.parent === 'generic' ? 'organizations/777888999' : on.container;
      const kmsKeyName = 'projects/conformance/locations/eu/keyRings/r/cryptoKeys/k';
      await on.call('updateCmekSettings', { name, updateMask: 'kmsKeyName', requestBody: { kmsKeyName } });
      expect(await on.call('getCmekSettings', { name })).toMatchObject({ kmsKeyName });
    },
    wrong: async (on) => {
      const name = on.parent === 'generic' ? 'organizations/777888999' : on.container;
      const order = { name, updateMask: 'kmsKeyName', requestBody: { kmsKeyName: 'not a key' } };
      expect(await refused(on.call('updateCmekSettings', order))).toBe(INVALID);
    },
  },
  'locations.savedQueries.create': {
    right: async (on) => {
      const name = await newSaved(on);
      expect(await on.call('locations.savedQueries.get', { name })).toMatchObject({ name, ...SAVED });
    },
    wrong: async (on) => {
      const create = (requestBody: object, savedQueryId = on.fresh('query')) =>
        on.call('locations.savedQueries.create', { parent: placeOf(on), savedQueryId, requestBody });
      expect(await refused(create({ displayName: 'no query', visibility: 'SHARED' }))).toBe(INVALID);
      const id = (await newSaved(on)).split('/').at(-1);
      expect(await refused(create(SAVED, id))).toBe(EXISTS);
    },
  },
  'locations.savedQueries.get': {
    right: async (on) => {
      const name = await newSaved(on, { visibility: 'PRIVATE' });
      expect(await on.call('locations.savedQueries.get', { name })).toMatchObject({ visibility: 'PRIVATE' });
    },
    wrong: async (on) => {
      const name = `${placeOf(on)}/savedQueries/none`;
      expect(await refused(on.call('locations.savedQueries.get', { name }))).toBe(NOT_FOUND);
    },
  },
  'locations.savedQueries.list': {
    right: async (on) => {
      const name = await newSaved(on);
      const found = await on.call('locations.savedQueries.list', { parent: placeOf(on), pageSize: 1000 });
      expect(namesIn(found, 'savedQueries')).toContain(name);
    },
    wrong: async (on) => {
      const query = { parent: placeOf(on), pageToken: 'x' };
      expect(await refused(on.call('locations.savedQueries.list', query))).toBe(INVALID);
    },
  },
  'locations.savedQueries.patch': {
    right: async (on) => {
      const name = await newSaved(on);
      const requestBody = { displayName: 'Renamed', description: 'left out' };
      await on.call('locations.savedQueries.patch', { name, updateMask: 'displayName', requestBody });
      const query = await on.call('locations.savedQueries.get', { name });
      expect(query).toMatchObject({ displayName: 'Renamed', loggingQuery: SAVED.loggingQuery });
      expect(query).not.toHaveProperty('description');
    },
    wrong: async (on) => {
      const name = await newSaved(on);
      const order = { name, requestBody: { displayName: 'no mask' } };
      expect(await refused(on.call('locations.savedQueries.patch', order))).toBe(INVALID);
    },
  },
  'locations.savedQueries.delete': {
    right: async (on) => {
      const name = await newSaved(on);
      await on.call('locations.savedQueries.delete', { name });
      expect(await refused(on.call('locations.savedQueries.get', { name }))).toBe(NOT_FOUND);
    },
    wrong: async (on) => {
      const name = `${placeOf(on)}/savedQueries/none`;
      expect(await refused(on.call('locations.savedQueries.delete', { name }))).toBe(NOT_FOUND);
    },
  },
  'locations.recentQueries.list': {
    right: async (on) => {
      const filter = `jsonPayload.mark="${on.fresh('mark')}"`;
      await on.global('entries.list', { requestBody: { resourceNames: [on.container], filter } });
      const found = await on.call('locations.recentQueries.list', { parent: placeOf(on), pageSize: 1000 });
      const filters = listOf(found, 'recentQueries').map((query) => query['loggingQuery']);
      expect(filters).toContainEqual(expect.objectContaining({ filter }));
    },
    wrong: async (on) => {
      const query = { parent: placeOf(on), pageToken: 'x' };
      expect(await refused(on.call('locations.recentQueries.list', query))).toBe(INVALID);
    },
  },
  'locations.logScopes.create': {
    right: async (on) => {
      const name = await newScope(on);
      const scope = await on.call('locations.logScopes.get', { name });
      expect(scope).toMatchObject({ name, resourceNames: ['projects/conformance'], description: 'ours' });
    },
    wrong: async (on) => {
      const create = (parent: string, requestBody: object) =>
        on.call('locations.logScopes.create', { parent, logScopeId: on.fresh('scope'), requestBody });
      expect(await refused(create(placeOf(on), {}))).toBe(INVALID);
      const elsewhere = `${on.container}/locations/us-central1`;
      expect(await refused(create(elsewhere, { resourceNames: ['projects/conformance'] }))).toBe(INVALID);
    },
  },
  'locations.logScopes.get': {
    right: async (on) => {
      const name = await newScope(on);
      expect(await on.call('locations.logScopes.get', { name })).toHaveProperty('createTime');
    },
    wrong: async (on) => {
      const name = `${placeOf(on)}/logScopes/none`;
      expect(await refused(on.call('locations.logScopes.get', { name }))).toBe(NOT_FOUND);
    },
  },
  'locations.logScopes.list': {
    right: async (on) => {
      const name = await newScope(on);
      const found = await on.call('locations.logScopes.list', { parent: placeOf(on), pageSize: 1000 });
      expect(namesIn(found, 'logScopes')).toContain(name);
    },
    wrong: async (on) => {
      const query = { parent: placeOf(on), pageToken: 'x' };
      expect(await refused(on.call('locations.logScopes.list', query))).toBe(INVALID);
    },
  },
  'locations.logScopes.patch': {
    right: async (on) => {
      const name = await newScope(on);
      const requestBody = { description: 'changed' };
      await on.call('locations.logScopes.patch', { name, updateMask: 'description', requestBody });
      expect(await on.call('locations.logScopes.get', { name })).toMatchObject({
        description: 'changed',
        resourceNames: ['projects/conformance'],
      });
    },
    wrong: async (on) => {
      const name = await newScope(on);
      const six = Array.from({ length: 6 }, (_, at) => `projects/conformance-${at}`);
      const order = { name, updateMask: 'resourceNames', requestBody: { resourceNames: six } };
      expect(await refused(on.call('locations.logScopes.patch', order))).toBe(INVALID);
    },
  },
  'locations.logScopes.delete': {
    right: async (on) => {
      const name = await newScope(on);
      await on.call('locations.logScopes.delete', { name });
      expect(await refused(on.call('locations.logScopes.get', { name }))).toBe(NOT_FOUND);
    },
    wrong: async (on) => {
      const name = `${placeOf(on)}/logScopes/none`;
      expect(await refused(on.call('locations.logScopes.delete', { name }))).toBe(NOT_FOUND);
    },
  },
};
