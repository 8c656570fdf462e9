import { getTextMember, type JsonObject } from '../../../../../src/lib/json.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { testTenant, type TestTenant } from '../../../../support/management/management.ts';

const GIVEN = { givenName: 'Ann', familyName: 'Lee' };
const ANN = { primaryEmail: 'Ann@Example.com', password: 'correct horse', name: GIVEN };
const DAY_MS = 86_400_000;

let tenant: TestTenant;
beforeEach(() => {
  tenant = testTenant();
});

const insert = (body: JsonObject = {}): JsonObject =>
  tenant.ok('directory.users.insert', { body: { ...ANN, ...body } });
const get = (userKey: string, query = {}): JsonObject => tenant.ok('directory.users.get', { path: { userKey }, query });
const patch = (userKey: string, body: JsonObject): JsonObject =>
  tenant.ok('directory.users.patch', { path: { userKey }, body });
const refusedPatch = (userKey: string, body: JsonObject): string =>
  tenant.refused('directory.users.patch', { path: { userKey }, body });
const events = (): string[] =>
  tenant.changes.map(({ watched, event, user }) => `${watched} ${event} ${user.primaryEmail}`);

describe('users.insert', () => {
  test('answers the user with everything that the server sets', () => {
    const user = insert({ suspended: true });
    expect(user).toEqual({
      kind: 'admin#directory#user',
      etag: expect.stringMatching(/^".+"$/),
      id: expect.stringMatching(/^[1-9][0-9]{20}$/),
      primaryEmail: 'ann@example.com',
      name: { givenName: 'Ann', familyName: 'Lee', fullName: 'Ann Lee' },
      isAdmin: false,
      isDelegatedAdmin: false,
      lastLoginTime: '1970-01-01T00:00:00.000Z',
      creationTime: '2026-11-21T00:00:00.000Z',
      agreedToTerms: false,
      suspended: true,
      suspensionReason: 'ADMIN',
      suspensionTime: '2026-11-21T00:00:00.000Z',
      archived: false,
      changePasswordAtNextLogin: false,
      ipWhitelisted: false,
      customerId: 'C00000001',
      isMailboxSetup: false,
      isEnrolledIn2Sv: false,
      isEnforcedIn2Sv: false,
      includeInGlobalAddressList: true,
      orgUnitPath: '/',
      emails: [{ address: 'ann@example.com', primary: true }],
    });
    expect(events()).toEqual(['users add ann@example.com']);
  });

  test('does not believe a body about what only the server says', () => {
    const lies = { id: '7', isAdmin: true, customerId: 'C1', creationTime: '2001-01-01T00:00:00Z', isGuestUser: true };
    const user = insert({ ...lies, aliases: ['boss@example.com'], lastLoginTime: '2001-01-01T00:00:00Z' });
    expect(user).toMatchObject({ isAdmin: false, customerId: 'C00000001', creationTime: '2026-11-21T00:00:00.000Z' });
    expect(user).not.toHaveProperty('aliases');
    expect(user).not.toHaveProperty('isGuestUser');
    expect(user['id']).not.toBe('7');
    expect(user['lastLoginTime']).toBe('1970-01-01T00:00:00.000Z');
  });

  test.each<[string, JsonObject, string]>([
    ['no address', { primaryEmail: null }, '400 required: Missing required field: primaryEmail'],
    ['no password', { password: null }, '400 required: Missing required field: password'],
    ['no name', { name: null }, '400 required: Missing required field: name'],
    ['no family name', { name: { givenName: 'Ann' } }, '400 required: Missing required field: name.familyName'],
    ['a blank name', { name: { ...GIVEN, givenName: ' ' } }, '400 invalid: Invalid Given/Family Name: GivenName'],
    [
      'a family name of 61 characters',
      { name: { ...GIVEN, familyName: 'x'.repeat(61) } },
      '400 invalid: Invalid Given/Family Name: FamilyName',
    ],
    [
      'a display name of 257 characters',
      { name: { ...GIVEN, displayName: 'x'.repeat(257) } },
      '400 invalid: Invalid Input: displayName',
    ],
    ['an address without a domain', { primaryEmail: 'ann' }, '400 invalid: Invalid Input: primary_user_email'],
    ['two signs', { primaryEmail: 'ann@b@example.com' }, '400 invalid: Invalid Input: primary_user_email'],
    [
      'an address of 300 characters',
      { primaryEmail: `${'a'.repeat(300)}@example.com` },
      '400 invalid: Invalid Input: primary_user_email',
    ],
    ['a foreign domain', { primaryEmail: 'ann@elsewhere.com' }, '404 notFound: Domain not found.'],
    ['an unknown org unit', { orgUnitPath: '/nowhere' }, '400 invalid: Invalid Input: INVALID_OU_ID'],
    ['phones that are no list', { phones: { value: '1' } }, '400 invalid: Invalid Input: phones'],
    ['a list of texts', { phones: ['1'] }, '400 invalid: Invalid Input: phones'],
    [
      'two first phones',
      {
        phones: [
          { value: '1', primary: true },
          { value: '2', primary: true },
        ],
      },
      '400 invalid: Invalid Input: phones',
    ],
    ['phones of more than 1 KB', { phones: [{ value: '1'.repeat(1_024) }] }, '400 invalid: Invalid Input: phones'],
    ['a gender that is a text', { gender: 'female' }, '400 invalid: Invalid Input: gender'],
    ['a recovery address that is none', { recoveryEmail: 'ann' }, '400 invalid: Invalid Input: recoveryEmail'],
    ['a recovery phone without a plus sign', { recoveryPhone: '123' }, '400 invalid: Invalid Input: recoveryPhone'],
    ['an unknown custom schema', { customSchemas: { None: { a: 1 } } }, '400 invalid: Invalid Input: custom_schema'],
  ])('refuses %s', (_case, body, refusal) => {
    expect(tenant.refused('directory.users.insert', { body: { ...ANN, ...body } })).toBe(refusal);
    expect(tenant.refused('directory.users.get', { path: { userKey: 'ann@example.com' } })).toBe(
      '404 notFound: Resource Not Found: userKey',
    );
    expect(tenant.changes).toEqual([]);
  });

  test('an address is given once, in any case, as primary address, alias or group address', () => {
    insert();
    tenant.ok('directory.users.aliases.insert', {
      path: { userKey: 'ann@example.com' },
      body: { alias: 'a@example.com' },
    });
    tenant.ok('directory.groups.insert', { body: { email: 'team@example.com' } });
    for (const primaryEmail of ['ANN@example.com', 'a@example.com', 'team@example.com']) {
      expect(tenant.refused('directory.users.insert', { body: { ...ANN, primaryEmail } })).toBe(
        '409 duplicate: Entity already exists.',
      );
    }
  });

  test('costs the same number of SQL statements whatever is there', () => {
    const { store } = tenant.engine;
    const cost = (n: number): number => {
      const before = store.statements();
      insert({ primaryEmail: `user-${n}@example.com` });
      return store.statements() - before;
    };
    const first = cost(0);
    for (let n = 1; n < 200; n += 1) cost(n);
    expect(cost(200)).toBe(first);
  });
});

