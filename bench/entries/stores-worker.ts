import { DurableObject } from 'cloudflare:workers';
import type { Call } from '../../src/management/core/engine/operation.ts';
import type { Tenant } from '../../src/management/core/engine/tenant.ts';
import { createEntryTables } from '../../src/management/log-store/store.ts';
import { EntryStore as Ours } from '../../durable-objects/entry-store.ts';
import { BATCH, batchOf, BUCKET, FIRST_MS, type Kind, type Listed } from './workload.ts';

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
    return { rows: Number(sql.exec('SELECT count(*) AS n FROM entry').one()['n']), bytes: sql.databaseSize };
  }
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
    const ours = env.ENTRY_STORE.getByName(object);
    const raw = env.RAW_ROWS.getByName(object);
    if (call === 'copy') return Response.json((await raw['prepare']?.(await ours['newest']?.(...args))) ?? null);
    const [side, name = ''] = call.split('.');
    const result = await (side === 'raw' ? raw : ours)[name]?.(...args);
    return Response.json(result ?? null);
  },
};
