import type { CheckedEntry } from './entry-check.ts';
import type { Matcher, Matchers } from './matchers.ts';
import type { EntryOrder, Route, SinkTarget } from './order.ts';
import { isBelow, getNameContainer } from './log-name.ts';
import type { JsonObject } from '../../lib/json.ts';

type Target = Exclude<SinkTarget, { kind: 'container' }>;

/** Where an entry goes, and which sink sent it there first. */
export type Placement = { sink: string; target: Target };

/** Where an entry goes by the sinks of its log name's container: each bucket once, and each webhook once per sink. */
export type EntryRouter = (checked: CheckedEntry) => readonly Placement[];

/** A sink whose filters are compiled: what it takes, and what of that it leaves out. */
type Sink = { sink: string; owner: string; target: SinkTarget; takes: Matcher; intercepts: boolean };
type Routes = Pick<Extract<EntryOrder, { do: 'write' }>, 'routes' | 'above'>;
/** The sinks of a container, and those above that include it. */
type Sinks = { own: readonly Sink[]; above: readonly Sink[] };

/** Nothing is intercepted before it comes here. */
const REQUIRED = '/sinks/_Required';

/**
 * Routes entries as an order says. A sink that names another container lets the sinks there decide, with no further hop:
 * as nothing is taken on from there, nothing is intercepted on its way into the sinks of that container itself.
 */
export function createEntryRouter({ routes, above = [] }: Routes, matchers: Matchers): EntryRouter {
  const aggregated = above.map((route) => compileSink(route, matchers));
  const made = new Map<string, Sinks>();
  const sinksOf = (container: string): Sinks => {
    const sinks = made.get(container) ?? {
      own: selectOwnRoutes(routes, container).map((route) => compileSink(route, matchers)),
      above: aggregated.filter(({ owner }) => isBelow(container, owner)),
    };
    made.set(container, sinks);
    return sinks;
  };
  return ({ log, entry }) => {
    const placed = new Map<string, Placement>();
    const place = ({ sink, target }: Sink): void => {
      if (target.kind === 'container') return;
      const key = target.kind === 'webhook' ? `webhook ${sink}` : `${target.kind} ${target.bucket}`;
      if (!placed.has(key)) placed.set(key, { sink, target });
    };
    for (const sink of selectTakingSinks(entry, sinksOf(log.container), 'all')) {
      place(sink);
      if (sink.target.kind === 'container')
        selectTakingSinks(entry, sinksOf(sink.target.container), 'above').forEach((there) => place(there));
    }
    return [...placed.values()];
  };
}

/** The sinks that take an entry. @param loses which of them do not get what a sink above them intercepts */
function selectTakingSinks(
  entry: CheckedEntry['entry'],
  { own, above }: Sinks,
  loses: 'all' | 'above',
): readonly Sink[] {
  const taken = above.filter(({ takes }) => takes(entry));
  const interceptors = selectInterceptors(taken);
  const isLost = (sink: Sink): boolean => !sink.sink.endsWith(REQUIRED) && isUnder(sink, interceptors);
  return [
    ...own.filter((sink) => !(loses === 'all' && isLost(sink)) && sink.takes(entry)),
    ...taken.filter((sink) => !isLost(sink)),
  ];
}

/** Those that are not intercepted themselves: of two folders, which are below each other, the first. */
function selectInterceptors(taken: readonly Sink[]): readonly Sink[] {
  const found: Sink[] = [];
  const all = taken.filter(({ intercepts }) => intercepts);
  for (const sink of all.toSorted((a, b) => rank(a) - rank(b))) if (!isUnder(sink, found)) found.push(sink);
  return found;
}

const rank = ({ owner }: Sink): number => (owner.startsWith('organizations/') ? 0 : 1);

const isUnder = ({ owner }: Sink, interceptors: readonly Sink[]): boolean =>
  interceptors.some((interceptor) => isBelow(owner, interceptor.owner));

/** A stored filter was judged when it was stored; one that cannot be read takes nothing, and leaves nothing out. */
function compileSink({ sink, target, filter, exclusions, intercepts }: Route, matchers: Matchers): Sink {
  const wanted = matchers(filter)?.matches;
  const unwanted = exclusions.flatMap((text) => matchers(text)?.matches ?? []);
  const takes: Matcher = (entry) => wanted?.(entry) === true && !unwanted.some((leavesOut) => leavesOut(entry));
  return { sink, owner: getNameContainer(sink), target, takes, intercepts: intercepts === true };
}

const selectOwnRoutes = (routes: Routes['routes'], container: string): readonly Route[] =>
  Object.hasOwn(routes, container) ? (routes[container] ?? []) : [];

/** An entry where a sink sent it: one that was written is placed once a bucket, and once for each sink to a webhook. */
export type PlacedEntry = {
  /** Full name of the bucket that keeps it; undefined for the other targets. */
  bucket?: string;
  target: SinkTarget;
  /** Full name of the sink that sent it. */
  sink: string;
  /** The container of its log name: `projects/p`. */
  container: string;
  /** In its one form: `projects/p/logs/a%2Fb`. */
  logName: string;
  /** RFC 3339 in UTC with nine digits of a second: 30 characters, which sort as time does. */
  ts: string;
  insertId: string;
  /** 0, 100 ... 800. */
  severity: number;
  /** As `entries:list` shows it. */
  entry: JsonObject;
};

/** Hears of what a call wrote, in its transaction: what it throws rolls the call back. */
export type PlacedListener = (placed: readonly PlacedEntry[]) => void;
