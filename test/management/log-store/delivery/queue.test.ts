import { beforeEach, describe, expect, test } from 'vitest';
import { MAX_WAITING_ENTRIES } from '../../../../src/management/log-store/delivery/outbox.ts';
import {
  BACKOFF_MS,
  type DeliveryQueue,
  createDeliveryQueue,
} from '../../../../src/management/log-store/delivery/queue.ts';
import type { PlacedEntry } from '../../../../src/management/log-store/routing.ts';
import { memorySqlite } from '../../../support/management/sqlite.ts';
import { HOOK, hookedEntry, placedEntry } from '../placed-entry.ts';

const DAY_MS = 86_400_000;

let nowMs: number;
let queue: DeliveryQueue;
let database: ReturnType<typeof memorySqlite>;
let statements: string[];

beforeEach(() => {
  nowMs = 1_800_000_000_000;
  statements = [];
  database = memorySqlite((query) => statements.push(query));
  let made = 0;
  const random = (bytes: number): string => (bytes === 2 ? '7fff' : `${(made += 1)}`.padStart(bytes * 2, '0'));
  queue = createDeliveryQueue({ sql: database.sql, now: () => nowMs, random });
});

const entries = (count: number, url?: string): PlacedEntry[] =>
  Array.from({ length: count }, (_, at) => hookedEntry(at % 60, url));
const counts = () => database.sql.exec('SELECT waiting, lost, taken FROM delivery_sink ORDER BY id').toArray();
const claimed = () => {
  const [post] = queue.claim(1);
  if (post === undefined) throw new Error('Nothing is due');
  return post;
};

test('entries of webhooks are posted in order, with the name of their sink; others are not', () => {
  queue.keep([hookedEntry(1), placedEntry(2), hookedEntry(3)]);
  const { body, ...post } = claimed();
  expect(post).toMatchObject({ url: HOOK, sink: 'projects/p/sinks/hook', entries: 2, attempt: 1 });
  expect(JSON.parse(body)).toEqual({
    entries: [hookedEntry(1).entry, hookedEntry(3).entry],
    sink: 'projects/p/sinks/hook',
  });
});

test('nothing waits where no entry goes to a webhook', () => {
  queue.keep([placedEntry(1)]);
  expect(queue.nextMs()).toBeUndefined();
  expect(queue.claim(9)).toEqual([]);
});

test('a post has at most 100 entries; those of several writes go together', () => {
  queue.keep(entries(60));
  queue.keep(entries(60));
  const first = claimed();
  queue.book(first, { is: 'taken' });
  nowMs += 100;
  expect([first.entries, claimed().entries]).toEqual([100, 20]);
});

test('a post ends with the entry that passes 256 KiB', () => {
  const text = 'x'.repeat(100 * 1024);
  queue.keep(Array.from({ length: 4 }, (_, at) => ({ ...hookedEntry(at), entry: { textPayload: text } })));
  expect(claimed().entries).toBe(3);
});

test('a batch that is tried again has the same id and body, whatever came meanwhile', () => {
  queue.keep(entries(2));
  const first = claimed();
  queue.book(first, { is: 'again' });
  queue.keep(entries(5));
  nowMs += 10_000;
  expect(claimed()).toEqual({ ...first, attempt: 2 });
});

test('the batch after one that was taken has another id', () => {
  queue.keep(entries(1));
  const first = claimed();
  queue.book(first, { is: 'taken' });
  queue.keep(entries(1));
  nowMs += 100;
  expect(claimed().id).not.toBe(first.id);
});

test('a post of which nothing is heard is due again after a minute, with the same id', () => {
  queue.keep(entries(1));
  const first = claimed();
  nowMs += 59_999;
  expect(queue.claim(1)).toEqual([]);
  nowMs += 1;
  expect(claimed()).toEqual({ ...first, attempt: 2 });
});

test('what was heard of a post after its batch was booked changes nothing', () => {
  queue.keep(entries(1));
  const first = claimed();
  queue.book(first, { is: 'taken' });
  queue.keep(entries(1));
  expect(queue.book(first, { is: 'refused' })).toBe(0);
  expect(counts()).toEqual([{ waiting: 1, lost: 0, taken: 1 }]);
});

