import { createExecutionContext, createMessageBatch, createScheduledController, getQueueResult } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Channels } from '../../../routes/webhook/bindings/entrypoints.ts';
import { runWebhookCron } from '../../../routes/webhook/bindings/cron.ts';
import type { WebhookEnv } from '../../../routes/webhook/bindings/env.ts';
import { wakeQueue } from '../../../routes/webhook/bindings/wake-queue.ts';
import { ChannelRegistry, NotificationInbox } from '../../support/workers/webhook-worker.ts';

const bindings = env as unknown as WebhookEnv; // Those of this project's Worker.
let worked: string[] = [];
let logs: Record<string, unknown>[] = [];

beforeEach(() => {
  [worked, logs] = [[], []];
  vi.spyOn(console, 'log').mockImplementation((line: unknown) => void logs.push(JSON.parse(String(line))));
  vi.spyOn(NotificationInbox.prototype, 'work').mockImplementation(async (customer) => {
    worked.push(customer);
    if (customer === 'broken') throw new TypeError('secret words');
    return { read: 0, delivered: 0, failed: 0, more: false };
  });
});
afterEach(() => {
  vi.restoreAllMocks();
});

describe('the wake-up queue', () => {
  const deliver = async (bodies: readonly unknown[]) => {
    const messages = bodies.map((body, n) => ({ id: String(n), timestamp: new Date(), attempts: 1, body }));
    const batch = createMessageBatch('sightline-wake', messages);
    const context = createExecutionContext();
    await wakeQueue(batch, bindings);
    return getQueueResult(batch, context);
  };

  test('each customer of a batch is worked once', async () => {
    const result = await deliver([{ customer: 'C1' }, { customer: 'C2' }, { customer: 'C1' }]);
    expect(worked.toSorted()).toEqual(['C1', 'C2']);
    expect(result).toMatchObject({ ackAll: true, retryMessages: [] });
  });

  test.each([[{}], [{ customer: '' }], [{ customer: 7 }], [{ customer: 'C'.repeat(65) }], [null], ['C1']])(
    'a message like %j is dropped, and the others are worked',
    async (foreign) => {
      expect(await deliver([foreign, { customer: 'C1' }])).toMatchObject({ ackAll: true, retryMessages: [] });
      expect(worked).toEqual(['C1']);
      expect(logs).toEqual([{ event: 'wake_unreadable', messages: 1 }]);
    },
  );

  test('an inbox that fails holds up no other, and does not bring its message back: the alarm does', async () => {
    const result = await deliver([{ customer: 'broken' }, { customer: 'C1' }]);
    expect(worked.toSorted()).toEqual(['C1', 'broken']);
    expect(result).toMatchObject({ ackAll: true, retryMessages: [] });
    expect(logs).toEqual([{ event: 'wake_failed', customer: 'broken', name: 'TypeError' }]);
  });
});

describe('the cron', () => {
  const tick = (customers: readonly string[]) =>
    vi.spyOn(ChannelRegistry.prototype, 'tick').mockImplementation(async () => ({ due: 2, done: 1, customers }));
  const minute = () => runWebhookCron(createScheduledController(), bindings);

  test('the registry does what is due, and the inboxes that it names are worked', async () => {
    const ticked = tick(['C1', 'C2']);
    await minute();
    expect(ticked).toHaveBeenCalledTimes(1);
    expect(worked.toSorted()).toEqual(['C1', 'C2']);
    expect(logs).toEqual([{ event: 'cron', due: 2, done: 1 }]);
  });

  test('an inbox that fails holds up no other', async () => {
    tick(['broken', 'C1']);
    await minute();
    expect(worked.toSorted()).toEqual(['C1', 'broken']);
    expect(logs).toContainEqual({ event: 'cron_inbox_failed', customer: 'broken', name: 'TypeError' });
  });

  test('a registry that fails is logged by the name of the failure, and the next minute comes', async () => {
    vi.spyOn(ChannelRegistry.prototype, 'tick').mockRejectedValue(new RangeError('secret words'));
    await minute();
    expect([worked, logs]).toEqual([[], [{ event: 'cron_registry_failed', name: 'RangeError' }]]);
  });

  test('so many inboxes are worked in one minute, six at a time', async () => {
    tick(Array.from({ length: 80 }, (_, n) => `C${n}`));
    let [now, most] = [0, 0];
    vi.spyOn(NotificationInbox.prototype, 'work').mockImplementation(async (customer) => {
      worked.push(customer);
      now += 1;
      most = Math.max(most, now);
      await new Promise((resolve) => setTimeout(resolve, 5));
      now -= 1;
      return { read: 0, delivered: 0, failed: 0, more: false };
    });
    await minute();
    expect(worked).toHaveLength(60);
    expect(most).toBeGreaterThan(1);
    expect(most).toBeLessThanOrEqual(6);
  });
});

describe('the entrypoint Channels', () => {
  const channels = () => new Channels(createExecutionContext(), bindings);

  test('other Workers read what the registry lists', async () => {
    const list = vi
      .spyOn(ChannelRegistry.prototype, 'list')
      .mockImplementation(async () => ({ items: [], next: 'cursor' }));
    expect(await channels().read({ customer: 'C1', limit: 10 })).toEqual({ items: [], next: 'cursor' });
    expect(list.mock.calls).toEqual([[{ customer: 'C1', limit: 10 }]]);
  });

  test.each([
    ['no rows', { limit: 0 }],
    ['too many rows', { limit: 101 }],
    ['half a row', { limit: 1.5 }],
    ['a customer that is none', { limit: 10, customer: 'C'.repeat(513) }],
    ['a field that is none', { limit: 10, token: 'x' }],
  ])('a query for %s is refused', async (_what, query) => {
    await expect(channels().read(query)).rejects.toMatchObject({ name: 'ZodError' });
  });
});
