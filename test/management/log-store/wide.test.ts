import { describe, expect, test } from 'vitest';
import { bodyOf, entriesOf, entryWorld, NOW_MS, textIn } from './entry-world.ts';
import type { JsonObject } from '../../../src/lib/json.ts';

type World = ReturnType<typeof entryWorld>;

const LOGS = 3_000;
const at = (second: number): string => new Date(NOW_MS - 7_200_000 + second * 1_000).toISOString();
const numbers = Array.from({ length: LOGS }, (_, n) => n);

/** A world with one entry for each number. */
function worldOf(entry: (n: number) => JsonObject): World {
  const world = entryWorld();
  for (let from = 0; from < LOGS; from += 1_000) world.wrote(...numbers.slice(from, from + 1_000).map(entry));
  return world;
}

/** All pages of a list: what they have, and the statements that each takes. */
function walked(world: World, body: JsonObject, mostPages = 100) {
  const [ids, statements]: [string[], number[]] = [[], []];
  let pageToken = '';
  do {
    world.statements.length = 0;
    const answer = world.list({ ...body, ...(pageToken !== '' && { pageToken }) });
    statements.push(world.statements.length);
    ids.push(...entriesOf(answer).map((entry) => textIn(entry, 'insertId')));
    pageToken = textIn(bodyOf(answer), 'nextPageToken');
  } while (pageToken !== '' && statements.length < mostPages);
  return { ids, statements, isDone: pageToken === '' };
}

const ORDERS = ['timestamp asc', 'timestamp desc'];
const sorted = (count: number, idOf: (n: number) => string, orderBy: string): string[] => {
  const ids = numbers.slice(0, count).map(idOf).toSorted();
  return orderBy.endsWith('desc') ? ids.toReversed() : ids;
};

