import { createExecutionContext, createMessageBatch, getQueueResult } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Env } from '../../../../routes/api/bindings/env.ts';
import { createQueueConsumer } from '../../../../routes/api/bindings/queues.ts';
import { generateRandomHex } from '../../../../src/lib/digest.ts';
import { productionAnswers } from '../../../../src/models/registry.ts';
import { computeShardOfAccount } from '../../../../src/monitors/book/ids.ts';
import { formatShardName, type Monitor } from '../../../../src/monitors/core/monitor.ts';
import type { MonitorMessage, MonitorShardObject } from '../../../../src/monitors/core/protocol.ts';
import type { ReceiverRequest } from '../../../../src/monitors/core/receiver.ts';
import type { SendMailBinding } from '../../../../src/monitors/receivers/send-mail.ts';
import { allowPublicOnly } from '../../../../src/net/address-policy.ts';

const consumeQueue = createQueueConsumer({
  policy: () => allowPublicOnly(),
  local: false,
  engines: productionAnswers,
});

let posts: { url: string; headers: Record<string, string>; body: string }[] = [];
let mails: Parameters<SendMailBinding['send']>[0][] = [];
beforeEach(() => {
  [posts, mails] = [[], []];
  // Deliveries are named by the test alone.
  vi.spyOn(Object.getPrototypeOf(env.MONITOR_RUNS) as Queue, 'sendBatch').mockImplementation(async () => ({}) as never);
  vi.stubGlobal('fetch', async (url: string, init: { headers: Record<string, string>; body: string }) => {
    posts.push({ url, headers: init.headers, body: init.body });
    return new Response(null, { status: 204 });
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** The Worker with the mail of a deployment that has set it up, or without. */
const bindings = (mail: boolean): Env => {
  const EMAIL = { send: async (message: (typeof mails)[number]) => void mails.push(message) };
  const more: Record<string, unknown> = mail ? { EMAIL, MONITOR_MAIL_FROM: 'monitors@sightline.test' } : {};
  return Object.assign({}, env as unknown as Env, more);
};

async function create(
  receivers: readonly ReceiverRequest[],
): Promise<{ object: MonitorShardObject; monitor: Monitor }> {
  const account = `acc_${generateRandomHex(8)}`;
  const object: MonitorShardObject = env.MONITOR_SHARD.getByName(formatShardName(await computeShardOfAccount(account)));
  const made = await object.create({
    owner: { account, clientId: 'account', authorizedAtMs: Date.now() },
    monitor: {
      name: 'Our shop',
      subject: { kind: 'site', url: 'https://shop.example/' },
      interval: { every: 'daily' },
      rules: {},
      receivers,
      quietHours: null,
      payment: 'credits',
    },
    idempotencyKey: 'one',
    contentSha256: '',
  });
  if (!made.ok) throw new Error(made.reason);
  await object.raise(made.monitor.id, {
    kind: 'gate_fired',
    severity: 'warning',
    key: 'gate',
    title: 'A gate fired',
    changes: [],
    since: null,
  });
  return { object, monitor: made.monitor };
}

/** What waits of a monitor, named to the consumer as its queue does. */
async function consume({ object, monitor }: Awaited<ReturnType<typeof create>>, mail = true) {
  const shard = Number.parseInt(monitor.id[4] ?? '', 16);
  const page = await object.deliveries(monitor.account, monitor.id, { limit: 100 });
  const waiting = (page?.items ?? []).filter(({ state }) => state === 'waiting');
  const messages = waiting.map(({ id: deliveryId }): MonitorMessage => ({ kind: 'deliver', shard, deliveryId }));
  const batch = createMessageBatch(
    'sightline-monitors',
    messages.map((body, index) => ({ id: `m${index}`, timestamp: new Date(), attempts: 1, body })),
  );
  const context = createExecutionContext();
  await consumeQueue(batch, bindings(mail), context);
  const { explicitAcks } = await getQueueResult(batch, context);
  expect(explicitAcks).toHaveLength(messages.length);
  const after = await object.deliveries(monitor.account, monitor.id, { limit: 100 });
  return (after?.items ?? []).map(({ kind, state, lastOutcome }) => `${kind} ${state} ${lastOutcome}`);
}

test('a message names a delivery; the Worker posts it, signed, and books what came of it', async () => {
  const made = await create([{ kind: 'webhook', url: 'https://hooks.example/in' }]);
  expect(await consume(made)).toEqual(['alert delivered http_204']);
  const [receiver] = made.monitor.receivers;
  const [post] = posts;
  expect(post?.url).toBe('https://hooks.example/in');
  const signer = new Webhook(receiver?.kind === 'webhook' ? receiver.secret : '');
  expect(signer.verify(post?.body ?? '', post?.headers ?? {})).toMatchObject({
    type: 'monitor.alert',
    data: { title: 'A gate fired', links: { monitor: `https://sightline.test/account/monitors/${made.monitor.id}` } },
  });
  // The same message once more does nothing.
  expect(await consume(made)).toEqual(['alert delivered http_204']);
  expect(posts).toHaveLength(1);
});

test('F5: a receiver inside a private network is never asked, and disabled', async () => {
  const made = await create([{ kind: 'slack', url: 'https://10.0.0.8/services/x' }]);
  expect(await consume(made)).toEqual(['alert dead private_target']);
  expect(posts).toEqual([]);
  const overview = await made.object.read(made.monitor.account, made.monitor.id);
  expect(overview?.monitor.receivers).toMatchObject([{ kind: 'slack', disabled: true }]);
});

test('mail goes by the binding, from the address of the deployment; without them it is refused', async () => {
  const made = await create([{ kind: 'email', address: 'ada@example.com' }]);
  expect(await consume(made)).toEqual(['confirmation delivered sent']);
  expect(mails).toMatchObject([
    {
      from: { email: 'monitors@sightline.test', name: 'Sightline' },
      to: 'ada@example.com',
      headers: { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
    },
  ]);
  expect(await consume(await create([{ kind: 'email', address: 'ada@example.com' }]), false)).toEqual([
    'confirmation dead mail_not_configured',
  ]);
});
