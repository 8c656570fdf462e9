import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { cases } from '../../conformance/directory/channels.ts';
import { type ControlStack, startControlStack } from '../../conformance/support/control-stack.ts';
import { refusal } from '../../conformance/support/method-cases.ts';
import { type PushReceiver, startPushReceiver } from '../../support/webhooks/push-receiver.ts';

const PRODUCTION = fileURLToPath(new URL('../../../src/control-worker.ts', import.meta.url));
const CUSTOMER = { customer: 'my_customer' };

let stack: ControlStack;
let receiver: PushReceiver;
let logged = '';

beforeAll(async () => {
  stack = await startControlStack({ log: (_level, message) => (logged += message) });
});
afterAll(async () => stack?.stop());
beforeEach(async () => {
  receiver = await startPushReceiver();
});
afterEach(() => receiver.stop());

const channel = (id: string) => ({ id, type: 'web_hook', address: receiver.url, token: 'the-channel-token' });
const newUser = (primaryEmail: string) =>
  stack.world.admin.users.insert({
    requestBody: { primaryEmail, name: { givenName: 'A', familyName: 'B' }, password: 'a long password' },
  });

test('a listener of one’s own is told of a user’s whole life, with numbers that grow', async () => {
  const { admin, domain } = stack.world;
  const userKey = `life@${domain}`;
  const { data } = await admin.users.watch({ ...CUSTOMER, requestBody: channel('life') });
  await receiver.waitFor('life', 'sync');
  const { data: user } = await newUser(userKey);
  await receiver.waitFor('life', 'add');
  await admin.users.patch({ userKey, requestBody: { suspended: true } });
  await receiver.waitFor('life', 'update');
  await admin.users.makeAdmin({ userKey, requestBody: { status: true } });
  await receiver.waitFor('life', 'makeAdmin');
  await admin.users.delete({ userKey });
  await receiver.waitFor('life', 'delete');
  await admin.users.undelete({ userKey: user.id ?? '', requestBody: { orgUnitPath: '/' } });
  const { headers, body } = await receiver.waitFor('life', 'undelete');
  expect(headers).toMatchObject({
    'content-type': 'application/json; charset=UTF-8',
    'x-goog-channel-id': 'life',
    'x-goog-channel-token': 'the-channel-token',
    'x-goog-channel-expiration': new Date(Number(data.expiration)).toUTCString(),
    'x-goog-resource-id': data.resourceId,
    'x-goog-resource-uri': data.resourceUri,
    via: '1.1 sightline',
  });
  expect(JSON.parse(body)).toEqual({
    kind: 'admin#directory#user',
    id: user.id,
    etag: expect.stringMatching(/^"[0-9a-f]{27}"$/),
    primaryEmail: userKey,
  });
  const numbers = receiver.received.map((one) => Number(one.headers['x-goog-message-number']));
  expect(numbers[0]).toBe(1);
  expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
});

test('a receiver that answers 503 gets the message again; one that answers 400 does not', async () => {
  const { admin, domain } = stack.world;
  await admin.users.watch({ ...CUSTOMER, event: 'add', requestBody: channel('again') });
  await receiver.waitFor('again', 'sync');
  receiver.answerWith(503, 400);
  await newUser(`again@${domain}`);
  const numbersOf = () =>
    receiver.received
      .filter(({ headers }) => headers['x-goog-resource-state'] === 'add')
      .map(({ headers }) => headers['x-goog-message-number']);
  await expect.poll(() => numbersOf().length, { timeout: 20_000 }).toBe(2);
  await newUser(`again2@${domain}`);
  await expect.poll(() => numbersOf().length, { timeout: 20_000 }).toBe(3);
  const [first, second, third] = numbersOf();
  expect(second).toBe(first);
  expect(Number(third)).toBeGreaterThan(Number(first));
});

test('a message that waits when the machine fails is sent after the restart', async () => {
  const { admin, domain } = stack.world;
  await admin.users.watch({ ...CUSTOMER, event: 'add', requestBody: channel('crash') });
  await receiver.waitFor('crash', 'sync');
  receiver.answerWith(...Array.from({ length: 3 }, () => 503));
  await newUser(`crash@${domain}`);
  await receiver.waitFor('crash', 'add');
  const before = receiver.received.length;
  await stack.crash();
  await expect.poll(() => receiver.received.length, { timeout: 100_000 }).toBeGreaterThan(before);
}, 120_000);

test('K3: tokens of channels are in no log', () => {
  expect(logged).toContain('"event":"push"');
  expect(logged).not.toContain('the-channel-token');
});

test.each([['of another client', 403, 'forbidden', 'Not Authorized to access this resource/api']])(
  'a channel is not stopped by a service account %s',
  async (_who, status, reason, words) => {
    const { admin, url } = stack.world;
    const { data } = await admin.users.watch({ ...CUSTOMER, requestBody: channel('foreign-stop') });
    const answer = await fetch(`${url}/admin/directory_v1/channels/stop`, {
      method: 'POST',
      headers: { authorization: `Bearer ${await stack.anotherToken()}`, 'content-type': 'application/json' },
      body: JSON.stringify({ id: 'foreign-stop', resourceId: data.resourceId }),
    });
    expect(answer.status).toBe(status);
    expect(await answer.json()).toMatchObject({ error: { message: words, errors: [{ reason }] } });
  },
);

describe.each(cases)('$method', ({ right, wrong }) => {
  test('does what it says', () => right(stack.world));
  test('refuses what the vendor refuses', () => wrong(stack.world));
});

describe('F5: the production entry', () => {
  let production: ControlStack;
  beforeAll(async () => {
    const every = { LOCAL_BLOCKED_PORTS: '', EMULATOR: '1', VENDOR_HEADER_PREFIX: 'X-Test-', CHANNEL_TTL_MAX_S: '60' };
    const front = { FRONT_SECRET: 'a-secret-of-the-front-with-32-characters' };
    production = await startControlStack({ controlEntry: PRODUCTION, controlBindings: { ...every, ...front } });
  });
  afterAll(async () => production?.stop());

  test.each([
    ['http://127.0.0.1:9000/', '400 push.webhookUrlNotHttps: WebHook callback must be HTTPS: http://127.0.0.1:9000/'],
    [
      'http://hooks.example.net/',
      '400 push.webhookUrlNotHttps: WebHook callback must be HTTPS: http://hooks.example.net/',
    ],
    [
      'https://localhost/',
      '400 push.webhookUrlUnauthorized: Unauthorized WebHook callback channel: https://localhost/',
    ],
    ['https://10.1.2.3/', '400 push.webhookUrlUnauthorized: Unauthorized WebHook callback channel: https://10.1.2.3/'],
  ])('takes no %s for a channel, whatever its variables say', async (address, words) => {
    const requestBody = { id: 'one', type: 'web_hook', address };
    expect(await refusal(production.world.admin.users.watch({ ...CUSTOMER, requestBody }))).toBe(words);
  });
});
