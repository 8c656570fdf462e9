import { createExecutionContext, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ConsoleDesk } from '../../../routes/webhook/bindings/entrypoints.ts';
import { getChannelRegistry, type WebhookEnv } from '../../../routes/webhook/bindings/env.ts';
import { formatMessage } from '../../../src/notifications/inbox/message.ts';
import { messageOf, userBody } from '../../notifications/inbox/messages.ts';
import { resetScript, script } from '../../support/webhooks/webhook-script.ts';
import { NotificationInbox } from '../../support/workers/webhook-worker.ts';
import { CUSTOMER, directory, opened } from './world.ts';

let logs: string[] = [];

beforeEach(() => {
  logs = [];
  vi.spyOn(console, 'log').mockImplementation((line: unknown) => void logs.push(String(line)));
  directory();
});
afterEach(() => {
  vi.restoreAllMocks();
  resetScript();
});

const bindings = env as unknown as WebhookEnv; // Those of this project's Worker.
const desk = () => new ConsoleDesk(createExecutionContext(), bindings);
const inbox = (customer: string) => env.NOTIFICATION_INBOX.getByName(customer);

/** Alerts are told as well. */
const isOfUser = (body: unknown): boolean => String(body).includes('"type":"user.');

/** A directory that knows everybody, and a receiver that answers what is told of users with this status. */
function receiving(status: number): void {
  directory();
  const other = script.fetch ?? fetch;
  script.fetch = async (url, init) => {
    if (url.startsWith('https://receiver.')) return new Response(null, { status: isOfUser(init?.body) ? status : 204 });
    const { pathname } = new URL(url);
    return pathname.includes('/users/') && !pathname.endsWith('/watch')
      ? Response.json(userBody(pathname.split('/').at(-1) ?? ''))
      : other(url, init);
  };
}

/** Messages that a receiver wants never again: they are dead at once. */
async function dead(customer: string, users: readonly string[]): Promise<void> {
  receiving(410);
  for (const [index, user] of users.entries())
    await inbox(customer).keep(customer, formatMessage(messageOf(user, index + 1)));
  await inbox(customer).work(customer);
  expect(await inbox(customer).status(customer)).toMatchObject({ dead: users.length, waiting: 0, delivering: 0 });
}

describe('the entrypoint ConsoleDesk: channels', () => {
  test('are surveyed, listed and renewed', async () => {
    const channel = await opened();
    expect(await desk().survey()).toMatchObject({
      counts: { active: 1 },
      next: { watch: channel.watch, customer: CUSTOMER, due_at: expect.any(String) },
    });
    expect(await desk().channels({ limit: 10, state: 'active', customer: CUSTOMER })).toMatchObject({
      items: [{ id: channel.id }],
    });
    expect(await desk().channels({ limit: 10, customer: 'C0other' })).toMatchObject({ items: [] });
    const renewed = await desk().renew(channel.id);
    expect(renewed).toMatchObject({ ok: true, channel: { watch: channel.watch } });
    expect(renewed.ok && renewed.channel.id).not.toBe(channel.id);
    expect(renewed).toMatchObject({ asked: true });
    expect(await desk().renew('nobody')).toMatchObject({ ok: false, reason: 'not_found' });
  });

  test('are not said to be asked for while a renewal is under way', async () => {
    const channel = await opened();
    await runInDurableObject(getChannelRegistry(bindings), (_, state) => {
      state.storage.sql.exec('UPDATE watch SET claimed_until_ms = ?', Date.now() + 60_000);
    });
    const before = script.fetch;
    script.fetch = () => Promise.reject(new Error('Nobody may ask this'));
    expect(await desk().renew(channel.id)).toMatchObject({ ok: true, asked: false, channel: { id: channel.id } });
    script.fetch = before;
  });

  test('that are refused by the directory were asked for all the same', async () => {
    const channel = await opened();
    script.fetch = async () => new Response(null, { status: 503 });
    expect(await desk().renew(channel.id)).toMatchObject({ ok: true, asked: true, channel: { tries: 1 } });
  });
});