describe('K9: a page of many logs takes few statements', () => {
  const idOf = (n: number): string => `i${String((n * 7) % LOGS).padStart(5, '0')}`;
  const world = worldOf((n) => ({ logName: `projects/p/logs/l${n}`, timestamp: at(0), insertId: idOf(n) }));

  test.each(ORDERS)('though all begin at the same time, by %s', (orderBy) => {
    const { ids, statements } = walked(world, { orderBy, pageSize: 1 }, 5);
    expect(ids).toEqual(sorted(LOGS, idOf, orderBy).slice(0, 5));
    expect(Math.max(...statements)).toBeLessThanOrEqual(20);
  });

  test.each(ORDERS)('a large page ends after a thousand, and all pages have each entry once, by %s', (orderBy) => {
    const { ids, statements, isDone } = walked(world, { orderBy, pageSize: 1_000 });
    expect(isDone).toBe(true);
    expect(ids).toEqual(sorted(LOGS, idOf, orderBy));
    expect(Math.max(...statements)).toBeLessThanOrEqual(1_020);
    expect(statements.length).toBeLessThanOrEqual(8);
  });

  test.each(ORDERS)('where the filter takes one entry only, by %s', (orderBy) => {
    const { ids, statements, isDone } = walked(world, { orderBy, filter: 'insertId:"i02999"' });
    expect(isDone).toBe(true);
    expect(ids).toEqual(['i02999']);
    expect(Math.max(...statements)).toBeLessThanOrEqual(1_020);
  });

  test('rows are found by the index of a stream or a trace', () => {
    const texts = new Set(world.statements.filter((text) => text.includes('json_each(?) AS lane')));
    expect(texts.size).toBeGreaterThanOrEqual(1);
    for (const text of texts) {
      const plan = world.sql.exec(`EXPLAIN QUERY PLAN ${text}`, '[[1,"","z"]]', '').toArray();
      expect(plan.map(({ detail }) => detail)).toEqual([
        'SCAN lane VIRTUAL TABLE INDEX 1:',
        'SEARCH entry USING INTEGER PRIMARY KEY (rowid=?)',
        'CORRELATED SCALAR SUBQUERY 1',
        expect.stringMatching(
          /^SEARCH next USING (COVERING )?INDEX entry_place \(stream=\? AND .*\(ts,insert_id\)[<>]\(\?,\?\)/,
        ),
      ]);
    }
  });
});

describe('K9: logs whose entries alternate', () => {
  // Fifty logs: each has an entry at every fiftieth second.
  const world = worldOf((n) => ({
    logName: `projects/p/logs/l${n % 50}`,
    timestamp: at(n),
    insertId: `i${String(n).padStart(5, '0')}`,
  }));

  test.each(ORDERS)('are paged through to the end, by %s', (orderBy) => {
    const { ids, isDone } = walked(world, { orderBy, pageSize: 170 });
    expect(isDone).toBe(true);
    expect(ids).toEqual(sorted(LOGS, (n) => `i${String(n).padStart(5, '0')}`, orderBy));
  });
});

describe('K9: one time and id in many logs', () => {
  const world = worldOf((n) => ({
    logName: `projects/p/logs/l${n}`,
    timestamp: at(0),
    insertId: 'same',
    textPayload: `entry ${n}.`,
  }));
  world.wrote({ timestamp: at(1), insertId: 'z', textPayload: 'last' });

  test.each(ORDERS)('are one entry, and no page takes more than its statements, by %s', (orderBy) => {
    const { ids, statements, isDone } = walked(world, { orderBy });
    expect(isDone).toBe(true);
    expect(ids).toEqual(orderBy.endsWith('desc') ? ['z', 'same'] : ['same', 'z']);
    expect(Math.max(...statements)).toBeLessThanOrEqual(1_020);
  });

  test.each(ORDERS)('of which the filter takes a late one: pages go on within a place, by %s', (orderBy) => {
    const { ids, statements, isDone } = walked(world, { orderBy, filter: 'textPayload:"entry 2900."' });
    expect(isDone).toBe(true);
    expect(ids).toEqual(['same']);
    expect(statements.length).toBeGreaterThan(2);
    expect(Math.max(...statements)).toBeLessThanOrEqual(1_020);
  });
});

describe('K9: many traces in many logs', () => {
  const traceOf = (n: number): string => `t${n % 900}`;
  const idOf = (n: number): string => `i${String(n).padStart(5, '0')}`;
  const world = worldOf((n) => ({
    logName: `projects/p/logs/l${n}`,
    timestamp: at(0),
    insertId: idOf(n),
    trace: traceOf(n),
  }));
  const filterOf = (count: number): string =>
    `trace=(${numbers
      .slice(0, count)
      .map((n) => `"${traceOf(n)}"`)
      .join(' OR ')})`;

  test.each([
    [900, 'the logs are read whole'],
    [500, 'each log that has one is read by the index of traces'],
  ])('%i traces: %s, and all entries are found', (count) => {
    const { ids, statements, isDone } = walked(world, { filter: filterOf(count), pageSize: 1_000 });
    expect(isDone).toBe(true);
    expect(ids).toEqual(numbers.filter((n) => n % 900 < count).map(idOf));
    expect(Math.max(...statements)).toBeLessThanOrEqual(1_020);
    expect(world.statements.some((text) => text.includes('AS next INDEXED BY entry_trace'))).toBe(count === 500);
  });
});

test('K9: the names of many logs that a view hides are looked at in pages', () => {
  const world = worldOf((n) => ({ logName: `projects/p/logs/l${n}`, severity: n === 2_999 ? 'ERROR' : 'INFO' }));
  const bucket = 'projects/p/locations/global/buckets/_Default';
  const found: unknown[] = [];
  const statements: number[] = [];
  let pageToken = '';
  do {
    world.statements.length = 0;
    const sources = [{ bucket, filter: 'textPayload:"x" OR jsonPayload.a:*' }];
    const body = bodyOf(world.logs({ sources }, pageToken === '' ? {} : { pageToken }));
    statements.push(world.statements.length);
    found.push(...[body['logNames'] ?? []].flat());
    pageToken = textIn(body, 'nextPageToken');
  } while (pageToken !== '' && statements.length < 20);
  expect(found).toEqual([]);
  expect(pageToken).toBe('');
  expect(statements.length).toBe(3);
  expect(Math.max(...statements)).toBeLessThanOrEqual(1_020);
});
