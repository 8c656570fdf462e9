import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { type SignedReceiver, startSignedReceiver } from '../support/stack/signed-receiver.ts';
import { startWebhookStack, type WebhookStack } from '../support/webhooks/webhook-stack.ts';

const channelSchema = z.looseObject({ id: z.string(), watch: z.string(), state: z.string() });
const statusSchema = z.looseObject({
  last_resync_at: z.string().nullable(),
  alerts: z.array(z.looseObject({ kind: z.string() })),
});

let stack: WebhookStack;
let receiver: SignedReceiver;
beforeAll(async () => {
  receiver = await startSignedReceiver();
  stack = await startWebhookStack({ webhookBindings: { DESTINATIONS: JSON.stringify([receiver.destination]) } });
});
afterAll(async () => {
  await stack?.stop();
  await receiver?.stop();
});

const status = async () => statusSchema.parse((await stack.operate('GET /status')).body);
const get = async (id: string) => channelSchema.parse((await stack.operate(`GET /channels/${id}`)).body);
const delivered = () => receiver.received.filter(({ body }) => body.type.startsWith('user.'));
const faults = (method: 'POST' | 'DELETE', body?: object) =>
  fetch(`${stack.world.url}/v1/faults`, {
    method,
    headers: { authorization: `Bearer ${stack.world.token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
async function newUser(name: string): Promise<string> {
  const requestBody = {
    primaryEmail: `${name}@${stack.world.domain}`,
    name: { givenName: 'A', familyName: 'B' },
    password: 'a long password',
  };
  return (await stack.world.admin.users.insert({ requestBody })).data.id ?? '';
}

test('what changed while a channel was lost is found by a resync once there is one again, and the lapse is told', async () => {
  const { admin } = stack.world;
  const [suspended, deleted, untouched] = [
    await newUser('suspended'),
    await newUser('deleted'),
    await newUser('untouched'),
  ];
  const channel = channelSchema.parse((await stack.operate('POST /channels', { ttl_s: 60 })).body);
  await expect.poll(async () => (await status()).last_resync_at, { timeout: 30_000 }).not.toBeNull();
  const baselineAt = (await status()).last_resync_at;
  // Renewal begins half a minute before the end, and gets nowhere.
  await faults('POST', { method: 'directory.users.watch', status: 503 });
  await expect.poll(async () => (await get(channel.id)).state, { timeout: 100_000 }).toBe('expired');
  await admin.users.patch({ userKey: suspended, requestBody: { suspended: true } });
  await admin.users.delete({ userKey: deleted });
  const added = await newUser('added');
  await faults('DELETE');
  await expect.poll(async () => (await get(channel.watch)).state, { timeout: 60_000 }).toBe('active');
  await expect.poll(async () => (await status()).last_resync_at, { timeout: 60_000 }).not.toBe(baselineAt);
  await expect.poll(() => delivered().length, { timeout: 30_000 }).toBe(3);
  const effects = delivered().map(({ body }) => [body.data.user_id, body.type, body.data.causes]);
  expect(effects).toEqual(
    expect.arrayContaining([
      [suspended, 'user.suspended', ['resync']],
      [deleted, 'user.gone', ['resync']],
      [added, 'user.active', ['resync']],
    ]),
  );
  expect(effects.flat()).not.toContain(untouched);
  const alerts = receiver.received.flatMap(({ body }) => body.data.kind ?? []);
  expect(alerts).toContain('channel_lapsed');
}, 300_000);
