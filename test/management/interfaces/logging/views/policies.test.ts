import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../../src/lib/json.ts';
import { testTenant, type TestTenant } from '../../../../support/management/management.ts';
import { text } from '../answers.ts';

const GLOBAL = 'projects/p/locations/global';
const VIEW = `${GLOBAL}/buckets/_Default/views/_AllLogs`;
const GET = 'logging.projects.locations.buckets.views.getIamPolicy';
const SET = 'logging.projects.locations.buckets.views.setIamPolicy';
const TEST = 'logging.projects.locations.buckets.views.testIamPermissions';
const ROLE = 'roles/logging.viewAccessor';
const BINDING = { role: ROLE, members: ['user:ann@example.com'] };
const CONDITION = { title: 'soon', expression: 'request.time < timestamp("2030-01-01T00:00:00Z")' };

const on = (body: JsonObject = {}, resource = VIEW) => ({ path: { resource }, body });
const policy = (given: JsonObject) => on({ policy: given });
const read = (tenant: TestTenant, requestedPolicyVersion = 0) =>
  tenant.ok(GET, on({ options: { requestedPolicyVersion } }));

test('a view that nobody set a policy for has an empty one', () => {
  expect(testTenant().ok(GET, on())).toEqual({ etag: 'ACAB' });
});

test('a policy is read, modified and written; who comes second with the same etag is aborted', () => {
  const tenant = testTenant();
  const first = tenant.ok(SET, policy({ bindings: [BINDING], etag: 'ACAB' }));
  expect(first).toEqual({ version: 1, bindings: [BINDING], etag: expect.stringMatching(/^[A-Za-z0-9+/]+=*$/) });
  expect(read(tenant)).toEqual(first);
  const refusal = '409 conflict: There were concurrent policy changes. Please retry the whole read-modify-write.';
  expect(tenant.refused(SET, policy({ bindings: [], etag: 'ACAB' }))).toBe(refusal);
  const etag = text(first['etag']);
  const second = tenant.ok(SET, policy({ bindings: [{ role: ROLE, members: ['domain:example.com'] }], etag }));
  expect(second['etag']).not.toBe(etag);
  expect(tenant.refused(SET, policy({ bindings: [], etag }))).toBe(refusal);
  expect(read(tenant)).toEqual(second);
  const cleared = tenant.ok(SET, policy({ bindings: [] }));
  expect(Object.keys(cleared)).toEqual(['etag']);
});

test('a mask without bindings writes none', () => {
  const tenant = testTenant();
  tenant.ok(SET, policy({ bindings: [BINDING] }));
  expect(tenant.ok(SET, on({ policy: { version: 1 }, updateMask: 'version,etag' }))['bindings']).toEqual([BINDING]);
  expect(tenant.ok(SET, on({ policy: {}, updateMask: 'bindings' }))['bindings']).toBeUndefined();
});

test('a condition needs version 3, and shows to those who ask for it', () => {
  const tenant = testTenant();
  const conditional = { ...BINDING, condition: CONDITION };
  expect(tenant.refused(SET, policy({ version: 1, bindings: [conditional] }))).toBe(
    '400 invalid: A policy with conditions must have the version 3.',
  );
  expect(tenant.ok(SET, policy({ version: 3, bindings: [conditional, BINDING] }))).toMatchObject({
    version: 3,
    bindings: [conditional, BINDING],
  });
  expect(read(tenant, 3)['bindings']).toEqual([conditional, BINDING]);
  const blind = {
    version: 1,
    bindings: [
      { role: expect.stringMatching(/^roles\/logging\.viewAccessor_withcond_[0-9a-f]{16}$/), members: BINDING.members },
      BINDING,
    ],
  };
  expect(read(tenant)).toMatchObject(blind);
  const { bindings } = read(tenant, 1);
  expect(tenant.refused(SET, policy({ bindings: bindings ?? [] }))).toMatch(/^400 invalid: Role .* is no role/);
});

