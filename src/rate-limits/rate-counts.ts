import { MINUTE_MS, MINUTE_S, computeSecondsUntil } from '../lib/time.ts';

/** Callers that one object remembers; beyond it the oldest are forgotten, which only makes the limit laxer. */
const MAX_CALLERS = 20_000;

/** A wish to count events of one caller against a limit a minute. */
export type RateOrder = {
  /** Who is counted for what: a limit's name and a hash of its caller. */
  key: string;
  quota: number;
  /** Events that must all have room. */
  needed: number;
  /** Further events that are taken as far as there is room: the isolate counts them itself. */
  ahead: number;
};

/** What was counted. Where the needed events had no room, `taken` is 0, and the refusal itself was counted as one event. */
export type RateCountResult = {
  taken: number;
  /** Events that are left in this window. */
  left: number;
  /** Milliseconds until the window ends. */
  resetMs: number;
};

type RateWindows = {
  take: (order: RateOrder, nowMs: number) => RateCountResult;
  /** What the windows that run have counted. */
  uses: (nowMs: number) => LimitUses;
};

/** Counts events in fixed windows of a minute, each of which begins with its first event. In memory: it guards load, not money. */
export function createRateWindows(): RateWindows {
  const windows = new Map<string, { startMs: number; events: number }>();
  return {
    uses: (nowMs) => {
      const running = [...windows].filter(([, { startMs }]) => nowMs - startMs < MINUTE_MS);
      return computeLimitUses(running.map(([key, { events }]) => [key, events]));
    },
    take: ({ key, quota, needed, ahead }, nowMs) => {
      const known = windows.get(key);
      const window = known && nowMs - known.startMs < MINUTE_MS ? known : { startMs: nowMs, events: 0 };
      const room = Math.max(0, quota - window.events);
      const isRefused = needed > room;
      const cost = Math.min(room, isRefused ? 1 : needed + ahead); // Refusals that cost nothing would come for ever.
      window.events += cost;
      windows.delete(key); // Put in again at the end, so that the first is the one that was not seen for longest.
      windows.set(key, window);
      forget(windows);
      return { taken: isRefused ? 0 : cost, left: room - cost, resetMs: window.startMs + MINUTE_MS - nowMs };
    },
  };
}

function forget(windows: Map<string, unknown>): void {
  if (windows.size <= MAX_CALLERS) return;
  const [oldest] = windows.keys();
  if (oldest !== undefined) windows.delete(oldest);
}

/** The counter objects, each of which counts some of the callers: `RateCounter` of this Worker. */
export type RateCounters = { getByName: (name: string) => { take: (order: RateOrder) => Promise<RateCountResult> } };

/**
 * Whether events may happen, and what headers tell of it. Without `left` nothing of ours was counted. `isTooLarge`: they
 * are more than a minute has, so that they may never happen together.
 */
export type RateAllowance = { isAllowed: boolean; retryAfterS: number; left?: number; isTooLarge?: true };

/** Who does what how often: `policy` is the limit's name, `quota` its events a minute. */
export type Events = { policy: string; caller: string; quota: number; count: number };

/** What this isolate may still give out of what the object counted for it, or that nothing is left, until `endMs`. */
type Block = { quota: number; ahead: number; left: number; endMs: number };

const SHARDS = 64;
const buildCounterName = (shard: number): string => `rate-${shard}`;
/** The names of all counter objects. */
export const COUNTER_NAMES: readonly string[] = Array.from({ length: SHARDS }, (_none, shard) =>
  buildCounterName(shard),
);
/** Callers remembered per isolate. Who is forgotten is asked for again. */
const MAX_BLOCKS = 10_000;
/** An isolate takes a hundredth of a quota at once: small ones are exact, large ones ask seldom. */
const BLOCKS_A_MINUTE = 100;

const blocks = new Map<string, Block>();
/** Callers that the object is being asked about. */
const asking = new Set<string>();

/**
 * Counts events against a quota that an operator chose. One object counts each caller across isolates; an isolate that
 * learned that nothing is left does not ask again in this minute. A refusal costs one event, so that refusals do not
 * ask for ever. When the object fails, the events may happen: it guards load, not money.
 */
export async function countEvents(counters: RateCounters, events: Events, nowMs: number): Promise<RateAllowance> {
  if (events.count <= events.quota) return countInWindow(counters, events, nowMs);
  const asOne = await countInWindow(counters, { ...events, count: 1 }, nowMs);
  return asOne.isAllowed ? { ...asOne, isAllowed: false, isTooLarge: true } : asOne;
}

/** Whether one more event might happen now, which counts nothing. What is counted later may still be refused. */
export async function readEventAllowance(
  counters: RateCounters,
  { policy, caller, quota }: Omit<Events, 'count'>,
  nowMs: number,
): Promise<RateAllowance> {
  const key = `${policy} ${caller}`;
  const ahead = findBlock(key, quota, nowMs)?.ahead ?? 0;
  try {
    const verdict = await counters.getByName(selectCounterShard(key)).take({ key, quota, needed: 0, ahead: 0 });
    const block = { quota, ahead, left: verdict.left, endMs: nowMs + verdict.resetMs };
    return ahead + verdict.left > 0 ? allowEvents(block, nowMs) : refuseEvents(block, nowMs);
  } catch {
    return { isAllowed: true, retryAfterS: 0 };
  }
}

