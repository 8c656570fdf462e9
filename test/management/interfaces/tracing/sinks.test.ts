import { expect, test } from 'vitest';
import { MAX_SINKS } from '../../../../src/management/interfaces/tracing/rows.ts';
import type { JsonObject } from '../../../../src/lib/json.ts';
import { testTenant, type TestTenant } from '../../../support/management/management.ts';
import { text } from './traced.ts';

const id = (verb: string): string => `cloudtrace.projects.traceSinks.${verb}`;
const PARENT = 'projects/12345';
const NAME = `${PARENT}/traceSinks/my-sink`;
const DESTINATION = 'bigquery.googleapis.com/projects/local/datasets/traces';
const OTHER = 'bigquery.googleapis.com/projects/local/datasets/others';
const SINK = { name: NAME, outputConfig: { destination: DESTINATION } };

const create = (tenant: TestTenant, body: JsonObject = SINK): JsonObject =>
  tenant.ok(id('create'), { path: { parent: PARENT }, body });

test('a sink is created with an account of its own, read, listed and deleted', () => {
  const tenant = testTenant();
  const made = create(tenant, { ...SINK, writerIdentity: 'mine@example.com' });
  expect(made).toEqual({ ...SINK, writerIdentity: made['writerIdentity'] });
  expect(made['writerIdentity']).toMatch(/^service-\d{10}@\d{10}\.iam\.gserviceaccount\.com$/);
  expect(tenant.ok(id('get'), { path: { name: NAME } })).toEqual(made);
  expect(tenant.ok(id('list'), { path: { parent: PARENT } })).toEqual({ sinks: [made] });
  expect(tenant.ok(id('delete'), { path: { name: NAME } })).toEqual({});
  expect(tenant.ok(id('list'), { path: { parent: PARENT } })).toEqual({});
});

test('pages hold as many as asked for; a size that is not above 0 is as if it were not there', () => {
  const tenant = testTenant();
  for (const name of ['a', 'b', 'c']) create(tenant, { ...SINK, name: `${PARENT}/traceSinks/${name}` });
  const first = tenant.ok(id('list'), { path: { parent: PARENT }, query: { pageSize: 2 } });
  expect(first['sinks']).toHaveLength(2);
  const pageToken = text(first['nextPageToken']);
  const second = tenant.ok(id('list'), { path: { parent: PARENT }, query: { pageSize: 2, pageToken } });
  expect(second).toMatchObject({ sinks: [{ name: `${PARENT}/traceSinks/c` }] });
  expect(tenant.ok(id('list'), { path: { parent: PARENT }, query: { pageSize: -5 } })['sinks']).toHaveLength(3);
});

test.each(['outputConfig', 'output_config', 'outputConfig.destination', 'output_config,writer_identity', '*'])(
  'patch with the mask %s moves the destination and nothing else',
  (updateMask) => {
    const tenant = testTenant();
    const made = create(tenant);
    const body = { name: 'projects/12345/traceSinks/other', outputConfig: { destination: OTHER }, writerIdentity: 'x' };
    const changed = tenant.ok(id('patch'), { path: { name: NAME }, query: { updateMask }, body });
    expect(changed).toEqual({ ...made, outputConfig: { destination: OTHER } });
    expect(tenant.ok(id('get'), { path: { name: NAME } })).toEqual(changed);
  },
);

test.each<[string, Record<string, string>, JsonObject]>([
  ['no mask', {}, { outputConfig: { destination: OTHER } }],
  ['an empty mask', { updateMask: '' }, { outputConfig: { destination: OTHER } }],
  ['a mask with the name', { updateMask: 'name' }, { name: NAME }],
  ['a mask with a field that there is not', { updateMask: 'filter' }, {}],
  ['a destination that is cleared', { updateMask: 'outputConfig' }, {}],
  ['a destination of another form', { updateMask: 'outputConfig' }, { outputConfig: { destination: 'x' } }],
])('patch refuses %s', (_what, query, body) => {
  const tenant = testTenant();
  const made = create(tenant);
  expect(tenant.refused(id('patch'), { path: { name: NAME }, query, body })).toMatch(/^400 /);
  expect(tenant.ok(id('get'), { path: { name: NAME } })).toEqual(made);
});

test.each<[string, JsonObject]>([
  ['no name', { name: '' }],
  ['a name that is an id only', { name: 'my-sink' }],
  ['a name of another project', { name: 'projects/9/traceSinks/my-sink' }],
  ['an id with other characters', { name: `${PARENT}/traceSinks/my sink` }],
  ['an id of 257 characters', { name: `${PARENT}/traceSinks/${'x'.repeat(257)}` }],
  ['no destination', { outputConfig: {} }],
  ['no output', { outputConfig: null }],
  ['a bucket', { outputConfig: { destination: 'storage.googleapis.com/bucket' } }],
  ['a dataset id that is none', { outputConfig: { destination: `${DESTINATION}-1` } }],
  ['something behind the dataset', { outputConfig: { destination: `${DESTINATION}/tables/t` } }],
])('create refuses %s', (_what, more) => {
  const tenant = testTenant();
  const refusal = tenant.refused(id('create'), { path: { parent: PARENT }, body: { ...SINK, ...more } });
  expect(refusal).toMatch(/^400 (?:invalid|required): /);
  expect(tenant.ok(id('list'), { path: { parent: PARENT } })).toEqual({});
});

test('a name that is taken answers 409, one that is not there 404, one too many 429', () => {
  const tenant = testTenant();
  create(tenant);
  expect(tenant.refused(id('create'), { path: { parent: PARENT }, body: SINK })).toBe(
    `409 duplicate: Resource already exists: ${NAME}`,
  );
  for (let number = 1; number < MAX_SINKS; number += 1)
    create(tenant, { ...SINK, name: `${PARENT}/traceSinks/s${number}` });
  const body = { ...SINK, name: `${PARENT}/traceSinks/more` };
  expect(tenant.refused(id('create'), { path: { parent: PARENT }, body })).toBe(
    '429 quotaExceeded: A project has at most 100 trace sinks',
  );
  for (const verb of ['get', 'delete', 'patch'])
    expect(tenant.refused(id(verb), { path: { name: `${PARENT}/traceSinks/none` }, query: { updateMask: '*' } })).toBe(
      `404 notFound: Resource not found: ${PARENT}/traceSinks/none`,
    );
});
