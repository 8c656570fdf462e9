import { DurableObject } from 'cloudflare:workers';
import { generateRandomHex } from '../../src/lib/digest.ts';
import type { JsonObject } from '../../src/lib/json.ts';
import type { Call } from '../../src/management/core/engine/operation.ts';
import type { Tenant } from '../../src/management/core/engine/tenant.ts';
import type { EntryObject } from '../../src/management/log-store/entry-object.ts';
import { openEntryShards, type ShardMemory } from '../../src/management/log-store/shards/entry-shards.ts';
import {
  computeWindow,
  createShardPlacement,
  formatEntryShard,
  formatShardObject,
} from '../../src/management/log-store/shards/placement.ts';
import { createEntryTables } from '../../src/management/log-store/store.ts';
import { EntryStore as Ours } from '../../durable-objects/entry-store.ts';
import { BATCH, batchesOf, batchOf, BUCKET, FIRST_MS, type Kind, type Listed } from './workload.ts';

type Row = [stream: number, ts: string, insertId: string, receivedMs: number, trace: string | null, json: string];

const TENANT: Tenant = { id: 'C00000001', mode: 'sandbox', domain: 'example.com' };
const caller: Call['caller'] = { tenant: TENANT.id, kind: 'service', userId: 'u', clientId: 'c', scopes: [] };
const route = {
  sink: 'projects/p/sinks/_Default',
  filter: '',
  exclusions: [],
  target: { kind: 'bucket', bucket: BUCKET },
};
/** The tenant's clock, some days after the last entry. */
const NOW_MS = FIRST_MS + 5 * 86_400_000;
const order = { nowMs: NOW_MS, buckets: [{ name: BUCKET, retentionDays: 30 }] };
const WRITE = { do: 'write', ...order, routes: { 'projects/p': [route] } } as const;
const LIST = { do: 'list', ...order, sources: [{ bucket: BUCKET }], salt: 'salt' } as const;

/** A shard whose tenant's own object is another. */
const SHARD = { tenant: { ...TENANT, id: 'C0shard' }, name: formatEntryShard(computeWindow(NOW_MS), 0) };

/** As a body comes off the wire. */
const parsed = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

/** The store of entries as deployed, with work to do ready in memory. */
export class EntryStore extends Ours {
  readonly #ready: Call[] = [];

  prepare(from: number, batches: number, kind: Kind): void {
    for (let at = 0; at < batches; at += 1) {
      const body = parsed(batchOf(from + at * BATCH, kind));
      this.#ready.push({ method: 'logging.entries.write', path: {}, query: {}, body, caller });
    }
  }

  /** What asking the object takes. */
  nothing(): void {}

  async writeNext(): Promise<void> {
    const call = this.#ready.shift();
    const answer = call && (await this.run(TENANT, call, WRITE as Parameters<Ours['run']>[2]));
    if (answer?.ok !== true) throw new Error(`Not written: ${JSON.stringify(answer)}`);
  }

  /** Calls of one entry each. */
  prepareSingles(from: number, count: number, kind: Kind): void {
    for (const { entries, ...body } of batchesOf(from, count, kind))
      for (const entry of Array.isArray(entries) ? entries : [])
        this.#ready.push({
          method: 'logging.entries.write',
          path: {},
          query: {},
          body: parsed({ ...body, entries: [entry] }),
          caller,
        });
  }

  /** Writes what is ready, call by call: as a store without shards, or as a shard with a lease. */
  async writeReady(count: number, isShard: boolean): Promise<void> {
    for (let call = 0; call < count; call += 1) {
      const next = this.#ready.shift();
      if (next === undefined) throw new Error('Nothing is ready');
      const write = WRITE as Parameters<Ours['run']>[2];
      if (isShard) await this.writeShard(SHARD, { call: next, order: write, isQuiet: false });
      else await this.run(TENANT, next, write);
    }
  }

  /** Rows as they are stored, the newest `count` of them, the oldest first. */
  newest(count: number): Row[] {
    const { sql } = this.ctx.storage;
    const text = 'SELECT stream, ts, insert_id, received_ms, trace, json FROM entry ORDER BY seq DESC LIMIT ? OFFSET ?';
    return [...sql.exec(text, BATCH, count - BATCH).raw()].toReversed() as Row[];
  }

  async list(body: Record<string, string | number>): Promise<Listed> {
    const call: Call = {
      method: 'logging.entries.list',
      path: {},
      query: {},
      body: { resourceNames: ['projects/p'], ...body },
      caller,
    };
    const { sql } = this.ctx.storage;
    const exec = sql.exec.bind(sql);
    const cursors: { rowsRead: number }[] = [];
    sql.exec = ((text: string, ...bindings: unknown[]) => {
      const cursor = exec(text, ...bindings);
      cursors.push(cursor);
      return cursor;
    }) as typeof sql.exec;
    const answer = await this.run(TENANT, call, LIST);
    sql.exec = exec;
    if (answer?.ok !== true || answer.status !== 200) throw new Error(`Not listed: ${JSON.stringify(answer)}`);
    const { entries, nextPageToken } = answer.body;
    return {
      entries: Array.isArray(entries) ? entries.length : 0,
      rowsRead: cursors.reduce((sum, { rowsRead }) => sum + rowsRead, 0),
      hasNext: nextPageToken !== undefined,
    };
  }

  count(): { rows: number; bytes: number } {
    const { sql } = this.ctx.storage;
    createEntryTables(sql); // Of a shard that nothing was written to.
    return { rows: Number(sql.exec('SELECT count(*) AS n FROM entry').one()['n']), bytes: sql.databaseSize };
  }
}

