import { env as bindings } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import type { ControlEnv } from '../../../routes/control/bindings/env.ts';
import { getEntryStore } from '../../../routes/control/bindings/tenants.ts';
import type { Call } from '../../../src/management/core/engine/operation.ts';
import type { Tenant } from '../../../src/management/core/engine/tenant.ts';
import type { EntryObject } from '../../../src/management/log-store/entry-object.ts';

const env = bindings as unknown as ControlEnv; // The project's settings hold all that it names.
const BUCKET = 'projects/p/locations/global/buckets/_Default';
const buckets = [{ name: BUCKET, retentionDays: 30 }];

/** Writes an entry and reads it. @returns the names of the stores that have entries then */
async function findStores(mode: Tenant['mode'], settings: Partial<ControlEnv> = {}): Promise<readonly string[]> {
  const tenant: Tenant = { id: `C0parts${mode}${Object.values(settings).join('')}`, mode, domain: 'example.com' };
  const store = getEntryStore({ ...env, ...settings }, tenant);
  const caller: Call['caller'] = { tenant: tenant.id, kind: 'service', userId: 'u', clientId: 'c', scopes: [] };
  const entries = [{ logName: 'projects/p/logs/app', resource: { type: 'global' }, textPayload: 'hello' }];
  const call: Call = { method: 'logging.entries.write', path: {}, query: {}, body: { entries }, caller };
  const target = { kind: 'bucket', bucket: BUCKET } as const;
  const sink = { sink: 'projects/p/sinks/_Default', filter: '', exclusions: [], target };
  const nowMs = Date.now();
  await store.run(tenant, call, { do: 'write', nowMs, routes: { 'projects/p': [sink] }, buckets });
  const order = { do: 'list', nowMs, sources: [{ bucket: BUCKET }], buckets, salt: 's' } as const;
  expect(await store.run(tenant, { ...call, body: {} }, order)).toMatchObject({
    body: { entries: [{ textPayload: 'hello' }] },
  });
  const own: unknown = env.ENTRY_STORE.get(env.ENTRY_STORE.idFromName(tenant.id));
  return (await (own as EntryObject).lanes(tenant, 'entries')).map(({ name }) => name);
}

test('a live tenant writes to shards, a sandbox to its own object, where the settings say nothing else', async () => {
  const shard = expect.stringMatching(/^entries\/\d+\/0$/);
  expect(await findStores('live')).toEqual([shard]);
  expect(await findStores('sandbox')).toEqual(['']);
  expect(await findStores('live', { ENTRY_SHARDS: '1' })).toEqual(['']);
  expect(await findStores('sandbox', { SANDBOX_ENTRY_SHARDS: '2' })).toEqual([shard]);
});
