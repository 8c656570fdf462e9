import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { refusal } from '../../conformance/support/method-cases.ts';
import { startWebhookStack, type WebhookStack } from '../../support/webhooks/webhook-stack.ts';

/** An operator has 600 calls a minute: who asks more often is refused, and waits on refusals. */
const WAIT = { timeout: 30_000, interval: 250 };
/** A channel that was replaced is left open for a minute, for messages that the vendor sends again. */
const DRAIN = { timeout: 100_000, interval: 1_000 };
const TRIED_AGAIN = { timeout: 60_000, interval: 500 };
const channelSchema = z.looseObject({
  id: z.string(),
  watch: z.string(),
  state: z.string(),
  resource_id: z.string().nullable(),
  granted_at: z.string().nullable(),
  expires_at: z.string().nullable(),
  tries: z.number(),
});
type Channel = z.infer<typeof channelSchema>;

let stack: WebhookStack;
beforeAll(async () => {
  stack = await startWebhookStack();
});
afterAll(async () => stack?.stop());

const get = async (id: string): Promise<Channel> =>
  channelSchema.parse((await stack.operate(`GET /channels/${id}`)).body);

/** Watches one kind of event, and waits until its channel is active and seen. */
async function opened(event: string): Promise<Channel> {
  const channel = channelSchema.parse((await stack.operate('POST /channels', { event })).body);
  await expect.poll(async () => (await get(channel.id))['synced_at'], WAIT).not.toBeNull();
  return get(channel.id);
}

/** What the emulator is to do wrong; it is the vendor's. */
const fault = async (method: 'POST' | 'DELETE' | 'GET', body?: object): Promise<unknown> => {
  const answer = await fetch(`${stack.world.url}/v1/faults`, {
    method,
    headers: { authorization: `Bearer ${stack.world.token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  expect(answer.status).toBe(200);
  return answer.json();
};
const newUser = (name: string) =>
  stack.world.admin.users.insert({
    requestBody: {
      primaryEmail: `${name}@${stack.world.domain}`,
      name: { givenName: 'A', familyName: 'B' },
      password: 'a long password',
    },
  });
const messagesOf = async (userId: string) =>
  z
    .object({ messages: z.array(z.object({ channel: z.string(), user_id: z.string(), state: z.string() })) })
    .parse((await stack.operate('GET /messages')).body)
    .messages.filter((row) => row.user_id === userId);

test('renewed, a channel has a successor before it ends: messages come over both, one user is worked, and the old one is stopped at the vendor', async () => {
  const old = await opened('add');
  const renewed = channelSchema.parse((await stack.operate(`POST /channels/${old.id}:renew`, {})).body);
  expect(renewed).toMatchObject({ watch: old.watch, state: 'active' });
  expect(renewed.id).not.toBe(old.id);
  await expect.poll(async () => (await get(old.id)).state, WAIT).toBe('superseded');
  const { data: user } = await newUser('overlap');
  await expect
    .poll(async () => (await messagesOf(user.id ?? '')).map(({ state }) => state), WAIT)
    .toEqual(['worked', 'worked']);
  expect((await messagesOf(user.id ?? '')).map(({ channel }) => channel).toSorted()).toEqual(
    [old.id, renewed.id].toSorted(),
  );
  // Two messages about one change: one effect.
  const told = stack.lines.filter((line) => line['event'] === 'directory_user_changed' && line['user_id'] === user.id);
  expect(told).toHaveLength(1);
  await expect.poll(async () => (await get(old.id)).state, DRAIN).toBe('stopped');
  const again = stack.world.admin.channels.stop({ requestBody: { id: old.id, resourceId: old.resource_id } });
  expect(await refusal(again)).toMatch(/^404 notFound: /);
  expect((await get(renewed.watch)).id).toBe(renewed.id);
}, 180_000);

test('a renewal that the vendor answers with 503 is tried again by itself, and nothing is uncovered meanwhile', async () => {
  const old = await opened('makeAdmin');
  await fault('POST', { method: 'directory.users.watch', status: 503, times: 1 });
  const asked = await stack.operate(`POST /channels/${old.id}:renew`, {});
  expect(asked).toMatchObject({ status: 200, body: { id: old.id, state: 'renewing', tries: 1 } });
  await expect.poll(async () => (await get(old.watch)).id, TRIED_AGAIN).not.toBe(old.id);
  const successor = await get(old.watch);
  expect(successor).toMatchObject({ state: 'active' });
  // Ids are never used twice, not even for what the vendor did not do.
  const { channels } = z
    .object({ channels: z.array(channelSchema) })
    .parse((await stack.operate(`GET /channels?watch=${old.watch}`)).body);
  expect(new Set(channels.map(({ id }) => id)).size).toBe(3);
  expect(Date.parse(successor.granted_at ?? '')).toBeLessThan(Date.parse(old.expires_at ?? ''));
  expect(await fault('GET')).toMatchObject({ faults: [{ struck: 1 }] });
  await fault('DELETE');
}, 120_000);

test('a machine that fails between grant and renewal forgets no channel', async () => {
  const channel = await opened('undelete');
  await stack.crash();
  expect(await get(channel.id)).toEqual(channel);
  await expect(stack.cron()).resolves.toBeUndefined();
});