test('what was heard of a post late, while the next batch is under way, changes nothing of that', () => {
  queue.keep(entries(1));
  const first = claimed();
  queue.book(first, { is: 'taken' });
  queue.keep(entries(1));
  nowMs += 100;
  const second = claimed();
  expect(queue.book(first, { is: 'refused' })).toBe(0);
  expect(counts()).toEqual([{ waiting: 1, lost: 0, taken: 1 }]);
  nowMs += 60_000;
  expect(claimed()).toEqual({ ...second, attempt: 2 });
});

test('waits grow from a second to an hour; after its tenth try a batch is lost', () => {
  queue.keep(entries(3));
  const waits: number[] = [];
  let lost = 0;
  for (let tries = 0; tries < 10; tries += 1) {
    lost += queue.book(claimed(), { is: 'again' });
    const dueMs = queue.nextMs();
    if (dueMs === undefined) break;
    waits.push(Math.round((dueMs - nowMs) / 1_000));
    nowMs = dueMs;
  }
  expect(waits).toEqual([1, 5, 30, 60, 300, 900, 1_800, 3_600, 3_600]);
  expect(lost).toBe(3);
  expect(counts()).toEqual([{ waiting: 0, lost: 3, taken: 0 }]);
});

test('while a receiver fails, the batch after a lost one waits as long; one that is taken closes the circuit', () => {
  queue.keep(entries(150));
  for (let tries = 0; tries < 10; tries += 1) {
    queue.book(claimed(), { is: 'again' });
    nowMs = queue.nextMs() ?? 0;
  }
  const next = claimed();
  expect(next).toMatchObject({ entries: 50, attempt: 1 });
  queue.book(next, { is: 'again' });
  expect((queue.nextMs() ?? 0) - nowMs).toBeGreaterThan(3_000_000);
  nowMs = queue.nextMs() ?? 0;
  queue.book(claimed(), { is: 'taken' });
  queue.keep(entries(1));
  nowMs += 100;
  queue.book(claimed(), { is: 'again' });
  expect((queue.nextMs() ?? 0) - nowMs).toBeLessThan(2_000);
});

test('waits are spread by chance', () => {
  const waitOf = (chance: string): number => {
    const { sql } = memorySqlite();
    const spread = createDeliveryQueue({ sql, now: () => nowMs, random: (bytes) => (bytes === 2 ? chance : 'aa') });
    spread.keep(entries(1));
    for (const post of spread.claim(1)) spread.book(post, { is: 'again' });
    return (spread.nextMs() ?? 0) - nowMs;
  };
  expect([waitOf('0000'), waitOf('ffff')]).toEqual([750, 1_250]);
});

test('a receiver that asks for a pause gets it', () => {
  queue.keep(entries(1));
  queue.book(claimed(), { is: 'again', afterMs: 120_000 });
  expect(queue.nextMs()).toBe(nowMs + 120_000);
});

test('what is refused for good is lost at once, and counted', () => {
  queue.keep(entries(2));
  expect(queue.book(claimed(), { is: 'refused' })).toBe(2);
  expect(counts()).toEqual([{ waiting: 0, lost: 2, taken: 0 }]);
});

test('entries beyond 10,000 that wait are lost, and counted', () => {
  queue.keep(entries(MAX_WAITING_ENTRIES));
  queue.keep(entries(2));
  expect(counts()).toEqual([{ waiting: 10_000, lost: 2, taken: 0 }]);
});

const MB = 1024 * 1024;
/** Entries of half a MiB, as they wait. */
const large = (count: number, sink: string): PlacedEntry[] =>
  Array.from({ length: count }, (_, at) => ({
    ...hookedEntry(at % 60, HOOK, sink),
    entry: { textPayload: 'x'.repeat(MB / 2 - 18) },
  }));

test('entries beyond 32 MiB that wait for a sink are lost, and counted; smaller ones still find room', () => {
  queue.keep(large(63, 'one'));
  queue.keep([...large(3, 'one').slice(0, 1), ...large(2, 'one')]);
  expect(counts()).toEqual([{ waiting: 64, lost: 2, taken: 0 }]);
  queue.book(claimed(), { is: 'refused' });
  queue.keep(large(2, 'one'));
  expect(counts()).toMatchObject([{ waiting: 64 }]);
});

