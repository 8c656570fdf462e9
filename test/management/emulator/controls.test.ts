import { describe, expect, test } from 'vitest';
import { readUsualPutRule } from '../../../src/management/core/put-rule.ts';
import {
  clockBody,
  faultBody,
  seedBody,
  settingsBody,
  type FaultBody,
} from '../../../src/management/emulator/bodies.ts';
import { memorySqlite } from '../../support/management/sqlite.ts';
import { opened, refusalOf, START_MS, USER, valueOf } from './opened.ts';

const insert = { body: USER };
const textIn = (value: unknown): string => String(value);
const ada = { path: { userKey: 'ada@example.com' } };
const listed = { query: { customer: 'my_customer' } };

describe('K2: a live tenant', () => {
  const live = () => opened({ id: 'C0000live', mode: 'live', domain: 'example.com' });

  test.each([
    ['status', (tenant) => tenant.controls.status()],
    ['reset', (tenant) => tenant.controls.reset({})],
    ['setClock', (tenant) => tenant.controls.setClock({ mode: 'frozen', nowMs: 0 })],
    ['setSettings', (tenant) => tenant.controls.setSettings({ strict_put: true })],
    [
      'seed by calls',
      (tenant) => tenant.controls.seed({ calls: [{ method: 'directory.users.insert', params: {}, body: USER }] }),
    ],
    ['seed', (tenant) => tenant.controls.seed({ generate: { users: 1, groups: 0, membersPerGroup: 0, orgUnits: 0 } })],
    ['snapshot', (tenant) => tenant.controls.snapshot('a')],
    ['restore', (tenant) => tenant.controls.restore('a')],
    ['snapshots', (tenant) => tenant.controls.snapshots()],
    ['deleteSnapshot', (tenant) => tenant.controls.deleteSnapshot('a')],
    ['faults', (tenant) => tenant.controls.faults()],
    ['addFault', (tenant) => tenant.controls.addFault({ method: '*', status: 500 })],
    ['deleteFault', (tenant) => tenant.controls.deleteFault('fault-1')],
    ['clearFaults', (tenant) => tenant.controls.clearFaults()],
  ] as const satisfies readonly [string, (tenant: ReturnType<typeof opened>) => unknown][])(
    'refuses %s by itself, with 404, and stays as it was',
    (_, control) => {
      const tenant = live();
      tenant.ok('directory.users.insert', insert);
      const before = tenant.ok('directory.users.list', listed);
      expect(refusalOf(control(tenant))).toBe('404 notFound: Resource Not Found: tenant');
      expect(tenant.ok('directory.users.list', listed)).toEqual(before);
      expect(tenant.engine.now()).toBe(START_MS);
    },
  );
});

test('K2: a live tenant is struck by no fault, even one that its database holds', () => {
  const live = { id: 'C0000live', mode: 'live', domain: 'example.com' } as const;
  const database = memorySqlite();
  opened(live, database);
  database.sql.exec('INSERT INTO fault VALUES (?, ?, 0, 0)', 'fault-1', '{"method":"*","status":500,"latencyMs":9}');
  const tenant = opened(live, database);
  expect(tenant.outcome('directory.users.list', listed)).toMatchObject({ answer: { ok: true }, delayMs: 0 });
});

describe('K9: a tenant that keeps as much as it may', () => {
  const QUOTA = '403 quotaExceeded: The tenant keeps as much as it may: delete something first';
  const full = () => {
    const tenant = opened();
    tenant.kept.bytes = 1_073_741_824;
    return tenant;
  };

  test('keeps no snapshot', () => {
    expect(refusalOf(full().controls.snapshot('a'))).toBe(QUOTA);
  });

  test('makes nothing up', () => {
    const generate = { users: 1, groups: 0, membersPerGroup: 0, orgUnits: 0 };
    expect(refusalOf(full().controls.seed({ generate }))).toBe(QUOTA);
  });

  test('makes no more up when it gets full on the way', () => {
    const tenant = opened();
    valueOf(tenant.controls.seed({ generate: { users: 3_000, groups: 0, membersPerGroup: 0, orgUnits: 0 } }));
    tenant.kept.bytes = 1_073_741_824;
    tenant.controls.goOn();
    const seeding = { state: 'failed', reason: 'The tenant keeps as much as it may: delete something first' };
    expect(valueOf(tenant.controls.status())).toMatchObject({ seeding });
  });

  test('is reset all the same', () => {
    expect(refusalOf(full().controls.snapshot('a'))).toBe(QUOTA);
    expect(valueOf(full().controls.reset({})).databaseBytes).toBe(1_073_741_824);
  });
});

