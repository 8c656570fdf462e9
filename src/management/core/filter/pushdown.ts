import type { FilterComparison, Expression, ParsedFilter, FunctionCall } from './ast.ts';
import { createValueTest } from './comparisons.ts';
import { SEVERITY_RANKS } from './severity.ts';
import { parseFilterInstant, computeNextNanosecond } from './timestamps.ts';

/**
 * A set of log entries as a store can find them: those whose log name, severity, time and so on are all allowed. What is
 * undefined is not limited. `isExact`: every entry in it is meant; without, some are only candidates.
 */
type Region = {
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

const EVERYTHING: Region = { isExact: true };
const ANYTHING: Region = { isExact: false };
const NOTHING: Region = { logNames: [], isExact: true };

const isNothing = (region: Region): boolean =>
  region.severities?.length === 0 ||
  LISTS.some((name) => region[name]?.length === 0) ||
  (region.from !== undefined && region.until !== undefined && region.from >= region.until);

/** Entries in both. */
function intersectRegions(one: Region, other: Region): Region {
  const region: Region = { ...one, ...other, isExact: one.isExact && other.isExact };
  if (one.severities && other.severities) region.severities = intersectLists(one.severities, other.severities);
  for (const name of LISTS) {
    const [left, right] = [one[name], other[name]];
    if (left && right) region[name] = intersectLists(left, right);
  }
  if (one.from !== undefined && other.from !== undefined) region.from = one.from > other.from ? one.from : other.from;
  if (one.until !== undefined && other.until !== undefined)
    region.until = one.until < other.until ? one.until : other.until;
  return isNothing(region) ? NOTHING : region;
}

/** A region that has all entries of both; exact where nothing else came in. */
function uniteRegions(one: Region, other: Region): Region {
  if (isNothing(one)) return other;
  if (isNothing(other)) return one;
  if (one.isExact && hasEveryEntry(one, other)) return one;
  if (other.isExact && hasEveryEntry(other, one)) return other;
  const isExact = one.isExact && other.isExact && countDifferences(one, other) === 1 && isConnected(one, other);
  const region: Region = { isExact };
  if (one.severities && other.severities) region.severities = mergeLists(one.severities, other.severities);
  for (const name of LISTS) {
    const [left, right] = [one[name], other[name]];
    if (left && right) region[name] = mergeLists(left, right);
  }
  if (one.from !== undefined && other.from !== undefined) region.from = one.from < other.from ? one.from : other.from;
  if (one.until !== undefined && other.until !== undefined)
    region.until = one.until > other.until ? one.until : other.until;
  return region;
}

/** Whether every entry of the second is in the first, both taken as they are limited. */
function hasEveryEntry(outer: Region, inner: Region): boolean {
  const isWide = [...LISTS, 'severities' as const].every((name) => hasEveryElement(outer[name], inner[name]));
  const isEarly = outer.from === undefined || (inner.from !== undefined && inner.from >= outer.from);
  const isLate = outer.until === undefined || (inner.until !== undefined && inner.until <= outer.until);
  return isWide && isEarly && isLate;
}

function hasEveryElement(outer: readonly unknown[] | undefined, inner: readonly unknown[] | undefined): boolean {
  if (outer === undefined) return true;
  if (inner === undefined) return false;
  const known = new Set(outer);
  return inner.every((each) => known.has(each));
}

/** In how many ways two regions are limited differently; time counts once. */
function countDifferences(one: Region, other: Region): number {
  const lists = [...LISTS, 'severities' as const].filter(
    (name) => !(hasEveryElement(one[name], other[name]) && hasEveryElement(other[name], one[name])),
  );
  return lists.length + (one.from === other.from && one.until === other.until ? 0 : 1);
}

/** Two spans of time without a gap between them; lists have none. */
const isConnected = (one: Region, other: Region): boolean => !hasEarlierEnd(one, other) && !hasEarlierEnd(other, one);

const hasEarlierEnd = ({ until }: Region, { from }: Region): boolean =>
  until !== undefined && from !== undefined && until < from;

function intersectLists<T>(one: readonly T[], other: readonly T[]): T[] {
  const known = new Set(other);
  return one.filter((each) => known.has(each));
}

const mergeLists = <T>(one: readonly T[], other: readonly T[]): T[] => [...new Set([...one, ...other])];

/**
 * Where a store need look. All that the filter matches is inside; where `isExact`, all that is inside matches.
 * Entries are meant as a store keeps them: with a log name and a timestamp.
 */
export type Pushdown = {
  /** Full names, exact; undefined: any. */
  logNames?: readonly string[];
  /** Ids as they appear after `/logs/` in a name, escaped: what `log_id()` leaves where no full name is known. */
  logIds?: readonly string[];
  /** Ranks. */
  severities?: readonly number[];
  /** 30-character timestamps: `from` inside, `until` outside. */
  from?: string;
  until?: string;
  traces?: readonly string[];
  insertIds?: readonly string[];
  /** Nothing can match. */
  isNothing?: true;
  /** Log names, severities and time say it all: nothing is left to evaluate. */
  isExact: boolean;
};

const RANKS = Object.values(SEVERITY_RANKS);

export function computePushdown({ expression, profile }: ParsedFilter): Pushdown {
  if (expression === undefined) return { isExact: true };
  if (profile === 'aip') return { isExact: false };
  const region = withoutLogIds(computeRegion(expression, false));
  if (isNothing(region)) return { isNothing: true, isExact: true };
  const isResidual = region.traces !== undefined || region.insertIds !== undefined || region.logIds !== undefined;
  return { ...region, isExact: region.isExact && !isResidual };
}

/** Names that are known are sifted by their ids. */
function withoutLogIds(region: Region): Region {
  const { logNames, logIds, ...rest } = region;
  if (logNames === undefined || logIds === undefined) return region;
  return { ...rest, logNames: logNames.filter((name) => logIds.some((id) => name.endsWith(`/logs/${id}`))) };
}

/** Negations are carried down to the comparisons. */
function computeRegion(expression: Expression, isNegated: boolean): Region {
  switch (expression.kind) {
    case 'and':
    case 'or': {
      const regions = expression.terms.map((term) => computeRegion(term, isNegated));
      const isAll = (expression.kind === 'and') !== isNegated;
      return isAll ? joinRegions(regions, intersectRegions, EVERYTHING) : joinRegions(regions, uniteRegions, NOTHING);
    }
    case 'not':
      return computeRegion(expression.term, !isNegated);
    case 'compare':
      return computeComparisonRegion(expression, isNegated);
    case 'call':
      return isNegated ? ANYTHING : callRegion(expression.call);
    default:
      return ANYTHING;
  }
}

/** Half by half: regions of one name each, one after another, would be copied a thousand times. */
function joinRegions(regions: readonly Region[], join: (one: Region, other: Region) => Region, none: Region): Region {
  if (regions.length <= 1) return regions[0] ?? none;
  const middle = regions.length >> 1;
  return join(joinRegions(regions.slice(0, middle), join, none), joinRegions(regions.slice(middle), join, none));
}

const callRegion = (call: FunctionCall): Region =>
  call.name === 'log_id' ? { logIds: [call.id], isExact: true } : ANYTHING;

function computeComparisonRegion(comparison: FilterComparison, isNegated: boolean): Region {
  const { field, operator, value } = comparison;
  if (operator === ':' && value.text === '*' && !value.isQuoted) return ANYTHING;
  const isEqual = isNegated ? operator === '!=' : operator === '=';
  const [name] = field.path;
  if (field.type === 'identifier') return isEqual ? computeIdentifierRegion(name, value.text) : ANYTHING;
  if (field.type === 'severity') return computeSeverityRegion(comparison, isNegated);
  return name === 'timestamp' ? computeTimeRegion(comparison, isNegated) : ANYTHING;
}

function computeIdentifierRegion(name: string | undefined, text: string): Region {
  // An entry that has none is meant too (fields.ts, "defaulted").
  if (text === '') return ANYTHING;
  switch (name) {
    case 'logName':
      return { logNames: [text], isExact: true };
    case 'trace':
      return { traces: [text], isExact: true };
    case 'insertId':
      return { insertIds: [text], isExact: true };
    default:
      return ANYTHING;
  }
}

function computeSeverityRegion({ operator, value }: FilterComparison, isNegated: boolean): Region {
  if (operator === '=~' || operator === '!~') return ANYTHING;
  const test = createValueTest('severity', operator, value);
  const severities = RANKS.filter((rank) => test(rank) !== isNegated);
  return severities.length === RANKS.length ? EVERYTHING : { severities, isExact: true };
}

function computeTimeRegion({ operator, value }: FilterComparison, isNegated: boolean): Region {
  if (operator === '=~' || operator === '!~') return ANYTHING;
  const instant = parseFilterInstant(value.text);
  if (instant === undefined) return isNegated ? EVERYTHING : NOTHING;
  const after = computeNextNanosecond(instant);
  // After the last instant there is none.
  if (after === undefined) return ANYTHING;
  return computeInstantRegion(operator, isNegated, instant, after);
}

function computeInstantRegion(
  operator: FilterComparison['operator'],
  isNegated: boolean,
  instant: string,
  after: string,
): Region {
  switch (operator) {
    case '<':
      return isNegated ? { from: instant, isExact: true } : { until: instant, isExact: true };
    case '<=':
      return isNegated ? { from: after, isExact: true } : { until: after, isExact: true };
    case '>':
      return isNegated ? { until: after, isExact: true } : { from: after, isExact: true };
    case '>=':
      return isNegated ? { until: instant, isExact: true } : { from: instant, isExact: true };
    default: {
      const isAt = (operator === '!=') === isNegated;
      return isAt ? { from: instant, until: after, isExact: true } : ANYTHING;
    }
  }
}