describe('a policy is refused', () => {
  const members = (count: number): string[] => Array.from({ length: count }, (_, n) => `user:u${n}@example.com`);
  test.each<[string, JsonObject, RegExp]>([
    ['of version 2', { version: 2 }, /^400 invalid: The version of a policy is 0, 1 or 3/],
    ['with a role that is none', { bindings: [{ ...BINDING, role: 'owner' }] }, /is no role/],
    ['with a role of nothing', { bindings: [{ members: BINDING.members }] }, /is no role/],
    ['with a member that is none', { bindings: [{ role: ROLE, members: ['ann'] }] }, /A member is not like/],
    ['with a user without domain', { bindings: [{ role: ROLE, members: ['user:ann'] }] }, /A member is not like/],
    ['with 1,501 members', { bindings: [{ role: ROLE, members: members(1_501) }] }, /At most 1500 members/],
    ['with 101 bindings', { bindings: Array.from({ length: 101 }, () => BINDING) }, /At most 100 bindings/],
    ['with a condition of nothing', { version: 3, bindings: [{ ...BINDING, condition: {} }] }, /has an expression/],
    [
      'with a condition without title',
      { version: 3, bindings: [{ ...BINDING, condition: { expression: 'a' } }] },
      /has a title/,
    ],
  ])('%s', (_what, given, refusal) => {
    const tenant = testTenant();
    expect(tenant.refused(SET, policy(given))).toMatch(refusal);
    expect(read(tenant)).toEqual({ etag: 'ACAB' });
  });

  test('that is not there, and one for what is not there', () => {
    const tenant = testTenant();
    expect(tenant.refused(SET, on())).toBe('400 required: Missing required field: policy');
    expect(tenant.refused(SET, on({ policy: {} }, `${VIEW}2`))).toBe(`404 notFound: Resource not found: ${VIEW}2`);
    expect(tenant.refused(GET, on({}, `${VIEW}2`))).toMatch(/^404/);
    expect(tenant.refused(GET, on({ options: { requestedPolicyVersion: 2 } }))).toMatch(/^400 invalid: The version/);
    expect(
      tenant.refused('logging.locations.buckets.views.getIamPolicy', on({}, VIEW.replace('projects', 'users'))),
    ).toMatch(/^400 invalid: Invalid resource name/);
  });
});

test.each<[string[], JsonObject]>([
  [
    ['logging.views.access', 'logging.views.get', 'logging.views.get'],
    { permissions: ['logging.views.access', 'logging.views.get'] },
  ],
  [['logging.views.burn', 'pubsub.topics.publish'], {}],
  [[], {}],
])('of %j the caller has those of logging that there are', (permissions, answer) => {
  expect(testTenant().ok(TEST, on({ permissions }))).toEqual(answer);
});

test('permissions on what is not there are none; wildcards and too many are refused', () => {
  const tenant = testTenant();
  const permissions = ['logging.views.access'];
  expect(tenant.ok(TEST, on({ permissions }, `${VIEW}2`))).toEqual({});
  expect(tenant.ok(TEST, on({ permissions }, `${GLOBAL}/buckets/none/views/_AllLogs`))).toEqual({});
  expect(tenant.refused(TEST, on({ permissions: ['logging.views.*'] }))).toMatch(/^400 invalid: A permission is like/);
  expect(tenant.refused(TEST, on({ permissions: Array.from({ length: 101 }, () => 'logging.views.get') }))).toMatch(
    /^400 invalid: At most 100/,
  );
});

test('a view that is deleted takes its policy with it', () => {
  const tenant = testTenant();
  const parent = `${GLOBAL}/buckets/_Default`;
  const made = { path: { parent }, query: { viewId: 'v' }, body: {} };
  tenant.ok('logging.projects.locations.buckets.views.create', made);
  tenant.ok(SET, on({ policy: { bindings: [BINDING] } }, `${parent}/views/v`));
  tenant.ok('logging.projects.locations.buckets.views.delete', { path: { name: `${parent}/views/v` } });
  tenant.ok('logging.projects.locations.buckets.views.create', made);
  expect(tenant.ok(GET, on({}, `${parent}/views/v`))).toEqual({ etag: 'ACAB' });
});