describe('strict_put', () => {
  const rename = { path: { groupKey: 'a@example.com' }, body: { name: 'New' } };
  const put = (tenant: ReturnType<typeof opened>): unknown => {
    tenant.answer('directory.groups.insert', { body: { email: 'a@example.com' } });
    tenant.ok('directory.groups.patch', { path: rename.path, body: { description: 'Words' } });
    return tenant.ok('directory.groups.update', rename)['description'];
  };

  test('is off, may be set, lasts, and ends with a reset that does not name it', () => {
    const database = memorySqlite();
    const tenant = opened(undefined, database);
    expect([valueOf(tenant.controls.status()).settings, put(tenant)]).toEqual([{ strict_put: false }, 'Words']);
    expect(valueOf(tenant.controls.setSettings({ strict_put: true }))).toEqual({ strict_put: true });
    expect(valueOf(tenant.controls.setSettings({}))).toEqual({ strict_put: true });
    expect(put(tenant)).toBe('');
    expect(put(opened(undefined, database))).toBe('');
    expect(valueOf(tenant.controls.reset({ settings: { strict_put: true } })).settings).toEqual({ strict_put: true });
    expect(put(tenant)).toBe('');
    expect(valueOf(tenant.controls.reset({})).settings).toEqual({ strict_put: false });
    expect(put(tenant)).toBe('Words');
  });

  test('may be the usual rule of a deployment, which a sandbox may leave', () => {
    const tenant = opened(undefined, undefined, true);
    expect(put(tenant)).toBe('');
    expect(put(opened({ id: 'C0000live', mode: 'live', domain: 'example.com' }, undefined, true))).toBe('');
    valueOf(tenant.controls.setSettings({ strict_put: false }));
    expect(put(tenant)).toBe('Words');
  });

  test.each([{ strict_put: 'yes' }, { strictPut: true }, { other: 1 }])('is not set by %j', (body) => {
    expect(settingsBody.safeParse(body).success).toBe(false);
  });

  test.each([
    ['1', true],
    ['0', false],
    ['', false],
    [undefined, false],
  ])('is read from STRICT_PUT=%j as %s', (STRICT_PUT, isStrict) => {
    expect(readUsualPutRule({ STRICT_PUT })).toBe(isStrict);
  });
});

describe('reset', () => {
  test('with a seed counts draws on when the tenant is opened again', () => {
    const ids = (reopens: boolean) => {
      const database = memorySqlite();
      const first = opened(undefined, database);
      valueOf(first.controls.reset({ randomSeed: 'one' }));
      const ada1 = first.ok('directory.users.insert', insert)['id'];
      const next = reopens ? opened(undefined, database) : first;
      return [ada1, next.ok('directory.groups.insert', { body: { email: 'g@example.com' } })['id']];
    };
    expect(ids(true)).toEqual(ids(false));
  });

  test('empties the tenant, which starts anew; entity tags are not used again', () => {
    const tenant = opened();
    const first = tenant.ok('directory.users.insert', insert);
    valueOf(tenant.controls.addFault({ method: '*', latencyMs: 5 }));
    const status = valueOf(tenant.controls.reset({}));
    expect(status.rows).toMatchObject({ 'directory.domains': 1, 'directory.orgunits': 1 });
    expect(status.rows['directory.users']).toBeUndefined();
    expect(status).toMatchObject({ faults: 0, hasRandomSeed: false, clock: { mode: 'running', nowMs: START_MS } });
    expect(tenant.ok('directory.users.insert', insert)['etag']).not.toBe(first['etag']);
  });

  test('K9: tells which objects of AI Search instances are gone, as a restored snapshot does', () => {
    const tenant = opened();
    const create = (id: string): string => {
      const sent = { path: { account_id: 'a'.repeat(32) }, body: { id } };
      const { search } = tenant.outcome('aisearch.instances.create', sent);
      return search?.do === 'configure' ? search.instance.uid : '';
    };
    const kept = create('kept');
    valueOf(tenant.controls.snapshot('one'));
    const later = create('later');
    expect(tenant.controls.restore('one')).toMatchObject({ ok: true, gone: [later] });
    expect(tenant.controls.reset({})).toMatchObject({ ok: true, gone: [kept] });
    expect(tenant.controls.restore('one')).toMatchObject({ ok: true, gone: [] });
  });

  test('with a seed makes the same ids from run to run, and others with another', () => {
    const run = (randomSeed: string) => {
      const tenant = opened();
      valueOf(tenant.controls.reset({ randomSeed, clock: { mode: 'frozen', nowMs: 0 } }));
      const user = tenant.ok('directory.users.insert', insert);
      tenant.answer('directory.users.insert', insert); // Refused: draws nothing that counts.
      const group = tenant.ok('directory.groups.insert', { body: { email: 'g@example.com' } });
      return [user['id'], user['creationTime'], group['id']];
    };
    expect(run('one')).toEqual(run('one'));
    expect(run('one')).not.toEqual(run('two'));
    expect(run('one')[1]).toBe('1970-01-01T00:00:00.000Z');
  });

  test('K7: with a seed makes no secret foreseeable', () => {
    const codesOf = () => {
      const tenant = opened();
      valueOf(tenant.controls.reset({ randomSeed: 'one' }));
      tenant.ok('directory.users.insert', insert);
      tenant.ok('directory.verificationCodes.generate', ada);
      const items = tenant.ok('directory.verificationCodes.list', ada)['items'] as { verificationCode: string }[];
      return items.map(({ verificationCode }) => verificationCode);
    };
    expect(codesOf()).toHaveLength(10);
    expect(codesOf()).not.toEqual(codesOf());
  });
});

