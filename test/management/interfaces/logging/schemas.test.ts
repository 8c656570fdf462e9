import { expect, test } from 'vitest';
import { createSnapshots } from '../../../../src/management/emulator/snapshots.ts';
import { interfaces } from '../../../../src/management/core/interfaces.ts';
import type { JsonObject } from '../../../../src/lib/json.ts';
import { logging } from '../../../../src/management/interfaces/logging/index.ts';
import { TENANT, testTenant } from '../../../support/management/management.ts';
import { text } from './answers.ts';

const GLOBAL = 'projects/p/locations/global';
const MINE = `${GLOBAL}/buckets/mine`;
const VIEW = `${MINE}/views/v`;

/** Something in every collection of the configuration, some of it under way. */
test('K3: what a snapshot holds of the configuration is put back as it was', () => {
  const tenant = testTenant();
  const buckets = 'logging.projects.locations.buckets';
  const made = { path: { parent: GLOBAL }, query: { bucketId: 'mine' }, body: { analyticsEnabled: true } };
  tenant.ok(`${buckets}.create`, made);
  tenant.ok(`${buckets}.create`, { ...made, query: { bucketId: 'old' } });
  tenant.ok(`${buckets}.delete`, { path: { name: `${GLOBAL}/buckets/old` } });
  tenant.ok(`${buckets}.views.create`, { path: { parent: MINE }, query: { viewId: 'v' }, body: {} });
  const policy = { version: 3, bindings: [{ role: 'roles/viewer', members: ['allUsers'] }] };
  tenant.ok(`${buckets}.views.setIamPolicy`, { path: { resource: VIEW }, body: { policy } });
  tenant.ok(`${buckets}.links.create`, { path: { parent: MINE }, query: { linkId: 'l' }, body: {} });
  tenant.ok(`${buckets}.createAsync`, { ...made, query: { bucketId: 'next' } });
  const mask = { query: { updateMask: 'retentionDays' }, body: { retentionDays: 3 } };
  const begun = tenant.ok(`${buckets}.updateAsync`, { path: { name: `${GLOBAL}/buckets/_Default` }, ...mask });
  tenant.ok('logging.folders.updateSettings', { path: { name: 'folders/1' }, body: { storageLocation: 'eu' } });
  const seen = (): JsonObject[] => [
    tenant.ok(`${buckets}.list`, { path: { parent: GLOBAL } }),
    tenant.ok(`${buckets}.views.list`, { path: { parent: MINE } }),
    tenant.ok(`${buckets}.links.list`, { path: { parent: MINE } }),
    tenant.ok('logging.projects.locations.operations.list', { path: { name: GLOBAL } }),
    tenant.ok('logging.folders.getSettings', { path: { name: 'folders/1' } }),
  ];
  const before = seen();
  const snapshots = createSnapshots(tenant.sql, interfaces);
  snapshots.take('one', TENANT, 0);
  tenant.ok('logging.projects.locations.operations.cancel', { path: { name: text(begun['name']) } });
  tenant.ok(`${buckets}.views.delete`, { path: { name: VIEW } });
  expect(seen()).not.toEqual(before);
  snapshots.restore('one', TENANT, tenant.engine.store);
  expect(seen()).toEqual(before);
  tenant.later(1_000);
  const { bindings } = tenant.ok(`${buckets}.views.getIamPolicy`, { path: { resource: VIEW }, body: {} });
  expect(bindings).toEqual(policy.bindings);
});

const bucket = { retentionDays: 30 };
const operation = { startMs: 1, doneMs: 2, metadata: {}, response: {} };

test.each<[string, JsonObject, boolean]>([
  ['logging.buckets', { bucket }, true],
  ['logging.buckets', { bucket: { retentionDays: 0 } }, false],
  ['logging.buckets', { bucket: { ...bucket, locked: 'no' } }, false],
  ['logging.buckets', { bucket: { ...bucket, cmekSettings: 'k' } }, false],
  ['logging.buckets', { bucket, pending: { operation: 'o' } }, false],
  ['logging.buckets', { bucket, deletedMs: 'soon' }, false],
  ['logging.links', { createTime: '2026-11-21T00:00:00Z' }, true],
  ['logging.links', { createTime: 1 }, false],
  ['logging.operations', operation, true],
  ['logging.operations', { ...operation, response: [] }, false],
  ['logging.viewPolicies', { bindings: [{ role: 'r', members: [] }] }, true],
  ['logging.viewPolicies', { bindings: [{ role: 'r', members: [1] }] }, false],
  ['logging.viewPolicies', {}, false],
])('K3: a row of %s like %j is put back: %s', (collection, body, isFit) => {
  expect(logging.rows?.[collection]?.(body)).toBe(isFit);
});
