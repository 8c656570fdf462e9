import type { CheckedEntry } from './entry-check.ts';
import type { Matcher, Matchers } from './matchers.ts';
import type { EntryOrder, Route, SinkTarget } from './order.ts';

type Target = Exclude<SinkTarget, { kind: 'container' }>;

/** Where an entry goes, and which sink sent it there first. */
export type Placement = { sink: string; target: Target };

/** Where an entry goes by the sinks of what its log name stands in. Each bucket and each other target once. */
export type Router = (checked: CheckedEntry) => readonly Placement[];

/** A sink whose filters are compiled: what it takes, and what of that it leaves out. */
type Sink = { sink: string; target: SinkTarget; takes: Matcher };

/** Routes entries as an order says. A sink that names another container lets the sinks there decide, with no further hop. */
export function routerOf({ routes }: Pick<Extract<EntryOrder, { do: 'write' }>, 'routes'>, matchers: Matchers): Router {
  const made = new Map<string, readonly Sink[]>();
  const sinksOf = (container: string): readonly Sink[] => {
    const sinks = made.get(container) ?? ownRoutes(routes, container).map((route) => sinkOf(route, matchers));
    made.set(container, sinks);
    return sinks;
  };
  return ({ log, entry }) => {
    const placed = new Map<string, Placement>();
    const place = (sink: string, target: SinkTarget): void => {
      if (target.kind === 'container') return;
      const key = `${target.kind} ${target.kind === 'webhook' ? target.url : target.bucket}`;
      if (!placed.has(key)) placed.set(key, { sink, target });
    };
    for (const { sink, target, takes } of sinksOf(log.container)) {
      if (!takes(entry)) continue;
      place(sink, target);
      if (target.kind !== 'container') continue;
      for (const there of sinksOf(target.container)) if (there.takes(entry)) place(there.sink, there.target);
    }
    return [...placed.values()];
  };
}

/** A stored filter was judged when it was stored; one that cannot be read takes nothing, and leaves nothing out. */
function sinkOf({ sink, target, filter, exclusions }: Route, matchers: Matchers): Sink {
  const wanted = matchers(filter)?.matches;
  const unwanted = exclusions.flatMap((text) => matchers(text)?.matches ?? []);
  const takes: Matcher = (entry) => wanted?.(entry) === true && !unwanted.some((leavesOut) => leavesOut(entry));
  return { sink, target, takes };
}

const ownRoutes = (routes: Readonly<Record<string, readonly Route[]>>, container: string): readonly Route[] =>
  Object.hasOwn(routes, container) ? (routes[container] ?? []) : [];
