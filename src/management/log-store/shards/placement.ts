import { DAY_MS, MINUTE_MS } from '../../../lib/time.ts';
import { formatNanoTime } from '../times.ts';

/** What is received in one window of real time lies together, and goes together when it is no longer kept. */
export const WINDOW_MS = 7 * DAY_MS;
/** Entries whose time is so little outside the window in which they came need no word with the directory. */
const USUAL_DELAY_MS = 10 * MINUTE_MS;
/** Entries that the first shard of a window takes before the others are used: a quiet tenant has one object a window. */
export const QUIET_ENTRIES = 1_000;
/** Shards of one window. */
export const MAX_SHARD_PARTS = 64;

/** Times that no entry of a shard is outside of, both included: 30 characters each. */
export type Bounds = { first: string; last: string };

/** An object of a tenant: '' is its own, `entries/2950/3` the fourth shard of a window, `spans/8/3` the fourth of eight. */
export type ShardName = string;

export const computeWindow = (nowMs: number): number => Math.floor(nowMs / WINDOW_MS);
export const formatEntryShard = (window: number, part: number): ShardName => `entries/${window}/${part}`;
export const formatSpanShard = (parts: number, part: number): ShardName => `spans/${parts}/${part}`;
/** The name of the object itself. Ids of tenants have no `/`. */
export const formatShardObject = (tenant: string, name: ShardName): string =>
  name === '' ? tenant : `${tenant}/${name}`;

/** The parts of a name: `entries`, its window, its number. */
export function parseShardName(name: ShardName): { kind: string; group: number; part: number } {
  const [kind = '', group, part] = name.split('/');
  return { kind, group: Number(group), part: Number(part) };
}

/** Times that entries of a shard usually have: those of its window. */
export function computeUsualBounds(name: ShardName): Bounds {
  const startMs = parseShardName(name).group * WINDOW_MS;
  return {
    first: formatNanoTime(startMs - USUAL_DELAY_MS),
    last: formatNanoTime(startMs + WINDOW_MS + USUAL_DELAY_MS),
  };
}

const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;
/** Mixes what FNV leaves of the last characters into all bits (murmur3's last step). */
const MIX = [0x85ebca6b, 0xc2b2ae35] as const;

/** A number of 32 bits that texts spread evenly over. */
export function hashPlacementKey(text: string): number {
  let hash = FNV_OFFSET;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), FNV_PRIME);
  hash = Math.imul(hash ^ (hash >>> 16), MIX[0]);
  hash = Math.imul(hash ^ (hash >>> 13), MIX[1]);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** The shard that a trace lies in, whole. */
export const computeTracePart = (project: string, traceId: string, parts: number): number =>
  hashPlacementKey(`${project} ${traceId}`) % parts;

/** Where the next call of a tenant goes. `isQuiet`: to the first shard because no other is known to be needed. */
export type ChosenShard = { name: ShardName; isQuiet: boolean };

/** Chooses shards for the calls of one isolate. */
export type ShardPlacement = {
  /**
   * One of two shards that `key` names, the one that got less: what is sent twice mostly comes to where it is, and a large
   * call does not fill one shard. @param weight entries of the call
   */
  choose: (tenant: string, asked: { key: string; parts: number; nowMs: number; weight: number }) => ChosenShard;
  /** The first shard of the window has enough: the tenant's calls use all. */
  spread: (tenant: string, nowMs: number) => void;
};

/** Tenants that an isolate knows the loads of; beyond them it begins anew, which costs a call of each a second try. */
const MAX_REMEMBERED = 1_000;

type Loads = { window: number; isSpread: boolean; sent: number[] };

export function createShardPlacement(): ShardPlacement {
  const known = new Map<string, Loads>();
  const loadsOf = (tenant: string, nowMs: number): Loads => {
    const window = computeWindow(nowMs);
    const before = known.get(tenant);
    if (before?.window === window) return before;
    if (known.size >= MAX_REMEMBERED) known.clear();
    // A tenant that was busy is busy: the next window begins with all shards.
    const loads = { window, isSpread: before?.isSpread === true, sent: [] };
    known.set(tenant, loads);
    return loads;
  };
  return {
    choose(tenant, { key, parts, nowMs, weight }) {
      const loads = loadsOf(tenant, nowMs);
      if (!loads.isSpread) return { name: formatEntryShard(loads.window, 0), isQuiet: true };
      const part = chooseLighterPart(key, parts, loads.sent);
      loads.sent[part] = (loads.sent[part] ?? 0) + weight;
      return { name: formatEntryShard(loads.window, part), isQuiet: false };
    },
    spread: (tenant, nowMs) => {
      loadsOf(tenant, nowMs).isSpread = true;
    },
  };
}

function chooseLighterPart(key: string, parts: number, sent: readonly number[]): number {
  const hash = hashPlacementKey(key);
  const one = hash % parts;
  if (parts === 1) return one;
  const step = 1 + (Math.floor(hash / parts) % (parts - 1));
  const other = (one + step) % parts;
  return (sent[other] ?? 0) < (sent[one] ?? 0) ? other : one;
}