describe('the clock', () => {
  test('shows no year of five digits: it is not set to one, and does not run into one', () => {
    const latest = Date.parse('9998-12-31T23:59:59.999Z');
    expect(clockBody.safeParse({ mode: 'frozen', nowMs: latest }).success).toBe(true);
    expect(clockBody.safeParse({ mode: 'frozen', nowMs: latest + 1 }).success).toBe(false);
    const tenant = opened();
    valueOf(tenant.controls.setClock({ mode: 'running', nowMs: latest }));
    tenant.time.nowMs += 5_000;
    expect(tenant.engine.now()).toBe(latest);
    expect(tenant.ok('directory.users.insert', insert)['creationTime']).toBe('9998-12-31T23:59:59.999Z');
  });

  test('K2: moves no channel: its life and its messages go by real time', () => {
    const tenant = opened();
    valueOf(tenant.controls.setClock({ mode: 'frozen', nowMs: 0 }));
    const body = { id: 'c', type: 'web_hook', address: 'https://hooks.example.net/', params: { ttl: '60' } };
    const { expiration } = tenant.ok('directory.users.watch', { ...listed, body });
    expect(expiration).toBe(String(START_MS + 60_000));
    tenant.time.nowMs += 60_000;
    expect(tenant.outbox.claim()).toEqual([]);
  });

  test('stands still, or runs on from where it was set; real time goes its own way', () => {
    const tenant = opened();
    expect(valueOf(tenant.controls.setClock({ mode: 'frozen', nowMs: 1_000 }))).toEqual({
      mode: 'frozen',
      nowMs: 1_000,
    });
    tenant.time.nowMs += 5_000;
    expect([tenant.engine.now(), tenant.engine.realNow()]).toEqual([1_000, START_MS + 5_000]);
    valueOf(tenant.controls.setClock({ mode: 'running' }));
    tenant.time.nowMs += 7_000;
    expect(tenant.engine.now()).toBe(8_000);
  });

  test('K2: dates data only: a page token lives by real time', () => {
    const tenant = opened();
    for (const name of ['a', 'b']) tenant.ok('directory.groups.insert', { body: { email: `${name}@example.com` } });
    const query = { customer: 'my_customer', maxResults: 1 };
    const pageToken = textIn(tenant.ok('directory.groups.list', { query })['nextPageToken']);
    valueOf(tenant.controls.setClock({ mode: 'frozen', nowMs: START_MS + 365 * 86_400_000 }));
    expect(tenant.answer('directory.groups.list', { query: { ...query, pageToken } })).toMatchObject({ ok: true });
    tenant.time.nowMs += 4 * 86_400_000;
    expect(tenant.answer('directory.groups.list', { query: { ...query, pageToken } })).toMatchObject({ ok: false });
  });
});

