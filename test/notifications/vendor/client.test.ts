import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clientOf, NOW_MS, startVendorStub, type VendorStub } from '../../support/workers/vendor-stub.ts';

const order = {
  id: '5a0e7b0c-2d1f-4c0e-9a86-0c8f0b2d7f11',
  address: 'https://hooks.example/notifications/w1',
  token: 'v1.token',
  target: { customer: 'C00000001' },
  ttlSeconds: 21_600,
};
const granted = {
  kind: 'api#channel',
  id: order.id,
  resourceId: 'resource-1',
  resourceUri: 'https://admin.googleapis.com/admin/directory/v1/users?customer=C00000001&alt=json',
  token: 'v1.token',
  expiration: '1795312800000',
};
const user = {
  kind: 'admin#directory#user',
  id: '111222333',
  etag: '"one"',
  primaryEmail: 'ada@example.com',
  name: { givenName: 'Ada', familyName: 'Lovelace' },
  isAdmin: true,
  suspended: false,
  orgUnitPath: '/engines',
  lastLoginTime: '2026-01-01T00:00:00.000Z',
};

let stub: VendorStub;

beforeAll(async () => {
  stub = await startVendorStub();
});
afterAll(async () => stub.stop());

describe('watch', () => {
  test('asks as the vendor documents it, for a customer and all events', async () => {
    stub.respond(() => ({ status: 200, body: granted }));
    expect(await clientOf(stub).watch(order)).toEqual({
      ok: true,
      resourceId: 'resource-1',
      resourceUri: granted.resourceUri,
      expiresAtMs: 1_795_312_800_000,
      vendorNowMs: NOW_MS,
    });
    const [asked] = stub.asked;
    expect(asked).toMatchObject({
      method: 'POST',
      path: '/admin/directory/v1/users/watch',
      query: { customer: 'C00000001' },
      headers: { authorization: 'Bearer directory-token', accept: 'application/json' },
    });
    expect(JSON.parse(asked?.body ?? '')).toEqual({
      id: order.id,
      type: 'web_hook',
      address: order.address,
      token: order.token,
      params: { ttl: '21600' },
    });
  });

  test('names the domain alone where one is watched, and the one event', async () => {
    stub.respond(() => ({ status: 200, body: granted }));
    const target = { customer: 'C00000001', domain: 'example.com' };
    await clientOf(stub).watch({ ...order, target, event: 'makeAdmin' });
    expect(stub.asked[0]?.query).toEqual({ domain: 'example.com', event: 'makeAdmin' });
  });

  test.each([
    ['a number, as the pages write it', 1_795_312_800_000, 1_795_312_800_000],
    ['absent', undefined, undefined],
    ['no number', 'tomorrow', undefined],
    ['a fraction', 1.5, undefined],
    ['negative', -5, undefined],
    ['null', null, undefined],
    ['false', false, undefined],
    ['in seconds, which the registry judges', 1_795_312_800, 1_795_312_800],
    ['of the year 9999, which the registry judges', '253402300799000', 253_402_300_799_000],
    ['longer than any time', '9'.repeat(400), undefined],
  ])('takes an expiration that is %s', async (_, expiration, expiresAtMs) => {
    stub.respond(() => ({ status: 200, body: { ...granted, expiration } }));
    expect(await clientOf(stub).watch(order)).toMatchObject({ ok: true, expiresAtMs });
  });

  test('a channel is open though the rest of the answer is odd', async () => {
    stub.respond(() => ({ status: 200, body: { ...granted, resourceUri: null } }));
    expect(await clientOf(stub).watch(order)).toMatchObject({ ok: true, resourceId: 'resource-1', resourceUri: '' });
  });

  test('an answer without a date tells no time of the vendor', async () => {
    stub.respond(() => ({ status: 200, body: granted, headers: { date: 'yesterday' } }));
    expect(await clientOf(stub).watch(order)).toMatchObject({ ok: true, vendorNowMs: undefined });
  });

  test.each([
    ['of another channel', { ...granted, id: 'another' }],
    ['without a resource id', { ...granted, resourceId: '' }],
    ['that is no object', []],
    ['that is no JSON', '<html>'],
    ['that is empty', ''],
  ])('an answer %s may have made a channel: unavailable', async (_, body) => {
    stub.respond(() => ({ status: 200, body }));
    expect(await clientOf(stub).watch(order)).toMatchObject({
      ok: false,
      reason: 'unavailable',
      detail: 'the directory answers 200 with a body that is not what it should be',
    });
  });
});

