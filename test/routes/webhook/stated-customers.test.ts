import { abortAllDurableObjects, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ReceiverChannel } from '../../../src/notifications/core/protocol.ts';
import type { MessageView } from '../../../src/notifications/inbox/message.ts';
import { resetScript, script } from '../../support/webhooks/webhook-script.ts';
import { ChannelRegistry, NotificationInbox } from '../../support/workers/webhook-worker.ts';
import {
  ADDRESS,
  call,
  directory,
  FIRST_KEY,
  genuine,
  json,
  known,
  knows,
  notify,
  of,
  opened,
  SECOND_KEY,
  signed,
  statingId,
  type WatchRequest,
} from './world.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

beforeEach(() => void vi.spyOn(console, 'log').mockReturnValue());
afterEach(() => {
  vi.restoreAllMocks();
  resetScript();
});

const messagesOf = async (customer: string): Promise<MessageView[]> =>
  (await json<{ messages: MessageView[] }>(call(`/messages?customer=${customer}`))).messages;

const fails = async (): Promise<never> => {
  throw new Error('away');
};

let customers = 0;
/** One that nothing was opened for: what a test leaves behind when it ends objects is there in the next. */
const nextCustomer = (): string => `C1${(customers += 1)}`;

/** A channel of the real registry, and what sends a push of it. */
async function watched() {
  directory();
  const channel = await opened({ customer: nextCustomer() });
  let number = 0;
  const push = async (changes: Record<string, string> = {}): Promise<number> => {
    number += 1;
    const { path, headers } = of(channel, { 'X-Goog-Message-Number': String(number), ...changes });
    return (await notify(headers, { path })).status;
  };
  return { channel, push };
}

/** Objects that were asked for since the last call. */
const asked = (): readonly string[] => script.asked.splice(0).map((name) => name.split('.')[0] ?? '');

/** A channel that only the registry's double knows, and whose id states a customer of its own. */
function doubled(changes: Partial<ReceiverChannel> = {}) {
  const customer = nextCustomer();
  const channel = known({
    id: statingId({ customer }),
    customer,
    holdsUntilMs: Date.now() + 30 * MINUTE_MS,
    ...changes,
  });
  const lookup = knows(channel);
  const headers = genuine(channel.id);
  const push = async (more: Record<string, string> = {}) => (await notify({ ...headers, ...more })).status;
  return { channel, lookup, push };
}

