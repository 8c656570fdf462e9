import { beforeEach, describe, expect, test } from 'vitest';
import { testTenant, type TestTenant } from '../../../../support/management/management.ts';

const path = { userKey: 'ann@example.com' };
let tenant: TestTenant;
beforeEach(() => {
  tenant = testTenant();
  for (const given of ['ann', 'bob']) {
    const body = {
      primaryEmail: `${given}@example.com`,
      password: 'correct horse',
      name: { givenName: given, familyName: 'Lee' },
    };
    tenant.ok('directory.users.insert', { body });
  }
});

const insert = (alias: string) => tenant.ok('directory.users.aliases.insert', { path, body: { alias } });
const refused = (alias: string) => tenant.refused('directory.users.aliases.insert', { path, body: { alias } });

describe('aliases of users', () => {
  test('are shown as objects, and in the user as addresses', () => {
    const { id } = tenant.ok('directory.users.get', { path });
    const alias = insert('Al@Example.com');
    expect(alias).toEqual({
      kind: 'admin#directory#alias',
      id,
      etag: expect.stringMatching(/^".+"$/),
      primaryEmail: 'ann@example.com',
      alias: 'al@example.com',
    });
    insert('aa@example.com');
    const { aliases, kind } = tenant.ok('directory.users.aliases.list', { path: { userKey: 'al@example.com' } });
    expect(kind).toBe('admin#directory#aliases');
    expect(aliases).toMatchObject([{ alias: 'aa@example.com' }, { alias: 'al@example.com', etag: alias['etag'] }]);
    expect(tenant.ok('directory.users.get', { path })['aliases']).toEqual(['aa@example.com', 'al@example.com']);
  });

  test('are free again when they are deleted, and watchers hear of it', () => {
    insert('al@example.com');
    expect(tenant.ok('directory.users.aliases.delete', { path: { ...path, alias: 'AL@example.com' } })).toEqual({});
    expect(tenant.ok('directory.users.aliases.list', { path })).not.toHaveProperty('aliases');
    expect(tenant.ok('directory.users.get', { path })).not.toHaveProperty('aliases');
    const bob = { path: { userKey: 'bob@example.com' }, body: { alias: 'al@example.com' } };
    expect(tenant.ok('directory.users.aliases.insert', bob)['primaryEmail']).toBe('bob@example.com');
    const heard = tenant.changes.filter(({ watched }) => watched === 'aliases');
    expect(heard.map(({ event, user }) => `${event} ${user.primaryEmail}`)).toEqual([
      'add ann@example.com',
      'delete ann@example.com',
      'add bob@example.com',
    ]);
  });

  test.each([
    ['', '400 required: Missing required field: alias'],
    ['al', '400 invalid: Invalid Input: alias'],
    ['al@elsewhere.com', '404 notFound: Domain not found.'],
    ['ann@example.com', '409 duplicate: Entity already exists.'],
    ['BOB@example.com', '409 duplicate: Entity already exists.'],
  ])('%j is refused', (alias, refusal) => {
    expect(refused(alias)).toBe(refusal);
    expect(tenant.ok('directory.users.aliases.list', { path })).not.toHaveProperty('aliases');
  });

  test('there are 30 at most', () => {
    for (let n = 0; n < 30; n += 1) insert(`alias-${n}@example.com`);
    expect(refused('one-more@example.com')).toBe('403 limitExceeded: A user has at most 30 aliases');
  });

  test.each(['nobody@example.com', 'ann@example.com', 'bob@example.com', "x' OR 1=1 --"])(
    'what is no alias of the user is not deleted: %s',
    (alias) => {
      insert('al@example.com');
      expect(tenant.refused('directory.users.aliases.delete', { path: { ...path, alias } })).toBe(
        '404 notFound: Resource Not Found: alias',
      );
      expect(tenant.ok('directory.users.aliases.list', { path })['aliases']).toHaveLength(1);
    },
  );

  test.each(['list', 'insert', 'delete'])('%s of nobody answers 404', (verb) => {
    const sent = { path: { userKey: 'nobody@example.com', alias: 'a@example.com' }, body: { alias: 'a@example.com' } };
    expect(tenant.refused(`directory.users.aliases.${verb}`, sent)).toBe('404 notFound: Resource Not Found: userKey');
  });
});
