import { createServer, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  killEmulators,
  LIST_USERS,
  startEmulator,
  type StartedEmulator,
  userBody,
  USERS,
} from '../../support/stack/emulator.ts';

let emulator: StartedEmulator;
beforeAll(async () => {
  emulator = await startEmulator();
});
afterAll(killEmulators);
beforeEach(() => emulator.call('/v1/reset', { method: 'POST' }));

const received = async (query = '') => (await emulator.call(`/v1/calls${query}`)).body.calls as any[];

test('received calls are kept in order, with method, tenant and status', async () => {
  await emulator.call(USERS, { body: userBody('ada') });
  await emulator.call(USERS, { body: userBody('ada') });
  await emulator.call('/no/such/path');
  await emulator.call(LIST_USERS, { headers: { 'x-emulator-tenant': 'C00000002' } });
  expect(await received()).toMatchObject([
    {
      httpMethod: 'POST',
      path: USERS,
      method: 'directory.users.insert',
      tenant: 'C00000001',
      status: 200,
      body: { primaryEmail: 'ada@example.com' },
    },
    { method: 'directory.users.insert', status: 409 },
    { path: '/no/such/path', method: null, status: 404 },
    { method: 'directory.users.list', tenant: 'C00000002', query: { customer: 'my_customer' }, body: null },
  ]);
});

test('a query selects calls by method, path, status, tenant and number', async () => {
  await emulator.call(USERS, { body: userBody('ada') });
  await emulator.call(`${USERS}/ada@example.com`);
  await emulator.call(`${USERS}/bo@example.com`);
  expect(await received('?method=directory.users.get')).toHaveLength(2);
  expect(await received('?http_method=post')).toHaveLength(1);
  expect(await received('?status=404')).toMatchObject([{ path: `${USERS}/bo@example.com` }]);
  expect(await received(`?path=${USERS}`)).toHaveLength(1);
  expect(await received(`?path=${USERS}*`)).toHaveLength(3);
  expect(await received('?tenant=C00000002')).toEqual([]);
  const [, second] = await received();
  expect(await received(`?since=${second.number}`)).toHaveLength(1);
  expect((await emulator.call('/v1/calls?methods=x')).status).toBe(400);
  expect((await emulator.call('/v1/calls?wait=60000')).status).toBe(400);
  expect((await emulator.call('/v1/calls', { method: 'DELETE' })).body).toEqual({ deleted: 3 });
  expect(await received()).toEqual([]);
});

test('a test waits for calls that come later, and hears what came when they do not', async () => {
  const waiting = received('?method=directory.users.insert&count=2&wait=20000');
  await emulator.call(USERS, { body: userBody('ada') });
  await emulator.call(USERS, { body: userBody('bo') });
  expect((await waiting).map(({ body }) => body.primaryEmail)).toEqual(['ada@example.com', 'bo@example.com']);
  expect(await received('?method=directory.users.insert&count=3&wait=20')).toHaveLength(2);
});

test('X9: no token, cookie, key, password or other secret is in a received call', async () => {
  const secrets = [
    's3cret-bearer',
    's3cret-cookie',
    's3cret-key',
    's3cret-access',
    's3cret-password',
    's3cret-channel',
    's3cret-user',
    's3cret-payment',
    's3cret-hash',
  ];
  const headers = {
    authorization: 'Bearer s3cret-bearer',
    cookie: 'session=s3cret-cookie',
    'payment-signature': 's3cret-payment',
    'x-goog-api-key': 's3cret-key',
  };
  const body = { ...userBody('ada'), password: 's3cret-password', hashFunction: 's3cret-hash' };
  await emulator.call(`${USERS}?key=s3cret-key&access_token=s3cret-access`, { body, headers });
  const channel = {
    id: 'c1',
    type: 'web_hook',
    token: 's3cret-channel',
    address: 'http://s3cret-user:s3cret-password@127.0.0.1:9/push',
  };
  await emulator.call(`${USERS}/watch?customer=my_customer`, { body: channel, headers });
  const kept = JSON.stringify(await received());
  for (const secret of secrets) expect(kept).not.toContain(secret);
  expect(kept).toContain('ada@example.com');
  expect(kept).toContain('127.0.0.1:9/push');
});

test('the parts of a batch are calls of their own, which name it', async () => {
  const part = (id: number, line: string, body = '') =>
    `--b\r\nContent-Type: application/http\r\nContent-ID: <${id}>\r\n\r\n${line} HTTP/1.1\r\nContent-Type: application/json\r\n\r\n${body}\r\n`;
  const content = `${part(1, `POST ${USERS}`, JSON.stringify(userBody('ada')))}${part(2, `GET ${USERS}/nobody@example.com`)}--b--\r\n`;
  await fetch(`${emulator.control}/batch/admin/directory_v1`, {
    method: 'POST',
    headers: { 'content-type': 'multipart/mixed; boundary=b' },
    body: content,
  });
  const [batch, first, second] = await received();
  expect(batch).toMatchObject({ method: 'conventions.batch', status: 200, body: null });
  expect(first).toMatchObject({
    method: 'directory.users.insert',
    status: 200,
    batch: batch.number,
    body: { password: '[left out]' },
  });
  expect(second).toMatchObject({ method: 'directory.users.get', status: 404, batch: batch.number });
});

test('a body in gzip is kept as it reads, and one that is too long is not', async () => {
  const zipped = new Blob([JSON.stringify(userBody('ada'))]).stream().pipeThrough(new CompressionStream('gzip'));
  await fetch(`${emulator.control}${USERS}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
    body: await new Response(zipped).arrayBuffer(),
  });
  await emulator.call(USERS, { body: { ...userBody('bo'), notes: { value: 'x'.repeat(20_000) } } });
  expect(await received()).toMatchObject([
    { status: 200, body: { primaryEmail: 'ada@example.com' } },
    { httpMethod: 'POST', body: null },
  ]);
});

test('controls are no calls of the program under test', async () => {
  await emulator.call('/v1/tenants/C00000001');
  await emulator.call('/v1/faults');
  await emulator.call('/discovery/v1/apis');
  expect(await received()).toEqual([]);
});

test('a watcher on this machine hears of a change, again after it was not there', async () => {
  const heard: IncomingMessage['headers'][] = [];
  let refusals = 1;
  const receiver = createServer((asked, answer) => {
    asked.resume();
    if (asked.headers['x-goog-resource-state'] === 'sync') return void answer.end();
    if (refusals > 0) return void answer.writeHead(503).end(void (refusals -= 1));
    heard.push(asked.headers);
    answer.end();
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => receiver.once('listening', resolve));
  const address = receiver.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const channel = { id: 'watch-1', type: 'web_hook', address: `http://127.0.0.1:${port}/push` };
  expect((await emulator.call(`${USERS}/watch?customer=my_customer`, { body: channel })).status).toBe(200);
  await emulator.call(USERS, { body: userBody('ada') });
  await expect.poll(() => heard.length, { timeout: 30_000 }).toBe(1);
  expect(heard[0]).toMatchObject({ 'x-goog-channel-id': 'watch-1' });
  receiver.close();
});
