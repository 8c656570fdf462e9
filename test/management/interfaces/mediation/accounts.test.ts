import { expect, test } from 'vitest';
import { execute, MAX_TENANT_BYTES } from '../../../../src/management/core/engine/execute.ts';
import type { NewRow } from '../../../../src/management/core/engine/stored-row.ts';
import { MEDIATION } from '../../../../src/management/interfaces/mediation/rows.ts';
import { CALLER } from '../../../support/management/management.ts';
import { PUBLISHER, publishing, textOf } from './publisher.ts';

const ACCOUNT = {
  name: PUBLISHER,
  publisherId: 'pub-1234567890123456',
  reportingTimeZone: 'America/Los_Angeles',
  currencyCode: 'USD',
};

test('a publisher is there before anything was written under it', () => {
  const { ok } = publishing();
  expect(ok('list')).toEqual({});
  expect(ok('get', { path: { name: PUBLISHER } })).toEqual(ACCOUNT);
});

test.each([
  ['get', { name: PUBLISHER }],
  ['apps.list', { parent: PUBLISHER }],
  ['adUnits.list', { parent: PUBLISHER }],
  ['adUnits.adUnitMappings.list', { parent: `${PUBLISHER}/adUnits/1111111111` }],
  ['mediationGroups.list', { parent: PUBLISHER }],
  ['adSources.list', { parent: PUBLISHER }],
  ['adSources.adapters.list', { parent: `${PUBLISHER}/adSources/5450213213286189855` }],
])('reading by %s puts it into the list, once', (method, path) => {
  const { ok } = publishing();
  ok(method, { path });
  ok(method, { path });
  expect(ok('list')).toEqual({ account: [ACCOUNT] });
});

test.each([
  ['apps', PUBLISHER, { platform: 'ANDROID' }],
  ['mediationGroups', PUBLISHER, { displayName: 'Group', targeting: { platform: 'IOS', format: 'BANNER' } }],
  ['adUnits.adUnitMappings', `${PUBLISHER}/adUnits/1111111111`, { adapterId: '101' }],
])('creating %s below it puts it into the list, once', (method, parent, body) => {
  const { ok, create } = publishing();
  create(method, body, parent);
  create(method, body, parent);
  expect(ok('list')).toEqual({ account: [ACCOUNT] });
});

test('what is refused puts no publisher into the list', () => {
  const { ok, refused } = publishing();
  expect(refused('apps.create', { path: { parent: PUBLISHER }, body: {} })).toBe(
    '400 required: Missing required field: platform',
  );
  const parent = `${PUBLISHER}/adSources/1`;
  expect(refused('adSources.adapters.list', { path: { parent } })).toMatch(/^404 /);
  expect(ok('list')).toEqual({});
});

test('K9: a tenant that keeps 1 GiB remembers no publisher that is only read', () => {
  const { tenant, ok } = publishing();
  const full = { ...tenant.engine, databaseBytes: () => MAX_TENANT_BYTES };
  const call = { method: 'admob.accounts.get', path: { name: PUBLISHER }, query: {}, body: {}, caller: CALLER };
  expect(execute(call, full)).toMatchObject({ ok: true, status: 200 });
  expect(ok('list')).toEqual({});
});

test('a write and the publisher that it names stand together, or neither does', () => {
  const { tenant, ok } = publishing();
  const store = {
    ...tenant.engine.store,
    insert: (row: NewRow) => {
      if (row.collection === MEDIATION.publishers) throw new Error('full disk');
      return tenant.engine.store.insert(row);
    },
  };
  const body = { platform: 'ANDROID' };
  const call = { method: 'admob.accounts.apps.create', path: { parent: PUBLISHER }, query: {}, body, caller: CALLER };
  expect(() => execute(call, { ...tenant.engine, store })).toThrow('full disk');
  expect(ok('apps.list', { path: { parent: PUBLISHER } })).toEqual({});
});

test('lists go on by pages', () => {
  const { ok, create } = publishing();
  for (const digits of ['3', '1', '2']) create('apps', { platform: 'IOS' }, `accounts/pub-${digits}`);
  const first = ok('list', { query: { pageSize: 2 } });
  expect(first).toMatchObject({ account: [{ publisherId: 'pub-1' }, { publisherId: 'pub-2' }] });
  const pageToken = textOf(first, 'nextPageToken');
  expect(ok('list', { query: { pageSize: 2, pageToken } })).toMatchObject({ account: [{ publisherId: 'pub-3' }] });
});
