import { GRANT_ROWS, TOKEN_ROWS } from '../oauth/kv-facade.ts';
import type { Rows } from '../oauth/rows.ts';
import type { RootFacts } from './facts.ts';

/** What a shard keeps. All else is the root's. */
const KEPT = [
  GRANT_ROWS,
  TOKEN_ROWS,
  'own:refresh:',
  'own:machine:token:',
  'own:assertion:',
  'own:credit-cap:',
  'own:shard:',
];

const isKept = (key: string): boolean => KEPT.some((prefix) => key.startsWith(prefix));

/**
 * The rows of a shard with those of the root laid under them, for the length of one request: what reads a client or an
 * account finds it as in the one object of before. What the root keeps is not written here.
 * @param onRootRow hears the key of a row that the root would have to write
 */
export function createShardRows(own: Rows, facts: RootFacts, onRootRow: (key: string) => void): Rows {
  const lent = new Map(facts.map((row) => [row.key, row]));
  return {
    get: <T>(key: string) => own.get<T>(key) ?? (lent.get(key)?.value as T | undefined),
    put: (key, value, expiresAtMs) => (isKept(key) ? own.put(key, value, expiresAtMs) : onRootRow(key)),
    delete: (key) => (isKept(key) ? own.delete(key) : onRootRow(key)),
    list: own.list,
    count: own.count,
  };
}
