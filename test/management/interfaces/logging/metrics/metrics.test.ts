import { beforeEach, expect, test } from 'vitest';
import type { JsonObject } from '../../../../../src/lib/json.ts';
import { type TestTenant, testTenant } from '../../../../support/management/management.ts';

const FIRST = '2026-11-21T00:00:00.000Z';
const CREATE = 'logging.projects.metrics.create';
const UPDATE = 'logging.projects.metrics.update';
const GET = 'logging.projects.metrics.get';
const path = { parent: 'projects/p' };
const named = (id: string) => ({ path: { metricName: `projects/p/metrics/${id}` } });

let tenant: TestTenant;
beforeEach(() => {
  tenant = testTenant();
});

test('a metric counts entries unless it says otherwise', () => {
  const body = { name: 'nginx/requests', filter: 'severity>=ERROR', description: 'Errors' };
  const made = tenant.ok(CREATE, { path, body });
  expect(made).toEqual({
    ...body,
    resourceName: 'projects/p/metrics/nginx%2Frequests',
    metricDescriptor: {
      name: 'projects/p/metricDescriptors/logging.googleapis.com/user/nginx/requests',
      type: 'logging.googleapis.com/user/nginx/requests',
      metricKind: 'DELTA',
      valueType: 'INT64',
      unit: '1',
      description: 'Errors',
    },
    version: 'V2',
    createTime: FIRST,
    updateTime: FIRST,
  });
  expect(tenant.ok(GET, named('nginx%2Frequests'))).toEqual(made);
  expect(tenant.ok('logging.projects.metrics.list', { path })).toEqual({ metrics: [made] });
  expect(tenant.ok('logging.projects.metrics.delete', named('nginx%2Frequests'))).toEqual({});
  expect(tenant.refused(GET, named('nginx%2Frequests'))).toBe(
    '404 notFound: Resource not found: projects/p/metrics/nginx%2Frequests',
  );
});

test('PUT replaces a metric that is there, and makes one that is not', () => {
  const sent = (body: JsonObject) => tenant.ok(UPDATE, { ...named('m'), body: { name: 'm', ...body } });
  expect(sent({ filter: 'a', description: 'A' })).toMatchObject({ filter: 'a', createTime: FIRST, updateTime: FIRST });
  tenant.later(1_000);
  const changed = sent({ filter: 'b' });
  expect(changed).toMatchObject({ filter: 'b', createTime: FIRST, updateTime: '2026-11-21T00:00:01.000Z' });
  expect(changed['description']).toBeUndefined();
  tenant.later(1_000);
  expect(sent({ filter: 'b' })).toEqual(changed);
  expect(tenant.refused(UPDATE, { ...named('m'), body: { name: 'n', filter: 'b' } })).toMatch(/^400 invalid: name/);
});

const LABELS = { metricDescriptor: { labels: [{ key: 'method' }] } };

test.each<[string, JsonObject]>([
  [
    'a distribution',
    {
      metricDescriptor: { metricKind: 'DELTA', valueType: 'DISTRIBUTION', unit: 'ms' },
      valueExtractor: 'EXTRACT(jsonPayload.ms)',
      bucketOptions: { linearBuckets: { numFiniteBuckets: 3, width: 1, offset: 1 } },
    },
  ],
  [
    'an expression',
    {
      metricDescriptor: { valueType: 'DISTRIBUTION' },
      valueExtractor: String.raw`REGEXP_EXTRACT(jsonPayload.request, ".*quantity=(\d+).*")`,
    },
  ],
  ['labels', { ...LABELS, labelExtractors: { method: 'EXTRACT(httpRequest.requestMethod)' } }],
  ['a bucket of its project', { bucketName: 'projects/p/locations/global/buckets/b' }],
  ['a name with every character', { name: "a_-.,+!*',()%/Z9" }],
])('takes %s', (_what, body) => {
  expect(tenant.ok(CREATE, { path, body: { name: 'm', filter: 'a', ...body } })).toMatchObject(
    body['bucketOptions'] === undefined ? { filter: 'a' } : { bucketOptions: body['bucketOptions'] },
  );
});

test.each<[string, JsonObject, RegExp]>([
  ['no name', { name: '' }, /^400 required: .*name/],
  ['a name that begins with a slash', { name: '/a' }, /^400 invalid: Invalid name/],
  ['a name of 101 characters', { name: 'a'.repeat(101) }, /^400 invalid: Invalid name/],
  ['a name with a space', { name: 'a b' }, /^400 invalid: Invalid name/],
  ['no filter', { filter: '' }, /^400 required: .*filter/],
  ['a bad filter', { filter: 'a AND' }, /^400 invalid: Unparseable filter/],
  ['a gauge', { metricDescriptor: { metricKind: 'GAUGE' } }, /kind .* DELTA/],
  ['a distribution without a value', { metricDescriptor: { valueType: 'DISTRIBUTION' } }, /extractor/],
  ['a value of a counter', { valueExtractor: 'EXTRACT(a)' }, /Only a metric of the value type DISTRIBUTION/],
  [
    'an extractor that is none',
    { metricDescriptor: { valueType: 'DISTRIBUTION' }, valueExtractor: 'a' },
    /extractor is/,
  ],
  [
    'half an expression',
    { metricDescriptor: { valueType: 'DISTRIBUTION' }, valueExtractor: 'REGEXP_EXTRACT(a)' },
    /extractor is/,
  ],
  ['a label without an extractor', LABELS, /needs one extractor/],
  ['an extractor without a label', { labelExtractors: { a: 'EXTRACT(b)' } }, /needs one extractor/],
  [
    'eleven labels',
    { metricDescriptor: { labels: Array.from({ length: 11 }, (_, at) => ({ key: `k${at}` })) } },
    /at most 10/,
  ],
  ['K1: a bucket of another project', { bucketName: 'projects/q/locations/global/buckets/b' }, /of the same project/],
])('refuses %s', (_what, body, why) => {
  expect(tenant.refused(CREATE, { path, body: { name: 'm', filter: 'a', ...body } })).toMatch(why);
  expect(tenant.ok('logging.projects.metrics.list', { path })).toEqual({});
});

test('refuses a name that is taken, and a 501st metric', () => {
  for (let at = 0; at < 500; at += 1) tenant.ok(CREATE, { path, body: { name: `m${at}`, filter: 'a' } });
  expect(tenant.refused(CREATE, { path, body: { name: 'm1', filter: 'a' } })).toMatch(/^409 duplicate/);
  expect(tenant.refused(CREATE, { path, body: { name: 'more', filter: 'a' } })).toMatch(/^429 limitExceeded/);
  expect(tenant.refused(UPDATE, { ...named('more'), body: { name: 'more', filter: 'a' } })).toMatch(/^429/);
  tenant.ok(UPDATE, { ...named('m1'), body: { name: 'm1', filter: 'b' } });
});

test('a name that cannot be decoded is that of no metric', () => {
  expect(tenant.refused(GET, named('a%2'))).toBe('404 notFound: Resource not found: projects/p/metrics/a%2');
});
