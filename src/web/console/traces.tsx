import {
  Choice,
  FilterExamples,
  buildFilterField,
  formatDuration,
  formatSearchHref,
  Instant,
  NoneFound,
  NotSearched,
  SearchPages,
  type SearchTerms,
  OwnChoice,
  SinceChoice,
} from './search.tsx';
import { Bar } from '../design/parts.tsx';
import type { Html } from '../design/shell.tsx';
import type { TraceLine } from './spans.ts';
import { formatCsv, WideTable } from './tables.tsx';
import { SpanState } from './trace.tsx';

/** A search of traces, as the form has it; '' for what is not set. */
export type TracesAsked = SearchTerms & { order: 'newest' | 'slowest' };

export const TRACES_PATH = '/console/traces';

const formatTracesHref = (asked: Partial<TracesAsked>, page?: string): string =>
  formatSearchHref(TRACES_PATH, asked, page);

export type TracesSeen = { asked: TracesAsked; page: string } & (
  | { ok: true; traces: readonly TraceLine[]; next: string | undefined }
  | { ok: false; problem: string }
);

/** Filters to begin with. */
export const TRACE_FILTER_EXAMPLES = [
  { filter: 'latency:500ms', text: 'Half a second and longer' },
  { filter: '+sightline.capability:full_audit', text: 'Of one capability' },
  { filter: 'root:"POST full_audit"', text: 'Whose first span’s name begins so' },
  { filter: '+http.response.status_code:500', text: 'With a span of which an attribute has this value' },
] as const;

/** `/console/traces`: requests and other work, by their first span. */
export const renderTraces = (seen: TracesSeen): Html => (
  <>
    <Search asked={seen.asked} problem={seen.ok ? undefined : seen.problem} />
    <h2>Traces</h2>
    {seen.ok ? <Traces {...seen} /> : <NotSearched />}
  </>
);

const Search = ({ asked, problem }: { asked: TracesAsked; problem: string | undefined }) => (
  <form method="get" action={TRACES_PATH}>
    <label for="filter">Filter</label>
    <input {...buildFilterField(problem !== undefined, { value: asked.filter })} />
    <div id="filter-problem">
      {problem === undefined ? null : (
        <p class="warning" role="alert">
          {problem}
        </p>
      )}
    </div>
    <div class="filters">
      <SinceChoice value={asked.since} />
      <Choice name="order" label="Order" value={asked.order} options={ORDERS} />
    </div>
    <OwnChoice value={asked.own} />
    <button>Search</button>
    <details>
      <summary>Filters of traces</summary>
      <p>
        Terms with a space between them, all of which must hold. With + before a term the whole text must be the same.
      </p>
      <FilterExamples examples={TRACE_FILTER_EXAMPLES} href={(filter) => formatTracesHref({ filter })} />
    </details>
  </form>
);

const ORDERS = [
  { value: 'newest', text: 'Newest first' },
  { value: 'slowest', text: 'Slowest first' },
];
const COLUMNS = ['Started', 'Request or task', { number: 'Takes' }, 'Of the longest here', 'State', 'Trace'];

const Traces = ({ asked, page, traces, next }: Extract<TracesSeen, { ok: true }>) => (
  <>
    {traces.length === 0 ? (
      <NoneFound noun="trace" next={next} />
    ) : (
      <WideTable
        caption={`Traces, ${asked.order} first`}
        columns={COLUMNS}
        file={formatSearchHref(`${TRACES_PATH}.csv`, asked, page)}
      >
        {traces.map((trace) => (
          <Trace trace={trace} longestMs={Math.max(...traces.map(({ durationMs }) => durationMs))} />
        ))}
      </WideTable>
    )}
    <SearchPages
      page={page}
      next={next}
      text={asked.order === 'newest' ? 'Older traces' : 'Faster traces'}
      href={(to) => formatTracesHref(asked, to)}
    />
  </>
);

const Trace = ({ trace, longestMs }: { trace: TraceLine; longestMs: number }) => (
  <tr>
    <td class="instant">
      <Instant text={trace.startTime} />
    </td>
    <td class="message">{trace.name}</td>
    <td class="number">{formatDuration(trace.durationMs)}</td>
    <td>
      <Bar value={longestMs === 0 ? 0 : trace.durationMs / longestMs} />
    </td>
    <td>
      <SpanState isFailed={trace.isFailed} status={trace.status} />
    </td>
    <td class="instant">
      <a href={`${TRACES_PATH}/${trace.traceId}`}>{`Trace ${trace.traceId.slice(0, 8)}`}</a>
    </td>
  </tr>
);

/** Traces as CSV (rule X8). */
export const formatTracesCsv = (traces: readonly TraceLine[]): string =>
  formatCsv([
    ['started', 'name', 'status', 'milliseconds', 'failed', 'trace'],
    ...traces.map((trace) => [
      trace.startTime,
      trace.name,
      trace.status ?? '',
      trace.durationMs,
      String(trace.isFailed),
      trace.traceId,
    ]),
  ]);