const TEN = 10;

/** What a test tenant has in shards, as the Worker asks for it. */
function shardsOf(id: string, parts: number, { ENTRY_STORE }: Stores) {
  const tenant: Tenant = { ...TENANT, id, mode: 'live' };
  const store = openEntryShards({
    tenant,
    parts,
    object: (name) => ENTRY_STORE.getByName(formatShardObject(id, name)) as unknown as EntryObject,
    memory: memoryOf(id),
    now: () => Date.now(),
    random: generateRandomHex,
  });
  const write = async (body: JsonObject): Promise<void> => {
    const call: Call = { method: 'logging.entries.write', path: {}, query: {}, body, caller };
    const answer = await store.run(tenant, call, WRITE as Parameters<Ours['run']>[2]);
    if (answer?.ok !== true) throw new Error(`Not written: ${JSON.stringify(answer)}`);
  };
  return {
    /** Calls of ten entries. */
    async fillTens(from: number, count: number, kind: Kind): Promise<null> {
      for (const { entries, ...body } of batchesOf(from, count, kind))
        for (let at = 0; Array.isArray(entries) && at < entries.length; at += TEN)
          await write({ ...body, entries: entries.slice(at, at + TEN) });
      return null;
    },
    async fillSingles(from: number, count: number, kind: Kind): Promise<null> {
      for (const { entries, ...body } of batchesOf(from, count, kind))
        for (const entry of Array.isArray(entries) ? entries : []) await write({ ...body, entries: [entry] });
      return null;
    },
    async list(body: JsonObject, calls: number): Promise<number> {
      let entries: unknown;
      for (let at = 0; at < calls; at += 1) {
        const sent = { resourceNames: ['projects/p'], ...body };
        const call: Call = { method: 'logging.entries.list', path: {}, query: {}, body: sent, caller };
        const answer = await store.run(tenant, call, LIST);
        if (answer?.ok !== true || !('body' in answer)) throw new Error(`Not listed: ${JSON.stringify(answer)}`);
        ({ entries } = answer.body);
      }
      return Array.isArray(entries) ? entries.length : 0;
    },
    /** Rows of each shard. */
    async rows(): Promise<readonly number[]> {
      const window = computeWindow(Date.now());
      const names = Array.from({ length: parts }, (_, part) => formatShardObject(id, formatEntryShard(window, part)));
      const counts = await Promise.all(names.map((name) => ENTRY_STORE.getByName(name)['count']?.()));
      return counts.map((count) => (count as { rows: number }).rows);
    },
  };
}

const memories = new Map<string, ShardMemory>();
function memoryOf(id: string): ShardMemory {
  const memory = memories.get(id) ?? { placement: createShardPlacement(), ownSpans: new Map() };
  memories.set(id, memory);
  return memory;
}

/** The same tables and indexes, and rows that are ready to be put into them. */
export class RawRows extends DurableObject<unknown> {
  readonly #ready: Row[][] = [];

  constructor(ctx: DurableObjectState, env: unknown) {
    super(ctx, env);
    createEntryTables(ctx.storage.sql);
  }

  prepare(rows: Row[]): void {
    this.#ready.push(parsed(rows));
  }

  writeNext(): void {
    const rows = this.#ready.shift() ?? [];
    const { storage } = this.ctx;
    const { sql } = storage;
    if (rows.length !== BATCH) throw new Error(`${rows.length} rows are ready`);
    storage.transactionSync(() => {
      for (const row of rows)
        sql.exec(
          'INSERT INTO entry (stream, ts, insert_id, received_ms, trace, json) VALUES (?, ?, ?, ?, ?, ?)',
          ...row,
        );
    });
  }

  count(): { rows: number; bytes: number } {
    const { sql } = this.ctx.storage;
    return { rows: Number(sql.exec('SELECT count(*) AS n FROM entry').one()['n']), bytes: sql.databaseSize };
  }
}

type Ask = { object: string; call: string; args: readonly unknown[] };
type Named = { getByName: (name: string) => Record<string, (...args: readonly unknown[]) => Promise<unknown>> };
type Stores = { ENTRY_STORE: Named; RAW_ROWS: Named };

/** Passes a question on to an object: `ours...` or `raw...`. `copy` hands rows of one to the other. */
export default {
  async fetch(request: Request, env: Stores): Promise<Response> {
    if (request.method !== 'POST') return new Response('ok');
    const { object, call, args } = (await request.json()) as Ask;
    if (call.startsWith('shards.')) {
      const [parts, ...rest] = args as [number, ...unknown[]];
      const asked = shardsOf(object, parts, env) as unknown as Record<string, (...sent: unknown[]) => Promise<unknown>>;
      return Response.json((await asked[call.slice('shards.'.length)]?.(...rest)) ?? null);
    }
    const ours = env.ENTRY_STORE.getByName(object);
    const raw = env.RAW_ROWS.getByName(object);
    if (call === 'copy') return Response.json((await raw['prepare']?.(await ours['newest']?.(...args))) ?? null);
    const [side, name = ''] = call.split('.');
    const result = await (side === 'raw' ? raw : ours)[name]?.(...args);
    return Response.json(result ?? null);
  },
};