describe('a fault', () => {
  const statuses = (tenant: ReturnType<typeof opened>, times: number): (number | undefined)[] =>
    Array.from({ length: times }, () => {
      const answer = tenant.answer('directory.users.list', listed);
      return answer.ok ? 200 : answer.refusal.status;
    });
  const faulty = (body: FaultBody) => {
    const tenant = opened();
    valueOf(tenant.controls.addFault(body));
    return tenant;
  };

  test('answers in place of the method, which does nothing, with the vendor’s word or a given one', () => {
    const tenant = faulty({ method: 'directory.users.insert', status: 503, retryAfterS: 7, latencyMs: 40, times: 1 });
    expect(tenant.outcome('directory.users.insert', insert)).toEqual({
      answer: {
        ok: false,
        refusal: {
          status: 503,
          word: 'UNAVAILABLE',
          reason: 'backendError',
          message: 'Service Unavailable',
          retryAfterS: 7,
        },
      },
      delayMs: 40,
    });
    expect(tenant.answer('directory.users.get', ada)).toMatchObject({ refusal: { status: 404 } });
    expect(tenant.outcome('directory.users.insert', insert)).toMatchObject({ answer: { ok: true }, delayMs: 0 });
    valueOf(
      tenant.controls.addFault({ method: '*', status: 403, reason: 'userRateLimitExceeded', message: 'Slow down' }),
    );
    expect(tenant.answer('directory.users.get', ada)).toMatchObject({
      refusal: { status: 403, reason: 'userRateLimitExceeded', message: 'Slow down' },
    });
  });

  test('without a status only makes the call slow', () => {
    const tenant = faulty({ method: '*', latencyMs: 250 });
    expect(tenant.outcome('directory.users.insert', insert)).toMatchObject({ answer: { ok: true }, delayMs: 250 });
  });

  test('strikes each n-th call, so often and no more', () => {
    const tenant = faulty({ method: 'directory.users.list', status: 429, every: 3, times: 2 });
    expect(statuses(tenant, 12)).toEqual([200, 200, 429, 200, 200, 429, 200, 200, 200, 200, 200, 200]);
    expect(valueOf(tenant.controls.faults())).toMatchObject([{ id: 'fault-1', struck: 2 }]);
  });

  test('strikes by chance, and with a seed the same calls from run to run', () => {
    const run = (randomSeed: string) => {
      const tenant = opened();
      valueOf(tenant.controls.reset({ randomSeed }));
      valueOf(tenant.controls.addFault({ method: '*', status: 500, probability: 0.5 }));
      return statuses(tenant, 64);
    };
    expect(run('one')).toEqual(run('one'));
    expect(run('one')).not.toEqual(run('two'));
    expect(new Set(run('one'))).toEqual(new Set([200, 500]));
    expect(new Set(statuses(faulty({ method: '*', status: 500, probability: 0 }), 20))).toEqual(new Set([200]));
    expect(new Set(statuses(faulty({ method: '*', status: 500, probability: 1 }), 20))).toEqual(new Set([500]));
  });

  test('is taken away by its id; there are 100 at most; a method that nothing has is refused', () => {
    const tenant = faulty({ method: '*', status: 500 });
    expect(refusalOf(tenant.controls.deleteFault('fault-9'))).toBe('404 notFound: Resource Not Found: id');
    valueOf(tenant.controls.deleteFault('fault-1'));
    expect(statuses(tenant, 1)).toEqual([200]);
    for (let n = 0; n < 100; n += 1) valueOf(tenant.controls.addFault({ method: '*', latencyMs: 0 }));
    expect(refusalOf(tenant.controls.addFault({ method: '*', latencyMs: 0 }))).toMatch(/^403 limitExceeded/);
    expect(valueOf(tenant.controls.clearFaults())).toBe(100);
    expect(refusalOf(tenant.controls.addFault({ method: 'directory.users.fly', status: 500 }))).toBe(
      '400 invalid: Invalid Input: method',
    );
  });

  test.each([
    {},
    { method: '*' },
    { method: '*', status: 200 },
    { method: '*', status: 500, probability: 1.1 },
    { method: '*', status: 500, probability: 0.5, every: 2 },
    { method: '*', latencyMs: 30_001 },
    { method: '*', status: 500, times: 0 },
    { method: '*', status: 500, colour: 'red' },
  ])('%j is no fault', (body) => {
    expect(faultBody.safeParse(body).success).toBe(false);
  });
});

