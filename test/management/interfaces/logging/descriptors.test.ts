import { toObjects, type JsonObject } from '../../../../src/lib/json.ts';
import { expect, test } from 'vitest';
import { toTextOrEmpty } from '../../../../src/management/interfaces/logging/schemas.ts';
import { testTenant } from '../../../support/management/management.ts';

test('monitored resource types are listed with their labels, page by page', () => {
  const tenant = testTenant();
  const method = 'logging.monitoredResourceDescriptors.list';
  const rowsIn = ({ resourceDescriptors }: JsonObject): JsonObject[] => resourceDescriptors as JsonObject[];
  const all = rowsIn(tenant.ok(method));
  expect(all.map(({ type }) => type)).toEqual(
    expect.arrayContaining([
      'global',
      'project',
      'cloud_run_revision',
      'gce_instance',
      'k8s_container',
      'generic_task',
    ]),
  );
  const container = all.find(({ type }) => type === 'k8s_container');
  expect(container).toMatchObject({ displayName: 'Kubernetes Container', launchStage: 'GA' });
  expect(
    toObjects(container?.['labels']).map(({ key, valueType }) => `${toTextOrEmpty(key)} ${toTextOrEmpty(valueType)}`),
  ).toEqual([
    'project_id STRING',
    'location STRING',
    'cluster_name STRING',
    'namespace_name STRING',
    'pod_name STRING',
    'container_name STRING',
  ]);
  const first = tenant.ok(method, { query: { pageSize: 2 } });
  const second = tenant.ok(method, { query: { pageSize: 2, pageToken: toTextOrEmpty(first['nextPageToken']) } });
  expect([...rowsIn(first), ...rowsIn(second)]).toEqual(all.slice(0, 4));
});
