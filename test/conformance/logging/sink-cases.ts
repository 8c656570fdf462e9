import { expect } from 'vitest';
import { type Cases, EXISTS, INVALID, listOf, namesIn, NOT_FOUND, type On } from './on.ts';
import { statusRefusal as refused } from '../support/status-refusal.ts';

const bucketOf = ({ container }: On): string => `logging.googleapis.com/${container}/locations/global/buckets/_Default`;

/** What no other case writes. */
const NOISE = 'textPayload="noise"';

async function newSink(on: On, more: Record<string, unknown> = {}): Promise<string> {
  const name = on.fresh('sink');
  await on.call('sinks.create', {
    parent: on.container,
    requestBody: { name, destination: bucketOf(on), filter: 'severity>=ERROR', ...more },
  });
  return `${on.container}/sinks/${name}`;
}

async function newExclusion(on: On): Promise<string> {
  const name = on.fresh('exclusion');
  await on.call('exclusions.create', { parent: on.container, requestBody: { name, filter: NOISE } });
  return `${on.container}/exclusions/${name}`;
}

async function newMetric(on: On): Promise<string> {
  const name = on.fresh('metric');
  await on.call('metrics.create', { parent: on.container, requestBody: { name, filter: 'severity>=ERROR' } });
  return `${on.container}/metrics/${name}`;
}

const lastOf = (name: string): string => name.split('/').at(-1) ?? '';

