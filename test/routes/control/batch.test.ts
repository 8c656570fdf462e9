import { expect, describe, test } from 'vitest';
import { apis } from '../../../src/management/core/discovery/apis.ts';
import { tokenFor } from '../../support/workers/control-tokens.ts';
import { bytesOf, call, GROUPS, json, refusal, USERS } from './world.ts';

type Part = { line: string; headers?: Record<string, string>; body?: object; id?: string };

const LIST = `GET ${USERS}?customer=my_customer HTTP/1.1`;

const partText = ({ line, headers = {}, body, id }: Part): string =>
  [
    'Content-Type: application/http',
    ...(id === undefined ? [] : [`Content-ID: ${id}`]),
    '',
    line,
    ...Object.entries({ ...(body ? { 'content-type': 'application/json' } : {}), ...headers }).map(
      ([name, value]) => `${name}: ${value}`,
    ),
    '',
    body === undefined ? '' : JSON.stringify(body),
  ].join('\r\n');

const bodyOf = (parts: readonly Part[], boundary = 'batch_b'): string =>
  `${parts.map((part) => `--${boundary}\r\n${partText(part)}\r\n`).join('')}--${boundary}--\r\n`;

type Sent = { path?: string; token?: string | null; type?: string; text?: string };

const batch = (
  parts: readonly Part[],
  { path = '/batch', type = 'multipart/mixed; boundary=batch_b', text, token }: Sent = {},
) =>
  call(path, {
    method: 'POST',
    headers: { 'content-type': type },
    body: text ?? bodyOf(parts),
    ...(token === undefined ? {} : { token }),
  });

type PartAnswer = { id: string | undefined; status: number; type: string | undefined; body: string };

/** The parts of a batch answer, in their order. */
async function partsOf(answer: Response): Promise<PartAnswer[]> {
  expect(answer.status).toBe(200);
  const boundary = /boundary="?([^";]+)/.exec(answer.headers.get('content-type') ?? '')?.[1] ?? '';
  const texts = new TextDecoder()
    .decode(await answer.arrayBuffer())
    .split(`--${boundary}`)
    .slice(1, -1);
  return texts.map((text) => ({
    id: /^Content-ID: (.*)\r$/m.exec(text)?.[1],
    status: Number(/^HTTP\/1\.1 (\d+)/m.exec(text)?.[1]),
    type: /\r\n\r\nHTTP[\s\S]*?Content-Type: (.*)\r\n/i.exec(text)?.[1],
    body: text.split('\r\n\r\n').slice(2).join('\r\n\r\n').trim(),
  }));
}

const statuses = async (answer: Promise<Response>): Promise<number[]> =>
  (await partsOf(await answer)).map(({ status }) => status);

const group = (name: string): Part => ({
  line: `POST ${GROUPS} HTTP/1.1`,
  body: { email: `${name}@example.com`, name },
  id: `<${name}>`,
});

test('answers come in the order of the calls, each whole and under its id', async () => {
  const names = ['one', 'two', 'three', 'four'];
  const answers = await partsOf(
    await batch([...names.map(group), { line: `GET ${GROUPS}/nobody@example.com`, id: 'plain' }]),
  );
  expect(answers.map(({ id, status }) => [id, status])).toEqual([
    ['<response-one>', 200],
    ['<response-two>', 200],
    ['<response-three>', 200],
    ['<response-four>', 200],
    ['response-plain', 404],
  ]);
  expect(answers.map(({ type }) => type)).toEqual(Array.from({ length: 5 }, () => 'application/json; charset=UTF-8'));
  expect(JSON.parse(answers[1]?.body ?? '')).toMatchObject({ email: 'two@example.com' });
  expect(JSON.parse(answers[4]?.body ?? '')).toMatchObject({ error: { errors: [{ reason: 'notFound' }] } });
  expect(await json(call(`${GROUPS}?customer=my_customer&fields=groups/email`))).toEqual({
    groups: names.map((name) => ({ email: `${name}@example.com` })).toSorted((a, b) => (a.email < b.email ? -1 : 1)),
  });
});

test('an answer of a batch is a multipart document that nobody keeps', async () => {
  const answer = await batch([{ line: LIST }]);
  expect(answer.headers.get('content-type')).toMatch(/^multipart\/mixed; boundary=batch_[A-Za-z0-9_-]{24}$/);
  expect([answer.headers.get('cache-control'), answer.headers.get('x-content-type-options')]).toEqual([
    'no-store',
    'nosniff',
  ]);
});

test.each<[string, string, (body: string) => string]>([
  ['lines that end in LF', 'multipart/mixed; boundary=batch_b', (body) => body.replaceAll('\r\n', '\n')],
  ['lines that end in CRLF', 'multipart/mixed; boundary=batch_b', (body) => body],
  ['a quoted boundary', 'multipart/mixed; boundary="batch_b"', (body) => body],
  [
    'a quoted boundary with an equals sign, as one library makes it',
    'multipart/mixed; boundary="===============7330845974216740156=="',
    (body) => body.replaceAll('batch_b', '===============7330845974216740156=='),
  ],
  ['text before the first part', 'multipart/mixed; boundary=batch_b', (body) => `hello\r\n${body}`],
])('a batch with %s', async (_what, type, change) => {
  const id = '<6c3a6b7a-30a3-4b5c-9a7e-6f2b+%20+1>';
  const text = change(bodyOf([{ line: LIST, id }]));
  const [answer] = await partsOf(await batch([], { type, text }));
  expect(answer).toMatchObject({ id: '<response-6c3a6b7a-30a3-4b5c-9a7e-6f2b+%20+1>', status: 200 });
});

