import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect } from 'vitest';
import { generateRandomHex } from '../../../src/lib/digest.ts';
import type { JsonObject } from '../../../src/lib/json.ts';
import type { CallAnswer, Call } from '../../../src/management/core/engine/operation.ts';
import type { Tenant } from '../../../src/management/core/engine/tenant.ts';
import type { EntryCalls, EntryObject } from '../../../src/management/log-store/entry-object.ts';
import type { EntryOrder, Route } from '../../../src/management/log-store/order.ts';
import { openEntryShards } from '../../../src/management/log-store/shards/entry-shards.ts';
import {
  computeWindow,
  createShardPlacement,
  formatEntryShard,
  formatShardObject,
} from '../../../src/management/log-store/shards/placement.ts';
import { bodyOf } from './tenants.ts';

export const PARTS = 4;
export const BUCKET = 'projects/p/locations/global/buckets/_Default';
export const DAY_MS = 86_400_000;
export const buckets = [{ name: BUCKET, retentionDays: 30 }];
export const toBucket: Route = {
  sink: 'projects/p/sinks/_Default',
  filter: '',
  exclusions: [],
  target: { kind: 'bucket', bucket: BUCKET },
};

let tenants = 0;
type Use = (name: string, stub: EntryObject) => EntryObject;

/** A store that does not answer. */
const refuse = () => Promise.reject(new Error('down'));
export const DOWN = {
  rows: refuse,
  run: refuse,
  logNames: refuse,
  isEmpty: refuse,
  writeShard: refuse,
} as unknown as EntryObject;

/** A tenant of its own, whose writes spread over four shards. */
export function shardedTenant({ isSpread = true } = {}) {
  const tenant: Tenant = { id: `C0000shards${(tenants += 1)}`, mode: 'live', domain: 'example.com' };
  const stubOf = (name: string) =>
    // oxlint-disable-next-line typescript/no-redundant-type-constituents -- the linter does not know the types of Workers.
    env.ENTRY_STORE.getByName(formatShardObject(tenant.id, name)) as unknown as DurableObjectStub & EntryObject;
  let use: Use = (_name, stub) => stub;
  const object = (name: string): EntryObject => use(name, stubOf(name));
  const useShards = (next: Use): void => {
    use = next;
  };
  const placement = createShardPlacement();
  if (isSpread) placement.spread(tenant.id, Date.now());
  const memory = { placement, ownSpans: new Map() };
  const store: EntryCalls = openEntryShards({
    tenant,
    parts: PARTS,
    object,
    memory,
    now: () => Date.now(),
    random: generateRandomHex,
  });
  const caller: Call['caller'] = { tenant: tenant.id, kind: 'service', userId: 'u', clientId: 'c', scopes: [] };
  const callOf = (method: string, body: JsonObject, query: Call['query'] = {}): Call => ({
    method,
    path: {},
    query,
    body,
    caller,
  });
  const writeOrder = (routes: readonly Route[] = [toBucket]): Extract<EntryOrder, { do: 'write' }> => ({
    do: 'write',
    nowMs: Date.now(),
    routes: { 'projects/p': routes },
    buckets,
  });
  const bodyWith = (entries: readonly JsonObject[]): JsonObject => ({
    logName: 'projects/p/logs/app',
    resource: { type: 'global' },
    entries: [...entries],
  });
  const write = async (entries: readonly JsonObject[], routes?: readonly Route[]): Promise<void> => {
    const answer = await store.run(tenant, callOf('logging.entries.write', bodyWith(entries)), writeOrder(routes));
    expect(answer).toEqual({ ok: true, status: 200, body: {} });
  };
  /** As versions before did: into the tenant's own object. */
  const writeAsBefore = (entries: readonly JsonObject[]): Promise<CallAnswer | null> =>
    stubOf('').run(tenant, callOf('logging.entries.write', bodyWith(entries)), writeOrder());
  const reading = () => ({ nowMs: Date.now(), sources: [{ bucket: BUCKET }], buckets, salt: 's' });
  const list = async (body: JsonObject = {}, asked: Pick<EntryCalls, 'run'> = store): Promise<JsonObject> => {
    const answer = await asked.run(tenant, callOf('logging.entries.list', body), { do: 'list', ...reading() });
    if (answer === null) throw new Error('No answer');
    return bodyOf(answer);
  };
  const rowsOf = (name: string): Promise<number> =>
    runInDurableObject(stubOf(name), (_, { storage }) => {
      const tables = storage.sql.exec("SELECT name FROM sqlite_master WHERE name = 'entry'").toArray();
      return tables.length === 0 ? 0 : Number(storage.sql.exec('SELECT count(*) AS n FROM entry').one()['n']);
    });
  const names = Array.from({ length: PARTS }, (_, part) => formatEntryShard(computeWindow(Date.now()), part));
  return {
    tenant,
    store,
    stubOf,
    callOf,
    bodyWith,
    write,
    writeAsBefore,
    writeOrder,
    reading,
    list,
    rowsOf,
    names,
    useShards,
  };
}

export const textsOf = ({ entries }: JsonObject): readonly unknown[] =>
  Array.isArray(entries) ? entries.map((entry) => (entry as JsonObject)['textPayload']) : [];
const FIRST_MS = Date.now() - 60_000;
/** A second apart each. */
export const entriesOf = (count: number, from = 0): readonly JsonObject[] =>
  Array.from({ length: count }, (_, at) => ({
    textPayload: `n${from + at}`,
    insertId: `i${from + at}`,
    timestamp: new Date(FIRST_MS + (from + at) * 1_000).toISOString(),
  }));
