import { describe, expect, test } from 'vitest';
import { createRandomFromSeed } from '../../../../src/lib/seeded-random.ts';
import type { JsonObject } from '../../../../src/lib/json.ts';
import type { EntryObject, RowsAsk } from '../../../../src/management/log-store/entry-object.ts';
import { requireCompiledFilter } from '../../../../src/management/log-store/matchers.ts';
import type { EntryOrder } from '../../../../src/management/log-store/order.ts';
import { listShardEntries, listShardLogs } from '../../../../src/management/log-store/shards/list-shards.ts';
import { createShardPlacement } from '../../../../src/management/log-store/shards/placement.ts';
import { CALLER, TENANT } from '../../../support/management/management.ts';
import { budgetFor } from '../../../support/runner/budget.ts';
import {
  DAY_MS,
  DEFAULT,
  entryWorld,
  facts,
  NOW_MS,
  REQUIRED,
  toBucket,
  type EntryWorld,
  textIn,
} from '../entry-world.ts';

const PARTS = 4;
const LOGS = ['app', 'web', 'cloudaudit.googleapis.com%2Factivity'];
const SEVERITIES = ['DEFAULT', 'INFO', 'ERROR'];
const FILTERS = [
  '',
  'severity>=ERROR',
  'log_id("app")',
  'textPayload:"7"',
  'severity=INFO AND textPayload:"3"',
  'trace="t1"',
];
const buckets = [facts(DEFAULT, 20), facts(REQUIRED, 400)];
const sources = [{ bucket: DEFAULT }, { bucket: REQUIRED }];
const ROUTES = { 'projects/p': [toBucket(DEFAULT), toBucket(REQUIRED, 'log_id("web")', 'projects/p/sinks/_Required')] };

const missing = (): never => {
  throw new Error('Nothing to choose from');
};

type ListBody = { filter?: string; orderBy: string; pageSize: number; pageToken?: string };
type Page = { entries: readonly JsonObject[]; next: string | undefined };

/** The same history in one store, and in the shards that placement chooses. */
function twoWorlds(seed: number) {
  const next = createRandomFromSeed(String(seed));
  const pick = <T>(from: readonly T[]): T => from[Math.floor(next() * from.length)] ?? missing();
  const placement = createShardPlacement();
  placement.spread(TENANT.id, NOW_MS);
  const one = entryWorld();
  const shards = new Map<string, EntryWorld>([['', entryWorld()]]);
  let nowMs = NOW_MS;
  const shardOf = (key: string): EntryWorld => {
    // Some of the history is of before there were shards.
    const name = nowMs === NOW_MS ? '' : placement.choose(TENANT.id, { key, parts: PARTS, nowMs, weight: 1 }).name;
    const known = shards.get(name);
    if (known !== undefined) return known;
    const made = entryWorld();
    made.later(nowMs - NOW_MS);
    shards.set(name, made);
    return made;
  };
  const order = { nowMs, routes: ROUTES, buckets };
  const write = (): void => {
    const entries = Array.from({ length: 1 + Math.floor(next() * 12) }, (): JsonObject => {
      const n = Math.floor(next() * 60);
      return {
        logName: `projects/p/logs/${pick(LOGS)}`,
        severity: pick(SEVERITIES),
        // Few times and ids: the same place comes again, in the same call and in others.
        timestamp: new Date(nowMs - Math.floor(next() * 10) * pick([1, 60_000, DAY_MS])).toISOString(),
        insertId: `i${n}`,
        textPayload: `text ${n}`,
        ...(next() < 0.3 && { trace: `t${n % 3}` }),
      };
    }).map(withSameContent);
    const body = { resource: { type: 'global' }, entries };
    for (const world of [one, shardOf(textIn(entries[0] ?? {}, 'insertId'))]) world.write(body, { ...order, nowMs });
  };
  const deleteLog = (): void => {
    const logName = `projects/p/logs/${pick(LOGS)}`;
    for (const world of [one, ...shards.values()]) world.run('', { do: 'deleteLog', logName, buckets });
  };
  const later = (): void => {
    const ms = pick([1_000, 3_600_000, 3 * DAY_MS]);
    nowMs += ms;
    for (const world of [one, ...shards.values()]) {
      world.later(ms);
      world.purgeAll();
    }
  };
  const step = (): void => pick([write, write, write, write, later, later, deleteLog])();
  const lanes = () =>
    [...shards].flatMap(([name, { state }]) => {
      const bounds = state.bounds();
      return bounds === undefined ? [] : [{ name, ...bounds }];
    });
  const object = (name: string) => {
    const state = shards.get(name)?.state;
    return {
      rows: async (_tenant: unknown, asked: Extract<EntryOrder, { do: 'list' }>, ask: RowsAsk) =>
        state?.rows({ ...asked, ...ask, filter: requireCompiledFilter(ask.filter) }),
      logNames: async (
        _tenant: unknown,
        asked: Extract<EntryOrder, { do: 'logs' }>,
        ask: { after: string; limit: number },
      ) => state?.logNames(asked, ask),
    } as unknown as EntryObject;
  };
  const reading = () => ({ nowMs, sources, buckets, salt: 'salt' });
  const listOne = (body: ListBody): Page => pageOf(bodyOf(one.list(body, { ...reading() })));
  const listShards = async (body: ListBody): Promise<Page> => {
    const call = {
      method: 'logging.entries.list',
      path: {},
      query: {},
      body: { resourceNames: ['projects/p'], ...body },
      caller: CALLER,
    };
    const asked = { call, order: { do: 'list', ...reading() } as const, nowMs };
    return pageOf(await listShardEntries(TENANT, asked, { lanes: lanes(), object }));
  };
  const logsOfShards = async (): Promise<unknown> => {
    const call = { method: 'logging.projects.logs.list', path: {}, query: {}, body: {}, caller: CALLER };
    const logs = { do: 'logs', containers: ['projects/p'], ...reading() } as const;
    return listShardLogs(TENANT, { call, order: logs, nowMs }, { lanes: lanes(), object });
  };
  const logsOfOne = (): unknown => bodyOf(one.logs(reading()));
  return { step, listOne, listShards, logsOfShards, logsOfOne, pick, shards };
}

