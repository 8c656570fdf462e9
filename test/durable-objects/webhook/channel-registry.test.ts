import { abortAllDurableObjects, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ChannelRegistry } from '../../../durable-objects/channel-registry.ts';
import { resetScript, script } from '../../support/webhooks/webhook-script.ts';

const HOUR_MS = 3_600_000;
const registry = () => env.CHANNEL_REGISTRY.getByName('registry') as DurableObjectStub<ChannelRegistry>;
const inside = <T>(work: (storage: DurableObjectStorage) => T | Promise<T>): Promise<T> =>
  runInDurableObject(registry(), (_object, { storage }) => work(storage));
const commands = () => inside(({ sql }) => sql.exec('SELECT body FROM errand').toArray().length);

/** Paths that the directory was asked for. */
let asked: string[] = [];
let isDown = false;

beforeEach(() => {
  [asked, isDown] = [[], false];
  vi.spyOn(console, 'log').mockReturnValue();
  script.fetch = async (url, { body }) => {
    const { pathname } = new URL(url);
    asked.push(pathname);
    if (isDown) return new Response(null, { status: 503 });
    if (pathname.endsWith('/stop')) return new Response(null, { status: 204 });
    if (!pathname.endsWith('/watch')) return Response.json({ kind: 'admin#directory#users', users: [] });
    const { id } = JSON.parse(String(body)) as { id: string };
    const channel = { kind: 'api#channel', id, resourceId: 'resource-1', resourceUri: 'https://directory.test/users' };
    return Response.json({ ...channel, expiration: String(Date.now() + 6 * HOUR_MS) });
  };
});
afterEach(() => {
  resetScript();
  vi.restoreAllMocks();
});

async function opened() {
  const answer = await registry().open({ target: { customer: 'C1' } });
  if (!answer.ok) throw new Error(answer.reason);
  return answer.channel;
}

test('a channel is opened at the directory, found by the receiver, and there after the object died', async () => {
  const { id, watch, state } = await opened();
  expect(state).toBe('active');
  expect(asked[0]).toBe('/admin/directory/v1/users/watch');
  await abortAllDurableObjects();
  expect(await registry().lookup(id)).toMatchObject({
    id,
    watch,
    customer: 'C1',
    resourceId: 'resource-1',
    drops: false,
  });
  expect(await registry().synced(id, 'resource-2')).toBe('mismatch');
  expect(await registry().synced(id, 'resource-1')).toBe('ok');
  expect(await registry().lookup('nobody')).toBeNull();
});

test('its first channel has the inbox read everything', async () => {
  await opened();
  await registry().tick();
  expect(await commands()).toBe(0);
  const inbox = env.NOTIFICATION_INBOX.getByName('C1');
  expect(await inbox.status('C1')).toHaveProperty('resync');
  await expect.poll(() => asked.filter((path) => path.endsWith('/users')).length).toBeGreaterThan(0);
});

test('the alarm stands at the next thing to do, and is set again after it went off', async () => {
  await opened();
  await registry().tick();
  const alarm = await inside((storage) => storage.getAlarm());
  expect(alarm).toBeGreaterThan(Date.now());
  expect(alarm).toBeLessThanOrEqual(Date.now() + 60_000); // A sync is to come by then.
  await runDurableObjectAlarm(registry());
  expect(await inside((storage) => storage.getAlarm())).not.toBeNull();
});

test('the watchdog sets an alarm that was lost, and names customers', async () => {
  await opened();
  await inside((storage) => storage.deleteAlarm());
  expect(await registry().tick()).toMatchObject({ customers: ['C1'] });
  expect(await inside((storage) => storage.getAlarm())).not.toBeNull();
});

test('a stop is done by the alarm', async () => {
  const { id, watch } = await opened();
  expect(await registry().stop(watch)).toMatchObject({ ok: true, channel: { state: 'stopping' } });
  await registry().tick();
  expect(await registry().get(id)).toMatchObject({ state: 'stopped' });
  expect(asked).toContain('/admin/directory_v1/channels/stop');
  expect((await registry().list({ limit: 10 })).items).toHaveLength(1);
});

test('a directory that is down: the watch is kept and tried again', async () => {
  isDown = true;
  const channel = await opened();
  expect(channel).toMatchObject({ state: 'pending', tries: 1 });
  isDown = false;
  expect(await registry().renew(channel.watch)).toMatchObject({ ok: true, channel: { state: 'active', tries: 0 } });
});

test('after a pass that broke the next one waits ten seconds, so that it does not break again and again', async () => {
  await opened();
  await registry().tick(); // Nothing is due for a while, so that no alarm comes by itself.
  await inside(({ sql }) => {
    sql.exec("INSERT INTO errand (customer, body, due_ms) VALUES ('C1', '{}', 0)");
    sql.exec('ALTER TABLE errand RENAME COLUMN body TO lost');
  });
  const fromMs = Date.now();
  await runDurableObjectAlarm(registry()).catch(() => undefined);
  const alarm = (await inside((storage) => storage.getAlarm())) ?? 0;
  expect(alarm).toBeGreaterThanOrEqual(fromMs + 10_000);
  expect(alarm).toBeLessThan(fromMs + 60_000);
});
