import { describe, expect, test } from 'vitest';
import { isSaved } from '../../../../src/management/emulator/snapshots.ts';
import { interfaces } from '../../../../src/management/core/interfaces.ts';
import { isObject, isText, type JsonObject } from '../../../../src/lib/json.ts';
import { testTenant } from '../../../support/management/management.ts';
import { ACCOUNT, OTHER_ACCOUNT, searching } from './made.ts';

const CREATE = 'aisearch.tokens.create';
const BODY = { cf_api_id: 'a1b2c3', cf_api_key: 'very-secret-key', name: 'my-token' };

function idOf({ result }: JsonObject): string {
  if (!isObject(result ?? null) || !isObject(result) || !isText(result['id'])) throw new Error('no id');
  return result['id'];
}

test('a token is made, read, listed, replaced and deleted', () => {
  const { ok, refused, tenant } = searching();
  const id = idOf(ok(CREATE, { body: BODY }));
  const made = {
    id: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
    cf_api_id: 'a1b2c3',
    name: 'my-token',
    legacy: false,
    enabled: true,
    created_at: '2026-11-21T00:00:00.000Z',
    created_by: 'a'.repeat(32),
    modified_at: '2026-11-21T00:00:00.000Z',
    modified_by: 'a'.repeat(32),
  };
  expect(ok('aisearch.tokens.read', { path: { id } }).result).toEqual(made);
  expect(ok('aisearch.tokens.list', { query: { search: 'MY' } }).result).toEqual([made]);
  expect(ok('aisearch.tokens.list', { query: { search: 'none' } }).result).toEqual([]);
  tenant.later(1_000);
  const replaced = ok('aisearch.tokens.update', { path: { id }, body: { ...BODY, name: 'renamed', legacy: true } });
  const after = { ...made, name: 'renamed', legacy: true, modified_at: '2026-11-21T00:00:01.000Z' };
  expect(replaced.result).toEqual(after);
  expect(ok('aisearch.tokens.delete', { path: { id } }).result).toEqual(after);
  expect(refused('aisearch.tokens.read', { path: { id } })).toBe('404 notFound: token_not_found');
});

test('K3, K7: of the key nothing is kept or shown, and no snapshot holds tokens', () => {
  const { ok, tenant } = searching();
  const made = ok(CREATE, { body: BODY });
  ok('aisearch.tokens.update', { path: { id: idOf(made) }, body: { ...BODY, cf_api_key: 'very-secret-too' } });
  const rows = tenant.sql.exec("SELECT * FROM resource WHERE collection = 'aisearch.tokens'").toArray();
  expect(rows).toHaveLength(1);
  expect(JSON.stringify([made, ok('aisearch.tokens.list'), rows])).not.toContain('very-secret');
  expect(isSaved('aisearch.tokens', interfaces)).toBe(false);
  expect(isSaved('aisearch.instances', interfaces)).toBe(true);
});

test.each<[JsonObject, string]>([
  [{ ...BODY, cf_api_id: '' }, 'cf_api_id'],
  [{ ...BODY, cf_api_key: 1 }, 'cf_api_key'],
  [{ cf_api_id: 'x', name: 'x' }, 'cf_api_key'],
  [{ ...BODY, cf_api_key: 'x'.repeat(513) }, 'cf_api_key'],
  [{ ...BODY, name: 'x'.repeat(257) }, 'name'],
  [{ ...BODY, legacy: 'no' }, 'legacy'],
  [{ ...BODY, colour: 'red' }, 'Unrecognized key'],
])('%j is refused without a word of the key', (body, name) => {
  const told = searching().refused(CREATE, { body });
  expect(told).toContain(`400 invalid: ${name}`);
  expect(told).not.toContain('very-secret');
});

test('a token that an instance names is not deleted', () => {
  const { ok, refused } = searching();
  const id = idOf(ok(CREATE, { body: BODY }));
  ok('aisearch.instances.create', { body: { id: 'docs', token_id: id } });
  expect(refused('aisearch.tokens.delete', { path: { id } })).toBe('409 conflict: token_in_use_by_instances');
  ok('aisearch.instances.update', { path: { id: 'docs' }, body: { token_id: null } });
  ok('aisearch.tokens.delete', { path: { id } });
});

test('K1: what an instance of another account names holds no token', () => {
  const { ok, tenant } = searching();
  const id = idOf(ok(CREATE, { body: BODY }));
  tenant.ok('aisearch.instances.create', { path: { account_id: OTHER_ACCOUNT }, body: { id: 'docs', token_id: id } });
  ok('aisearch.tokens.delete', { path: { id } });
});

test('what a read shows beside what may be set is ignored, but for another id', () => {
  const { ok, refused } = searching();
  const made = ok(CREATE, { body: BODY });
  const path = { id: idOf(made) };
  const body = { ...(made.result as JsonObject), cf_api_key: 'x', name: 'renamed' };
  expect(ok('aisearch.tokens.update', { path, body }).result).toMatchObject({ ...path, name: 'renamed' });
  expect(refused('aisearch.tokens.update', { path, body: { ...body, id: 'x' } })).toContain('400 invalid: id: ');
});

test('K1: a token of another account is not there', () => {
  const { ok, tenant } = searching();
  const path = { account_id: OTHER_ACCOUNT, id: idOf(ok(CREATE, { body: BODY })) };
  for (const verb of ['read', 'update', 'delete'])
    expect(tenant.refused(`aisearch.tokens.${verb}`, { path, body: BODY })).toBe('404 notFound: token_not_found');
});

test('K9: an account has a hundred tokens at most', () => {
  const { ok, refused } = searching();
  for (let n = 0; n < 100; n += 1) ok(CREATE, { body: { ...BODY, name: `t${n}` } });
  expect(refused(CREATE, { body: BODY })).toContain('403 limitExceeded');
});

describe('the token of a sandbox', () => {
  const path = { id: '00000000-0000-4000-8000-000000000001' };

  test('is in each of its accounts from the beginning', () => {
    const { ok, tenant } = searching();
    for (const account_id of [ACCOUNT, OTHER_ACCOUNT])
      expect(tenant.ok('aisearch.tokens.list', { path: { account_id } })['result']).toMatchObject([
        { ...path, name: 'sandbox' },
      ]);
    expect(ok('aisearch.tokens.read', { path }).result).toMatchObject({ ...path, enabled: true });
    expect(ok('aisearch.tokens.update', { path, body: { ...BODY, name: 'renamed' } }).result).toMatchObject(path);
    ok(CREATE, { body: BODY });
    expect(ok('aisearch.tokens.list').result).toMatchObject([{ name: 'my-token' }, { name: 'renamed' }]);
    expect(isSaved('aisearch.sandboxTokens', interfaces)).toBe(true);
  });

  test('is not deleted while an instance of any account names it', () => {
    const { ok, refused, tenant } = searching();
    const other = { account_id: OTHER_ACCOUNT };
    tenant.ok('aisearch.instances.create', { path: other, body: { id: 'docs', token_id: path.id } });
    expect(refused('aisearch.tokens.delete', { path })).toBe('409 conflict: token_in_use_by_instances');
    tenant.ok('aisearch.instances.delete', { path: { ...other, id: 'docs' } });
    ok('aisearch.tokens.delete', { path });
    expect(ok('aisearch.tokens.list').result).toEqual([]);
  });

  test('is in no live tenant', () => {
    const live = testTenant({ id: 'C00000002', mode: 'live', domain: 'example.org' });
    expect(live.ok('aisearch.tokens.list', { path: { account_id: ACCOUNT } })['result']).toEqual([]);
  });
});