describe('passwords', () => {
  const HASHED = [
    ['MD5', '5f4dcc3b5aa765d61d8327deb882cf99'],
    ['SHA-1', '5baa61e4c9b93f3f0682250b6cf8331b7ee68fd8'],
    ['crypt', '$6$rounds=5000$saltsalt$' + 'a'.repeat(86)],
    ['crypt', '$1$salt$qJH7.N4xYta3aEG/dfqo/0'],
  ] as const;

  test.each(HASHED)(
    'K7: a password and its %s hash appear in no answer, change or stored row',
    (hashFunction, hash) => {
      const id = getTextMember(insert(), 'id');
      insert({ primaryEmail: 'bob@example.com', password: hash, hashFunction });
      patch('ann@example.com', { password: 'another secret' });
      tenant.ok('directory.users.update', {
        path: { userKey: 'ann@example.com' },
        body: { password: hash, hashFunction },
      });
      tenant.ok('directory.users.delete', { path: { userKey: 'bob@example.com' } });
      const { store } = tenant.engine;
      const stored = ['directory.users', 'directory.users.deleted'].map((collection) =>
        store.list({ collection, parent: '', limit: 10 }),
      );
      const all = JSON.stringify([stored, tenant.changes, get(id, { projection: 'full' })]);
      for (const text of ['correct horse', 'another secret', hash, 'password', 'hashFunction']) {
        expect(all).not.toContain(`"${text}"`);
      }
      expect(stored.flat()).toHaveLength(2);
    },
  );

  test.each([
    ['of 7 characters', { password: '1234567' }, 'Invalid Password'],
    ['of 101 characters', { password: 'x'.repeat(101) }, 'Invalid Password'],
    ['with a letter outside ASCII', { password: 'pässword1' }, 'Invalid Password'],
    ['that is no MD5', { password: 'correct horse', hashFunction: 'MD5' }, 'Invalid Password'],
    [
      'with a hash function of its own',
      { password: 'correct horse', hashFunction: 'rot13' },
      'Invalid Input: hashFunction',
    ],
    [
      'with a hash function that every object has',
      { password: 'correct horse', hashFunction: 'toString' },
      'Invalid Input: hashFunction',
    ],
  ])('refuses one %s', (_case, body, message) => {
    expect(tenant.refused('directory.users.insert', { body: { ...ANN, ...body } })).toBe(`400 invalid: ${message}`);
    insert();
    expect(refusedPatch('ann@example.com', body)).toBe(`400 invalid: ${message}`);
  });
});