describe('stop', () => {
  test('names channel and resource', async () => {
    stub.respond(() => ({ status: 204, body: '' }));
    expect(await clientOf(stub).stop({ id: 'c1', resourceId: 'r1' })).toEqual({ ok: true });
    const [asked] = stub.asked;
    expect(asked).toMatchObject({ method: 'POST', path: '/admin/directory_v1/channels/stop' });
    expect(JSON.parse(asked?.body ?? '')).toEqual({ id: 'c1', resourceId: 'r1' });
  });

  test.each([404, 400])('a channel that the vendor does not know (%i) is stopped', async (status) => {
    const message = "Channel 'c1' not found for project 'p'";
    stub.respond(() => ({ status, body: { error: { code: status, message, errors: [{ reason: 'invalid' }] } } }));
    expect(await clientOf(stub).stop({ id: 'c1', resourceId: 'r1' })).toEqual({ ok: true });
  });

  test('a 404 of somebody between stops nothing', async () => {
    stub.respond(() => ({ status: 404, body: '<html>Not found</html>' }));
    expect(await clientOf(stub).stop({ id: 'c1', resourceId: 'r1' })).toMatchObject({ reason: 'unavailable' });
  });

  test('another 400 is refused', async () => {
    stub.respond(() => ({ status: 400, body: { error: { code: 400, message: 'Bad Request' } } }));
    expect(await clientOf(stub).stop({ id: 'c1', resourceId: 'r1' })).toMatchObject({ reason: 'refused' });
  });
});

