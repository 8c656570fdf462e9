import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/lib/json.ts';
import type { QueryValue } from '../../../../src/management/core/engine/operation.ts';
import { testTenant } from '../../../support/management/management.ts';
import { textOf } from './quota-world.ts';

const NAME = 'projects/local/locations/global/quotaAdjusterSettings';
const GET = 'cloudquotas.v1beta.projects.locations.quotaAdjusterSettings.getQuotaAdjusterSettings';
const UPDATE = 'cloudquotas.projects.locations.quotaAdjusterSettings.updateQuotaAdjusterSettings';

function world() {
  const tenant = testTenant();
  const sent = (body: JsonObject, query: Record<string, QueryValue>) => ({
    path: { name: NAME },
    body,
    query,
  });
  return {
    tenant,
    get: () => tenant.ok(GET, { path: { name: NAME } }),
    update: (body: JsonObject, query: Record<string, QueryValue> = {}) => tenant.ok(UPDATE, sent(body, query)),
    refused: (body: JsonObject, query: Record<string, QueryValue> = {}) => tenant.refused(UPDATE, sent(body, query)),
  };
}

test('nobody set it: it is disabled by default', () => {
  expect(world().get()).toEqual({
    name: NAME,
    enablement: 'DISABLED',
    inherited: true,
    inheritedFrom: 'default',
    etag: expect.stringMatching(/^"/) as string,
  });
});

test('it is set for a container, shown by both versions, and given back', () => {
  const { get, update, tenant } = world();
  const set = update({ enablement: 'ENABLED' });
  expect(set).toMatchObject({
    name: NAME,
    enablement: 'ENABLED',
    inherited: false,
    inheritedFrom: '',
    updateTime: '2026-11-21T00:00:00.000Z',
  });
  expect(get()).toEqual(set);
  const folder = { path: { name: NAME.replace('projects/local', 'folders/7') } };
  expect(tenant.ok(GET.replace('projects', 'folders'), folder)).toMatchObject({ inheritedFrom: 'default' });
  expect(update({ inherited: true }, { updateMask: 'inherited' })).toMatchObject({ inheritedFrom: 'default' });
  expect(get()).toMatchObject({ enablement: 'DISABLED', inherited: true });
});

test('an etag of before is ABORTED', () => {
  const { get, update, refused } = world();
  const etag = textOf(get()['etag']);
  const set = update({ enablement: 'ENABLED', etag });
  expect(refused({ enablement: 'DISABLED', etag })).toBe(
    '409 conflict: The etag does not match: the resource was changed meanwhile',
  );
  expect(update({ enablement: 'DISABLED', etag: textOf(set['etag']) })).toMatchObject({ enablement: 'DISABLED' });
});

test('an etag never comes back, not even when the setting is given back', () => {
  const { get, update, refused } = world();
  const etags = [
    get(),
    update({ enablement: 'ENABLED' }),
    update({ inherited: true }, { updateMask: 'inherited' }),
  ].map(({ etag }) => textOf(etag));
  expect(new Set(etags).size).toBe(3);
  expect(get()['etag']).toBe(etags[2]);
  expect(update({ inherited: true }, { updateMask: 'inherited' })['etag']).toBe(etags[2]);
  for (const etag of etags.slice(0, 2)) expect(refused({ enablement: 'ENABLED', etag })).toMatch(/^409 conflict: /);
  expect(update({ enablement: 'ENABLED', etag: etags[2] ?? '' })).toMatchObject({ inherited: false });
});

test('validateOnly judges and writes nothing', () => {
  const { get, update, refused } = world();
  const before = get();
  expect(update({ enablement: 'ENABLED' }, { validateOnly: true })).toMatchObject({ enablement: 'ENABLED' });
  expect(refused({}, { validateOnly: true })).toMatch(/^400 invalid: /);
  expect(get()).toEqual(before);
});

test.each([
  [{ enablement: 'ENABLEMENT_UNSPECIFIED' }, {}],
  [{}, {}],
  [{ enablement: 'ENABLED' }, { updateMask: 'enabled' }],
])('%j by %j is refused', (body, query) => {
  expect(world().refused(body, query)).toMatch(/^400 invalid: /);
});

test('a mask that names nothing to write changes nothing', () => {
  const { get, update } = world();
  const before = get();
  expect(update({ enablement: 'ENABLED' }, { updateMask: 'inheritedFrom' })).toEqual(before);
});

test('another location is refused', () => {
  const name = NAME.replace('global', 'us-east1');
  expect(testTenant().refused(GET, { path: { name } })).toBe('400 invalid: The location of name must be "global"');
});
