import { HOUR_MS } from '../../../lib/time.ts';
import { acceptValue, type JudgementOutcome, rejectWith } from '../../core/conventions/outcome.ts';
import type { EntryObject } from '../entry-object.ts';
import { createRetry } from '../retry.ts';
import type { PlacedEntry } from '../routing.ts';
import { type EntryState, refuseFullTenant } from '../store.ts';
import { LeaseNeeded, type RoomAsk, type ShardAddress, type ShardLease } from './lease.ts';
import { parseShardName, WINDOW_MS } from './placement.ts';
import { type RelayOutbox, splitIntoTexts } from './relay.ts';

/** Leases that one write waits for: others that write at the same time may use them up. */
const MAX_LEASES = 20;
/** A shard gives back what it did not use so long after its window: until then calls of the window may arrive. */
const SETTLE_AFTER_MS = HOUR_MS;

type Tools = {
  lease: ShardLease;
  outbox: RelayOutbox;
  entries: EntryState;
  /** Whether it has neither entries nor spans. */
  isVoid: () => boolean;
  databaseBytes: () => number;
  home: (address: ShardAddress) => EntryObject;
  now: () => number;
  log: (line: Record<string, unknown>) => void;
};

/** What an object does because it is a shard of a tenant. */
export type ShardMember = {
  /** Does a write once a lease covers it; refuses it where the tenant has no room. */
  write: <T>(address: ShardAddress, work: () => T) => Promise<JudgementOutcome<T>>;
  /** Hands on what the tenant's own object sends out, and what is followed. */
  passOn: (placed: readonly PlacedEntry[]) => Promise<void>;
  handOver: () => Promise<void>;
  /** Learns of buckets what the tenant's own object knows: to be done before anything is deleted. */
  learnBuckets: () => Promise<void>;
  /** When entries that are due to go at this time may go: later where that was not answered. */
  delayPurge: (dueMs: number) => number;
  /** Gives back what it does not use, and passes on what it knows of buckets. @returns whether it is over: empty, and no call comes any more */
  settle: () => Promise<boolean>;
  /** When it is to do that though nothing is to be deleted. */
  nextSettleMs: () => number | undefined;
};

export function createShardMember(tools: Tools): ShardMember {
  const { lease, outbox, entries, home, now, log } = tools;
  const learning = createRetry(now);
  let asking: Promise<boolean> | undefined;
  const ask = async (address: ShardAddress, asked: RoomAsk): Promise<boolean> => {
    const sent = lease.buildAsk(asked);
    const granted = await home(address).lease(address.tenant, sent);
    // The shard may have given back meanwhile what this lease counts on: then the write asks again.
    if (granted !== null && lease.epoch() === sent.epoch) lease.accept(granted);
    return granted !== null;
  };
  return {
    async write(address, work) {
      lease.become(address);
      for (let leases = 0; leases <= MAX_LEASES; leases += 1) {
        const done = tryCovered(work);
        if (!(done instanceof LeaseNeeded)) return acceptValue(done);
        const isFirst = asking === undefined;
        asking ??= ask(address, done.asked).finally(() => {
          asking = undefined;
        });
        // Who only waited for the lease of another asks next for what its own write needs.
        if (!(await asking) && isFirst) return rejectWith(refuseFullTenant().data);
      }
      throw new Error('No lease covers the write');
    },
    async passOn(placed) {
      const [address, untilMs] = [lease.address(), lease.followedUntilMs()];
      if (address === undefined || untilMs <= now()) return;
      const shown = placed.filter(({ bucket }) => bucket !== undefined);
      try {
        for (const text of splitIntoTexts(shown))
          if (!(await home(address).takeFollowed(address.tenant, text))) lease.follow(0);
      } catch (error) {
        // The write is kept; those who follow miss it, as they do what comes too fast.
        log({
          event: 'follow_failed',
          entries: shown.length,
          name: error instanceof Error ? error.name : typeof error,
        });
      }
    },
    async handOver() {
      const address = lease.address();
      if (address === undefined || !outbox.hasAny()) return;
      await outbox.handOver((relayed) => home(address).takeRelayed(address.tenant, address.name, relayed));
    },
    async learnBuckets() {
      const address = lease.address();
      if (address === undefined) return;
      const known = await learning.attempt(async () => home(address).knownBuckets(address.tenant));
      entries.learnKnown(known);
    },
    delayPurge: learning.delay,
    async settle() {
      const address = lease.address();
      if (address === undefined) return false;
      const isOver = isWindowOver(address, now()) && tools.isVoid() && !outbox.hasAny() && asking === undefined;
      const epoch = isOver ? lease.end() : lease.shrink();
      const left = { name: address.name, epoch, bytes: tools.databaseBytes(), ...entries.oldestOwn(), isVoid: isOver };
      await home(address).settle(address.tenant, { ...left, buckets: entries.buckets() });
      return isOver && asking === undefined;
    },
    nextSettleMs() {
      const address = lease.address();
      const dueMs = address === undefined ? undefined : computeSettleMs(address);
      return dueMs === undefined || dueMs <= now() ? undefined : dueMs;
    },
  };
}

function tryCovered<T>(work: () => T): T | LeaseNeeded {
  try {
    return work();
  } catch (error) {
    if (error instanceof LeaseNeeded) return error;
    throw error;
  }
}

/** Shards of spans have no window: they stay. */
function computeSettleMs({ name }: ShardAddress): number | undefined {
  const { kind, group } = parseShardName(name);
  return kind === 'entries' ? (group + 1) * WINDOW_MS + SETTLE_AFTER_MS : undefined;
}

const isWindowOver = (address: ShardAddress, nowMs: number): boolean =>
  nowMs >= (computeSettleMs(address) ?? Number.POSITIVE_INFINITY);