describe('readUser', () => {
  test('reads the whole user', async () => {
    stub.respond(() => ({ status: 200, body: user }));
    expect(await clientOf(stub).readUser({ userId: user.id })).toEqual({
      ok: true,
      user: {
        id: '111222333',
        primaryEmail: 'ada@example.com',
        suspended: false,
        archived: false,
        isAdmin: true,
        orgUnitPath: '/engines',
        etag: '"one"',
        // sha256sum of the user as one line of JSON with sorted names, without kind, etag and lastLoginTime, with `"archived":false`.
        fingerprint: 'c49ba66b918e30ee5b3df8c7b91e6c0d7d2cf89bfb28d5fef38afea84481e05b',
      },
    });
    expect(stub.asked[0]).toMatchObject({
      method: 'GET',
      path: '/admin/directory/v1/users/111222333',
      query: { projection: 'full' },
    });
  });

  test('there is no user where the vendor says so', async () => {
    const body = { error: { code: 404, message: 'Resource Not Found: userKey', errors: [{ reason: 'notFound' }] } };
    stub.respond(() => ({ status: 404, body }));
    expect(await clientOf(stub).readUser({ userId: '1' })).toEqual({ ok: true, user: null });
  });

  test.each([
    ['', ''],
    ['Method not found.', 'notFound'],
    ['Domain not found.', 'notFound'],
    ['Resource Not Found: customerId', 'notFound'],
    ['Resource Not Found: groupKey', 'notFound'],
    ['Resource Not Found: userKeys', 'notFound'],
    ['Project not found.', 'projectNotFound'],
    ['Resource Not Found: userKey', 'projectNotFound'],
    ['Resource Not Found: userKey', ''],
  ])('a 404 of something else than the user (%s, reason %s) says nothing about the user', async (message, reason) => {
    const words = message === '' ? {} : { message, errors: [{ reason }] };
    stub.respond(() => ({ status: 404, body: { error: { code: 404, ...words } } }));
    expect(await clientOf(stub).readUser({ userId: '1' })).toMatchObject({ ok: false, reason: 'unavailable' });
  });

  test.each([
    ['a page of HTML', '<html>404</html>'],
    ['an empty body', ''],
    ['JSON of somebody else', { message: 'no Route matched with those values' }],
    ['an error with another status', { error: { code: 500, message: 'x', errors: [] } }],
    ['an error that is a text', { error: 'not found' }],
  ])('a 404 with %s says nothing about the user', async (_, body) => {
    stub.respond(() => ({ status: 404, body }));
    expect(await clientOf(stub).readUser({ userId: '1' })).toEqual({
      ok: false,
      reason: 'unavailable',
      detail: 'the directory answers 404, not in its own words',
      retryAfterMs: undefined,
      vendorNowMs: NOW_MS,
    });
  });

  test.each([
    ['another user', { ...user, id: '999' }],
    ['a user without an id', { ...user, id: undefined }],
    ['a suspension that is a text', { ...user, suspended: 'true' }],
    ['null', null],
  ])('an answer with %s is not believed', async (_, body) => {
    stub.respond(() => ({ status: 200, body: JSON.stringify(body) }));
    expect(await clientOf(stub).readUser({ userId: user.id })).toMatchObject({ ok: false, reason: 'unavailable' });
  });

  test.each(['', '.', '..', 'a\uD800'])('an id that no user can have (%j) is asked nowhere', async (userId) => {
    stub.respond(() => ({ status: 200, body: user }));
    expect(await clientOf(stub).readUser({ userId })).toMatchObject({ ok: false, reason: 'refused' });
    expect(stub.asked).toEqual([]);
  });

  test('an id cannot leave its place in the path', async () => {
    stub.respond(() => ({ status: 200, body: { ...user, id: '../watch?x=1#y' } }));
    expect(await clientOf(stub).readUser({ userId: '../watch?x=1#y' })).toMatchObject({ ok: true });
    expect(stub.asked[0]?.path).toBe('/admin/directory/v1/users/..%2Fwatch%3Fx%3D1%23y');
  });

  const readFingerprint = async (body: object): Promise<string | undefined> => {
    stub.respond(() => ({ status: 200, body }));
    const read = await clientOf(stub).readUser({ userId: user.id });
    return read.ok ? read.user?.fingerprint : undefined;
  };

  test.each([
    ['its tag', { etag: '"two"' }],
    ['the last login', { lastLoginTime: '2026-11-11T11:11:11.000Z' }],
    ["its photo's address and tag", { thumbnailPhotoUrl: 'https://photos.example/x', thumbnailPhotoEtag: '"p"' }],
    ['the order of its fields', Object.fromEntries(Object.entries(user).toReversed())],
  ])('a user that differs by %s alone has the same fingerprint', async (_, changes) => {
    expect(await readFingerprint({ ...changes, ...user, ...changes })).toBe(await readFingerprint(user));
  });

  test.each([
    ['a suspension', { suspended: true }],
    ['a name deep inside', { name: { givenName: 'Ada', familyName: 'King' } }],
    ['a new field', { recoveryEmail: 'ada@home.example' }],
    ['a role', { isAdmin: false }],
  ])('%s changes the fingerprint', async (_, changes) => {
    expect(await readFingerprint({ ...user, ...changes })).not.toBe(await readFingerprint(user));
  });

  test('a user of a hundred thousand levels is read', async () => {
    const levels = 100_000;
    const body = `{"id":"111222333","deep":${'['.repeat(levels)}${']'.repeat(levels)}}`;
    stub.respond(() => ({ status: 200, body }));
    expect(await clientOf(stub).readUser({ userId: user.id })).toMatchObject({ ok: true, user: { id: user.id } });
  });
});

