import { abortAllDurableObjects, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { NotificationInbox } from '../../../durable-objects/notification-inbox.ts';
import { formatMessage } from '../../../src/notifications/inbox/message.ts';
import { messageOf, userBody } from '../../notifications/inbox/messages.ts';
import { resetScript, script } from '../../support/webhooks/webhook-script.ts';

const CUSTOMER = 'C00000001';
const RECEIVER = 'https://receiver.example.com/hooks';

/** Wake-ups that the queue was given; none is delivered: nothing may depend on them. */
let wakes: unknown[] = [];
let isQueueDown = false;
let logs: Record<string, unknown>[] = [];
/** Users that the directory was asked for, and what receivers were told, by id. */
let read: string[] = [];
let delivered: string[] = [];
let directory: (userId: string) => Response | Promise<Response>;

beforeEach(() => {
  [wakes, logs, read, delivered, isQueueDown] = [[], [], [], [], false];
  directory = (userId) => Response.json(userBody(userId));
  const queue = Object.getPrototypeOf(env.WAKE) as { send: (message: unknown) => Promise<unknown> };
  vi.spyOn(queue, 'send').mockImplementation(async (message) => {
    if (isQueueDown) throw new Error('Internal Server Error');
    wakes.push(message);
  });
  vi.spyOn(console, 'log').mockImplementation((line: unknown) => void logs.push(JSON.parse(String(line))));
  script.fetch = async (url, { headers }) => {
    if (url === RECEIVER) {
      delivered.push(headers['webhook-id'] ?? '');
      return new Response(null, { status: 204 });
    }
    const userId = new URL(url).pathname.split('/').at(-1) ?? '';
    read.push(userId);
    return directory(userId);
  };
});
afterEach(() => {
  resetScript();
  vi.restoreAllMocks();
});

const inbox = () => env.NOTIFICATION_INBOX.getByName(CUSTOMER) as DurableObjectStub<NotificationInbox>;
const text = (userId: string | null, number: number) => formatMessage(messageOf(userId, number));
const keep = (userId: string | null, number: number) => inbox().keep(CUSTOMER, text(userId, number));
const status = () => inbox().status(CUSTOMER);
const inside = <T>(work: (storage: DurableObjectStorage) => T | Promise<T>): Promise<T> =>
  runInDurableObject(inbox(), (_object, { storage }) => work(storage));
const alarm = () => inside((storage) => storage.getAlarm());
/** Keeps the alarm from going off by itself while a test looks at it. */
const holdAlarm = () => inside((storage) => void vi.spyOn(storage, 'setAlarm').mockResolvedValue());
const events = () => logs.map(({ event }) => event);

describe('keeping', () => {
  test('what is answered is kept: it is there when the object died right after', async () => {
    expect(await keep('ann', 1)).toBe('kept');
    await abortAllDurableObjects();
    expect(await status()).toMatchObject({ waiting: 1, delivering: 0, dead: 0 });
    expect(await keep('ann', 1)).toBe('kept');
    expect(await status()).toMatchObject({ waiting: 1 });
  });

  test('messages that come together are one transaction, and each is answered for itself', async () => {
    await keep('ann', 1);
    const transactions = await inside((storage) => vi.spyOn(storage, 'transactionSync'));
    const outcomes = await runInDurableObject(inbox(), (object) =>
      Promise.all([2, 3, 1, 4].map((number) => object.keep(CUSTOMER, text('ann', number)))),
    );
    expect(outcomes).toEqual(['kept', 'kept', 'kept', 'kept']);
    expect(transactions).toHaveBeenCalledTimes(1);
    expect(wakes).toEqual([{ customer: CUSTOMER }]);
  });

  test('500 messages are written without waiting, and more wait for the next transaction', async () => {
    await holdAlarm();
    const transactions = await inside((storage) => vi.spyOn(storage, 'transactionSync'));
    await runInDurableObject(inbox(), (object) =>
      Promise.all(Array.from({ length: 501 }, (_, n) => object.keep(CUSTOMER, text(`user${n}`, n)))),
    );
    expect(transactions).toHaveBeenCalledTimes(2);
    expect(await status()).toMatchObject({ waiting: 501 });
  });

  test('a transaction that fails refuses all of its messages, keeps none, and the next one works', async () => {
    await keep('ann', 1);
    await inside((storage) => {
      storage.sql.exec('ALTER TABLE journal RENAME TO lost');
    });
    const outcomes = await runInDurableObject(inbox(), (object) =>
      Promise.allSettled([2, 3].map((number) => object.keep(CUSTOMER, text('bob', number)))),
    );
    expect(outcomes.map((outcome) => outcome.status)).toEqual(['rejected', 'rejected']);
    await inside((storage) => {
      storage.sql.exec('ALTER TABLE lost RENAME TO journal');
    });
    expect(await status()).toMatchObject({ waiting: 1 });
    expect(await keep('bob', 2)).toBe('kept');
  });

  test('W3: a message that collapsed is acknowledged, and an alert says so until the resync is through', async () => {
    await keep('ann', 1);
    await status();
    await inside((storage) => {
      storage.sql.exec('UPDATE tally SET waiting = 100000 WHERE channel = ?', messageOf('ann', 1).channel);
    });
    expect(await keep('bob', 2)).toBe('kept');
    expect(await status()).toMatchObject({
      resync: { reason: 'messages_collapsed' },
      alerts: [{ kind: 'messages_collapsed', subject: messageOf('ann', 1).channel }],
    });
    directory = () => Response.json({ kind: 'admin#directory#users', users: [] });
    await inbox().work(CUSTOMER);
    expect(await status()).toMatchObject({ resync: null, alerts: [] });
  });

  test('a message in the inbox of another customer is refused', async () => {
    await keep('ann', 1);
    const other = runInDurableObject(inbox(), (object) => object.keep('C00000002', text('bob', 2)));
    await expect(other).rejects.toThrow('another customer');
  });
});

describe('waking', () => {
  test('the queue is told once, until a run has begun', async () => {
    await keep('ann', 1);
    await keep('bob', 2);
    expect(wakes).toEqual([{ customer: CUSTOMER }]);
    await inbox().work(CUSTOMER);
    await keep('ann', 3);
    expect(wakes).toEqual([{ customer: CUSTOMER }, { customer: CUSTOMER }]);
  });

  test('a queue that fails refuses no message, and is logged once a minute', async () => {
    isQueueDown = true;
    expect(await keep('ann', 1)).toBe('kept');
    expect(await keep('ann', 2)).toBe('kept');
    expect(logs).toEqual([{ event: 'wake_not_sent', customer: CUSTOMER, name: 'Error' }]);
  });

  test('when the queue loses everything, the alarm does the work', async () => {
    const beforeMs = Date.now();
    await keep('ann', 1);
    const armedMs = (await alarm()) ?? 0;
    expect(armedMs).toBeGreaterThanOrEqual(beforeMs + 1_000);
    expect(armedMs).toBeLessThan(beforeMs + 60_000);
    await runDurableObjectAlarm(inbox());
    expect([read, delivered]).toEqual([['ann'], [`${CUSTOMER}/ann/1`]]);
    expect(await status()).toMatchObject({ waiting: 0, delivering: 0, dead: 0 });
  });

  test('the alarm is set in the same turn as the write, and goes off by itself', async () => {
    await keep('ann', 1);
    await expect.poll(() => delivered, { timeout: 10_000 }).toEqual([`${CUSTOMER}/ann/1`]);
  });

  test('an alarm that is set stays where it is: messages that follow do not put it off', async () => {
    await keep('ann', 1);
    const firstMs = await alarm();
    await keep('bob', 2);
    expect(await alarm()).toBe(firstMs);
  });

  test('after a run whose storage fails the alarm is set again', async () => {
    await keep('ann', 1);
    await inside((storage) => {
      storage.sql.exec('ALTER TABLE unit RENAME TO lost');
    });
    await runDurableObjectAlarm(inbox());
    expect(events()).toEqual(['work_failed']);
    expect(await alarm()).not.toBeNull();
    await inside((storage) => {
      storage.sql.exec('ALTER TABLE lost RENAME TO unit');
    });
    await runDurableObjectAlarm(inbox());
    expect(delivered).toEqual([`${CUSTOMER}/ann/1`]);
  });

  test('what failed comes back with the alarm, when its wait is over', async () => {
    directory = () => new Response('no', { status: 503 });
    await keep('ann', 1);
    await inbox().work(CUSTOMER);
    await runDurableObjectAlarm(inbox());
    const waitMs = ((await alarm()) ?? 0) - Date.now();
    expect(waitMs).toBeGreaterThan(20_000);
    expect(waitMs).toBeLessThanOrEqual(30_000);
  });
});

describe('working', () => {
  test('there is one run at a time: who asks meanwhile starts none beside it, and gets its report', async () => {
    let answer: () => void = () => undefined;
    const answered = new Promise<void>((resolve) => (answer = resolve));
    directory = async (userId) => {
      await answered;
      return Response.json(userBody(userId));
    };
    await keep('ann', 1);
    const reports = Promise.all([inbox().work(CUSTOMER), inbox().work(CUSTOMER)]);
    await expect.poll(() => read).toEqual(['ann']);
    expect(await keep('bob', 2)).toBe('kept');
    answer();
    const [first, second] = await reports;
    expect(first).toMatchObject({ read: 2, failed: 0, more: false });
    expect(second).toEqual(first);
    expect([read, delivered]).toEqual([
      ['ann', 'bob'],
      [`${CUSTOMER}/ann/1`, `${CUSTOMER}/bob/2`],
    ]);
    expect(wakes).toHaveLength(1); // The run that is under way needs no waking.
  });

  test('an order of a resync, an alert and a replay each leave something to do', async () => {
    directory = () => Response.json({ kind: 'admin#directory#users', users: [] });
    const raisedAtMs = Date.now();
    await inbox().resync(CUSTOMER, { reason: 'daily' });
    await inbox().raise(CUSTOMER, { kind: 'no_sync', subject: 'channel-1', raisedAtMs, detail: 'no sync' });
    expect([wakes.length, await alarm()]).toEqual([1, expect.any(Number)]);
    await inbox().work(CUSTOMER);
    expect(delivered).toHaveLength(1);
    expect(await status()).toMatchObject({ resync: null, alerts: [{ kind: 'no_sync', subject: 'channel-1' }] });
    await inbox().over(CUSTOMER, 'no_sync', 'channel-1');
    expect(await status()).toMatchObject({ alerts: [] });
  });

  test('a dead message is replayed once, however often that is asked', async () => {
    directory = () =>
      Response.json({ error: { code: 400, message: 'no', errors: [{ reason: 'invalid' }] } }, { status: 400 });
    await keep('ann', 1);
    for (let n = 0; n < 5; n += 1) {
      await inside((storage) => {
        storage.sql.exec('UPDATE unit SET due_ms = 0');
      });
      await inbox().work(CUSTOMER);
    }
    const { items } = await inbox().messages(CUSTOMER, { state: 'dead', limit: 10 });
    expect(items.map(({ user_id, tries }) => [user_id, tries])).toEqual([['ann', 5]]);
    directory = (userId) => Response.json(userBody(userId));
    expect(await inbox().replay(CUSTOMER, {})).toEqual({ replayed: 1, more: false });
    expect(await inbox().replay(CUSTOMER, {})).toEqual({ replayed: 0, more: false });
    delivered = [];
    await inbox().work(CUSTOMER);
    expect(delivered).toHaveLength(1);
    expect(await status()).toMatchObject({ waiting: 0, delivering: 0, dead: 0, alerts: [] });
  });

  test('rule 11: nothing that is logged holds an e-mail address or a token', async () => {
    await keep('ann', 1);
    await inbox().work(CUSTOMER);
    expect(events()).toContain('work');
    expect(JSON.stringify(logs)).not.toMatch(/@|directory-token|whsec_/);
  });
});
