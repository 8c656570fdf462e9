import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { refusal } from '../../conformance/support/method-cases.ts';
import { type SignedReceiver, startSignedReceiver } from '../../support/stack/signed-receiver.ts';
import { startWebhookStack, type WebhookStack } from '../../support/webhooks/webhook-stack.ts';

const WAIT = { timeout: 30_000, interval: 250 };
const channelSchema = z.looseObject({
  id: z.string(),
  watch: z.string(),
  state: z.string(),
  address: z.url(),
  resource_id: z.string().nullable(),
  synced_at: z.string().nullable(),
});
const messagesSchema = z.object({ messages: z.array(z.looseObject({ user_id: z.string(), event: z.string() })) });

let stack: WebhookStack;
let receiver: SignedReceiver;
let channel: z.infer<typeof channelSchema>;

beforeAll(async () => {
  receiver = await startSignedReceiver();
  stack = await startWebhookStack({ webhookBindings: { DESTINATIONS: JSON.stringify([receiver.destination]) } });
});
afterAll(async () => {
  await stack?.stop();
  await receiver?.stop();
});

const channelNow = async (id: string) => channelSchema.parse((await stack.operate(`GET /channels/${id}`)).body);
const messagesOf = async (userId: string) =>
  messagesSchema.parse((await stack.operate('GET /messages')).body).messages.filter((row) => row.user_id === userId);
const toldOf = (userId: string) => receiver.received.filter(({ body }) => body.data.user_id === userId);
const pushesOf = (channelId: string) =>
  stack.lines.filter((line) => line['event'] === 'push' && line['channel'] === channelId);

async function newUser(name: string): Promise<string> {
  const { data } = await stack.world.admin.users.insert({
    requestBody: {
      primaryEmail: `${name}@${stack.world.domain}`,
      name: { givenName: 'A', familyName: 'B' },
      password: 'a long password',
    },
  });
  return data.id ?? '';
}

test('POST /channels has the vendor open a channel, whose sync is seen', async () => {
  const { status, body } = await stack.operate('POST /channels', {});
  expect(status).toBe(201);
  channel = channelSchema.parse(body);
  expect(channel).toMatchObject({
    customer: 'C00000001',
    event: null,
    state: expect.stringMatching(/^(pending|active)$/),
  });
  expect(channel.address).toBe(`${stack.webhook}/notifications/${channel.watch}`);
  await expect.poll(async () => (await channelNow(channel.id)).synced_at, WAIT).not.toBeNull();
  expect(await channelNow(channel.id)).toMatchObject({ state: 'active', resource_id: expect.any(String) });
  // Everybody who was there before is listed once.
  const statusSchema = z.looseObject({ last_resync_at: z.string().nullable() });
  const listedAt = async () => statusSchema.parse((await stack.operate('GET /status')).body).last_resync_at;
  await expect.poll(listedAt, WAIT).not.toBeNull();
});

test('the same is not watched twice', async () => {
  const again = await stack.operate('POST /channels', {});
  expect(again).toMatchObject({ status: 409, body: { code: 'already_watched' } });
});

describe('a user who is added, suspended and deleted by the official client', () => {
  let userId = '';

  test.each([
    ['add', 'user.active', async () => (userId = await newUser('whole-life'))],
    [
      'update',
      'user.suspended',
      () => stack.world.admin.users.patch({ userKey: userId, requestBody: { suspended: true } }),
    ],
    ['delete', 'user.gone', () => stack.world.admin.users.delete({ userKey: userId })],
  ])(
    '%s: received, acknowledged and worked: %s is told, and stands in the audit trail',
    async (event, type, change) => {
      const before = pushesOf(channel.id).length;
      await change();
      await expect.poll(() => toldOf(userId).map(({ body }) => body.type), WAIT).toContain(type);
      const told = toldOf(userId).find(({ body }) => body.type === type);
      expect(told?.id).toBe(`C00000001/${userId}/${told?.body.data.stamp}`);
      expect(told?.body.data).toMatchObject({ customer: 'C00000001', causes: [event] });
      expect(told?.text).not.toContain('@');
      await expect
        .poll(async () => (await messagesOf(userId)).filter((row) => row.event === event), WAIT)
        .toEqual([
          expect.objectContaining({ channel: channel.id, state: 'worked', body: 'read', tries: 0, last_error: null }),
        ]);
      const state = type.slice('user.'.length);
      expect(stack.lines.filter((line) => line['effect'] === told?.id)).toEqual([
        expect.objectContaining({ event: 'directory_user_changed', user_id: userId, state, causes: [event] }),
      ]);
      // What the vendor saw of it.
      await expect.poll(() => pushesOf(channel.id).length, WAIT).toBe(before + 1);
      expect(pushesOf(channel.id).at(-1)).toMatchObject({ outcome: 'delivered', seen: '200' });
    },
  );

  test('all of it came in the order in which it was done, each once, with a good signature', () => {
    expect(toldOf(userId).map(({ body }) => body.type)).toEqual(['user.active', 'user.suspended', 'user.gone']);
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(receiver.received.length);
    expect(receiver.refused).toEqual([]);
  });
});

test('a receiver that fails is told again later, with the same id and content', async () => {
  receiver.answerWith(503);
  const userId = await newUser('told-again');
  await expect.poll(async () => (await messagesOf(userId)).map((row) => row['state']), WAIT).toEqual(['delivering']);
  await stack.crash();
  await expect.poll(() => toldOf(userId).length, { timeout: 90_000 }).toBe(1);
  expect(toldOf(userId)).toEqual(receiver.turnedAway);
  await expect.poll(async () => (await messagesOf(userId)).map((row) => row['state']), WAIT).toEqual(['worked']);
});