describe('listUsers', () => {
  test('asks for whole users by address, page by page', async () => {
    stub.respond(({ query }) => ({
      status: 200,
      body: query['pageToken'] === 'p2' ? { users: [user] } : { users: [user, user], nextPageToken: 'p2' },
    }));
    const target = { customer: 'C00000001' };
    const first = await clientOf(stub).listUsers({ target });
    const second = await clientOf(stub).listUsers({ target, pageToken: 'p2' });
    expect(first.ok && [first.users.length, first.nextPageToken]).toEqual([2, 'p2']);
    expect(second.ok && [second.users.length, second.nextPageToken]).toEqual([1, undefined]);
    const query = { customer: 'C00000001', maxResults: '500', orderBy: 'email', projection: 'full' };
    expect(stub.asked.map((asked) => asked.query)).toEqual([query, { ...query, pageToken: 'p2' }]);
  });

  test('a domain of the customer is listed by itself', async () => {
    stub.respond(() => ({ status: 200, body: { kind: 'admin#directory#users' } }));
    const target = { customer: 'C00000001', domain: 'example.com' };
    expect(await clientOf(stub).listUsers({ target })).toEqual({ ok: true, users: [], nextPageToken: undefined });
    expect(stub.asked[0]?.query).toMatchObject({ domain: 'example.com' });
    expect(stub.asked[0]?.query).not.toHaveProperty('customer');
  });

  test('a user has the same fingerprint in a list and by itself', async () => {
    stub.respond(({ path }) => ({
      status: 200,
      body: path.endsWith('/users') ? { users: [{ ...user, etag: '"list"' }] } : user,
    }));
    const listed = await clientOf(stub).listUsers({ target: { customer: 'c' } });
    const read = await clientOf(stub).readUser({ userId: user.id });
    expect(listed.ok && listed.users[0]?.fingerprint).toBe(read.ok && read.user?.fingerprint);
  });

  test('a page that is too large is asked for again with fewer users', async () => {
    const large = { ...user, notes: 'x'.repeat(1_000) };
    stub.respond(({ query }) => ({
      status: 200,
      body: {
        users: query['maxResults'] === '500' ? Array.from({ length: 20 }, () => large) : [large],
        nextPageToken: 'p2',
      },
    }));
    const listed = await clientOf(stub, { limits: { answerBytes: 4_096 } }).listUsers({ target: { customer: 'c' } });
    expect(listed).toMatchObject({ ok: true, nextPageToken: 'p2' });
    expect(stub.asked.map(({ query }) => query['maxResults'])).toEqual(['500', '50']);
  });

  test.each([
    ['no id', { id: undefined }],
    ['a suspension that is a text', { suspended: 'true' }],
    ['a suspension that is null', { suspended: null }],
  ])('one user with %s is left out of the page, and the others are listed', async (_, changes) => {
    stub.respond(() => ({ status: 200, body: { users: [{ ...user, id: '999', ...changes }, user] } }));
    const listed = await clientOf(stub).listUsers({ target: { customer: 'c' } });
    expect(listed).toMatchObject({ ok: true, skipped: 1, users: [{ id: user.id }] });
    expect(listed.ok && listed.users).toHaveLength(1);
  });

  test('a user with texts that are none is listed, and read, with empty ones', async () => {
    const odd = { ...user, primaryEmail: 7, orgUnitPath: null, etag: 'x'.repeat(2_000) };
    stub.respond(({ path }) => ({ status: 200, body: path.endsWith('/users') ? { users: [odd, user] } : odd }));
    const listed = await clientOf(stub).listUsers({ target: { customer: 'c' } });
    const read = await clientOf(stub).readUser({ userId: user.id });
    const empty = { id: user.id, primaryEmail: '', orgUnitPath: '', etag: '', isAdmin: true };
    expect(listed.ok && [listed.skipped, listed.users.length]).toEqual([undefined, 2]);
    expect(listed.ok && listed.users[0]).toMatchObject(empty);
    expect(read.ok && read.user).toEqual(listed.ok && listed.users[0]);
  });

  test('a page that names itself as the next one is a failure', async () => {
    stub.respond(() => ({ status: 200, body: { users: [user], nextPageToken: 'p2' } }));
    const target = { customer: 'c' };
    expect(await clientOf(stub).listUsers({ target })).toMatchObject({ ok: true, nextPageToken: 'p2' });
    expect(await clientOf(stub).listUsers({ target, pageToken: 'p2' })).toMatchObject({
      ok: false,
      reason: 'unavailable',
      detail: 'the directory names the page that was asked for as the next one',
    });
  });

  test.each([
    ['nobody who can be read', { users: [{ primaryEmail: 'x@example.com' }, null, 'user'] }],
    ['users that are no list', { users: {} }],
    ['more users than were asked for', { users: Array.from({ length: 501 }, () => ({ id: '1' })) }],
    ['a page token that is a number', { users: [], nextPageToken: 7 }],
  ])('a page with %s is no page', async (_, body) => {
    stub.respond(() => ({ status: 200, body }));
    const listed = await clientOf(stub).listUsers({ target: { customer: 'c' } });
    expect(listed).toMatchObject({ ok: false, reason: 'unavailable' });
  });
});
