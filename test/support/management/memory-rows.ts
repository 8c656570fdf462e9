// oxlint-disable typescript/no-unnecessary-type-parameters -- as in the real table.
import { toHex } from '../../../src/lib/digest.ts';
import type { KeyValueRow, Rows, StoreTools } from '../../../src/authorization/oauth/rows.ts';

/** `Rows` in memory, with the JSON round trip of the real table. */
export function memoryRows(now: () => number): Rows {
  const table = new Map<string, { json: string; expiresAtMs: number | null }>();
  const alive = (key: string) => {
    const row = table.get(key);
    return row && (row.expiresAtMs === null || row.expiresAtMs > now()) ? row : undefined;
  };
  return {
    get: <T>(key: string) => {
      const row = alive(key);
      return row && (JSON.parse(row.json) as T);
    },
    put: (key, value, expiresAtMs) => {
      table.set(key, { json: JSON.stringify(value), expiresAtMs: expiresAtMs ?? null });
    },
    delete: (key) => {
      table.delete(key);
    },
    list: <T>(prefix: string, limit: number, after = '') =>
      [...table.keys()]
        .filter((key) => key.startsWith(prefix) && key > after)
        .toSorted()
        .flatMap((key): KeyValueRow<T>[] => {
          const row = alive(key);
          return row ? [{ key, value: JSON.parse(row.json) as T, expiresAtMs: row.expiresAtMs }] : [];
        })
        .slice(0, limit),
    count: (prefix) => [...table.keys()].filter((key) => key.startsWith(prefix) && alive(key)).length,
  };
}

/** A store whose clock is moved by hand. */
export function memoryStore(startMs = 1_800_000_000_000): StoreTools & { advance: (ms: number) => void } {
  let nowMs = startMs;
  const now = (): number => nowMs;
  return {
    rows: memoryRows(now),
    now,
    random: (bytes) => toHex(crypto.getRandomValues(new Uint8Array(bytes))),
    advance: (ms) => {
      nowMs += ms;
    },
  };
}