async function countInWindow(counters: RateCounters, events: Events, nowMs: number): Promise<RateAllowance> {
  const { policy, caller, quota, count } = events;
  const key = `${policy} ${caller}`;
  const known = findBlock(key, quota, nowMs);
  if (known && known.ahead >= count) {
    known.ahead -= count;
    return allowEvents(known, nowMs);
  }
  if (known?.left === 0) {
    known.ahead = Math.max(0, known.ahead - 1);
    return refuseEvents(known, nowMs);
  }
  // One question at a time takes more than it needs: a burst would leave other isolates nothing.
  const isFirst = !asking.has(key);
  const ahead = isFirst ? Math.floor(quota / BLOCKS_A_MINUTE) : 0;
  asking.add(key);
  try {
    const verdict = await counters.getByName(selectCounterShard(key)).take({ key, quota, needed: count, ahead });
    return rememberBlock(key, { quota, count }, verdict, nowMs);
  } catch {
    return { isAllowed: true, retryAfterS: 0 };
  } finally {
    if (isFirst) asking.delete(key);
  }
}

function rememberBlock(
  key: string,
  { quota, count }: Pick<Events, 'quota' | 'count'>,
  { taken, left, resetMs }: RateCountResult,
  nowMs: number,
): RateAllowance {
  const spare = (findBlock(key, quota, nowMs)?.ahead ?? 0) + Math.max(0, taken - count);
  const block = { quota, left, ahead: spare, endMs: nowMs + resetMs };
  if (blocks.size >= MAX_BLOCKS) blocks.clear();
  blocks.set(key, block);
  if (taken > 0) return allowEvents(block, nowMs);
  if (spare < count) return refuseEvents(block, nowMs);
  block.ahead -= count; // Another question of this isolate took the last ones ahead.
  return allowEvents(block, nowMs);
}

function findBlock(key: string, quota: number, nowMs: number): Block | undefined {
  const known = blocks.get(key);
  return known?.quota === quota && nowMs < known.endMs ? known : undefined;
}

const allowEvents = ({ ahead, left, endMs }: Block, nowMs: number): RateAllowance => ({
  isAllowed: true,
  retryAfterS: computeSecondsUntil(endMs, nowMs),
  left: left + ahead,
});

const refuseEvents = (block: Block, nowMs: number): RateAllowance => ({
  ...allowEvents(block, nowMs),
  isAllowed: false,
});

/** FNV-1a: spreads callers over the objects; it need not keep anything secret. */
function selectCounterShard(key: string): string {
  let hash = 0x81_1c_9d_c5;
  for (let index = 0; index < key.length; index += 1) hash = Math.imul(hash ^ key.charCodeAt(index), 0x01_00_01_93);
  return buildCounterName((hash >>> 0) % SHARDS);
}

/** `RateLimit-Policy` and, where something of ours was counted, `RateLimit` (draft-ietf-httpapi-ratelimit-headers-11). */
export function formatRateHeaders(policy: string, quota: number, { left, retryAfterS }: Partial<RateAllowance> = {}) {
  return {
    'ratelimit-policy': `"${policy}";q=${quota};w=${MINUTE_S}`,
    ...(left === undefined ? {} : { ratelimit: `"${policy}";r=${left};t=${retryAfterS ?? MINUTE_S}` }),
  };
}

/**
 * What was counted of a limit in the minutes that run: how many callers, all their events, and those of the busiest, as a
 * counter took them. An isolate takes some ahead: there may have been fewer.
 */
export type LimitUse = { callers: number; events: number; most: number };

/** Use by the name of the limit; one that is not there was not counted. */
export type LimitUses = Readonly<Record<string, LimitUse>>;

/** The use that windows of callers come to: keys are a limit's name, a space, and a caller. */
export const computeLimitUses = (windows: Iterable<readonly [key: string, events: number]>): LimitUses =>
  addUses([...windows].map(([key, events]) => ({ [extractLimitName(key)]: { callers: 1, events, most: events } })));

/** The use of several counters together: no caller is counted by two. */
export function addUses(parts: readonly LimitUses[]): LimitUses {
  const sums = new Map<string, LimitUse>();
  for (const [name, use] of parts.flatMap((part) => Object.entries(part))) sums.set(name, sum(sums.get(name), use));
  return Object.fromEntries(sums);
}

const extractLimitName = (key: string): string => key.slice(0, key.indexOf(' '));

const sum = (one: LimitUse | undefined, other: LimitUse): LimitUse =>
  one === undefined
    ? other
    : {
        callers: one.callers + other.callers,
        events: one.events + other.events,
        most: Math.max(one.most, other.most),
      };

/** The counter objects of a Worker, as far as their counts are read. */
export type UseReader = { getByName: (name: string) => { uses: () => Promise<LimitUses> } };

/** What all counter objects of this Worker counted in the minutes that run. @throws what asking an object throws */
export async function readLimitUses(counters: UseReader): Promise<LimitUses> {
  return addUses(await Promise.all(COUNTER_NAMES.map((name) => counters.getByName(name).uses())));
}