/** Sinks, exclusions and metrics. */
export const sinkCases: Cases = {
  'sinks.create': {
    right: async (on) => {
      const sinkName = await newSink(on, { description: 'errors only' });
      expect(await on.call('sinks.get', { sinkName })).toMatchObject({
        name: lastOf(sinkName),
        destination: bucketOf(on),
        filter: 'severity>=ERROR',
        description: 'errors only',
      });
    },
    wrong: async (on) => {
      const sinkName = await newSink(on);
      const again = { name: lastOf(sinkName), destination: bucketOf(on) };
      expect(await refused(on.call('sinks.create', { parent: on.container, requestBody: again }))).toBe(EXISTS);
      const nowhere = { name: on.fresh('sink') };
      expect(await refused(on.call('sinks.create', { parent: on.container, requestBody: nowhere }))).toBe(INVALID);
      const unread = { name: on.fresh('sink'), destination: bucketOf(on), filter: 'severity>=' };
      expect(await refused(on.call('sinks.create', { parent: on.container, requestBody: unread }))).toBe(INVALID);
    },
  },
  'sinks.get': {
    right: async (on) => {
      const sinkName = await newSink(on);
      expect(await on.call('sinks.get', { sinkName })).toMatchObject({ name: lastOf(sinkName) });
    },
    wrong: async (on) => {
      expect(await refused(on.call('sinks.get', { sinkName: `${on.container}/sinks/none` }))).toBe(NOT_FOUND);
    },
  },
  'sinks.list': {
    right: async (on) => {
      const made = [lastOf(await newSink(on)), lastOf(await newSink(on))];
      const names = namesIn(await on.call('sinks.list', { parent: on.container, pageSize: 1000 }), 'sinks');
      expect(names).toEqual(expect.arrayContaining([...made, '_Default', '_Required']));
      const first = await on.call('sinks.list', { parent: on.container, pageSize: 1 });
      expect(listOf(first, 'sinks')).toHaveLength(1);
      const { nextPageToken: pageToken } = first;
      const second = await on.call('sinks.list', { parent: on.container, pageSize: 1, pageToken });
      expect(namesIn(second, 'sinks')).not.toEqual(namesIn(first, 'sinks'));
    },
    wrong: async (on) => {
      const query = { parent: on.container, pageToken: 'made-up' };
      expect(await refused(on.call('sinks.list', query))).toBe(INVALID);
      expect(await refused(on.call('sinks.list', { parent: on.container, pageSize: -1 }))).toBe(INVALID);
    },
  },
  'sinks.patch': {
    right: async (on) => {
      const sinkName = await newSink(on);
      const requestBody = { filter: 'severity>=CRITICAL', description: 'not in the mask' };
      await on.call('sinks.patch', { sinkName, updateMask: 'filter', requestBody });
      const sink = await on.call('sinks.get', { sinkName });
      expect(sink).toMatchObject({ filter: 'severity>=CRITICAL', destination: bucketOf(on) });
      expect(sink).not.toHaveProperty('description');
    },
    wrong: async (on) => {
      const sinkName = await newSink(on);
      const patch = (updateMask: string) => on.call('sinks.patch', { sinkName, updateMask, requestBody: {} });
      expect(await refused(patch('colour'))).toBe(INVALID);
      const none = { sinkName: `${on.container}/sinks/none`, updateMask: 'filter', requestBody: { filter: '' } };
      expect(await refused(on.call('sinks.patch', none))).toBe(NOT_FOUND);
    },
  },
  'sinks.update': {
    right: async (on) => {
      const sinkName = await newSink(on, { description: 'stays' });
      // Without a mask: destination, filter and includeChildren are replaced, nothing else.
      await on.call('sinks.update', {
        sinkName,
        requestBody: { destination: bucketOf(on), filter: 'severity>=ALERT' },
      });
      const sink = await on.call('sinks.get', { sinkName });
      expect(sink).toMatchObject({ filter: 'severity>=ALERT', description: 'stays' });
    },
    wrong: async (on) => {
      const sinkName = await newSink(on);
      const elsewhere = { destination: 'nowhere' };
      expect(await refused(on.call('sinks.update', { sinkName, requestBody: elsewhere }))).toBe(INVALID);
    },
  },
  'sinks.delete': {
    right: async (on) => {
      const sinkName = await newSink(on);
      expect(await on.call('sinks.delete', { sinkName })).toEqual({});
      expect(await refused(on.call('sinks.get', { sinkName }))).toBe(NOT_FOUND);
    },
    wrong: async (on) => {
      expect(await refused(on.call('sinks.delete', { sinkName: `${on.container}/sinks/none` }))).toBe(NOT_FOUND);
      expect(await refused(on.call('sinks.delete', { sinkName: `${on.container}/sinks/_Required` }))).toMatch(/^400 /);
    },
  },
  'exclusions.create': {
    right: async (on) => {
      const name = await newExclusion(on);
      expect(await on.call('exclusions.get', { name })).toMatchObject({ name: lastOf(name), filter: NOISE });
    },
    wrong: async (on) => {
      const create = (requestBody: object) => on.call('exclusions.create', { parent: on.container, requestBody });
      expect(await refused(create({ name: on.fresh('exclusion') }))).toBe(INVALID);
      const name = lastOf(await newExclusion(on));
      expect(await refused(create({ name, filter: NOISE }))).toBe(EXISTS);
    },
  },
  'exclusions.get': {
    right: async (on) => {
      const name = await newExclusion(on);
      expect(await on.call('exclusions.get', { name })).toHaveProperty('createTime');
    },
    wrong: async (on) => {
      expect(await refused(on.call('exclusions.get', { name: `${on.container}/exclusions/none` }))).toBe(NOT_FOUND);
    },
  },
  'exclusions.list': {
    right: async (on) => {
      const name = lastOf(await newExclusion(on));
      const found = namesIn(await on.call('exclusions.list', { parent: on.container, pageSize: 1000 }), 'exclusions');
      expect(found).toContain(name);
    },
    wrong: async (on) => {
      expect(await refused(on.call('exclusions.list', { parent: on.container, pageToken: 'x' }))).toBe(INVALID);
    },
  },
  'exclusions.patch': {
    right: async (on) => {
      const name = await newExclusion(on);
      await on.call('exclusions.patch', { name, updateMask: 'disabled', requestBody: { disabled: true, filter: 'x' } });
      expect(await on.call('exclusions.get', { name })).toMatchObject({ disabled: true, filter: NOISE });
    },
    wrong: async (on) => {
      const name = await newExclusion(on);
      expect(await refused(on.call('exclusions.patch', { name, requestBody: { disabled: true } }))).toBe(INVALID);
    },
  },
  'exclusions.delete': {
    right: async (on) => {
      const name = await newExclusion(on);
      await on.call('exclusions.delete', { name });
      expect(await refused(on.call('exclusions.get', { name }))).toBe(NOT_FOUND);
    },
    wrong: async (on) => {
      expect(await refused(on.call('exclusions.delete', { name: `${on.container}/exclusions/none` }))).toBe(NOT_FOUND);
    },
  },
  'metrics.create': {
    right: async (on) => {
      const metricName = await newMetric(on);
      const metric = await on.call('metrics.get', { metricName });
      expect(metric).toMatchObject({ name: lastOf(metricName), filter: 'severity>=ERROR' });
    },
    wrong: async (on) => {
      const create = (requestBody: object) => on.call('metrics.create', { parent: on.container, requestBody });
      expect(await refused(create({ name: on.fresh('metric') }))).toBe(INVALID);
      expect(await refused(create({ name: lastOf(await newMetric(on)), filter: NOISE }))).toBe(EXISTS);
    },
  },
  'metrics.get': {
    right: async (on) => {
      const metricName = await newMetric(on);
      expect(await on.call('metrics.get', { metricName })).toHaveProperty('createTime');
    },
    wrong: async (on) => {
      expect(await refused(on.call('metrics.get', { metricName: `${on.container}/metrics/none` }))).toBe(NOT_FOUND);
    },
  },
  'metrics.list': {
    right: async (on) => {
      const name = lastOf(await newMetric(on));
      const found = namesIn(await on.call('metrics.list', { parent: on.container, pageSize: 1000 }), 'metrics');
      expect(found).toContain(name);
    },
    wrong: async (on) => {
      expect(await refused(on.call('metrics.list', { parent: on.container, pageToken: 'x' }))).toBe(INVALID);
    },
  },
  'metrics.update': {
    right: async (on) => {
      const metricName = await newMetric(on);
      const requestBody = { name: lastOf(metricName), filter: 'severity>=ALERT', description: 'alerts' };
      await on.call('metrics.update', { metricName, requestBody });
      expect(await on.call('metrics.get', { metricName })).toMatchObject({
        filter: 'severity>=ALERT',
        description: 'alerts',
      });
    },
    wrong: async (on) => {
      const metricName = await newMetric(on);
      const requestBody = { name: lastOf(metricName), filter: '(((' };
      expect(await refused(on.call('metrics.update', { metricName, requestBody }))).toBe(INVALID);
    },
  },
  'metrics.delete': {
    right: async (on) => {
      const metricName = await newMetric(on);
      await on.call('metrics.delete', { metricName });
      expect(await refused(on.call('metrics.get', { metricName }))).toBe(NOT_FOUND);
    },
    wrong: async (on) => {
      expect(await refused(on.call('metrics.delete', { metricName: `${on.container}/metrics/none` }))).toBe(NOT_FOUND);
    },
  },
};
