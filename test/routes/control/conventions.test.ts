import { beforeEach, describe, expect, test } from 'vitest';
import { call, type ErrorAnswer, GROUPS, json, refusal, USERS } from './world.ts';

const EMAIL = 'team@example.com';
const GROUP = `${GROUPS}/${EMAIL}`;
type Group = {
  id: string;
  etag: string;
  email: string;
  name?: string;
  description?: string;
  directMembersCount?: string;
};

const group = (): Promise<Group> => json<Group>(call(GROUP));

beforeEach(async () => {
  const body = { email: EMAIL, name: 'Team', description: 'All of us' };
  const made = await call(GROUPS, { method: 'POST', body });
  if (!made.ok) throw new Error(await made.text());
});

describe('partial response', () => {
  test.each<[string, string, unknown]>([
    [GROUP, 'email', { email: EMAIL }],
    [GROUP, 'email,description', { email: EMAIL, description: 'All of us' }],
    [`${GROUPS}?customer=my_customer`, 'groups/email', { groups: [{ email: EMAIL }] }],
    [
      `${GROUPS}?customer=my_customer`,
      'kind,groups(email,name)',
      { kind: 'admin#directory#groups', groups: [{ email: EMAIL, name: 'Team' }] },
    ],
  ])('%s with fields=%s', async (path, fields, expected) => {
    const answer = await call(`${path}${path.includes('?') ? '&' : '?'}fields=${encodeURIComponent(fields)}`);
    expect([answer.status, await answer.json()]).toEqual([200, expected]);
  });

  test('of a list has an entity tag of its own, by which it is not sent twice', async () => {
    const path = `${GROUPS}?customer=my_customer&fields=groups(email)`;
    const etag = (await call(path)).headers.get('etag') ?? '';
    expect(etag).not.toBe((await call(`${GROUPS}?customer=my_customer`)).headers.get('etag'));
    const again = () => call(path, { headers: { 'if-none-match': etag } });
    expect((await again()).status).toBe(304);
    await call(GROUP, { method: 'PATCH', body: { name: 'Unseen' } });
    expect((await again()).status).toBe(304);
    await call(GROUP, { method: 'PATCH', body: { email: 'crew@example.com' } });
    expect((await again()).status).toBe(200);
  });

  test('* is every field', async () => {
    expect(await json(call(`${GROUP}?fields=*`))).toEqual(await group());
  });

  test.each(['colour', 'email(', 'email/x', 'groups(email))', ',', 'a'.repeat(10_000)])(
    'fields=%s is 400, and a write with it writes nothing',
    async (fields) => {
      const query = `fields=${encodeURIComponent(fields)}`;
      expect((await call(`${GROUP}?${query}`)).status).toBe(400);
      expect((await call(`${GROUP}?${query}`, { method: 'PATCH', body: { name: 'Other' } })).status).toBe(400);
      expect(await group()).toMatchObject({ name: 'Team' });
    },
  );

  test('an invalid selection is named', async () => {
    expect(await refusal(call(`${GROUP}?fields=colour`))).toBe('400 invalidParameter: Invalid field selection colour');
  });
});

describe('patch and put', () => {
  test('PATCH changes what is sent, keeps the rest and answers the whole resource with a new etag', async () => {
    const before = await group();
    const answer = await call(GROUP, { method: 'PATCH', body: { name: 'Crew' } });
    const after = await json<Group>(answer);
    expect(after).toMatchObject({ name: 'Crew', description: 'All of us', email: EMAIL });
    expect(after.etag).not.toBe(before.etag);
    expect(answer.headers.get('etag')).toBe(after.etag);
    expect(await group()).toEqual(after);
  });

  test('PUT keeps what is not sent where the vendor does, and ignores what only the server sets', async () => {
    const body = { email: EMAIL, name: 'Crew', id: 'mine', directMembersCount: '99', kind: 'x' };
    expect((await call(GROUP, { method: 'PUT', body })).status).toBe(200);
    const after = await group();
    expect(after).toMatchObject({ name: 'Crew', email: EMAIL, directMembersCount: '0' });
    expect(after.description).toBe('All of us');
    expect(after.id).not.toBe('mine');
  });

  test.each<[string, unknown]>([
    ['an unknown field', { name: 'x', colour: 'red' }],
    ['another type', { name: 7 }],
    ['a list', []],
    ['broken JSON', '{"name":'],
    ['a name twice', '{"name":"a","name":"b"}'],
  ])('%s in a body is 400 and leaves the resource as it was', async (_what, body) => {
    const before = await group();
    const headers = { 'content-type': 'application/json' };
    const answer = await call(GROUP, { method: 'PATCH', body, headers });
    expect([answer.status, (await json<ErrorAnswer>(answer)).error.code]).toEqual([400, 400]);
    expect(await group()).toEqual(before);
  });

  test('a body of over 4 MiB is 413', async () => {
    const answer = await call(GROUP, { method: 'PATCH', body: { name: 'x'.repeat(4_200_000) } });
    expect(answer.status).toBe(413);
  });
});