describe('users.get', () => {
  test('finds a user by id, address in any case, and alias, with two SQL statements', () => {
    const id = getTextMember(insert(), 'id');
    tenant.ok('directory.users.aliases.insert', {
      path: { userKey: 'ann@example.com' },
      body: { alias: 'al@example.com' },
    });
    for (const userKey of [id, 'ANN@example.com', 'al@example.com']) {
      const before = tenant.engine.store.statements();
      expect(get(userKey)['id']).toBe(id);
      expect(tenant.engine.store.statements() - before).toBeLessThanOrEqual(2);
    }
  });

  test.each(['', 'nobody@example.com', '9'.repeat(21), "' OR 1=1 --", '../../groups', 'ann@elsewhere.com'])(
    'answers 404 for the key %j',
    (userKey) => {
      insert();
      expect(tenant.refused('directory.users.get', { path: { userKey } })).toBe(
        '404 notFound: Resource Not Found: userKey',
      );
    },
  );

  test('an etag that is known answers 304, and one that is not the whole user', () => {
    const etag = getTextMember(insert(), 'etag');
    const path = { userKey: 'ann@example.com' };
    expect(tenant.call('directory.users.get', { path, ifNoneMatch: etag })).toEqual({ ok: true, status: 304, etag });
    patch('ann@example.com', { suspended: true });
    expect(tenant.call('directory.users.get', { path, ifNoneMatch: etag })).toMatchObject({ ok: true, status: 200 });
  });

  test('the public view leaves out what only administrators see', () => {
    insert({ phones: [{ value: '1' }], notes: { value: 'private' }, recoveryEmail: 'ann@home.example' });
    const seen = get('ann@example.com', { viewType: 'domain_public' });
    expect(Object.keys(seen).toSorted()).toEqual(['emails', 'etag', 'id', 'kind', 'name', 'phones', 'primaryEmail']);
  });

  test('an address in an alias of the domain names the same user and is shown', () => {
    insert();
    tenant.ok('directory.domainAliases.insert', {
      path: { customer: 'my_customer' },
      body: { domainAliasName: 'example.net', parentDomainName: 'example.com' },
    });
    expect(get('ann@example.net')).toMatchObject({
      primaryEmail: 'ann@example.com',
      nonEditableAliases: ['ann@example.net'],
    });
  });
});

