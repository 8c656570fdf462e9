import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import type { CallAnswer, Call } from '../../../src/management/core/engine/operation.ts';
import type { Tenant } from '../../../src/management/core/engine/tenant.ts';
import type { TenantCalls, TenantEmulator } from '../../../src/management/core/tenant-object.ts';
import type { JsonObject } from '../../../src/lib/json.ts';

/** A sandbox of the name, and what tests do with its object. */
export function sandbox(id = 'C00000001', mode: Tenant['mode'] = 'sandbox') {
  const tenant: Tenant = { id, mode, domain: 'example.com' };
  /** A stub is good for one test: each ends with a reset of all objects. */
  const store = () => env.RESOURCE_STORE.getByName(id) as unknown as Store;
  const call = async (
    method: string,
    sent: Partial<Pick<Call, 'path' | 'query' | 'body'>> = {},
  ): Promise<CallAnswer> => {
    const caller = { tenant: id, kind: 'service', userId: 'u', clientId: 'c', scopes: [] } as const;
    const { answer } = await store().call(tenant, { method, path: {}, query: {}, body: {}, caller, ...sent });
    return answer;
  };
  return { tenant, store, call };
}

export const bodyOf = (answer: CallAnswer): JsonObject => {
  if (answer.ok && answer.status === 200) return answer.body;
  throw new Error(`No body: ${JSON.stringify(answer)}`);
};

/** A member of an answer that is a text. */
export const textIn = (value: unknown): string => String(value);

export const USER = {
  primaryEmail: 'ada@example.com',
  name: { givenName: 'Ada', familyName: 'Abe' },
  password: 'a-pass-word',
};

/** The stub with the types of its calls: those that RPC derives of JSON have no end. */
// oxlint-disable-next-line typescript/no-redundant-type-constituents -- the linter does not know the types of Workers.
type Store = DurableObjectStub & TenantCalls & TenantEmulator;
type Counted = { statements: number; rowsRead: number; rowsWritten: number; transactions: number };

/** What a piece of work costs the object: SQL statements, rows that SQLite read, transactions that were opened. */
export async function costOf(store: DurableObjectStub, work: () => Promise<unknown>): Promise<Counted> {
  const cursors: { rowsRead: number; rowsWritten: number }[] = [];
  let transactions = 0;
  const restore = await runInDurableObject(store, (_, { storage }) => {
    const { sql } = storage;
    const real = { exec: sql.exec.bind(sql), transactionSync: storage.transactionSync.bind(storage) };
    sql.exec = ((query: string, ...bindings: unknown[]) => {
      const cursor = real.exec(query, ...bindings);
      cursors.push(cursor);
      return cursor;
    }) as typeof sql.exec;
    storage.transactionSync = ((inner: () => unknown) => {
      transactions += 1;
      return real.transactionSync(inner);
    }) as typeof storage.transactionSync;
    return () =>
      Object.assign(sql, { exec: real.exec }) && Object.assign(storage, { transactionSync: real.transactionSync });
  });
  await work();
  return runInDurableObject(store, () => {
    restore();
    const sum = (of: (cursor: { rowsRead: number; rowsWritten: number }) => number): number =>
      cursors.reduce((total, cursor) => total + of(cursor), 0);
    return {
      statements: cursors.length,
      rowsRead: sum(({ rowsRead }) => rowsRead),
      rowsWritten: sum(({ rowsWritten }) => rowsWritten),
      transactions,
    };
  });
}
