import { expect, test } from 'vitest';
import { isStoredInstance } from '../../../../src/management/interfaces/aisearch/instances/schemas.ts';
import { isStoredNamespace } from '../../../../src/management/interfaces/aisearch/schemas.ts';
import type { JsonObject } from '../../../../src/lib/json.ts';
import { searching } from './made.ts';

function bodyOf(collection: string, tenant: ReturnType<typeof searching>['tenant']): JsonObject {
  const [row] = tenant.sql.exec('SELECT json FROM resource WHERE collection = ?', collection).toArray();
  return JSON.parse(String(row?.['json'])) as JsonObject;
}

const SOURCE = { source: 'https://example.com', source_params: { include_items: ['/docs/**'] } };

test('K3: what an instance keeps is what a restore takes', () => {
  const { tenant } = searching({ id: 'docs', ...SOURCE });
  expect(isStoredInstance(bodyOf('aisearch.instances', tenant))).toBe(true);
});

test.each<JsonObject>([
  { uid: 'short' },
  { uid: null },
  { source: 'file:///etc/passwd' },
  { source: 'https://user:pass@example.com' },
  { type: 'r2' },
  { settings: { chunk_size: 1 } },
  { settings: { colour: 'red' } },
  { createdMs: -1 },
  { more: 1 },
])('K3: an instance with %j is not restored', (change) => {
  const { tenant } = searching({ id: 'docs', ...SOURCE });
  expect(isStoredInstance({ ...bodyOf('aisearch.instances', tenant), ...change })).toBe(false);
});

test('K3: what a namespace keeps is what a restore takes, and nothing else is', () => {
  const { tenant, ok } = searching();
  ok('aisearch.namespaces.create', { body: { name: 'team', public_endpoint_params: { enabled: true } } });
  const body = bodyOf('aisearch.namespaces', tenant);
  expect(isStoredNamespace(body)).toBe(true);
  expect(isStoredNamespace({ ...body, description: 1 })).toBe(false);
  expect(isStoredNamespace({ ...body, more: 1 })).toBe(false);
});