describe('org units of users', () => {
  test('a user is shown with the present path of the org unit', () => {
    const path = { customerId: 'my_customer' };
    tenant.ok('directory.orgunits.insert', { path, body: { name: 'Sales', parentOrgUnitPath: '/' } });
    insert({ orgUnitPath: '/sales' });
    expect(get('ann@example.com')['orgUnitPath']).toBe('/Sales');
    tenant.ok('directory.orgunits.patch', { path: { ...path, orgUnitPath: 'Sales' }, body: { name: 'Shop' } });
    const before = tenant.engine.store.statements();
    expect(get('ann@example.com')['orgUnitPath']).toBe('/Shop');
    expect(tenant.engine.store.statements() - before).toBeLessThanOrEqual(2);
    patch('ann@example.com', { suspended: true });
    expect(get('ann@example.com')['orgUnitPath']).toBe('/Shop');
    patch('ann@example.com', { orgUnitPath: '/' });
    expect(get('ann@example.com')['orgUnitPath']).toBe('/');
    expect(refusedPatch('ann@example.com', { orgUnitPath: '/Sales' })).toBe(
      '400 invalid: Invalid Input: INVALID_OU_ID',
    );
  });
});

describe('users.patch and users.update', () => {
  test.each(['directory.users.patch', 'directory.users.update'])(
    '%s keeps what is not sent, replaces lists and clears by null',
    (method) => {
      insert({ phones: [{ value: '1' }, { value: '2' }], recoveryEmail: 'ann@home.example', notes: { value: 'x' } });
      const path = { userKey: 'ann@example.com' };
      const body = { phones: [{ value: '3' }], recoveryEmail: null, name: { familyName: 'Ray' } };
      const user = tenant.ok(method, { path, body });
      expect(user).toMatchObject({ phones: [{ value: '3' }], notes: { value: 'x' } });
      expect(user['name']).toEqual({ givenName: 'Ann', familyName: 'Ray', fullName: 'Ann Ray' });
      expect(user).not.toHaveProperty('recoveryEmail');
      expect(get('ann@example.com')).toEqual(user);
    },
  );

  test('a user that was read can be written back as it is', () => {
    insert({ emails: [{ address: 'ann@home.example', type: 'home' }] });
    tenant.ok('directory.users.aliases.insert', {
      path: { userKey: 'ann@example.com' },
      body: { alias: 'al@example.com' },
    });
    const body = { domainAliasName: 'example.net', parentDomainName: 'example.com' };
    tenant.ok('directory.domainAliases.insert', { path: { customer: 'my_customer' }, body });
    const { etag: _, ...before } = get('ann@example.com');
    const { etag: __, ...after } = tenant.ok('directory.users.update', {
      path: { userKey: 'ann@example.com' },
      body: before,
    });
    expect(after).toEqual(before);
    expect(after['emails']).toEqual([
      { address: 'ann@home.example', type: 'home' },
      { address: 'ann@example.com', primary: true },
      { address: 'al@example.com' },
      { address: 'ann@example.net' },
    ]);
  });

  test('a user is not changed by a body about what only the server says', () => {
    const { etag: _, ...before } = insert();
    const { etag: __, ...after } = patch('ann@example.com', {
      isAdmin: true,
      id: '7',
      aliases: ['x@example.com'],
      customerId: 'C2',
    });
    expect(after).toEqual(before);
  });

  test('suspending stamps reason and time, and ending it takes them away', () => {
    insert();
    tenant.later(1_000);
    expect(patch('ann@example.com', { suspended: true })).toMatchObject({
      suspended: true,
      suspensionReason: 'ADMIN',
      suspensionTime: '2026-11-21T00:00:01.000Z',
    });
    tenant.later(1_000);
    expect(patch('ann@example.com', { archived: true })['suspensionTime']).toBe('2026-11-21T00:00:01.000Z');
    const user = patch('ann@example.com', { suspended: false });
    expect(user).not.toHaveProperty('suspensionReason');
    expect(user).toMatchObject({ suspended: false, archivalTime: '2026-11-21T00:00:02.000Z' });
  });

  test('a new primary address keeps the old one as an alias, in groups too', () => {
    const id = getTextMember(insert(), 'id');
    tenant.ok('directory.groups.insert', { body: { email: 'team@example.com' } });
    tenant.ok('directory.members.insert', {
      path: { groupKey: 'team@example.com' },
      body: { email: 'ann@example.com' },
    });
    const user = patch('ann@example.com', { primaryEmail: 'Anne@example.com' });
    expect(user).toMatchObject({ id, primaryEmail: 'anne@example.com', aliases: ['ann@example.com'] });
    expect(get('ann@example.com')['id']).toBe(id);
    const path = { groupKey: 'team@example.com', memberKey: 'ann@example.com' };
    expect(tenant.ok('directory.members.get', { path })['email']).toBe('anne@example.com');
    expect(patch('anne@example.com', { primaryEmail: 'ann@example.com' })).toMatchObject({
      primaryEmail: 'ann@example.com',
      aliases: ['anne@example.com'],
    });
    expect(events().slice(1)).toEqual([
      'aliases add anne@example.com',
      'users update anne@example.com',
      'aliases delete anne@example.com',
      'aliases add ann@example.com',
      'users update ann@example.com',
    ]);
  });

  test.each([
    ['bob@example.com', '409 duplicate: Entity already exists.'],
    ['ann@elsewhere.com', '404 notFound: Domain not found.'],
    ['ann', '400 invalid: Invalid Input: primary_user_email'],
    [null, '400 invalid: Invalid Input: primary_user_email'],
  ])('a change to the address %s is refused and changes nothing', (primaryEmail, refusal) => {
    insert();
    insert({ primaryEmail: 'bob@example.com' });
    const before = get('ann@example.com');
    expect(refusedPatch('ann@example.com', { primaryEmail, suspended: true })).toBe(refusal);
    expect(get('ann@example.com')).toEqual(before);
  });

  test('a writer that saw an older version is refused', () => {
    const etag = getTextMember(insert(), 'etag');
    patch('ann@example.com', { suspended: true });
    const refusal = '412 conditionNotMet: Precondition Failed: the resource was changed meanwhile';
    expect(refusedPatch('ann@example.com', { etag, suspended: false })).toBe(refusal);
    const path = { userKey: 'ann@example.com' };
    expect(tenant.refused('directory.users.delete', { path, ifMatch: etag })).toBe(refusal);
    expect(get('ann@example.com')['suspended']).toBe(true);
  });
});

