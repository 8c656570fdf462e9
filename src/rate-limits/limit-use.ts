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