describe('a push of a channel whose id states its customer', () => {
  test('asks the registry for the first one, and from then on the inbox alone', async () => {
    const { channel, push } = await watched();
    expect(channel.id).toContain(`-${channel.customer}`);
    asked();
    expect(await push()).toBe(200);
    expect(asked()).toEqual(['inbox', 'registry', 'inbox', 'inbox']);
    const startMs = Date.now();
    const clock = vi.spyOn(Date, 'now');
    for (let minutes = 1; minutes <= 20; minutes += 1) {
      clock.mockReturnValue(startMs + minutes * MINUTE_MS); // Longer than any isolate remembers a channel.
      expect(await push()).toBe(200);
    }
    expect(asked()).toEqual(Array.from({ length: 20 }, () => 'inbox'));
    clock.mockRestore();
    const kept = (await messagesOf(channel.customer)).filter((one) => one.channel === channel.id);
    expect(kept.map(({ number }) => Number(number)).toSorted((one, other) => one - other)).toEqual(
      Array.from({ length: 21 }, (_, at) => at + 1),
    );
  });

  test('goes by the inbox after all objects were restarted, too', async () => {
    const { push } = await watched();
    expect(await push()).toBe(200);
    await abortAllDurableObjects();
    asked();
    expect(await push()).toBe(200);
    expect(asked()).toEqual(['inbox']);
  });

  test('W5: of another resource is forged, and asks no registry', async () => {
    const { push } = await watched();
    expect(await push()).toBe(200);
    asked();
    expect(await push({ 'X-Goog-Resource-ID': 'resource-2' })).toBe(401);
    expect(asked()).toEqual(['inbox']);
  });

  test('W4: is dropped as soon as the stop of its watch was answered, and nothing more is asked', async () => {
    const { channel, push } = await watched();
    expect(await push()).toBe(200);
    expect((await call(`/channels/${channel.id}:stop`, { method: 'POST' })).status).toBe(200);
    const before = (await messagesOf(channel.customer)).length;
    asked();
    expect(await push()).toBe(200);
    expect(asked()).toEqual(['inbox']);
    expect(await messagesOf(channel.customer)).toHaveLength(before);
  });

  describe('W4: is dropped once the stop was answered', () => {
    /** Messages of a channel that are kept. */
    const keptOf = async ({ id, customer }: { id: string; customer: string }): Promise<number> =>
      (await messagesOf(customer)).filter((one) => one.channel === id).length;
    const stop = async (watch: string): Promise<void> =>
      expect((await call(`/channels/${watch}:stop`, { method: 'POST' })).status).toBe(200);

    test('though the inbox missed something before', async () => {
      const { channel, push } = await watched();
      const away = vi.spyOn(NotificationInbox.prototype, 'resync').mockImplementation(fails);
      await env.CHANNEL_REGISTRY.getByName('registry').tick(); // Its resync is put off.
      expect(away).toHaveBeenCalled();
      away.mockRestore();
      expect(await push()).toBe(200);
      await stop(channel.watch);
      expect(await push()).toBe(200);
      expect(await keptOf(channel)).toBe(1);
    });

    test('though this isolate remembers the channel, whose successor takes over', async () => {
      const { channel, push } = await watched();
      let next: WatchRequest | undefined;
      directory(async (order) => void (next = order));
      expect((await call(`/channels/${channel.watch}:renew`, { method: 'POST' })).status).toBe(200);
      const sync = of(next ?? channel, { 'X-Goog-Resource-State': 'sync' });
      expect((await notify(sync.headers, { path: sync.path })).status).toBe(200);
      expect(await push()).toBe(200);
      await stop(channel.watch);
      expect(await push()).toBe(200);
      expect(await keptOf(channel)).toBe(1);
    });

    test('while the registry was asked about its channel', async () => {
      const { channel, push } = await watched();
      const lookup = vi.spyOn(ChannelRegistry.prototype, 'lookup').mockImplementation(async (id) => {
        const { watch, customer } = channel;
        const before = known({ id, watch, customer, holdsUntilMs: Date.now() + MINUTE_MS });
        await stop(watch);
        return before;
      });
      expect(await push()).toBe(200);
      expect([lookup.mock.calls.length, await keptOf(channel)]).toEqual([1, 0]);
    });
  });

  test('is kept as by the registry: with the end and the subject that the channel has', async () => {
    const endMs = Date.now() + 20 * DAY_MS; // Its id states an hour, after which the message would go sooner.
    const { channel, push } = doubled({ acceptsUntilMs: endMs, subject: 'admin@example.com' });
    expect(await push()).toBe(200);
    await messagesOf(channel.customer);
    const inbox = env.NOTIFICATION_INBOX.getByName(channel.customer);
    const kept = await runInDurableObject(inbox, (_object, { storage: { sql } }) =>
      sql.exec('SELECT subject, keep_ms > ? AS outlives FROM message', endMs).toArray(),
    );
    expect(kept).toEqual([{ subject: 'admin@example.com', outlives: 1 }]);
  });

  test('W1: is taken with a token of either key while keys rotate', async () => {
    const { channel, push } = doubled();
    for (const key of [FIRST_KEY, SECOND_KEY]) {
      const token = signed(channel.id, ADDRESS, key);
      expect(await push({ 'X-Goog-Channel-Token': token })).toBe(200);
    }
  });
});

