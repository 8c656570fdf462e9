import { type EntryState, MAX_ENTRY_BYTES_KEPT, OWN_BYTES_KEPT } from '../store.ts';
import type { LeaseAsk, Lease, OldestOwn, ShardDirectory } from './directory.ts';
import type { ShardName } from './placement.ts';

/** Steps in which room is made for one write of the service itself. */
const MAX_EVICTIONS = 8;

/** What a shard deleted of the service's own entries, and what it has left. */
export type Evicted = OldestOwn & { count: number; epoch: number; bytes: number };

type Tools = {
  directory: ShardDirectory;
  entries: Pick<EntryState, 'evict' | 'oldestOwn'>;
  evict: (name: ShardName) => Promise<Evicted>;
  databaseBytes: () => number;
  /** Bytes that the tenant may keep. */
  most: () => number;
};

/**
 * Grants a lease to a shard of the tenant. For what the service writes itself the oldest of its entries make room, in whichever
 * store they are. @returns undefined where there is no room
 */
export async function decideLease(ask: LeaseAsk, tools: Tools): Promise<Lease | undefined> {
  const { directory, databaseBytes, most } = tools;
  for (let evictions = 0; evictions <= MAX_EVICTIONS; evictions += 1) {
    const limit = most() + (ask.isOwn ? OWN_BYTES_KEPT : 0);
    const lease = directory.lease(ask, { most: limit, home: databaseBytes() });
    if (lease !== undefined || !ask.isOwn) return lease;
    if (!(await evictOldestOwn(tools))) return undefined;
  }
  return undefined;
}

/** @returns whether anything changed by it */
async function evictOldestOwn({ directory, entries, evict }: Tools): Promise<boolean> {
  const here = entries.oldestOwn();
  const there = directory.findOldestOwn();
  if (there === undefined || isOlder(here, there)) return entries.evict() > 0;
  const { count: _count, ...left } = await evict(there.name);
  directory.settle({ name: there.name, ...left });
  return true;
}

/** Those below NOTICE go first, wherever they are. */
function isOlder({ passing, lasting }: OldestOwn, there: { isLasting: boolean; ts: string }): boolean {
  if (passing !== undefined) return there.isLasting || passing <= there.ts;
  return lasting !== undefined && there.isLasting && lasting <= there.ts;
}

/** Bytes that a tenant may keep: those of rule K9, but for a live one whose deployment says otherwise. */
export const computeMostBytes = (mode: 'sandbox' | 'live', liveGib: number | undefined): number =>
  mode === 'live' && liveGib !== undefined ? liveGib * MAX_ENTRY_BYTES_KEPT : MAX_ENTRY_BYTES_KEPT;
