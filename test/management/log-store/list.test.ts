import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/lib/json.ts';
import type { Tenant } from '../../../src/management/core/engine/tenant.ts';
import { CALLER, TENANT } from '../../support/management/management.ts';
import {
  bodyOf,
  DAY_MS,
  DEFAULT,
  entriesOf,
  entryWorld,
  facts,
  NOW_MS,
  REQUIRED,
  refusalOf,
  textIn,
  texts,
  toBucket,
} from './entry-world.ts';

const resource = { type: 'global' };
const at = (second: number): string => new Date(NOW_MS - 3_600_000 + second * 1_000).toISOString();
const OTHER = 'projects/q/locations/global/buckets/_Default';
const twoBuckets = [facts(DEFAULT), facts(OTHER)];

/** Every page of a list until there is no further one. */
function pages(world: ReturnType<typeof entryWorld>, body: JsonObject): readonly JsonObject[][] {
  const found: JsonObject[][] = [];
  let pageToken = '';
  do {
    const answer = world.list({ ...body, ...(pageToken !== '' && { pageToken }) });
    found.push([...entriesOf(answer)]);
    pageToken = textIn(bodyOf(answer), 'nextPageToken');
  } while (pageToken !== '' && found.length < 1_000);
  return found;
}

describe('order and pages', () => {
  const world = entryWorld();
  const severities = ['DEFAULT', 'INFO', 'ERROR'];
  // 30 entries over 3 logs and severities, written out of order.
  for (const n of Array.from({ length: 30 }, (_, index) => (index * 7) % 30))
    world.wrote({
      logName: `projects/p/logs/l${n % 2}`,
      textPayload: String(n),
      timestamp: at(n),
      severity: severities[n % 3] ?? '',
    });
  const all = Array.from({ length: 30 }, (_, n) => String(n));

  test.each([
    [undefined, all],
    ['', all],
    ['timestamp', all],
    ['timestamp asc', all],
    ['timestamp desc', all.toReversed()],
  ])('orderBy %j', (orderBy, expected) => {
    expect(texts(world.entries(orderBy === undefined ? {} : { orderBy }))).toEqual(expected);
  });

  test.each(['timestamp down', 'severity', 'timestamp desc, insertId', 'TIMESTAMP'])(
    'orderBy %j is refused',
    (orderBy) => {
      expect(refusalOf(world.list({ orderBy }))).toContain('400 INVALID_ARGUMENT: orderBy');
    },
  );

  test.each([
    ['timestamp asc', all],
    ['timestamp desc', all.toReversed()],
  ])('pages of %s follow each other', (orderBy, expected) => {
    const found = pages(world, { orderBy, pageSize: 7 });
    expect(found.map((page) => page.length)).toEqual([7, 7, 7, 7, 2]);
    expect(texts(found.flat())).toEqual(expected);
  });

  test.each([
    ['logName="projects/p/logs/l1" AND severity=ERROR', ['5', '11', '17', '23', '29']],
    ['log_id("l0") severity>=INFO', ['2', '4', '8', '10', '14', '16', '20', '22', '26', '28']],
    [`timestamp>="${at(28)}"`, ['28', '29']],
    [`timestamp<"${at(2)}"`, ['0', '1']],
    ['textPayload="9" OR textPayload="21"', ['9', '21']],
    ['NOT textPayload:"1" AND NOT textPayload:"2" severity=DEFAULT', ['0', '3', '6', '9']],
    ['severity="EMERGENCY"', []],
  ])('the filter %s', (filter, expected) => {
    expect(texts(world.entries({ filter }))).toEqual(expected);
    expect(texts(world.entries({ filter, orderBy: 'timestamp desc' }))).toEqual(expected.toReversed());
  });

  test('a page has 50 entries where nothing else is said', () => {
    const many = entryWorld();
    many.wrote(...Array.from({ length: 60 }, () => ({})));
    expect(many.entries()).toHaveLength(50);
    expect(many.entries({ pageSize: 0 })).toHaveLength(50);
  });

  test.each([-1, 1_001])('pageSize %j is refused', (pageSize) => {
    expect(refusalOf(world.list({ pageSize }))).toContain('400 INVALID_ARGUMENT: pageSize');
  });

  test.each(['severity>=', '"'.repeat(3), 'x'.repeat(20_001)])('what is no filter is refused (%#)', (filter) => {
    expect(refusalOf(world.list({ filter }))).toContain('400 INVALID_ARGUMENT: Unparseable filter');
  });
});

