import { evictDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';

const registry = () => env.TENANT_REGISTRY.getByName('tenants');

test('K1, K2: the registry keeps modes and owners when it is restarted', async () => {
  expect(await registry().tenant('C1', 'live')).toEqual({ id: 'C1', mode: 'live', domain: 'c1.example.com' });
  expect(await registry().claim('C1', 'projects/my-project')).toBe('own');
  await evictDurableObject(registry());
  expect(await registry().tenant('C1', 'sandbox')).toMatchObject({ mode: 'live' });
  await registry().tenant('C2', 'sandbox');
  expect(await registry().claim('C2', 'projects/my-project')).toBe('foreign');
});
