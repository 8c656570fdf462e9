import { randomBytes, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DirectoryUser, WatchTarget, Vendor } from '../../src/notifications/vendor/vendor.ts';
import { createVendorClient, type VendorOptions } from '../../src/notifications/vendor/client.ts';
import { type PushReceiver, startPushReceiver } from '../support/webhooks/push-receiver.ts';
import { type ControlStack, startControlStack } from './support/control-stack.ts';

const HOUR_MS = 3_600_000;
/** Users beside those that the tenant starts with, so that a list has two pages. */
const ADDED = 520;
const MAX_PAGES = 10;

let stack: ControlStack;
let receiver: PushReceiver;
let whole: WatchTarget;
let domain: WatchTarget;
let vendor: Vendor;
let added: string[];

const clientWith = (changes: Partial<VendorOptions>): Vendor =>
  createVendorClient({
    directoryUrl: stack.world.url,
    key: async () => readFileSync(stack.keyFile, 'utf8'),
    token: undefined,
    subject: undefined,
    fetch: (url, init) => fetch(url, init),
    now: Date.now,
    random: (bytes) => randomBytes(bytes).toString('hex'),
    ...changes,
  });

beforeAll(async () => {
  receiver = await startPushReceiver();
  stack = await startControlStack();
  whole = { customer: stack.world.customer };
  domain = { ...whole, domain: stack.world.domain };
  vendor = clientWith({});
  added = [];
  for (let first = 0; first < ADDED; first += 20) {
    const numbers = Array.from({ length: 20 }, (_, index) => first + index);
    added.push(...(await Promise.all(numbers.map((number) => addUser(`person-${number}`)))));
  }
});
afterAll(async () => {
  await stack?.stop();
  await receiver?.stop();
});

async function addUser(name: string): Promise<string> {
  const { data } = await stack.world.admin.users.insert({
    requestBody: {
      primaryEmail: `${name}@${stack.world.domain}`,
      password: 'a password of the tests',
      name: { givenName: name, familyName: 'Test' },
      phones: [{ type: 'work', value: '+44 20 7946 0000', primary: true }],
    },
  });
  return data.id ?? '';
}

async function allUsers(target: WatchTarget): Promise<{ pages: number; users: DirectoryUser[] }> {
  const users: DirectoryUser[] = [];
  let pageToken: string | undefined;
  for (let pages = 1; pages <= MAX_PAGES; pages += 1) {
    const page = await vendor.listUsers({ target, pageToken });
    if (!page.ok) throw new Error(page.detail);
    users.push(...page.users);
    pageToken = page.nextPageToken;
    if (pageToken === undefined) return { pages, users };
  }
  throw new Error(`more than ${MAX_PAGES} pages`);
}

const read = async (userId: string): Promise<DirectoryUser | null> => {
  const outcome = await vendor.readUser({ userId });
  if (!outcome.ok) throw new Error(outcome.detail);
  return outcome.user;
};

const orderOf = (target: WatchTarget) => ({
  id: randomUUID(),
  address: receiver.url,
  token: 'v1.token-of-the-channel',
  target,
  ttlSeconds: 3_600,
});

test.each(['a customer', 'a domain'])('a channel for %s is opened by a key file, synced, and stopped', async (kind) => {
  const order = orderOf(kind === 'a domain' ? domain : whole);
  const granted = await vendor.watch(order);
  if (!granted.ok) throw new Error(granted.detail);
  expect(granted.resourceUri).toContain(kind === 'a domain' ? 'domain=example.com' : `customer=${whole.customer}`);
  const leftMs = (granted.expiresAtMs ?? 0) - Date.now();
  expect(leftMs).toBeGreaterThan(HOUR_MS - 60_000);
  expect(leftMs).toBeLessThanOrEqual(HOUR_MS);
  // workerd by itself sends no Date; the platform does.
  expect(Math.abs((granted.vendorNowMs ?? Date.now()) - Date.now())).toBeLessThan(30_000);
  const { headers } = await receiver.waitFor(order.id, 'sync');
  expect(headers['x-goog-resource-id']).toBe(granted.resourceId);
  expect(headers['x-goog-channel-token']).toBe('v1.token-of-the-channel');
  const channel = { id: order.id, resourceId: granted.resourceId };
  expect(await vendor.stop(channel)).toEqual({ ok: true });
  expect(await vendor.stop(channel)).toEqual({ ok: true });
});