describe('the entrypoint ConsoleDesk: dead messages', () => {
  test('are counted by customer; an inbox that does not answer is not empty', async () => {
    await opened({ customer: 'C1' });
    await opened({ customer: 'C2' });
    await dead('C1', ['ann', 'ben']);
    expect(await desk().inboxes({})).toEqual({
      inboxes: [
        { customer: 'C1', read: true, dead: 2, waiting: 0 },
        { customer: 'C2', read: true, dead: 0, waiting: 0 },
      ],
    });
    vi.spyOn(NotificationInbox.prototype, 'status').mockImplementation(async () => {
      throw new Error('secret detail');
    });
    expect(await desk().inboxes({ after: 'C1' })).toEqual({ inboxes: [{ customer: 'C2', read: false }] });
    expect(logs.join()).toContain('console_inbox_unread');
    expect(logs.join()).not.toContain('secret detail');
  });

  test('are listed without their bodies, by channel and time', async () => {
    await dead(CUSTOMER, ['ann', 'ben']);
    const { items, next } = await desk().messages({ customer: CUSTOMER, limit: 1 });
    expect(items).toEqual([
      {
        seq: 2,
        channel: expect.any(String),
        watch: expect.any(String),
        event: expect.any(String),
        received_at: expect.any(String),
        user_id: 'ben',
        tries: 1,
        last_error: expect.stringContaining('410'),
      },
    ]);
    const older = await desk().messages({
      customer: CUSTOMER,
      limit: 1,
      ...(next === undefined ? {} : { cursor: next }),
    });
    expect([older.items.map(({ seq }) => seq), older.next]).toEqual([[1], undefined]);
    expect((await desk().messages({ customer: CUSTOMER, limit: 9, channel: 'none' })).items).toEqual([]);
    expect((await desk().messages({ customer: CUSTOMER, limit: 9, toMs: 1 })).items).toEqual([]);
  });

  test('are replayed by their numbers or by a filter, and told to whoever takes them now', async () => {
    await dead(CUSTOMER, ['ann', 'ben', 'cora']);
    receiving(204);
    expect(await desk().replay({ customer: CUSTOMER, messages: [2, 2, 99] })).toEqual({ replayed: 1, more: false });
    expect((await desk().messages({ customer: CUSTOMER, limit: 9 })).items.map(({ seq }) => seq)).toEqual([3, 1]);
    expect(await desk().replay({ customer: CUSTOMER, toMs: 1 })).toEqual({ replayed: 0, more: false });
    expect(await desk().replay({ customer: CUSTOMER })).toEqual({ replayed: 2, more: false });
    await inbox(CUSTOMER).work(CUSTOMER);
    expect(await inbox(CUSTOMER).status(CUSTOMER)).toMatchObject({ dead: 0, waiting: 0, delivering: 0 });
  });
});

const wrong: readonly [string, () => Promise<unknown>][] = [
  ['channels: no rows', () => desk().channels({ limit: 0 })],
  ['channels: too many rows', () => desk().channels({ limit: 101 })],
  ['channels: a state that is none', () => desk().channels({ limit: 1, state: 'gone' as 'active' })],
  ['renew: no id', () => desk().renew('a b')],
  ['inboxes: a customer that is none', () => desk().inboxes({ after: '../' })],
  ['messages: of nobody', () => desk().messages({ customer: '', limit: 1 })],
  ['messages: a cursor that is none', () => desk().messages({ customer: 'C1', limit: 1, cursor: '1 OR 1' })],
  ['replay: nothing chosen', () => desk().replay({ customer: 'C1', messages: [] })],
  [
    'replay: too many chosen',
    () => desk().replay({ customer: 'C1', messages: Array.from({ length: 101 }, (_, index) => index + 1) }),
  ],
  ['replay: numbers and a filter', () => desk().replay({ customer: 'C1', messages: [1], channel: 'c' })],
];

test.each(wrong)('an order of another shape is refused: %s', async (_what, call) => {
  await expect(call()).rejects.toMatchObject({ name: 'ZodError' });
});