test('headers and query of the outer request apply to a call that has none of its own', async () => {
  const [one, two] = await partsOf(
    await batch([{ line: LIST }, { line: LIST.replace(' HTTP', '&fields=etag HTTP') }], {
      path: '/batch?fields=kind',
    }),
  );
  expect([one?.body, two?.body].map((body) => Object.keys(JSON.parse(body ?? '{}') as object))).toEqual([
    ['kind'],
    ['etag'],
  ]);
});

describe('K4', () => {
  test('each part is authorized by itself: by its own token, or by that of the batch', async () => {
    const other = { authorization: `Bearer ${tokenFor({ tenant: 'C00000002' })}` };
    const parts: Part[] = [
      { line: `GET /admin/directory/v1/customers/my_customer` },
      { line: `GET /admin/directory/v1/customers/my_customer`, headers: other },
      { line: LIST, headers: { authorization: 'Bearer nothing' } },
      { line: LIST, headers: { authorization: `Bearer ${tokenFor({ scopes: ['admin.directory.group'] })}` } },
    ];
    const answers = await partsOf(await batch(parts));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 401, 403]);
    expect(answers.slice(0, 2).map(({ body }) => (JSON.parse(body) as { id: string }).id)).toEqual([
      'C00000001',
      'C00000002',
    ]);
    expect(await statuses(batch(parts, { token: null }))).toEqual([401, 200, 401, 403]);
  });

  test.each([
    'POST /batch HTTP/1.1',
    'POST /batch/admin/directory_v1 HTTP/1.1',
    'GET /discovery/v1/apis HTTP/1.1',
    'GET /.well-known/oauth-protected-resource HTTP/1.1',
    'GET /health HTTP/1.1',
    'POST /oauth/token HTTP/1.1',
    'GET /console/ HTTP/1.1',
    'POST /v1/tenants/C00000001:reset HTTP/1.1',
    'GET /v1/faults HTTP/1.1',
    'POST /v2/entries:tail HTTP/1.1',
    'POST /upload/drive/v3/files HTTP/1.1',
  ])('%s is no call of a batch', async (line) => {
    expect(await statuses(batch([{ line }, { line: LIST }]))).toEqual([404, 200]);
  });

  test.each([
    ['POST /v2/entries:tail HTTP/1.1', 'NOT_FOUND'],
    ['GET /v3/nothing HTTP/1.1', 'NOT_FOUND'],
    ['GET /admin/nothing HTTP/1.1', undefined],
  ])('%s is refused in the form of its interface', async (line, status) => {
    const [answer] = await partsOf(await batch([{ line }]));
    const { error } = JSON.parse(answer?.body ?? '') as { error: { code: number; status?: string; errors?: unknown } };
    expect([error.code, error.status, error.errors === undefined]).toEqual([404, status, status !== undefined]);
  });

  test.each([
    'GET https://control.sightline.test/admin/directory/v1/users HTTP/1.1',
    'GET //control.sightline.test/admin/directory/v1/users HTTP/1.1',
    `GET ${USERS}?query=${'x'.repeat(8_000)} HTTP/1.1`,
    'CONNECT / HTTP/1.1',
    'nonsense',
  ])('%s is 400 for that part only (%#)', async (line) => {
    expect(await statuses(batch([{ line }, { line: LIST }]))).toEqual([400, 200]);
  });

  test('a part with an override cannot reach what a part cannot', async () => {
    const headers = { 'x-http-method-override': 'DELETE' };
    expect(await statuses(batch([{ line: 'POST /v1/faults HTTP/1.1', headers }]))).toEqual([404]);
  });

  test('a hundred parts are made, a hundred and one are refused as a whole', async () => {
    const parts = Array.from({ length: 101 }, (): Part => ({ line: `GET ${GROUPS}/nobody@example.com HTTP/1.1` }));
    expect(await statuses(batch(parts.slice(1)))).toEqual(Array.from({ length: 100 }, () => 404));
    expect((await batch(parts)).status).toBe(400);
  });

  test.each<[string, Sent, number]>([
    ['no boundary', { type: 'multipart/mixed' }, 400],
    ['another type', { type: 'application/json' }, 400],
    ['a boundary that is not there', { type: 'multipart/mixed; boundary=other' }, 400],
    ['no part', { text: '--batch_b--\r\n' }, 400],
    ['no end', { text: bodyOf([{ line: LIST }]).replace('--batch_b--', '') }, 400],
    ['more than 8 MiB', { text: 'x'.repeat(8 * 1024 * 1024 + 1) }, 413],
  ])('%s is refused as a whole, as JSON', async (_what, sent, status) => {
    const answer = await batch([{ line: LIST }], sent);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([status, 'application/json; charset=UTF-8']);
    expect(await refusal(answer)).toMatch(new RegExp(`^${status} `));
  });

  test('a batch without any token is refused as a whole, with what a client needs to get one', async () => {
    const answer = await batch([{ line: LIST }, group('one')], { token: null });
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([
      401,
      'Bearer realm="sightline", resource_metadata="https://control.sightline.test/.well-known/oauth-protected-resource"',
    ]);
    expect(await refusal(answer)).toBe('401 required: Login Required.');
  });

  test('a part that cannot be read is 400 by itself, also where no token was found', async () => {
    const full = { line: 'GET https://control.sightline.test/v2/entries HTTP/1.1' };
    const authorization = `Bearer ${tokenFor()}`;
    expect(await statuses(batch([{ ...full, headers: { authorization } }], { token: null }))).toEqual([400]);
    expect(await statuses(batch([full, { line: LIST }], { token: null }))).toEqual([400, 401]);
  });

  test('a batch of broken UTF-8 is 400, and stores nothing of it', async () => {
    const bytes = bytesOf(bodyOf([{ ...group('one'), body: { email: 'one@example.com', name: 'x#x' } }]));
    const body = bytes.with(bytes.indexOf(0x23), 0xff);
    const headers = { 'content-type': 'multipart/mixed; boundary=batch_b' };
    const answer = await call('/batch', { method: 'POST', body, headers });
    expect(await refusal(answer)).toBe(
      '400 badRequest: Failed to parse batch request: It holds bytes that are no UTF-8.',
    );
    expect((await call(`${GROUPS}/one@example.com`)).status).toBe(404);
  });

  test.each(['access_token', 'oauth_token'])('K5: a %s of the outer query refuses each part', async (name) => {
    expect(await statuses(batch([{ line: LIST }], { path: `/batch?${name}=${tokenFor()}` }))).toEqual([401]);
  });
});