test('K9: entries beyond 64 MiB that wait for all sinks of a tenant are lost, and counted', () => {
  queue.keep([...large(60, 'a'), ...large(60, 'b'), ...large(20, 'c')]);
  const all = [
    { waiting: 60, lost: 0, taken: 0 },
    { waiting: 60, lost: 0, taken: 0 },
    { waiting: 8, lost: 12, taken: 0 },
  ];
  expect(counts()).toEqual(all);
  queue.keep([hookedEntry(1, HOOK, 'd')]);
  expect(counts()).toEqual([...all, { waiting: 0, lost: 1, taken: 0 }]);
});

test('K9: a thousand entries for twenty sinks are kept in fewer than a hundred statements', () => {
  const before = statements.length;
  queue.keep(Array.from({ length: 20 }, (_, at) => entries(1_000, `${HOOK}/${at}`)).flat());
  expect(statements.length - before).toBeLessThan(100);
  expect(counts()).toHaveLength(20);
  expect(claimed().entries).toBe(100);
});

test('an entry is posted as it was written, whatever is in it', () => {
  const entry = { textPayload: '"\\ \u0000 \u2028 \ud800 \u{1F600} </script>', jsonPayload: { n: 1e21, none: null } };
  queue.keep([{ ...hookedEntry(1), entry }]);
  expect(JSON.parse(claimed().body)).toMatchObject({ entries: [entry] });
});

describe('a sink that is gone', () => {
  test('is posted nothing any more; others are', () => {
    queue.keep([hookedEntry(1, HOOK, 'gone'), hookedEntry(2, `${HOOK}/b`, 'gone'), hookedEntry(3, HOOK, 'stays')]);
    queue.dropSink('gone');
    expect(queue.claim(9).map(({ sink }) => sink)).toEqual(['stays']);
    expect(database.sql.exec('SELECT count(*) AS n FROM delivery_entry').toArray()).toEqual([{ n: 1 }]);
  });

  test('counts what waited as lost, and is not tried again where a post was under way', () => {
    queue.keep(entries(2));
    const under = claimed();
    queue.dropSink('projects/p/sinks/hook');
    expect(queue.book(under, { is: 'again' })).toBe(0);
    expect(queue.nextMs()).toBeUndefined();
    expect(counts()).toEqual([{ waiting: 0, lost: 2, taken: 0 }]);
  });

  test('that is made again has what comes then', () => {
    queue.keep(entries(2));
    queue.dropSink('projects/p/sinks/hook');
    queue.keep(entries(1));
    expect(claimed()).toMatchObject({ entries: 1, attempt: 1 });
  });
});

test('entries that waited three days are lost, and counted', () => {
  queue.keep(entries(2));
  nowMs += 3 * DAY_MS + 1;
  expect(queue.claim(1)).toEqual([]);
  expect(counts()).toEqual([{ waiting: 0, lost: 2, taken: 0 }]);
});

describe('F5: a host is told', () => {
  test('by one post at a time, however many sinks name it', () => {
    queue.keep([hookedEntry(1, `${HOOK}/a`, 'a'), hookedEntry(2, `${HOOK}/b`, 'b')]);
    expect(queue.claim(9)).toHaveLength(1);
  });

  test('at most ten times a second', () => {
    queue.keep([hookedEntry(1, `${HOOK}/a`, 'a'), hookedEntry(2, `${HOOK}/b`, 'b')]);
    queue.book(claimed(), { is: 'taken' });
    nowMs += 99;
    expect(queue.claim(9)).toEqual([]);
    nowMs += 1;
    expect(queue.claim(9)).toHaveLength(1);
  });

  test('while others are told beside it', () => {
    queue.keep([hookedEntry(1), hookedEntry(2, 'https://other.example.net/')]);
    expect(queue.claim(9)).toHaveLength(2);
  });
});

test('a sink with nothing to send is forgotten after a week; one that waits is not', () => {
  queue.keep([hookedEntry(1, HOOK, 'idle')]);
  queue.book(claimed(), { is: 'taken' });
  nowMs += 8 * DAY_MS;
  queue.keep([hookedEntry(1, HOOK, 'waits')]);
  queue.prune();
  expect(database.sql.exec('SELECT sink FROM delivery_sink').toArray()).toEqual([{ sink: 'waits' }]);
});

test('a reset forgets what waits', () => {
  queue.keep(entries(2));
  queue.reset();
  expect(queue.nextMs()).toBeUndefined();
});

test('a batch is tried once more than there are waits', () => {
  expect(BACKOFF_MS).toHaveLength(9);
});