describe('entity tags', () => {
  test('a GET with the etag is 304 without a body; with another it is the resource', async () => {
    const { etag } = await group();
    const same = await call(GROUP, { headers: { 'if-none-match': etag } });
    expect([same.status, await same.text(), same.headers.get('etag')]).toEqual([304, '', etag]);
    expect((await call(GROUP, { headers: { 'if-none-match': '"other"' } })).status).toBe(200);
  });

  test('a write with an etag that is no longer right is 412 and changes nothing', async () => {
    const { etag } = await group();
    const patch = (name: string, headers: Record<string, string>) =>
      call(GROUP, { method: 'PATCH', body: { name }, headers });
    expect((await patch('Crew', { 'if-match': etag })).status).toBe(200);
    const late = await patch('Late', { 'if-match': etag });
    expect(late.status).toBe(412);
    expect(await refusal(late)).toContain('conditionNotMet');
    expect(await group()).toMatchObject({ name: 'Crew' });
  });

  test.each(['*', '"other", *'])(
    'a write with If-Match: %s is made whatever the etag is, of what is there',
    async (tag) => {
      const headers = { 'if-match': tag };
      await group();
      const patched = await call(GROUP, { method: 'PATCH', body: { name: 'Crew' }, headers });
      expect([patched.status, await patched.json()]).toMatchObject([200, { name: 'Crew' }]);
      expect((await call(GROUP, { method: 'DELETE', headers })).status).toBe(204);
      expect((await call(GROUP, { method: 'DELETE', headers })).status).toBe(404);
    },
  );
});