describe('custom fields', () => {
  const FIELDS = [
    { fieldName: 'level', displayName: 'level', fieldType: 'INT64' },
    { fieldName: 'badge', displayName: 'badge', fieldType: 'STRING', readAccessType: 'ADMINS_AND_SELF' },
    { fieldName: 'since', displayName: 'since', fieldType: 'DATE' },
    { fieldName: 'ratio', displayName: 'ratio', fieldType: 'DOUBLE' },
    { fieldName: 'remote', displayName: 'remote', fieldType: 'BOOL' },
    { fieldName: 'sites', displayName: 'sites', fieldType: 'STRING', multiValued: true },
  ];
  const VALUES = { level: '7', badge: 'B1', since: '2020-02-03', ratio: 0.5, remote: true, sites: [{ value: 'Rome' }] };

  beforeEach(() => {
    const body = { schemaName: 'Job', displayName: 'Job', fields: FIELDS };
    tenant.ok('directory.schemas.insert', { path: { customerId: 'my_customer' }, body });
  });

  test('values are shown by projection, in the public view without those for administrators', () => {
    expect(insert({ customSchemas: { Job: VALUES } })['customSchemas']).toEqual({ Job: VALUES });
    expect(get('ann@example.com')).not.toHaveProperty('customSchemas');
    expect(get('ann@example.com', { projection: 'full' })['customSchemas']).toEqual({ Job: VALUES });
    expect(get('ann@example.com', { projection: 'custom', customFieldMask: 'Job,Other' })['customSchemas']).toEqual({
      Job: VALUES,
    });
    expect(get('ann@example.com', { projection: 'custom', customFieldMask: 'Other' })).not.toHaveProperty(
      'customSchemas',
    );
    const { badge: _, ...open } = VALUES;
    expect(get('ann@example.com', { projection: 'full', viewType: 'domain_public' })['customSchemas']).toEqual({
      Job: open,
    });
  });

  test('a patch changes the fields that it names, and null clears one or all', () => {
    insert({ customSchemas: { Job: VALUES } });
    const change = (values: JsonObject): unknown =>
      patch('ann@example.com', { customSchemas: values })['customSchemas'];
    expect(change({ Job: { level: 8, sites: null } })).toEqual({
      Job: { level: '8', badge: 'B1', since: '2020-02-03', ratio: 0.5, remote: true },
    });
    expect(change({ Job: null })).toBeUndefined();
  });

  test.each<[JsonObject]>([
    [{ Job: { other: 'x' } }],
    [{ Job: { level: 'high' } }],
    [{ Job: { level: 1.5 } }],
    [{ Job: { since: '2020-02-31T' } }],
    [{ Job: { ratio: 'half' } }],
    [{ Job: { remote: 'true' } }],
    [{ Job: { badge: { value: 'B1' } } }],
    [{ Job: { sites: 'Rome' } }],
    [{ Job: { sites: [{ type: 'work' }] } }],
    [{ Job: 'x' }],
    [{ toString: { x: '1' } }],
  ])('values that do not fit their schema are refused: %j', (customSchemas) => {
    insert();
    expect(refusedPatch('ann@example.com', { customSchemas })).toBe('400 invalid: Invalid Input: custom_schema');
  });
});

