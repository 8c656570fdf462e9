import { generateRandomHex } from '../../../src/lib/digest.ts';
import { type MonitorBook, openMonitorBook } from '../../../src/monitors/book/book.ts';
import { computeShardOfAccount } from '../../../src/monitors/book/ids.ts';
import { readShardOfId } from '../../../src/monitors/core/monitor.ts';
import type { CreateMonitor, MonitorShardObject, MonitorShards } from '../../../src/monitors/core/protocol.ts';
import { memorySqlite } from '../management/sqlite.ts';

/** The shards of a deployment over SQLite in memory: the book that their object has, each call one transaction. */
export function memoryShards(now: () => number): { shards: MonitorShards; bookOf: (shard: number) => MonitorBook } {
  const opened = new Map<number, { book: MonitorBook; object: MonitorShardObject }>();
  const open = (shard: number) => {
    const known = opened.get(shard);
    if (known !== undefined) return known;
    const { sql, transaction } = memorySqlite();
    const book = openMonitorBook(sql, { now, random: generateRandomHex });
    const methods = Object.entries(book).map(([name, method]) => [
      name === 'test' ? 'testReceiver' : name, // As the object calls it.
      async (...given: never[]): Promise<unknown> =>
        // RPC hands over copies.
        structuredClone(transaction(() => (method as (...all: never[]) => unknown)(...given))),
    ]);
    const object = {
      ...(Object.fromEntries(methods) as MonitorShardObject),
      create: async (order: CreateMonitor) => structuredClone(transaction(() => book.create(shard, order))),
    };
    const made = { book, object };
    opened.set(shard, made);
    return made;
  };
  return {
    shards: {
      ofAccount: async (account) => open(await computeShardOfAccount(account)).object,
      ofMonitor: (id) => {
        const shard = readShardOfId(id);
        return shard === undefined ? undefined : open(shard).object;
      },
    },
    bookOf: (shard) => open(shard).book,
  };
}
