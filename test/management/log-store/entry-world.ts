import type { CallAnswer, Call } from '../../../src/management/core/engine/operation.ts';
import type { EntryOrder, Route, EntrySource } from '../../../src/management/log-store/order.ts';
import type { PlacedEntry } from '../../../src/management/log-store/routing.ts';
import { createEntryStore } from '../../../src/management/log-store/store.ts';
import { isObject, type JsonObject } from '../../../src/lib/json.ts';
import { CALLER, TENANT } from '../../support/management/management.ts';
import { memorySqlite } from '../../support/management/sqlite.ts';

export const NOW_MS = Date.UTC(2026, 10, 21, 12);
export const DAY_MS = 86_400_000;
export const DEFAULT = 'projects/p/locations/global/buckets/_Default';
export const REQUIRED = 'projects/p/locations/global/buckets/_Required';

export const facts = (name: string, retentionDays = 30) => ({ name, retentionDays });
export const toBucket = (bucket: string, filter = '', sink = 'projects/p/sinks/_Default'): Route => ({
  sink,
  filter,
  exclusions: [],
  target: { kind: 'bucket', bucket },
});

const BUCKETS = [facts(DEFAULT), facts(REQUIRED, 400)];
const ROUTES: Readonly<Record<string, readonly Route[]>> = { 'projects/p': [toBucket(DEFAULT)] };
type WriteOrder = Extract<EntryOrder, { do: 'write' }>;

/** The entries of one tenant over SQLite in memory, with hand-made orders. */
export function entryWorld(database = memorySqlite()) {
  let nowMs = NOW_MS;
  let bytes = 0;
  const statements: string[] = [];
  const { sql, transaction } = database;
  const rows = { read: 0 };
  const counting: typeof sql = {
    exec: (query, ...bindings) => {
      statements.push(query);
      const found = sql.exec(query, ...bindings);
      const all = found.toArray();
      if (query.includes('insert_id, json FROM entry')) rows.read += all.length;
      return found;
    },
  };
  const state = createEntryStore({
    sql: counting,
    transaction,
    now: () => nowMs,
    random: (count) => 'ab'.repeat(count),
    databaseBytes: () => bytes,
  });
  const placed: PlacedEntry[] = [];
  state.onWritten((each) => placed.push(...each));
  const run = (method: string, order: EntryOrder, sent: Partial<Call> = {}): CallAnswer | null =>
    state.run(TENANT, { method, path: {}, query: {}, body: {}, caller: CALLER, ...sent }, order);
  const write = (body: JsonObject, order: Partial<WriteOrder> = {}): CallAnswer | null =>
    run('logging.entries.write', { do: 'write', nowMs, routes: ROUTES, buckets: BUCKETS, ...order }, { body });
  const list = (body: JsonObject = {}, order: Partial<Extract<EntryOrder, { do: 'list' }>> = {}): CallAnswer | null => {
    const sources: readonly EntrySource[] = [{ bucket: DEFAULT }, { bucket: REQUIRED }];
    return run(
      'logging.entries.list',
      { do: 'list', nowMs, sources, buckets: BUCKETS, salt: 'salt', ...order },
      { body: { resourceNames: ['projects/p'], ...body } },
    );
  };
  return {
    state,
    sql,
    placed,
    rows,
    statements,
    run,
    write,
    list,
    /** Writes entries that must be taken. */
    wrote: (...entries: readonly JsonObject[]): void => {
      const answer = write({ logName: 'projects/p/logs/app', resource: { type: 'global' }, entries: [...entries] });
      if (answer?.ok !== true) throw new Error(`Not written: ${JSON.stringify(answer)}`);
    },
    /** The entries of a page that must be given. */
    entries: (body: JsonObject = {}, order: Parameters<typeof list>[1] = {}): readonly JsonObject[] =>
      entriesOf(list(body, order)),
    logs: (order: Partial<Extract<EntryOrder, { do: 'logs' }>> = {}, query: Call['query'] = {}): CallAnswer | null =>
      run(
        'logging.projects.logs.list',
        {
          do: 'logs',
          nowMs,
          containers: ['projects/p'],
          sources: [{ bucket: DEFAULT }, { bucket: REQUIRED }],
          buckets: BUCKETS,
          salt: 'salt',
          ...order,
        },
        { query },
      ),
    later: (ms: number): void => {
      nowMs += ms;
    },
    /** The same database, in an object that starts again. */
    reopened: () => entryWorld(database),
    /** As if the database took so many bytes. */
    takes: (count: number): void => {
      bytes = count;
    },
    /** Deletes until nothing is due. */
    purgeAll: (): number => {
      let steps = 0;
      for (; (state.nextPurgeMs() ?? Number.POSITIVE_INFINITY) <= nowMs && steps < 1_000; steps += 1) state.purge();
      return steps;
    },
  };
}

/** Its parts, for those who make several. */
export type EntryWorld = ReturnType<typeof entryWorld>;

export const bodyOf = (answer: CallAnswer | null): JsonObject => {
  if (answer?.ok === true && answer.status === 200) return answer.body;
  throw new Error(`No body: ${JSON.stringify(answer)}`);
};

export const entriesOf = (answer: CallAnswer | null): readonly JsonObject[] => {
  const { entries = [] } = bodyOf(answer);
  return Array.isArray(entries) ? entries.filter(isObject) : [];
};

/** `<status> <word>: <message>` of a refusal. */
export const refusalOf = (answer: CallAnswer | null): string => {
  if (answer === null || answer.ok) throw new Error(`Not refused: ${JSON.stringify(answer)}`);
  return `${answer.refusal.status} ${answer.refusal.word}: ${answer.refusal.message}`;
};

/** A member that is a text; '' for any other. */
export const textIn = (body: JsonObject, name: string): string => {
  const { [name]: value } = body;
  return typeof value === 'string' ? value : '';
};

export const texts = (entries: readonly JsonObject[]): readonly (string | undefined)[] =>
  entries.map(({ textPayload }) => (typeof textPayload === 'string' ? textPayload : undefined));
