import { env } from 'cloudflare:workers';
import { beforeEach, expect, test } from 'vitest';
import { tokenFor } from '../../support/workers/control-tokens.ts';
import { call, json } from './world.ts';

const PUBLISHER = 'accounts/pub-6000000000000001';

beforeEach(async () => {
  const registry = env.TENANT_REGISTRY.getByName('tenants');
  for (const tenant of ['C00000001', 'C0000foreign']) await registry.tenant(tenant, 'sandbox');
});

test.each([
  ['admob.report', 'accounts', 200],
  ['admob.report', PUBLISHER, 200],
  ['admob.report', `${PUBLISHER}/adSources`, 200],
  ['report', `${PUBLISHER}/adSources`, 200],
  ['admob.report', `${PUBLISHER}/adSources/5450213213286189855/adapters`, 403],
  ['admob.report', `${PUBLISHER}/apps`, 403],
  ['admob.report', `${PUBLISHER}/mediationGroups`, 403],
  ['readonly', `${PUBLISHER}/mediationGroups`, 200],
])('with the scope %s the answer of %s is %i', async (scope, path, status) => {
  expect((await call(`/v1beta/${path}`, { token: tokenFor({ scopes: [scope] }) })).status).toBe(status);
});

test('a publisher that was read is in the list of its tenant, and in no other; one that was refused is in none', async () => {
  const [read, refused] = ['accounts/pub-6000000000000002', 'accounts/pub-6000000000000003'];
  const theirs = tokenFor({ tenant: 'C0000foreign' });
  await call(`/v1beta/${read}/apps`);
  expect((await call(`/v1beta/${refused}/adSources/1/adapters`)).status).toBe(404);
  const names = async (token?: string): Promise<unknown[]> => {
    const list = call('/v1beta/accounts', token === undefined ? {} : { token });
    return (await json<{ account?: { name: string }[] }>(list)).account?.map(({ name }) => name) ?? [];
  };
  expect(await names()).toContain(read);
  expect(await names()).not.toContain(refused);
  expect(await names(theirs)).not.toContain(read);
  // The call that was refused made it the tenant's own.
  expect((await call(`/v1beta/${refused}`, { token: theirs })).status).toBe(403);
});