describe('users.delete and users.undelete', () => {
  const remove = (userKey: string) => tenant.ok('directory.users.delete', { path: { userKey } });
  const undelete = (userKey: string, body = {}) => tenant.ok('directory.users.undelete', { path: { userKey }, body });

  test('a deleted user is gone with memberships, roles, aliases and credentials', () => {
    const id = getTextMember(insert(), 'id');
    const path = { userKey: id };
    tenant.ok('directory.users.aliases.insert', { path, body: { alias: 'al@example.com' } });
    tenant.ok('directory.verificationCodes.generate', { path });
    tenant.ok('directory.groups.insert', { body: { email: 'team@example.com' } });
    tenant.ok('directory.members.insert', {
      path: { groupKey: 'team@example.com' },
      body: { email: 'ann@example.com' },
    });
    expect(remove(id)).toEqual({});
    for (const userKey of [id, 'ann@example.com', 'al@example.com']) {
      expect(tenant.refused('directory.users.get', { path: { userKey } })).toBe(
        '404 notFound: Resource Not Found: userKey',
      );
    }
    expect(tenant.ok('directory.members.list', { path: { groupKey: 'team@example.com' } })).not.toHaveProperty(
      'members',
    );
    expect(tenant.ok('directory.groups.get', { path: { groupKey: 'team@example.com' } })['directMembersCount']).toBe(
      '0',
    );
    undelete(id);
    expect(tenant.ok('directory.verificationCodes.list', { path })).not.toHaveProperty('items');
    expect(get(id)).toMatchObject({ primaryEmail: 'ann@example.com', aliases: ['al@example.com'] });
    expect(events().slice(-3)).toEqual([
      'users delete ann@example.com',
      'aliases add ann@example.com',
      'users undelete ann@example.com',
    ]);
  });

  test('a user comes back to the org unit that is named', () => {
    tenant.ok('directory.orgunits.insert', {
      path: { customerId: 'my_customer' },
      body: { name: 'Back', parentOrgUnitPath: '/' },
    });
    const id = getTextMember(insert(), 'id');
    remove(id);
    const refused = tenant.refused('directory.users.undelete', {
      path: { userKey: id },
      body: { orgUnitPath: '/none' },
    });
    expect(refused).toBe('400 invalid: Invalid Input: INVALID_OU_ID');
    undelete(id, { orgUnitPath: '/Back' });
    expect(get(id)['orgUnitPath']).toBe('/Back');
    expect(get(id)).not.toHaveProperty('deletionTime');
  });

  test('a user comes back by immutable id only, within 20 days, to an address that is free', () => {
    const id = getTextMember(insert(), 'id');
    const refused = (userKey: string) => tenant.refused('directory.users.undelete', { path: { userKey } });
    const tooLate = '412 conditionNotMet: The user cannot be undeleted: it was not deleted in the last 20 days';
    expect(refused(id)).toBe(tooLate);
    remove(id);
    expect(refused('ann@example.com')).toBe('404 notFound: Resource Not Found: userKey');
    insert({ primaryEmail: 'bob@example.com' });
    patch('bob@example.com', { primaryEmail: 'ann@example.com' });
    expect(refused(id)).toBe('409 duplicate: Entity already exists.');
    patch('ann@example.com', { primaryEmail: 'bob@example.com' });
    expect(refused(id)).toBe('409 duplicate: Entity already exists.');
    tenant.ok('directory.users.aliases.delete', { path: { userKey: 'bob@example.com', alias: 'ann@example.com' } });
    tenant.later(20 * DAY_MS);
    undelete(id);
    remove(id);
    tenant.later(20 * DAY_MS + 1);
    expect(refused(id)).toBe(tooLate);
  });
});