describe('page tokens', () => {
  const world = entryWorld();
  world.wrote(...Array.from({ length: 9 }, (_, n) => ({ textPayload: String(n), timestamp: at(n) })));
  const filter = 'severity=DEFAULT';
  const token = textIn(bodyOf(world.list({ filter, pageSize: 4 })), 'nextPageToken');

  test('go on, with another size of the page too', () => {
    expect(texts(world.entries({ filter, pageSize: 4, pageToken: token }))).toEqual(['4', '5', '6', '7']);
    expect(texts(world.entries({ filter, pageSize: 2, pageToken: token }))).toEqual(['4', '5']);
  });

  test.each([
    { filter: 'severity>=DEFAULT' },
    { filter, orderBy: 'timestamp desc' },
    { filter, resourceNames: ['projects/p', 'projects/q'] },
    { filter, projectIds: ['q'] },
  ])('K9: of another query are refused: %j', (body) => {
    expect(refusalOf(world.list({ ...body, pageToken: token }))).toBe('400 INVALID_ARGUMENT: Invalid Input: pageToken');
  });

  test.each(['x', `${token}x`, `x${token}`])('K9: that were not given are refused (%#)', (pageToken) => {
    expect(refusalOf(world.list({ filter, pageToken }))).toBe('400 INVALID_ARGUMENT: Invalid Input: pageToken');
  });

  test('K9: of another tenant are refused', () => {
    const other = (tenant: Tenant) =>
      world.state.run(
        tenant,
        {
          method: 'logging.entries.list',
          path: {},
          query: {},
          body: { resourceNames: ['projects/p'], filter, pageToken: token },
          caller: CALLER,
        },
        {
          do: 'list',
          nowMs: NOW_MS,
          sources: [{ bucket: DEFAULT }],
          buckets: [facts(DEFAULT), facts(REQUIRED, 400)],
          salt: 'salt',
        },
      );
    expect(texts(entriesOf(other(TENANT)))).toEqual(['4', '5', '6', '7', '8']);
    expect(refusalOf(other({ ...TENANT, id: 'C00000009' }))).toBe('400 INVALID_ARGUMENT: Invalid Input: pageToken');
  });

  test.each<JsonObject>([
    { filter, orderBy: '' },
    { filter, orderBy: 'timestamp' },
    { filter, orderBy: ' timestamp  asc' },
    { filter, projectIds: [] },
  ])('hold for a query that says the same in other words: %j', (body) => {
    expect(texts(world.entries({ ...body, pageToken: token }))).toEqual(['4', '5', '6', '7', '8']);
  });

  test('hold without a filter, and with an empty one', () => {
    const first = textIn(bodyOf(world.list({ filter: '', pageSize: 8, orderBy: 'timestamp desc' })), 'nextPageToken');
    expect(texts(world.entries({ pageToken: first, orderBy: 'timestamp desc' }))).toEqual(['0']);
    expect(refusalOf(world.list({ pageToken: first }))).toContain('pageToken');
  });

  test('still stand after more was written before and behind them', () => {
    world.wrote({ textPayload: 'before', timestamp: at(1) }, { textPayload: 'behind', timestamp: at(4.5) });
    expect(texts(world.entries({ filter, pageSize: 3, pageToken: token }))).toEqual(['4', 'behind', '5']);
  });
});

describe('duplicates', () => {
  const one = { timestamp: at(1), insertId: 'same' };

  test('the same time and id in one project is one entry, whatever log and severity', () => {
    const { wrote, entries } = entryWorld();
    wrote({ ...one, textPayload: 'first' }, { ...one, textPayload: 'again' });
    wrote({ ...one, severity: 'ERROR', textPayload: 'other severity' });
    wrote({ ...one, logName: 'projects/p/logs/other', textPayload: 'other log' });
    wrote({ ...one, insertId: 'other', textPayload: 'other id' });
    expect(texts(entries())).toEqual(['other id', 'first']);
    expect(texts(entries({ filter: 'severity=ERROR' }))).toEqual(['other severity']);
    expect(texts(entries({ filter: 'textPayload:"other log"' }))).toEqual(['other log']);
  });

  test('of two projects they are two entries, on one page and on two', () => {
    const world = entryWorld();
    const routes = { 'projects/p': [toBucket(DEFAULT)], 'projects/q': [toBucket(DEFAULT)] };
    const entries = ['q', 'p'].map((p) => ({ ...one, logName: `projects/${p}/logs/app`, textPayload: p }));
    world.write({ resource, entries }, { routes });
    expect(texts(world.entries())).toEqual(['p', 'q']);
    expect(pages(world, { pageSize: 1 }).map(texts)).toEqual([['p'], ['q']]);
    expect(pages(world, { pageSize: 1, orderBy: 'timestamp desc' }).map(texts)).toEqual([['q'], ['p']]);
  });

  test('an entry of two buckets is listed once', () => {
    const { write, entries } = entryWorld();
    const routes = { 'projects/p': [toBucket(DEFAULT), toBucket(OTHER)] };
    const sources = [{ bucket: DEFAULT }, { bucket: OTHER }];
    write(
      { logName: 'projects/p/logs/app', resource, entries: [{ textPayload: 't' }] },
      { routes, buckets: twoBuckets },
    );
    expect(texts(entries({}, { sources, buckets: twoBuckets }))).toEqual(['t']);
    expect(texts(entries({}, { sources: sources.slice(1), buckets: twoBuckets }))).toEqual(['t']);
  });
});