describe('what the inbox cannot judge by itself', () => {
  test('W5: a message before the watch response comes again, and a sync teaches the resource', async () => {
    const seen: number[] = [];
    directory(async (order) => {
      for (const state of ['update', 'sync', 'update']) {
        const { path, headers } = of(order, { 'X-Goog-Resource-State': state });
        expect(headers['X-Goog-Channel-Token']).toBe(order.token);
        seen.push((await notify(headers, { path })).status);
      }
    });
    await opened({ customer: nextCustomer() });
    expect(seen).toEqual([503, 200, 200]);
  });

  test.each<[string, Partial<ReceiverChannel>, number]>([
    ['that may change any moment', { holdsUntilMs: undefined }, 200],
    ['that is stopped, and may', { holdsUntilMs: undefined, drops: true }, 200],
    ['of another watch', { holdsUntilMs: undefined, watch: 'w2' }, 401],
  ])('a channel %s: the registry is asked once in ten seconds', async (_, changes, status) => {
    const { lookup, push } = doubled(changes);
    const startMs = Date.now();
    const clock = vi.spyOn(Date, 'now');
    for (const afterMs of [0, 1, 9_999, 10_000]) {
      clock.mockReturnValue(startMs + afterMs);
      expect(await push()).toBe(status);
    }
    expect(lookup).toHaveBeenCalledTimes(2);
  });

  test('a channel that no one opened, though its token is good: as before, and remembered', async () => {
    const lookup = knows();
    const headers = genuine(statingId());
    expect((await notify(headers)).status).toBe(401);
    asked();
    expect((await notify(headers)).status).toBe(401);
    expect([asked(), lookup.mock.calls.length]).toEqual([[], 1]);
  });

  test('the sync of a channel that is dead or was never opened: once in ten seconds, as any other message', async () => {
    const synced = vi.spyOn(ChannelRegistry.prototype, 'synced');
    const headers = genuine(statingId(), { 'X-Goog-Resource-State': 'sync' });
    const startMs = Date.now();
    const clock = vi.spyOn(Date, 'now');
    for (const afterMs of [0, 1, 9_999, 10_000]) {
      clock.mockReturnValue(startMs + afterMs);
      expect((await notify(headers)).status).toBe(401);
    }
    expect(synced).toHaveBeenCalledTimes(2);
  });

  test('W4: after the end that the channel has, though its id states a later one', async () => {
    const endMs = Date.now() + 5_000;
    const { push } = doubled({ acceptsUntilMs: endMs, holdsUntilMs: endMs });
    expect(await push()).toBe(200);
    vi.spyOn(Date, 'now').mockReturnValue(endMs);
    expect(await push()).toBe(401);
  });
});

describe('what cannot be kept is not acknowledged', () => {
  test.each<[string, () => void, Partial<ReceiverChannel>?]>([
    ['the inbox does not answer', () => vi.spyOn(NotificationInbox.prototype, 'push').mockImplementation(fails)],
    ['the registry does not', () => vi.spyOn(ChannelRegistry.prototype, 'lookup').mockImplementation(fails)],
    [
      'the inbox does not take the word',
      () => vi.spyOn(NotificationInbox.prototype, 'learn').mockImplementation(fails),
    ],
    [
      'the inbox does not keep',
      () => vi.spyOn(NotificationInbox.prototype, 'keep').mockImplementation(fails),
      { holdsUntilMs: undefined },
    ],
  ])('%s: 503, and the same push is taken once it does', async (_, breakIt, changes) => {
    const { channel, push } = doubled(changes);
    breakIt();
    expect(await push()).toBe(503);
    vi.restoreAllMocks();
    vi.spyOn(console, 'log').mockReturnValue();
    knows(channel);
    expect(await push()).toBe(200);
  });
});

test('a channel of before is taken as before until its renewal, which has an id that states its customer', async () => {
  const { channel } = await watched();
  const before = crypto.randomUUID();
  await runInDurableObject(env.CHANNEL_REGISTRY.getByName('registry'), (_object, { storage: { sql } }) => {
    sql.exec('UPDATE channel SET id = ? WHERE id = ?', before, channel.id);
    sql.exec('UPDATE watch SET current_id = ?1, latest_id = ?1 WHERE id = ?2', before, channel.watch);
  });
  const { path, headers } = of({ ...channel, id: before });
  asked();
  expect((await notify(headers, { path })).status).toBe(200);
  expect(asked()).toEqual(['registry', 'inbox']);
  const ids: string[] = [];
  directory(async (order) => void ids.push(order.id));
  expect((await call(`/channels/${channel.watch}:renew`, { method: 'POST' })).status).toBe(200);
  expect(ids).toEqual([expect.stringMatching(new RegExp(`^[0-9a-f]{32}-[0-9a-z]+-${channel.customer}$`))]);
  expect((await notify({ ...headers, 'X-Goog-Message-Number': '11' }, { path })).status).toBe(200);
});