/** Entries of one place say the same: which of them is shown is not promised. */
const withSameContent = (entry: JsonObject): JsonObject => ({
  ...entry,
  ...contentOf(`${textIn(entry, 'timestamp')} ${textIn(entry, 'insertId')}`),
});

function contentOf(place: string): JsonObject {
  const next = createRandomFromSeed(place);
  const pick = (from: readonly string[]): string => from[Math.floor(next() * from.length)] ?? '';
  return {
    logName: `projects/p/logs/${pick(LOGS)}`,
    severity: pick(SEVERITIES),
    textPayload: `text ${Math.floor(next() * 90)}`,
  };
}

const bodyOf = (answer: unknown): JsonObject => (answer as { body: JsonObject }).body;
const pageOf = ({ entries = [], nextPageToken }: JsonObject): Page => ({
  entries: entries as readonly JsonObject[],
  next: nextPageToken as string | undefined,
});

async function walk(list: (body: ListBody) => Page | Promise<Page>, body: ListBody): Promise<readonly string[]> {
  const all: string[] = [];
  let pageToken: string | undefined = '';
  for (let pages = 0; pageToken !== undefined; pages += 1) {
    if (pages > 500) throw new Error('The list does not end');
    const page: Page = await list({ ...body, pageToken });
    expect(page.entries.length).toBeLessThanOrEqual(body.pageSize);
    all.push(
      ...page.entries.map(({ timestamp, insertId, textPayload }) => JSON.stringify([timestamp, insertId, textPayload])),
    );
    pageToken = page.next;
  }
  return all;
}

describe('any history of writes, deletions and expiry', () => {
  const seeds = Array.from({ length: budgetFor(12, 300) }, (_, at) => at + 1);

  test.each(seeds)('lists the same in shards as in one store: %i', async (seed) => {
    const { step, listOne, listShards, logsOfOne, logsOfShards, pick, shards } = twoWorlds(seed);
    for (let round = 0; round < 4; round += 1) {
      for (let steps = 0; steps < 15; steps += 1) step();
      for (const orderBy of ['timestamp asc', 'timestamp desc']) {
        const body = { filter: pick(FILTERS), orderBy, pageSize: pick([1, 3, 7, 50, 1_000]) };
        const expected = await walk(listOne, body);
        expect(new Set(expected).size).toBe(expected.length);
        expect(await walk(listShards, body)).toEqual(expected);
      }
      expect(await logsOfShards()).toEqual(logsOfOne());
    }
    expect(shards.size).toBeGreaterThan(2);
  });
});
