import type { Sql } from '../../lib/sqlite.ts';
import type { Buckets } from './buckets.ts';
import type { Compiled, Matcher, Matchers } from './matchers.ts';
import type { BucketFacts, EntrySource } from './order.ts';
import { MAX_AHEAD_MS } from './retention.ts';
import type { Pushdown } from '../core/filter/index.ts';
import type { StreamRange, StreamRow } from './stream-merge.ts';
import type { Stream, Streams } from './streams.ts';
import { formatNanoTime } from './times.ts';
import { isObject, type JsonObject } from '../../lib/json.ts';
import { DAY_MS } from '../../lib/time.ts';

/** What is read of: by the tenant's time, what is older than the retention or more than a day ahead is not shown. */
export type Sight = { sources: readonly EntrySource[]; buckets: readonly BucketFacts[]; nowMs: number };

/** By bucket: the filters of the views that show it; none where all of it is shown. */
export type Views = ReadonlyMap<string, readonly Compiled[]>;

export function buildSourceViews(sources: readonly EntrySource[], matchers: Matchers): Views {
  const views = new Map<string, readonly Compiled[]>();
  const whole = new Set(sources.filter(({ filter = '' }) => filter.trim() === '').map(({ bucket }) => bucket));
  for (const bucket of whole) views.set(bucket, []);
  for (const { bucket, filter = '' } of sources) {
    if (whole.has(bucket)) continue;
    const view = matchers(filter); // One that cannot be read shows nothing.
    if (view !== undefined) views.set(bucket, [...(views.get(bucket) ?? []), view]);
  }
  return views;
}

/** What of the streams may have entries that are shown and that a filter takes. */
export function* listStreamRanges(
  { buckets, nowMs }: Sight,
  { pushdown }: Compiled,
  views: Views,
  tools: { sql: Sql; streams: Streams; buckets: Buckets },
): Generator<StreamRange> {
  if (pushdown.isNothing === true) return;
  const facts = new Map(buckets.map((each) => [each.name, each.retentionDays]));
  const isWanted = createStreamFilter(pushdown);
  const until = selectEarlierTime(pushdown.until, formatNanoTime(nowMs + MAX_AHEAD_MS + 1));
  const tracesIn = pushdown.traces && findTracesPerStream(pushdown.traces, tools.sql);
  for (const [bucket, shown] of views) {
    const days = facts.get(bucket) ?? tools.buckets.retentionDays(bucket);
    const from = selectLaterTime(pushdown.from, days === undefined ? '' : formatNanoTime(nowMs - days * DAY_MS));
    const sieves = shown.map((view) => createStreamFilter(view.pushdown));
    for (const stream of tools.streams.inBucket(bucket)) {
      if (stream.last < from || stream.first >= until || !isWanted(stream)) continue;
      if (sieves.length > 0 && !sieves.some((mayShow) => mayShow(stream))) continue;
      if (tracesIn === undefined) yield { stream, from, until };
      else for (const trace of tracesIn.get(stream.id) ?? []) yield { stream, from, until, trace };
    }
  }
}

/** Traces in streams that are read by themselves: where there are more, streams are read whole. */
const MAX_LANES_OF_TRACES = 2_000;
/** From one stream that has a trace to the next: one row is read for each. */
const STREAMS_OF_TRACES = `WITH RECURSIVE found (trace, stream) AS (
    SELECT value, (SELECT min(stream) FROM entry INDEXED BY entry_trace WHERE trace = value) FROM json_each(?)
    UNION ALL
    SELECT trace, (SELECT min(stream) FROM entry INDEXED BY entry_trace WHERE trace = found.trace AND stream > found.stream)
    FROM found WHERE stream IS NOT NULL
  ) SELECT trace, stream FROM found WHERE stream IS NOT NULL LIMIT ?`;

/** Which of the traces a stream has, by its id: few streams of many have one. Undefined where many have. */
function findTracesPerStream(traces: readonly string[], sql: Sql): ReadonlyMap<number, readonly string[]> | undefined {
  const found = new Map<number, string[]>();
  const wanted = JSON.stringify([...new Set(traces)]);
  const rows = sql.exec(STREAMS_OF_TRACES, wanted, MAX_LANES_OF_TRACES + 1).toArray();
  if (rows.length > MAX_LANES_OF_TRACES) return undefined;
  for (const row of rows) {
    const stream = Number(row['stream']);
    found.set(stream, [...(found.get(stream) ?? []), String(row['trace'])]);
  }
  return found;
}

/** Whether a stream may have what a filter takes: by its log and severity. */
function createStreamFilter(pushdown: Pushdown): (stream: Stream) => boolean {
  const logs = toOptionalSet(pushdown.logNames);
  const ids = toOptionalSet(pushdown.logIds);
  const severities = toOptionalSet(pushdown.severities);
  return ({ log, logId, severity }) =>
    logs?.has(log) !== false && ids?.has(logId) !== false && severities?.has(severity) !== false;
}

/** The entry of a row, where the filter and a view take it. */
export function createEntryJudge(
  { pushdown, matches }: Compiled,
  views: Views,
): (read: StreamRow) => JsonObject | undefined {
  const wanted: Matcher = pushdown.isExact ? () => true : matches;
  return ({ stream, json }) => {
    const entry: unknown = JSON.parse(json); // Ours: it was stored.
    if (!isObject(entry) || !wanted(entry)) return undefined;
    const shown = views.get(stream.bucket) ?? [];
    return shown.length === 0 || shown.some((view) => view.matches(entry)) ? entry : undefined;
  };
}

const toOptionalSet = <T>(values: readonly T[] | undefined): ReadonlySet<T> | undefined => values && new Set(values);

const selectEarlierTime = (a: string | undefined, b: string): string => (a !== undefined && a < b ? a : b);
const selectLaterTime = (a: string | undefined, b: string): string => (a !== undefined && a > b ? a : b);