describe('what is done to users', () => {
  const act = (method: string, body: JsonObject = {}, userKey = 'ann@example.com') =>
    tenant.ok(method, { path: { userKey }, body });

  test('makeAdmin sets and takes the rights, and tells watchers of real changes only', () => {
    insert();
    expect(act('directory.users.makeAdmin', { status: true })).toEqual({});
    act('directory.users.makeAdmin', { status: true });
    expect(get('ann@example.com')['isAdmin']).toBe(true);
    act('directory.users.makeAdmin', { status: false });
    expect(get('ann@example.com')['isAdmin']).toBe(false);
    expect(events().slice(1)).toEqual(['users makeAdmin ann@example.com', 'users makeAdmin ann@example.com']);
    expect(tenant.refused('directory.users.makeAdmin', { path: { userKey: 'ann@example.com' } })).toBe(
      '400 required: Missing required field: status',
    );
  });

  test('signOut answers nothing and changes nothing', () => {
    insert();
    const before = get('ann@example.com');
    expect(act('directory.users.signOut')).toEqual({});
    expect(get('ann@example.com')).toEqual(before);
  });

  test.each(['makeAdmin', 'signOut', 'undelete'])('%s of nobody answers 404', (verb) => {
    const sent = { path: { userKey: 'nobody@example.com' }, body: { status: true } };
    expect(tenant.refused(`directory.users.${verb}`, sent)).toBe('404 notFound: Resource Not Found: userKey');
  });

  test('a guest is a user with an address from elsewhere', () => {
    const guest = tenant.ok('directory.users.createGuest', { body: { primaryGuestEmail: 'Gus@Partner.example' } });
    expect(guest).toMatchObject({
      kind: 'admin#directory#user',
      primaryEmail: 'gus@partner.example',
      isGuestUser: true,
      guestAccountInfo: { primaryGuestEmail: 'gus@partner.example' },
    });
    expect(get('gus@partner.example')).toEqual(guest);
    expect(patch('gus@partner.example', { suspended: true, isGuestUser: false })).toMatchObject({
      suspended: true,
      isGuestUser: true,
    });
  });

  test.each([
    [{}, '400 required: Missing required field: primaryGuestEmail'],
    [{ primaryGuestEmail: 'gus' }, '400 invalid: Invalid Input: primaryGuestEmail'],
    [{ primaryGuestEmail: 'gus@example.com' }, '400 invalid: Invalid Input: primaryGuestEmail'],
    [
      { primaryGuestEmail: 'g@partner.example', customer: 'C9' },
      '403 forbidden: Not Authorized to access this resource/api',
    ],
  ])('createGuest refuses %j', (body, refusal) => {
    expect(tenant.refused('directory.users.createGuest', { body })).toBe(refusal);
  });

  test('a guest is made once', () => {
    const body = { primaryGuestEmail: 'gus@partner.example' };
    tenant.ok('directory.users.createGuest', { body });
    expect(tenant.refused('directory.users.createGuest', { body })).toBe('409 duplicate: Entity already exists.');
  });
});