test('a channel of one event tells of that event', async () => {
  const order = { ...orderOf(whole), event: 'delete' as const };
  const granted = await vendor.watch(order);
  if (!granted.ok) throw new Error(granted.detail);
  const id = await addUser('short-lived');
  await stack.world.admin.users.delete({ userKey: id });
  const { body } = await receiver.waitFor(order.id, 'delete');
  expect(JSON.parse(body)).toMatchObject({ id });
  expect(await vendor.stop({ id: order.id, resourceId: granted.resourceId })).toEqual({ ok: true });
});

test('an id is never taken twice', async () => {
  const order = orderOf(whole);
  const granted = await vendor.watch(order);
  expect(await vendor.watch(order)).toMatchObject({
    ok: false,
    reason: 'id_not_unique',
    detail: 'the directory answers 400 (channelIdNotUnique)',
  });
  if (granted.ok) await vendor.stop({ id: order.id, resourceId: granted.resourceId });
});

test('stopping what was never opened is done', async () => {
  expect(await vendor.stop({ id: randomUUID(), resourceId: 'no-resource' })).toEqual({ ok: true });
});

test('a list of two pages holds everybody once, as each is read by itself', async () => {
  const { pages, users } = await allUsers(whole);
  expect(pages).toBe(2);
  const ids = users.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).toEqual(expect.arrayContaining(added));
  for (const id of [...ids.slice(0, 5), ...added.slice(0, 5), ...ids.slice(-5)])
    expect((await read(id))?.fingerprint).toBe(users.find((user) => user.id === id)?.fingerprint);
});

test('a domain lists its own users', async () => {
  const { users } = await allUsers(domain);
  expect(users.length).toBeGreaterThanOrEqual(ADDED);
  expect(users.every(({ primaryEmail }) => primaryEmail.endsWith('@example.com'))).toBe(true);
});

test('a suspension shows, with another fingerprint, by itself and in the list alike', async () => {
  const id = await addUser('soon-suspended');
  const before = await read(id);
  expect(before).toMatchObject({ id, suspended: false, primaryEmail: 'soon-suspended@example.com', orgUnitPath: '/' });
  await stack.world.admin.users.update({ userKey: id, requestBody: { suspended: true } });
  const after = await read(id);
  expect(after).toMatchObject({ id, suspended: true });
  expect(after?.fingerprint).not.toBe(before?.fingerprint);
  const { users } = await allUsers(whole);
  expect(users.find((user) => user.id === id)?.fingerprint).toBe(after?.fingerprint);
});

test('a deleted user is no user, and no longer listed', async () => {
  const id = await addUser('soon-deleted');
  await stack.world.admin.users.delete({ userKey: id });
  expect(await read(id)).toBeNull();
  const { users } = await allUsers(whole);
  expect(users.map((user) => user.id)).not.toContain(id);
});

test('a bearer token does as well as a key file', async () => {
  const byToken = clientWith({ key: async () => undefined, token: stack.world.token });
  expect(await byToken.readUser({ userId: added[0] ?? '' })).toMatchObject({ ok: true, user: { id: added[0] } });
});

test.each([
  ['a token that nobody gave', { key: async () => undefined, token: 'nobody-gave-it' }, 'the directory answers 401'],
  ['a subject that the account may not act for', { subject: 'admin@example.com' }, 'the token endpoint answers 400'],
])('%s is refused', async (_, changes, detail) => {
  const outcome = await clientWith(changes).readUser({ userId: added[0] ?? '' });
  expect(outcome).toMatchObject({ ok: false, reason: 'credentials_refused' });
  expect(!outcome.ok && outcome.detail).toContain(detail);
});

test('another domain than its own is not_found, and the api Worker is no directory', async () => {
  const elsewhere = { ...whole, domain: 'elsewhere.example' };
  expect(await vendor.listUsers({ target: elsewhere })).toMatchObject({ ok: false, reason: 'not_found' });
  const wrong = clientWith({ directoryUrl: stack.api });
  expect(await wrong.readUser({ userId: added[0] ?? '' })).toMatchObject({ ok: false, reason: 'unavailable' });
});