describe('method override', () => {
  test('POST with PATCH, PUT and DELETE does what the header says, before the path is looked up', async () => {
    const sent = (word: string, body?: object) =>
      call(GROUP, {
        method: 'POST',
        headers: { 'x-http-method-override': word },
        ...(body === undefined ? {} : { body }),
      });
    expect(await json(sent('PATCH', { name: 'Crew' }))).toMatchObject({ name: 'Crew', description: 'All of us' });
    expect((await sent('put', { email: EMAIL, name: 'Put' })).status).toBe(200);
    expect((await sent('DELETE')).status).toBe(204);
    expect((await call(GROUP)).status).toBe(404);
  });

  test('a long GET comes as a form', async () => {
    const answer = await call(GROUPS, {
      method: 'POST',
      headers: { 'x-http-method-override': 'GET', 'content-type': 'application/x-www-form-urlencoded' },
      body: 'customer=my_customer&fields=groups%2Femail',
    });
    expect([answer.status, await answer.json()]).toEqual([200, { groups: [{ email: EMAIL }] }]);
  });

  test('the query of a call without a body comes as a form, as Ruby sends it', async () => {
    const form = (path: string, body: string) =>
      call(path, { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' }, body });
    const email = 'serviceAccountEmailAddress=robot%40sub.example.com';
    expect((await form('/apps/reseller/v1/resellernotify/register', email)).status).toBe(200);
    const details = await json(call('/apps/reseller/v1/resellernotify/getwatchdetails'));
    expect(details).toMatchObject({ serviceAccountEmailAddresses: ['robot@sub.example.com'] });
    expect((await form('/apps/reseller/v1/resellernotify/register', 'colour=red')).status).toBe(400);
    expect((await form(GROUPS, 'email=form%40example.com')).status).toBe(400);
  });

  test.each(['EXPLODE', 'OPTIONS', 'get post'])('the word %s is 400', async (word) => {
    expect((await call(GROUP, { method: 'POST', headers: { 'x-http-method-override': word } })).status).toBe(400);
  });

  test('a GET is not overridden', async () => {
    expect((await call(GROUP, { headers: { 'x-http-method-override': 'DELETE' } })).status).toBe(200);
    expect((await call(GROUP)).status).toBe(200);
  });
});

describe('standard parameters', () => {
  test('answers are indented, and in one line with prettyPrint=false', async () => {
    expect(await (await call(GROUP)).text()).toContain('\n  "email": "team@example.com"');
    expect(await (await call(`${GROUP}?prettyPrint=false`)).text()).not.toContain('\n');
    expect(await (await call(`${GROUP}?$prettyPrint=false`)).text()).not.toContain('\n');
  });

  test('$.xgafv chooses the form of errors', async () => {
    const errorOf = async (query: string) =>
      (await json<ErrorAnswer>(call(`${GROUPS}/nobody@example.com${query}`))).error;
    expect(Object.keys(await errorOf(''))).toEqual(['code', 'message', 'errors']);
    expect(Object.keys(await errorOf('?$.xgafv=1'))).toEqual(['code', 'message', 'errors']);
    expect(await errorOf('?$.xgafv=2')).toEqual({
      code: 404,
      message: 'Resource Not Found: groupKey',
      status: 'NOT_FOUND',
    });
  });

  test.each(['alt=json', '$alt=json;enum-encoding=int', 'quotaUser=me', 'key=abc', 'fields='])(
    '%s is taken',
    async (query) => {
      expect((await call(`${GROUP}?${query}`)).status).toBe(200);
    },
  );

  test.each([
    'alt=media',
    'alt=proto',
    'alt=xml',
    'prettyPrint=maybe',
    `quotaUser=${'x'.repeat(41)}`,
    'colour=red',
    'callback=f',
  ])('%s is 400', async (query) => {
    expect((await call(`${GROUP}?${query}`)).status).toBe(400);
  });
});

test.each([
  ['GET', '/'],
  ['GET', '/admin/directory/v1/nothing'],
  ['GET', '/admin/directory/v2/users'],
  ['POST', GROUP],
  ['DELETE', GROUPS],
  ['OPTIONS', GROUP],
  ['GET', `${GROUPS}//`],
  ['GET', `${GROUPS}/%zz`],
  ['GET', '/batch'],
  ['POST', '/batch/unknown/v1'],
  ['POST', '/oauth/token'],
  ['GET', '/consoles/'],
])('%s %s is no method of ours: 404, with or without a token', async (method, path) => {
  for (const sent of [{ method }, { method, token: null }]) {
    expect(await refusal(call(path, sent))).toBe(
      '404 notFound: Not Found: the requested URL is no method of this server.',
    );
  }
});

test('HEAD is GET without a body', async () => {
  const answer = await call(GROUP, { method: 'HEAD' });
  expect([answer.status, await answer.text()]).toEqual([200, '']);
});

test.each([
  `'; DROP TABLE resource; --`,
  '../../C00000002',
  '%00',
  'x'.repeat(10_000),
  '__proto__',
  'constructor',
  '"/><script>',
])('K9: the id %j is not found or refused, and nothing is changed by it', async (key) => {
  const before = await group();
  for (const method of ['GET', 'DELETE']) {
    const answer = await call(`${GROUPS}/${encodeURIComponent(key)}`, { method });
    expect([400, 404]).toContain(answer.status);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=UTF-8');
  }
  expect(await group()).toEqual(before);
});

describe('compression', () => {
  test.each<[string, Record<string, string>, string]>([
    ['both headers', { 'accept-encoding': 'gzip', 'user-agent': 'my program (gzip)' }, 'gzip'],
    [
      'both among others',
      { 'accept-encoding': 'br, gzip;q=0.5', 'user-agent': 'google-api-nodejs-client/9 (gzip)' },
      'gzip',
    ],
    ['a user agent that does not say so', { 'accept-encoding': 'gzip', 'user-agent': 'curl/8' }, 'identity'],
    ['a user agent alone', { 'accept-encoding': 'br', 'user-agent': 'gzip' }, 'identity'],
    ['gzip refused by its weight', { 'accept-encoding': 'gzip;q=0', 'user-agent': 'gzip' }, 'identity'],
    ['neither', {}, 'identity'],
  ])('with %s', async (_what, headers, expected) => {
    const answer = await call(`${USERS}?customer=my_customer`, { headers });
    expect(answer.headers.get('content-encoding')).toBe(expected);
  });
});
