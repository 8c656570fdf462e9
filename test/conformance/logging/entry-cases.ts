import { expect } from 'vitest';
import type { JsonObject } from '../../../src/lib/json.ts';
import { type Cases, INVALID, listOf, NOT_FOUND, type On } from './on.ts';
import { statusRefusal as refused } from '../support/status-refusal.ts';

const RESOURCE = { type: 'global' };

/** Writes entries to a new log of the parent. @returns the log's full name */
async function written(
  on: On,
  entries: readonly Record<string, unknown>[] = [{ textPayload: 'hello' }],
): Promise<string> {
  const logName = `${on.container}/logs/${on.fresh('log')}`;
  await on.global('entries.write', { requestBody: { logName, resource: RESOURCE, entries } });
  return logName;
}

async function listed(on: On, filter: string, more: Record<string, unknown> = {}): Promise<JsonObject[]> {
  const requestBody = { resourceNames: [on.container], filter, ...more };
  return listOf(await on.global('entries.list', { requestBody }), 'entries');
}

const viewOf = ({ container }: On): string => `${container}/locations/global/buckets/_Default/views/_AllLogs`;

/** Logs and entries. */
export const entryCases: Cases = {
  'logs.list': {
    right: async (on) => {
      const logName = await written(on);
      const found = await on.call('logs.list', { parent: on.container, pageSize: 1000 });
      expect(found['logNames']).toContain(logName);
    },
    wrong: async (on) => {
      expect(await refused(on.call('logs.list', { parent: on.container, pageToken: 'x' }))).toBe(INVALID);
    },
  },
  'logs.delete': {
    right: async (on) => {
      const logName = await written(on);
      expect(await listed(on, `logName="${logName}"`)).toHaveLength(1);
      await on.call('logs.delete', { logName });
      expect(await listed(on, `logName="${logName}"`)).toEqual([]);
      const found = await on.call('logs.list', { parent: on.container, pageSize: 1000 });
      expect(found['logNames'] ?? []).not.toContain(logName);
    },
    wrong: async (on) => {
      const logName = `${on.container}/logs/${on.fresh('never-written')}`;
      expect(await refused(on.call('logs.delete', { logName }))).toBe(NOT_FOUND);
    },
  },
  'locations.buckets.views.logs.list': {
    right: async (on) => {
      const logName = await written(on);
      const found = await on.call('locations.buckets.views.logs.list', { parent: viewOf(on), pageSize: 1000 });
      expect(found['logNames']).toContain(logName);
    },
    wrong: async (on) => {
      const parent = viewOf(on).replace('_AllLogs', 'none');
      expect(await refused(on.call('locations.buckets.views.logs.list', { parent }))).toBe(NOT_FOUND);
    },
  },
  'entries.write': {
    right: async (on) => {
      const logName = await written(on, [
        { jsonPayload: { first: true }, severity: 'ERROR', insertId: 'a', timestamp: new Date().toISOString() },
        { textPayload: 'second', labels: { own: 'entry' } },
      ]);
      const entries = await listed(on, `logName="${logName}"`);
      expect(entries).toMatchObject([
        { logName, insertId: 'a', severity: 'ERROR', jsonPayload: { first: true }, resource: RESOURCE },
        { logName, textPayload: 'second', labels: { own: 'entry' } },
      ]);
    },
    wrong: async (on) => {
      const write = (entries: object[]) => on.global('entries.write', { requestBody: { resource: RESOURCE, entries } });
      expect(await refused(write([{ textPayload: 'no log name' }]))).toBe(INVALID);
      const logName = `${on.container}/logs/${on.fresh('log')}`;
      const large = { logName, textPayload: 'x'.repeat(256 * 1024 + 1) };
      expect(await refused(write([{ logName, textPayload: 'fits' }, large]))).toBe(INVALID);
      expect(await listed(on, `logName="${logName}"`)).toEqual([]);
    },
  },
  'entries.list': {
    right: async (on) => {
      const entries = ['one', 'two', 'three'].map((textPayload, at) => ({
        textPayload,
        severity: at === 0 ? 'INFO' : 'ERROR',
        timestamp: new Date(Date.now() - 10_000 + at).toISOString(),
      }));
      const logName = await written(on, entries);
      const filter = `logName="${logName}" AND severity>=ERROR`;
      const newest = await listed(on, filter, { orderBy: 'timestamp desc' });
      expect(newest.map((entry) => entry['textPayload'])).toEqual(['three', 'two']);
      const body = { resourceNames: [viewOf(on)], filter: `logName="${logName}"`, pageSize: 2 };
      const first = await on.global('entries.list', { requestBody: body });
      expect(listOf(first, 'entries').map((entry) => entry['textPayload'])).toEqual(['one', 'two']);
      const requestBody = { ...body, pageToken: first['nextPageToken'] };
      const second = await on.global('entries.list', { requestBody });
      expect(listOf(second, 'entries').map((entry) => entry['textPayload'])).toEqual(['three']);
    },
    wrong: async (on) => {
      expect(await refused(listed(on, 'severity>='))).toBe(INVALID);
      expect(await refused(listed(on, '', { orderBy: 'severity' }))).toBe(INVALID);
      expect(await refused(listed(on, '', { pageSize: 1_001 }))).toBe(INVALID);
      expect(await refused(listed(on, `textPayload="${'x'.repeat(20_001)}"`))).toBe(INVALID);
      expect(await refused(listed(on, '', { resourceNames: [] }))).toBe(INVALID);
    },
  },
  'entries.copy': {
    right: async (on) => {
      const bucketId = on.fresh('copied');
      await on.call('locations.buckets.create', {
        parent: `${on.container}/locations/global`,
        bucketId,
        requestBody: {},
      });
      const name = `${on.container}/locations/global/buckets/${bucketId}`;
      const requestBody = { name, destination: 'storage.googleapis.com/archive', filter: 'severity>=ERROR' };
      const operation = await on.global('entries.copy', { requestBody });
      expect(operation).toMatchObject({ name: expect.stringContaining('/operations/') });
    },
    wrong: async (on) => {
      const copy = (requestBody: object) => on.global('entries.copy', { requestBody });
      const name = `${on.container}/locations/global/buckets/_Default`;
      expect(await refused(copy({ name, destination: 'bigquery.googleapis.com/projects/p/datasets/d' }))).toBe(INVALID);
      const nowhere = { name: `${name}-none`, destination: 'storage.googleapis.com/archive' };
      expect(await refused(copy(nowhere))).toBe(NOT_FOUND);
    },
  },
  'monitoredResourceDescriptors.list': {
    right: async (on) => {
      const found = await on.global('monitoredResourceDescriptors.list', { pageSize: 1000 });
      const types = listOf(found, 'resourceDescriptors').map(({ type }) => type);
      expect(types).toEqual(expect.arrayContaining(['global', 'gce_instance', 'k8s_container']));
    },
    wrong: async (on) => {
      expect(await refused(on.global('monitoredResourceDescriptors.list', { pageToken: 'x' }))).toBe(INVALID);
    },
  },
};