describe('what is shown', () => {
  test('only what the sources have: buckets whole, and by views', () => {
    const { wrote, write, entries } = entryWorld();
    wrote({ textPayload: 'app' }, { textPayload: 'sys', logName: 'projects/p/logs/sys' });
    const routes = { 'projects/p': [toBucket(REQUIRED)] };
    write({ logName: 'projects/p/logs/audit', resource, entries: [{ textPayload: 'audit' }] }, { routes });
    const shown = (...sources: { bucket: string; filter?: string }[]) => new Set(texts(entries({}, { sources })));
    expect(shown({ bucket: REQUIRED })).toEqual(new Set(['audit']));
    expect(shown({ bucket: DEFAULT, filter: 'LOG_ID("sys")' })).toEqual(new Set(['sys']));
    expect(shown({ bucket: DEFAULT, filter: 'NOT LOG_ID("sys")' }, { bucket: REQUIRED })).toEqual(
      new Set(['app', 'audit']),
    );
    expect(shown({ bucket: DEFAULT, filter: 'LOG_ID("sys")' }, { bucket: DEFAULT })).toEqual(new Set(['app', 'sys']));
    expect(shown({ bucket: DEFAULT, filter: 'LOG_ID("sys")' }, { bucket: DEFAULT, filter: 'LOG_ID("app")' })).toEqual(
      new Set(['app', 'sys']),
    );
    expect(shown({ bucket: DEFAULT, filter: 'no filter (' })).toEqual(new Set([]));
    expect(shown()).toEqual(new Set());
  });

  test("by the tenant's clock: neither past the retention, nor more than a day ahead", () => {
    const { wrote, entries } = entryWorld();
    wrote({ textPayload: 't', timestamp: at(0) });
    const from = (ms: number) => texts(entries({}, { nowMs: NOW_MS + ms }));
    expect(from(29 * DAY_MS)).toEqual(['t']);
    expect(from(30 * DAY_MS)).toEqual([]);
    expect(from(-2 * DAY_MS)).toEqual([]);
  });

  test('entries of one trace are found by its index: only the streams that have it are read', () => {
    const { wrote, entries, statements } = entryWorld();
    const trace = 'projects/p/traces/Aa';
    wrote({ textPayload: 'a', trace }, { textPayload: 'b', trace: 'projects/p/traces/b' }, {});
    wrote(...Array.from({ length: 30 }, (_, n) => ({ logName: `projects/p/logs/l${n}` })));
    wrote({ textPayload: 'c', trace, severity: 'ERROR' }, { textPayload: 'd', trace: `${trace}a`, severity: 'ERROR' });
    statements.length = 0;
    expect(texts(entries({ filter: `trace="${trace}"` }))).toEqual(['a', 'c']);
    // Which streams have it, and the two that do.
    expect(statements.filter((text) => text.includes('entry_trace'))).toHaveLength(3);
    expect(texts(entries({ filter: `trace=("${trace}" OR "${trace}a" OR "${trace}b") severity=ERROR` }))).toEqual([
      'c',
      'd',
    ]);
  });
});

describe('large pages', () => {
  test('a page has eight million characters at most, and goes on', () => {
    const world = entryWorld();
    const text = 'x'.repeat(250_000);
    for (let n = 0; n < 40; n += 1) world.wrote({ textPayload: `${n} ${text}`, timestamp: at(n) });
    const found = pages(world, { pageSize: 1_000 });
    expect(found.length).toBeGreaterThan(1);
    expect(found.every((page) => JSON.stringify(page).length <= 8_000_000)).toBe(true);
    expect(texts(found.flat()).map((each) => each?.split(' ')[0])).toEqual(
      Array.from({ length: 40 }, (_, n) => String(n)),
    );
  });

  test('K9: a page looks at eight million characters at most, and goes on', () => {
    const world = entryWorld();
    const text = 'x'.repeat(250_000);
    for (let n = 0; n < 40; n += 1) world.wrote({ textPayload: `${n} ${text}`, timestamp: at(n) });
    const found = pages(world, { filter: 'textPayload:"39 x"' });
    expect(found.map((page) => page.length)).toEqual([0, 1]);
  });

  test('K4: an answer that is longer than a batch takes is refused', () => {
    const world = entryWorld();
    world.wrote({ textPayload: 'x'.repeat(1_000) });
    const sources = [{ bucket: DEFAULT }];
    const order = { do: 'list', nowMs: NOW_MS, sources, buckets: [facts(DEFAULT)], salt: 's' } as const;
    expect(refusalOf(world.run('logging.entries.list', order, { maxAnswerChars: 500 }))).toContain(
      '413 RESOURCE_EXHAUSTED',
    );
    expect(bodyOf(world.run('logging.entries.list', order, { maxAnswerChars: 5_000 }))['entries']).toHaveLength(1);
  });
});
