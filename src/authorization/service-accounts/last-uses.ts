import { DAY_MS, HOUR_MS } from '../../lib/time.ts';
import type { Rows, StoreTools } from '../oauth/rows.ts';
import { MACHINE_TOKEN_ROWS, type MachineToken } from './shapes.ts';

const USED = 'own:machine:used:';
/** A use is written down at most this often: who needs more looks at the log. */
const STEP_MS = HOUR_MS;
/** Longer than the longest life of a key. */
const REMEMBERED_MS = 400 * DAY_MS;

/** How a credential is named here: a client by its id, a key by `account:key`. */
export const formatCredential = ({ client, account, key }: Pick<MachineToken, 'client' | 'account' | 'key'>): string =>
  key === undefined ? client : `${account}:${key}`;

/** The credential that a token was got with, where a row that is written is such a token. */
export const findMachineCredential = (key: string, value: unknown): string | undefined =>
  key.startsWith(MACHINE_TOKEN_ROWS) ? formatCredential(value as MachineToken) : undefined; // Written by `issue` alone.

/** Remembers that a credential got a token now. */
export function recordMachineUse({ rows, now }: Pick<StoreTools, 'rows' | 'now'>, credential: string): void {
  const before = rows.get<number>(USED + credential);
  if (before === undefined || now() - before >= STEP_MS) rows.put(USED + credential, now(), now() + REMEMBERED_MS);
}

/** Credentials whose use an isolate remembers to have reported. */
const MAX_REPORTED = 1_000;

/**
 * Whether the root has to hear of a use: an isolate reports each credential at most once an hour, so that token requests do
 * not cost the root one call more.
 */
export function createUseMemory(now: () => number): (credential: string) => boolean {
  const reportedMs = new Map<string, number>();
  return (credential) => {
    const before = reportedMs.get(credential);
    if (before !== undefined && now() - before < STEP_MS) return false;
    reportedMs.delete(credential);
    reportedMs.set(credential, now());
    const [oldest] = reportedMs.keys();
    if (reportedMs.size > MAX_REPORTED && oldest !== undefined) reportedMs.delete(oldest);
    return true;
  };
}

/** When a credential last got a token, to the hour, in Unix milliseconds; undefined where that is not known. */
export const readLastUse = (rows: Pick<Rows, 'get'>, credential: string): number | undefined =>
  rows.get<number>(USED + credential);
