import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/lib/json.ts';
import { listed, text } from '../../../support/management/directory.ts';
import { testTenant, type TestTenant } from '../../../support/management/management.ts';

const query = { project: 'p' };
const make = (tenant: TestTenant, name: string, more: JsonObject = {}, project = 'p'): JsonObject =>
  tenant.ok('storage.buckets.insert', { query: { project }, body: { name, ...more } });
const namesOf = (answer: JsonObject): unknown[] => listed(answer, 'items').map(({ name }) => name);

test('what the server sets is ignored in a body, and what the caller sets is shown', () => {
  const tenant = testTenant();
  const body = { id: 'x', metageneration: '7', timeCreated: '1999-01-01T00:00:00Z', locationType: 'zone' };
  const made = make(tenant, 'a-bucket', { ...body, location: 'europe-west1', storageClass: 'NEARLINE' });
  expect(made).toMatchObject({
    id: 'a-bucket',
    metageneration: '1',
    location: 'EUROPE-WEST1',
    locationType: 'region',
    storageClass: 'NEARLINE',
  });
  expect(text(made['timeCreated'])).not.toContain('1999');
});

test('buckets are listed by project, by what they begin with, and by pages', () => {
  const tenant = testTenant();
  for (const name of ['b-2', 'a-1', 'b-1']) make(tenant, name);
  make(tenant, 'elsewhere', {}, 'other');
  make(tenant, 'elsewhere-too', {}, 'p-2');
  expect(namesOf(tenant.ok('storage.buckets.list', { query }))).toEqual(['a-1', 'b-1', 'b-2']);
  expect(namesOf(tenant.ok('storage.buckets.list', { query: { ...query, prefix: 'b-' } }))).toEqual(['b-1', 'b-2']);
  const first = tenant.ok('storage.buckets.list', { query: { ...query, maxResults: 2 } });
  const pageToken = text(first['nextPageToken']);
  expect(namesOf(first)).toEqual(['a-1', 'b-1']);
  const second = tenant.ok('storage.buckets.list', { query: { ...query, maxResults: 2, pageToken } });
  expect([namesOf(second), second['nextPageToken']]).toEqual([['b-2'], undefined]);
  expect(tenant.ok('storage.buckets.list', { query: { ...query, softDeleted: true } })).toEqual({
    kind: 'storage#buckets',
  });
});

test.each<[JsonObject, string]>([
  [{}, '400 required: Missing required field: name'],
  [{ name: 'No' }, "400 invalid: Invalid bucket name: 'No'"],
  [{ name: 'x'.repeat(300) }, '400 invalid: Invalid bucket name:'],
  [{ name: 'fine', location: '../../x' }, '400 invalid: The specified location constraint is not valid.'],
  [{ name: 'fine', storageClass: 'TAPE' }, '400 invalid: Invalid argument: storageClass'],
  [{ name: 'taken' }, '409 conflict: Your previous request to create the named bucket succeeded'],
])('insert refuses %j', (body, refusal) => {
  const tenant = testTenant();
  make(tenant, 'taken');
  expect(tenant.refused('storage.buckets.insert', { query, body })).toContain(refusal);
  expect(namesOf(tenant.ok('storage.buckets.list', { query }))).toEqual(['taken']);
});

test('conditions on the generation of what is known of a bucket hold or refuse', () => {
  const tenant = testTenant();
  make(tenant, 'bucket');
  const path = { bucket: 'bucket' };
  expect(tenant.refused('storage.buckets.get', { path, query: { ifMetagenerationMatch: '2' } })).toMatch(/^412 /);
  expect(tenant.refused('storage.buckets.delete', { path, query: { ifMetagenerationMatch: '2' } })).toMatch(/^412 /);
  tenant.ok('storage.buckets.get', { path, query: { ifMetagenerationMatch: '1' } });
  tenant.ok('storage.buckets.delete', { path, query: { ifMetagenerationMatch: '1' } });
  expect(tenant.refused('storage.buckets.delete', { path })).toBe('404 notFound: The specified bucket does not exist.');
});