test('the batch of one interface takes its own calls only', async () => {
  const parts: Part[] = [{ line: LIST }, { line: 'GET /apps/reseller/v1/subscriptions HTTP/1.1' }];
  expect(await statuses(batch(parts, { path: '/batch/admin/directory_v1' }))).toEqual([200, 404]);
  expect(await statuses(batch(parts, { path: '/batch/reseller/v1' }))).toEqual([404, 200]);
  expect(await statuses(batch(parts))).toEqual([200, 200]);
  expect((await batch(parts, { path: '/batch/unknown/v1' })).status).toBe(404);
});

/** By the vendor's name of an API: a call of it. */
const CALLS: Readonly<Record<string, string>> = {
  'admin/directory_v1': `GET ${USERS}?customer=my_customer`,
  'groupssettings/v1': 'GET /groups/v1/groups/nobody@example.com',
  'licensing/v1': 'GET /apps/licensing/v1/product/Google-Apps/users?customerId=my_customer',
  'admin/reports_v1': 'GET /admin/reports/v1/usage/dates/2026-01-01',
  'reseller/v1': 'GET /apps/reseller/v1/subscriptions',
  'drive/v3': 'GET /drive/v3/about?fields=kind',
  'logging/v2': 'GET /v2/projects/batched/sinks',
  'cloudtrace/v2': 'POST /v2/projects/batched/traces:batchWrite',
  'cloudtrace/v2beta1': 'GET /v2beta1/projects/batched/traceSinks',
  'cloudtrace/v1': 'GET /v1/projects/batched/traces',
  'cloudquotas/v1': 'GET /v1/projects/batched/locations/global/quotaPreferences',
  'cloudquotas/v1beta': 'GET /v1beta/projects/batched/locations/global/quotaPreferences',
  'cloudresourcemanager/v3': 'GET /v3/tagKeys?parent=projects/batched',
  'storage/v1': 'GET /storage/v1/b/none/o',
  'admob/v1': 'GET /v1/accounts/pub-606/apps',
  'admob/v1beta': 'GET /v1beta/accounts/pub-606/apps',
};

test.each(apis)('a batch for $name $version takes its calls, and none of another version or API', async (api) => {
  const named = `${api.name}/${api.version}`;
  const others = Object.keys(CALLS).filter((each) => each !== named);
  const parts = [named, ...others].map((each): Part => ({ line: `${CALLS[each]} HTTP/1.1` }));
  const answers = await partsOf(await batch(parts, { path: `/batch/${named}` }));
  const notServed = answers.map(
    ({ status, body }) => status === 404 && !/no such bucket|does not exist|Resource Not Found/i.test(body),
  );
  expect(notServed).toEqual([false, ...others.map(() => true)]);
});

test('a call by another method comes as POST with an override in a part too', async () => {
  await batch([group('one')]);
  const part = {
    line: `POST ${GROUPS}/one@example.com HTTP/1.1`,
    headers: { 'x-http-method-override': 'PATCH' },
    body: { name: 'Uno' },
  };
  const [answer] = await partsOf(await batch([part]));
  expect([answer?.status, JSON.parse(answer?.body ?? '')]).toMatchObject([200, { name: 'Uno' }]);
});
