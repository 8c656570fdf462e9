import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/lib/json.ts';
import { OTHER_ACCOUNT, searching } from './made.ts';

const DEFAULT = {
  created_at: null,
  name: 'default',
  description: null,
  public_endpoint_id: null,
  public_endpoint_params: null,
};
const CREATE = 'aisearch.namespaces.create';
const team = { path: { name: 'team' } };

test('the default namespace is always there', () => {
  const { ok } = searching();
  expect(ok('aisearch.namespaces.read', { path: { name: 'default' } })).toEqual({ result: DEFAULT });
  expect(ok('aisearch.namespaces.list')).toEqual({
    result: [DEFAULT],
    result_info: { page: 1, per_page: 20, count: 1, total_count: 1 },
  });
});

test('a namespace is made, read, listed, changed and deleted', () => {
  const { ok, refused } = searching();
  const made = { ...DEFAULT, name: 'team', description: 'Ours', created_at: '2026-11-21T00:00:00.000Z' };
  expect(ok(CREATE, { body: { name: 'team', description: 'Ours' } }).result).toEqual(made);
  expect(ok('aisearch.namespaces.list', { query: { search: 'OUR' } }).result).toEqual([made]);
  expect(ok('aisearch.namespaces.list', { query: { page: '2', per_page: '1' } }).result).toEqual([made]);
  expect(ok('aisearch.namespaces.update', { ...team, body: {} }).result).toEqual(made);
  const changed = { ...made, description: null };
  expect(ok('aisearch.namespaces.update', { ...team, body: { description: null } }).result).toEqual(changed);
  expect(ok('aisearch.namespaces.delete', team).result).toEqual(changed);
  expect(refused('aisearch.namespaces.read', team)).toBe('404 notFound: namespace_not_found');
});

test('of the default one the public endpoint can be described, and nothing else changed', () => {
  const { ok, refused } = searching({ id: 'docs' });
  const path = { name: 'default' };
  const params = { enabled: true, instances_allowed: ['docs'] };
  ok('aisearch.namespaces.update', { path, body: { public_endpoint_params: params } });
  expect(ok('aisearch.namespaces.list').result).toEqual([{ ...DEFAULT, public_endpoint_params: params }]);
  ok('aisearch.namespaces.update', { path, body: { public_endpoint_params: null, description: null } });
  expect(ok('aisearch.namespaces.read', { path }).result).toEqual(DEFAULT);
  const settled = '400 invalid: cannot_modify_default_namespace';
  expect(refused('aisearch.namespaces.update', { path, body: { description: 'x' } })).toBe(settled);
  expect(refused('aisearch.namespaces.delete', { path })).toBe(settled);
});

test('a namespace with instances is not deleted', () => {
  const { ok, refused } = searching();
  ok(CREATE, { body: { name: 'team' } });
  ok('aisearch.namespaces.instances.create', { ...team, body: { id: 'docs' } });
  expect(refused('aisearch.namespaces.delete', team)).toBe('400 invalid: namespace_not_empty');
  ok('aisearch.namespaces.instances.delete', { path: { name: 'team', id: 'docs' } });
  ok('aisearch.namespaces.delete', team);
});

test.each<[JsonObject, string]>([
  [{}, '400 invalid: name'],
  [{ name: 'Team' }, '400 invalid: name'],
  [{ name: 'a/b' }, '400 invalid: name'],
  [{ name: 'default' }, '409 duplicate: namespace_already_exists'],
  [{ name: 'taken' }, '409 duplicate: namespace_already_exists'],
  [{ name: 'team', description: 'x'.repeat(257) }, '400 invalid: description'],
  [{ name: 'team', colour: 'red' }, '400 invalid: Unrecognized key'],
  [
    { name: 'team', public_endpoint_params: { instances_allowed: ['docs'] } },
    '400 invalid: instances_allowed_contains_unknown_instances',
  ],
])('%j makes none', (body, why) => {
  const { ok, refused } = searching();
  ok(CREATE, { body: { name: 'taken' } });
  expect(refused(CREATE, { body })).toContain(why);
  expect(ok('aisearch.namespaces.list')).toMatchObject({ result_info: { total_count: 2 } });
});

test('K1: a namespace of another account is not there', () => {
  const { ok, tenant } = searching();
  ok(CREATE, { body: { name: 'team' } });
  const path = { account_id: OTHER_ACCOUNT, name: 'team' };
  for (const verb of ['read', 'update', 'delete'])
    expect(tenant.refused(`aisearch.namespaces.${verb}`, { path })).toBe('404 notFound: namespace_not_found');
});

test('K9: an account has a hundred namespaces at most', () => {
  const { ok, refused } = searching();
  for (let n = 0; n < 100; n += 1) ok(CREATE, { body: { name: `n${n}` } });
  expect(refused(CREATE, { body: { name: 'more' } })).toBe('403 limitExceeded: max_namespaces_reached');
  expect(refused(CREATE, { body: { name: 'n1' } })).toBe('409 duplicate: namespace_already_exists');
  expect(ok('aisearch.namespaces.list', { query: { page: '6' } })).toMatchObject({
    result_info: { count: 1, total_count: 101 },
  });
});

test('what a read shows beside what may be set of a namespace is ignored, but for another name', () => {
  const { ok, refused } = searching();
  ok('aisearch.namespaces.create', { body: { name: 'team' } });
  const path = { name: 'team' };
  const body = { ...(ok('aisearch.namespaces.read', { path }).result as JsonObject), description: 'Ours' };
  expect(ok('aisearch.namespaces.update', { path, body }).result).toEqual(body);
  expect(refused('aisearch.namespaces.update', { path, body: { ...body, name: 'x' } })).toContain(
    '400 invalid: name: ',
  );
});
