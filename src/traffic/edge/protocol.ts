import type { StoredCounts } from './stored-counts.ts';
import type { SummedBatch } from './summed-batch.ts';

/** `look_due`: the proof of the account is to be looked for first. `ended`: the account no longer proves the host. */
export type Acceptance =
  | { ok: true; isNew: boolean }
  | { ok: false; reason: 'unknown_token' | 'ended' | 'too_many' }
  | { ok: false; reason: 'look_due'; account: string };

/** The counts of one host, as its object has them. */
export interface HostCountsObject {
  /** False: the account does not prove the host. */
  setCountsToken(account: string, hash: string): Promise<boolean>;
  /** Unix milliseconds; undefined: it has none. */
  countsTokenTime(account: string): Promise<number | undefined>;
  /** @param wasLooked whether the proof was just looked for */
  acceptCounts(hash: string, batch: SummedBatch, wasLooked: boolean): Promise<Acceptance>;
  readCounts(account: string, fromDay: number, toDay: number): Promise<StoredCounts>;
}
