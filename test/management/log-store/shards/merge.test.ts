import { describe, expect, test } from 'vitest';
import { isObject, type JsonObject } from '../../../../src/lib/json.ts';
import { createRandomFromSeed } from '../../../../src/lib/seeded-random.ts';
import type { EntryObject, RowsAsk } from '../../../../src/management/log-store/entry-object.ts';
import { MAX_PAGE_CHARS } from '../../../../src/management/log-store/page.ts';
import type { ShardRow } from '../../../../src/management/log-store/shards/directory.ts';
import { listShardEntries, MAX_PAGE_ASKS } from '../../../../src/management/log-store/shards/list-shards.ts';
import { type MergeLane, mergeLanes } from '../../../../src/management/log-store/shards/merge.ts';
import {
  computeUsualBounds,
  formatEntryShard,
  parseShardName,
  WINDOW_MS,
} from '../../../../src/management/log-store/shards/placement.ts';
import { comparePlaces } from '../../../../src/management/log-store/stream-merge.ts';
import { formatNanoTime } from '../../../../src/management/log-store/times.ts';
import { CALLER, TENANT } from '../../../support/management/management.ts';

const entriesIn = ({ entries }: JsonObject): readonly JsonObject[] =>
  Array.isArray(entries) ? entries.filter(isObject) : [];

const byNumber = (a: number, b: number): number => a - b;

/** Sorted lists that answer as much as they like, with or without anything. */
function lanesOf(lists: readonly (readonly number[])[], next: () => number) {
  let asks = 0;
  const lanes = lists.map((list): MergeLane<number, number> => ({
    edge: (list[0] ?? 0) - Math.floor(next() * 3),
    ask: async (after = -1_000, limit) => {
      asks += 1;
      const rest = list.filter((item) => item > after);
      const items = rest.slice(0, Math.min(limit, Math.floor(next() * 4)));
      if (items.length === rest.length) return { items };
      // It may have looked further than what it shows: what it passes by is not in the list.
      return { items, next: items.at(-1) ?? Math.max(after, (rest[0] ?? 0) - 0.5) };
    },
  }));
  return { lanes, asked: () => asks };
}

const rules = { compare: byNumber, placeOf: (item: number) => item, charsOf: () => 1, maxChars: 1_000 };

describe('sorted lists', () => {
  const seeds = Array.from({ length: 40 }, (_, at) => at);

  test.each(seeds)('are merged page by page into one, each item once: %i', async (seed) => {
    const next = createRandomFromSeed(`merge ${seed}`);
    const lists = Array.from({ length: 1 + Math.floor(next() * 20) }, () =>
      [...new Set(Array.from({ length: Math.floor(next() * 30) }, () => Math.floor(next() * 100)))].toSorted(byNumber),
    );
    const all = [...new Set(lists.flat())].toSorted(byNumber);
    const merged: number[] = [];
    let after: number | undefined;
    for (let pages = 0; ; pages += 1) {
      expect(pages).toBeLessThan(2_000);
      const { lanes } = lanesOf(lists, next);
      const from = after;
      const limit = 1 + Math.floor(next() * 9);
      const page = await mergeLanes(
        lanes.map((lane) => ({ ...lane, after: from })),
        { ...rules, limit, maxAsks: 24 },
      );
      expect(page.items.length).toBeLessThanOrEqual(limit);
      merged.push(...page.items);
      if (page.end.kind === 'all') break;
      if (page.end.kind === 'full') after = page.items.at(-1);
      else {
        const [stop] = page.end.stops.toSorted((a, b) => a.place - b.place);
        // One that was not asked may have something at its place.
        if (stop !== undefined) after = stop.isBehind ? stop.place : stop.place - 0.25;
      }
    }
    expect(merged).toEqual(all);
  });

  test('are asked only when their turn may have come', async () => {
    const asked: number[] = [];
    const lanes = Array.from({ length: 100 }, (_, at): MergeLane<number, number> => ({
      edge: at * 10,
      ask: async () => {
        asked.push(at);
        return { items: Array.from({ length: 10 }, (_each, n) => at * 10 + n) };
      },
    }));
    const page = await mergeLanes(lanes, { ...rules, limit: 15, maxAsks: 64 });
    expect(page.items).toEqual(Array.from({ length: 15 }, (_, at) => at));
    expect(Math.max(...asked)).toBeLessThan(8);
  });
});