describe('W6: an operator who is the directory user', () => {
  const access = async (secret: string): Promise<{ status: number; cookie: string; csrf: string }> => {
    const answer = await fetch(`${stack.api}/signin/operator`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ secret }),
      redirect: 'manual',
    });
    const cookie = answer.headers.getSetCookie().at(-1)?.split(';', 1)[0] ?? '';
    const body = z.looseObject({ csrf: z.string().default('') }).parse(await answer.json());
    return { status: answer.status, cookie, csrf: body.csrf };
  };
  const operators = async ({ cookie, csrf }: { cookie: string; csrf: string }, body?: object): Promise<Response> =>
    fetch(`${stack.api}/operator/operators`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { cookie, 'x-csrf-token': csrf, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });

  test('has no access any more once that user is deleted; another operator keeps it', async () => {
    const root = await access(stack.operatorSecret);
    const [goneId, staysId] = [await newUser('operator-gone'), await newUser('operator-stays')];
    const made = async (name: string, id: string) =>
      z.object({ secret: z.string() }).parse(await (await operators(root, { name, directory_user_id: id })).json())
        .secret;
    const [goneSecret, staysSecret] = [await made('Gone', goneId), await made('Stays', staysId)];
    const [gone, stays] = [await access(goneSecret), await access(staysSecret)];
    expect([(await operators(gone)).status, (await operators(stays)).status]).toEqual([200, 200]);
    await stack.world.admin.users.delete({ userKey: goneId });
    // Not so often that the limit of requests answers.
    await expect.poll(async () => (await operators(gone)).status, { ...WAIT, interval: 1_000 }).toBe(401);
    expect([(await access(goneSecret)).status, (await access('no-secret-of-anybody')).status]).toEqual([403, 403]);
    expect((await operators(stays)).status).toBe(200);
    expect((await access(staysSecret)).status).toBe(200);
  });
});

describe('W1: a forged push', () => {
  const right = () => ({
    'x-goog-channel-id': channel.id,
    'x-goog-channel-token': `v1.${'A'.repeat(43)}`,
    'x-goog-message-number': '77',
    'x-goog-resource-id': channel.resource_id ?? '',
    'x-goog-resource-state': 'update',
  });
  const post = async (headers: Record<string, string>, path = new URL(channel.address).pathname) => {
    const answer = await fetch(`${stack.webhook}${path}`, { method: 'POST', headers, body: '{"id":"1"}' });
    return { status: answer.status, text: await answer.text() };
  };

  test('is answered 401, whatever is wrong with it, and kept nowhere', async () => {
    const { messages: before } = messagesSchema.parse((await stack.operate('GET /messages')).body);
    const answers = [
      await post(right()),
      await post({ ...right(), 'x-goog-channel-token': '' }),
      await post({ ...right(), 'x-goog-channel-id': randomUUID() }),
      await post(right(), '/notifications/another'),
      await post({}),
    ];
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401]);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    const { messages: after } = messagesSchema.parse((await stack.operate('GET /messages')).body);
    expect(after.length).toBe(before.length);
  });
});

describe('W7: the operator’s interface', () => {
  const code = (body: unknown) => z.object({ code: z.string() }).parse(body).code;

  test('is not there without a token', async () => {
    for (const call of ['GET /channels', 'GET /messages', 'GET /status', 'POST /channels'] as const) {
      const { status, body } = await stack.operate(call, undefined, null);
      expect([status, code(body)]).toEqual([404, 'not_found']);
    }
  });

  test.each([
    ['made up', async () => 'slm_nobody', 401, 'invalid_token'],
    ['for the control Worker', () => stack.tokenFor({ resource: stack.world.url }), 401, 'invalid_token'],
    ['without the scope', () => stack.tokenFor({ scope: 'channels:read' }), 403, 'insufficient_scope'],
  ])('refuses a token that is %s', async (_what, token, status, word) => {
    const answer = await stack.operate('POST /channels', {}, await token());
    expect([answer.status, code(answer.body)]).toEqual([status, word]);
  });

  test('shows a token of another tenant nothing of this one', async () => {
    const token = await stack.tokenFor({ tenant: 'C00000002' });
    expect(await stack.operate('GET /channels', undefined, token)).toMatchObject({
      status: 200,
      body: { channels: [] },
    });
    for (const call of [
      `GET /channels/${channel.id}`,
      `POST /channels/${channel.id}:stop`,
      `POST /channels/${channel.watch}:renew`,
      'GET /messages?customer=C00000001',
    ] as const) {
      const { status, body } = await stack.operate(call, call.startsWith('POST') ? {} : undefined, token);
      expect([status, code(body)]).toEqual([404, 'not_found']);
    }
  });
});

test('stopped, a channel is stopped at the vendor too, and changes are told no more', async () => {
  expect(await stack.operate(`POST /channels/${channel.id}:stop`, {})).toMatchObject({ status: 200 });
  await expect.poll(async () => (await channelNow(channel.id)).state, WAIT).toBe('stopped');
  const { id, resource_id: resourceId } = channel;
  expect(await refusal(stack.world.admin.channels.stop({ requestBody: { id, resourceId } }))).toMatch(
    /^404 notFound: /,
  );
  const before = pushesOf(id).length;
  const userId = await newUser('after-the-end');
  await stack.cron();
  expect(pushesOf(id).length).toBe(before);
  expect([toldOf(userId), await messagesOf(userId)]).toEqual([[], []]);
});

test('K3: no token of a channel and no e-mail address is in any log', async () => {
  expect(stack.logged()).toContain('"event":"directory_user_changed"');
  expect(stack.logged()).not.toMatch(/v1\.[A-Za-z0-9_-]{43}/);
  expect(stack.logged()).not.toContain(`@${stack.world.domain}`);
  expect(stack.logged()).not.toContain(receiver.destination.secret);
});
