/**
 * A set of log entries as a store can find them: those whose log name, severity, time and so on are all allowed. What is
 * undefined is not limited. `isExact`: every entry in it is meant; without, some are only candidates.
 */
export type Region = {
  logNames?: readonly string[];
  logIds?: readonly string[];
  severities?: readonly number[];
  traces?: readonly string[];
  insertIds?: readonly string[];
  /** 30-character timestamps: the first instant inside, and the first one after. */
  from?: string;
  until?: string;
  isExact: boolean;
};

const LISTS = ['logNames', 'logIds', 'traces', 'insertIds'] as const;

export const EVERYTHING: Region = { isExact: true };
export const ANYTHING: Region = { isExact: false };
export const NOTHING: Region = { logNames: [], isExact: true };

export const isNothing = (region: Region): boolean =>
  region.severities?.length === 0 ||
  LISTS.some((name) => region[name]?.length === 0) ||
  (region.from !== undefined && region.until !== undefined && region.from >= region.until);

/** Entries in both. */
export function intersection(one: Region, other: Region): Region {
  const region: Region = { ...one, ...other, isExact: one.isExact && other.isExact };
  if (one.severities && other.severities) region.severities = common(one.severities, other.severities);
  for (const name of LISTS) {
    const [left, right] = [one[name], other[name]];
    if (left && right) region[name] = common(left, right);
  }
  if (one.from !== undefined && other.from !== undefined) region.from = one.from > other.from ? one.from : other.from;
  if (one.until !== undefined && other.until !== undefined)
    region.until = one.until < other.until ? one.until : other.until;
  return isNothing(region) ? NOTHING : region;
}

/** A region that has all entries of both; exact where nothing else came in. */
export function union(one: Region, other: Region): Region {
  if (isNothing(one)) return other;
  if (isNothing(other)) return one;
  if (one.isExact && holds(one, other)) return one;
  if (other.isExact && holds(other, one)) return other;
  const isExact = one.isExact && other.isExact && differencesOf(one, other) === 1 && isConnected(one, other);
  const region: Region = { isExact };
  if (one.severities && other.severities) region.severities = merged(one.severities, other.severities);
  for (const name of LISTS) {
    const [left, right] = [one[name], other[name]];
    if (left && right) region[name] = merged(left, right);
  }
  if (one.from !== undefined && other.from !== undefined) region.from = one.from < other.from ? one.from : other.from;
  if (one.until !== undefined && other.until !== undefined)
    region.until = one.until > other.until ? one.until : other.until;
  return region;
}

/** Whether every entry of the second is in the first, both taken as they are limited. */
function holds(outer: Region, inner: Region): boolean {
  const isWide = [...LISTS, 'severities' as const].every((name) => holdsAll(outer[name], inner[name]));
  const isEarly = outer.from === undefined || (inner.from !== undefined && inner.from >= outer.from);
  const isLate = outer.until === undefined || (inner.until !== undefined && inner.until <= outer.until);
  return isWide && isEarly && isLate;
}

function holdsAll(outer: readonly unknown[] | undefined, inner: readonly unknown[] | undefined): boolean {
  if (outer === undefined) return true;
  if (inner === undefined) return false;
  const known = new Set(outer);
  return inner.every((each) => known.has(each));
}

/** In how many ways two regions are limited differently; time counts once. */
function differencesOf(one: Region, other: Region): number {
  const lists = [...LISTS, 'severities' as const].filter(
    (name) => !(holdsAll(one[name], other[name]) && holdsAll(other[name], one[name])),
  );
  return lists.length + (one.from === other.from && one.until === other.until ? 0 : 1);
}

/** Two spans of time without a gap between them; lists have none. */
const isConnected = (one: Region, other: Region): boolean => !endsBefore(one, other) && !endsBefore(other, one);

const endsBefore = ({ until }: Region, { from }: Region): boolean =>
  until !== undefined && from !== undefined && until < from;

function common<T>(one: readonly T[], other: readonly T[]): T[] {
  const known = new Set(other);
  return one.filter((each) => known.has(each));
}

const merged = <T>(one: readonly T[], other: readonly T[]): T[] => [...new Set([...one, ...other])];