describe('a page over many stores', () => {
  const timeOf = (minute: number): string => formatNanoTime(Date.UTC(2026, 0, 1) + minute * 60_000);
  const NOW_MS = Date.UTC(2026, 5, 1);
  const call = (body: object) => ({
    method: 'logging.entries.list',
    path: {},
    query: {},
    body: { ...body },
    caller: CALLER,
  });
  const order = { do: 'list', nowMs: NOW_MS, sources: [], buckets: [], salt: 's' } as const;

  test.each(['timestamp asc', 'timestamp desc'])(
    'asks so many questions at most, and the next page goes on: %s',
    async (orderBy) => {
      const lanes = Array.from({ length: 200 }, (_, at) => ({
        name: `s${at}`,
        first: timeOf(at * 10),
        last: timeOf(at * 10 + 9),
      }));
      let asks = 0;
      const object = (name: string): EntryObject =>
        ({
          rows: async () => {
            asks += 1;
            const at = Number(name.slice(1));
            // One store of fifty has an entry.
            const items = at % 50 === 7 ? [[timeOf(at * 10 + 5), 'i', 'projects/p', JSON.stringify({ at })]] : [];
            return { items };
          },
        }) as unknown as EntryObject;
      const found: unknown[] = [];
      let pageToken: unknown = '';
      for (let pages = 0; pageToken !== undefined; pages += 1) {
        asks = 0;
        const page = await listShardEntries(
          TENANT,
          { call: call({ orderBy, pageToken, pageSize: 50 }), order, nowMs: 1 },
          { lanes, object },
        );
        expect(asks).toBeLessThanOrEqual(MAX_PAGE_ASKS);
        expect(pages).toBeLessThan(6);
        found.push(...entriesIn(page).map(({ at }) => at));
        pageToken = page['nextPageToken'];
      }
      const all = [7, 57, 107, 157];
      expect(found).toEqual(orderBy === 'timestamp asc' ? all : all.toReversed());
    },
  );

  /** Stores with an entry each, all of whose times overlap at one place, read to the end. */
  async function readOverlapping(lanes: readonly ShardRow[], tsOf: (name: string) => string, orderBy: string) {
    const isDescending = orderBy === 'timestamp desc';
    let asks = 0;
    const object = (name: string): EntryObject =>
      ({
        rows: async (_tenant: unknown, _order: unknown, { after, maxChars }: RowsAsk) => {
          asks += 1;
          // An answer of each is in memory at the same time.
          expect((maxChars - 1) * lanes.length).toBeLessThanOrEqual(8 * MAX_PAGE_CHARS);
          const row = [tsOf(name), 'i', 'projects/p', JSON.stringify({ name })];
          const place = { ts: tsOf(name), insertId: 'i', container: 'projects/p' };
          const side = after === undefined ? 1 : comparePlaces(place, after) * (isDescending ? -1 : 1);
          return { items: side > 0 ? [row] : [] };
        },
      }) as unknown as EntryObject;
    const found: unknown[] = [];
    let pageToken: unknown = '';
    for (let pages = 0; pageToken !== undefined; pages += 1) {
      expect(pages).toBeLessThan(12);
      asks = 0;
      const page = await listShardEntries(
        TENANT,
        { call: call({ orderBy, pageToken, pageSize: 50 }), order, nowMs: 1 },
        { lanes, object },
      );
      // Each once where all of them may have the next entry.
      expect(asks).toBeLessThanOrEqual(Math.max(MAX_PAGE_ASKS, lanes.length + 32));
      found.push(...entriesIn(page).map(({ name }) => name));
      pageToken = page['nextPageToken'];
    }
    const all = lanes.map(({ name }) => name).toSorted((a, b) => (tsOf(a) < tsOf(b) ? -1 : 1));
    expect(found).toEqual(isDescending ? all.toReversed() : all);
  }

  const minuteOf = (name: string): string => timeOf(500 + Number(name.slice(1)));

  test.each(['timestamp asc', 'timestamp desc'])(
    'goes on however many of them may have the next entry, and shows each once: %s',
    async (orderBy) => {
      for (const count of [64, 65, 200]) {
        const alike = Array.from({ length: count }, (_, at) => ({
          name: `s${at}`,
          first: timeOf(0),
          last: timeOf(1_000),
        }));
        await readOverlapping(alike, minuteOf, orderBy);
        // Some begin later or end earlier, and all overlap.
        const uneven = alike.map(({ name }, at) => ({ name, first: timeOf(at), last: timeOf(2_000 - at) }));
        await readOverlapping(uneven, minuteOf, orderBy);
      }
    },
  );

  test('of two windows of which each has 40 shards has what is at their border', async () => {
    const window = 2_900;
    const names = [window - 1, window].flatMap((group) =>
      Array.from({ length: 40 }, (_, part) => formatEntryShard(group, part)),
    );
    const lanes = names.map((name) => ({ name, ...computeUsualBounds(name) }));
    const startMs = window * WINDOW_MS;
    const tsOf = (name: string): string => {
      const { group, part } = parseShardName(name);
      return formatNanoTime(group === window ? startMs + part * 1_000 : startMs - 1_000 - part * 1_000);
    };
    await readOverlapping(lanes, tsOf, 'timestamp desc');
    await readOverlapping(lanes, tsOf, 'timestamp asc');
  });

  test('a place that two stores left half-way is gone on with in both, where each was', async () => {
    const place = { ts: timeOf(5), insertId: 'i', container: 'projects/p' };
    const asked: [string, RowsAsk['after']][] = [];
    let isTired = true;
    const object = (name: string): EntryObject =>
      ({
        rows: async (_tenant: unknown, _order: unknown, { after }: RowsAsk) => {
          asked.push([name, after]);
          if (isTired && name !== 'c') return { items: [], next: { ...place, stream: name === 'a' ? 3 : 9 } };
          return { items: after !== undefined && comparePlaces(after, place) > 0 ? [] : [] };
        },
      }) as unknown as EntryObject;
    const lanes = ['a', 'b', 'c'].map((name) => ({ name, first: timeOf(0), last: timeOf(9) }));
    const first = await listShardEntries(TENANT, { call: call({}), order, nowMs: 1 }, { lanes, object });
    [isTired, asked.length] = [false, 0];
    const next = call({ pageToken: first['nextPageToken'] });
    expect(await listShardEntries(TENANT, { call: next, order, nowMs: 1 }, { lanes, object })).toEqual({});
    expect(asked).toEqual([
      ['a', { ...place, stream: 3 }],
      ['b', { ...place, stream: 9 }],
      ['c', place],
    ]);
  });
});