describe('a seed', () => {
  const calls = (...of: [string, Record<string, string | number>, object][]) =>
    seedBody.parse({ calls: of.map(([method, params, body]) => ({ method, params, body })) });

  test('makes each call by the rules of one that comes by HTTP, and says what came of each', () => {
    const tenant = opened();
    const body = calls(
      ['directory.users.insert', {}, USER],
      ['directory.users.insert', {}, USER],
      ['directory.users.get', { userKey: 'ada@example.com' }, {}],
      ['directory.users.get', {}, {}],
      ['directory.users.list', { customer: 'my_customer', maxResults: 'many' }, {}],
      ['directory.users.insert', {}, { primaryEmail: 7, odd: 1 }],
      ['directory.users.fly', {}, {}],
    );
    const outcome = valueOf(tenant.controls.seed(body));
    const told = 'calls' in outcome ? outcome.calls : [];
    expect(told.map((answer) => (answer.ok ? answer.status : answer.refusal.status))).toEqual([
      200, 409, 200, 400, 400, 400, 400,
    ]);
    expect(valueOf(tenant.controls.status()).rows['directory.users']).toBe(1);
  });

  test('does nothing that needs the object of an AI Search instance, and says so', () => {
    const tenant = opened();
    const account_id = 'a'.repeat(32);
    tenant.ok('aisearch.instances.create', { path: { account_id }, body: { id: 'docs' } });
    const body = calls(
      ['aisearch.instances.delete', { account_id, id: 'docs' }, {}],
      ['aisearch.instances.read', { account_id, id: 'docs' }, {}],
      ['aisearch.instances.create', { account_id }, { id: 'other' }],
      ['aisearch.namespaces.create', { account_id }, { name: 'team' }],
    );
    const outcome = valueOf(tenant.controls.seed(body));
    expect('calls' in outcome && outcome.calls).toMatchObject([
      {
        ok: false,
        refusal: {
          reason: 'failedPrecondition',
          message: expect.stringMatching(/^An AI Search instance has an object of its own/),
        },
      },
      { ok: true, body: { result: { id: 'docs' } } },
      { ok: false, refusal: { reason: 'failedPrecondition' } },
      { ok: true, body: { result: { name: 'team' } } },
    ]);
  });

  test.each([
    { calls: [] },
    { calls: Array.from({ length: 1_001 }, () => ({ method: 'm' })) },
    { generate: { users: 100_001 } },
    { generate: { groups: 10_000, membersPerGroup: 101 } },
    { generate: { users: 1 }, calls: [{ method: 'm' }] },
    {},
  ])('of the wrong form or size is refused', (body) => {
    expect(seedBody.safeParse(body).success).toBe(false);
  });

  const plan = { users: 60, groups: 5, membersPerGroup: 10, orgUnits: 12 };

  test('makes the same people from run to run, with every rule of the directory', () => {
    const run = () => {
      const tenant = opened();
      valueOf(tenant.controls.reset({ randomSeed: 'one', clock: { mode: 'frozen', nowMs: 0 } }));
      valueOf(tenant.controls.seed({ generate: plan }));
      return tenant;
    };
    const [tenant, other] = [run(), run()];
    const query = { customer: 'my_customer', maxResults: 500 };
    const users = (of: typeof tenant) => of.ok('directory.users.list', { query })['users'];
    const withoutTags = (value: unknown) => JSON.stringify(value).replaceAll(/"etag":"[^}]*?\\""/g, '');
    expect(withoutTags(users(tenant))).toBe(withoutTags(users(other)));
    expect(users(tenant)).toHaveLength(60);
    const [first] = users(tenant) as { id: string; primaryEmail: string; orgUnitPath: string }[];
    expect(tenant.ok('directory.users.get', { path: { userKey: first?.primaryEmail ?? '' } })['id']).toBe(first?.id);
    expect(
      tenant.answer('directory.users.insert', { body: { ...USER, primaryEmail: first?.primaryEmail ?? '' } }),
    ).toMatchObject({
      refusal: { status: 409 },
    });
    const groupKey = 'accounting-1@example.com';
    expect(tenant.ok('directory.groups.get', { path: { groupKey } })['directMembersCount']).toBe('10');
    expect(tenant.ok('directory.members.list', { path: { groupKey } })['members']).toHaveLength(10);
    tenant.ok('directory.users.delete', { path: { userKey: 'ada.abe.1@example.com' } });
    expect(tenant.ok('directory.members.list', { path: { groupKey } })['members']).toHaveLength(9);
  });

  test('onto data that it collides with is refused and leaves nothing', () => {
    const tenant = opened();
    tenant.ok('directory.users.insert', { body: { ...USER, primaryEmail: 'bela.abe.2@example.com' } });
    expect(refusalOf(tenant.controls.seed({ generate: plan }))).toMatch(/^400 failedPrecondition: /);
    expect(valueOf(tenant.controls.status())).toMatchObject({ seeding: null, rows: { 'directory.users': 1 } });
  });
});
