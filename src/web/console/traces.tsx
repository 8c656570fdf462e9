import { Bar } from '../design/parts.tsx';
import type { Html } from '../design/shell.tsx';
import { SINCE, type Since } from './age.ts';
import { Choice, formatDuration, Instant } from './search-parts.tsx';
import type { TraceLine } from './spans.ts';
import { WideTable } from './tables.tsx';
import { SpanState } from './trace.tsx';

/** A search of traces, as the form has it; '' for what is not set. */
export type TracesAsked = {
  filter: string;
  since: Since | '';
  order: 'newest' | 'slowest';
  /** When `since` began, for further pages of the same search. */
  from: string;
};

export const TRACES_PATH = '/console/traces';

/** Path of a search, at a page of it where asked for. */
function formatTracesHref({ filter = '', since = '', order, from = '' }: Partial<TracesAsked>, page = ''): string {
  const query = new URLSearchParams({
    ...(filter === '' ? {} : { filter }),
    ...(since === '' ? {} : { since }),
    ...(order === 'slowest' ? { order } : {}),
    ...(page === '' ? {} : { ...(from === '' ? {} : { from }), page }),
  }).toString();
  return query === '' ? TRACES_PATH : `${TRACES_PATH}?${query}`;
}

export type TracesSeen = { asked: TracesAsked; page: string } & (
  | { ok: true; traces: readonly TraceLine[]; next: string | undefined }
  | { ok: false; problem: string }
);

/** Filters to begin with. */
export const TRACE_FILTER_EXAMPLES = [
  { filter: 'latency:500ms', text: 'Half a second and longer' },
  { filter: 'root:"POST /api/agent"', text: 'Whose first span’s name begins so' },
  { filter: '+http.response.status_code:500', text: 'With a span of which an attribute has this value' },
] as const;

/** `/console/traces`: requests and other work, by their first span. */
export const renderTraces = (seen: TracesSeen): Html => (
  <>
    <Search asked={seen.asked} problem={seen.ok ? undefined : seen.problem} />
    <h2>Traces</h2>
    {seen.ok ? <Traces {...seen} /> : <p>Nothing was searched: see what is said of the field above.</p>}
  </>
);

const Search = ({ asked, problem }: { asked: TracesAsked; problem: string | undefined }) => (
  <form method="get" action={TRACES_PATH}>
    <label for="filter">Filter</label>
    <input
      id="filter"
      name="filter"
      value={asked.filter}
      spellcheck={false}
      autocapitalize="off"
      autocomplete="off"
      aria-describedby="filter-problem"
      aria-invalid={problem === undefined ? undefined : 'true'}
    />
    <div id="filter-problem">
      {problem === undefined ? null : (
        <p class="warning" role="alert">
          {problem}
        </p>
      )}
    </div>
    <div class="filters">
      <Choice name="since" label="Time" value={asked.since} options={TIMES} />
      <Choice name="order" label="Order" value={asked.order} options={ORDERS} />
    </div>
    <button>Search</button>
    <details>
      <summary>Filters of traces</summary>
      <p>
        Terms with a space between them, all of which must hold. With + before a term the whole text must be the same.
      </p>
      <dl>
        {TRACE_FILTER_EXAMPLES.map(({ filter, text }) => (
          <>
            <dt>{text}</dt>
            <dd>
              <a href={formatTracesHref({ filter })}>
                <code>{filter}</code>
              </a>
            </dd>
          </>
        ))}
      </dl>
    </details>
  </form>
);

const TIMES = [{ value: '', text: 'All that is kept' }, ...SINCE];
const ORDERS = [
  { value: 'newest', text: 'Newest first' },
  { value: 'slowest', text: 'Slowest first' },
];
const COLUMNS = ['Started', 'First span', 'Takes', 'Of the longest here', 'State', 'Trace'];

const Traces = ({ asked, page, traces, next }: Extract<TracesSeen, { ok: true }>) => (
  <>
    {traces.length === 0 ? (
      <p>
        {next === undefined ? 'No trace matches.' : 'No trace matches among those that were looked at so far: go on.'}
      </p>
    ) : (
      <WideTable caption={`Traces, ${asked.order} first`} columns={COLUMNS}>
        {traces.map((trace) => (
          <Trace trace={trace} longestMs={Math.max(...traces.map(({ durationMs }) => durationMs))} />
        ))}
      </WideTable>
    )}
    <ul class="links">
      {page === '' ? null : (
        <li>
          <a href={formatTracesHref(asked)}>Back to the first page</a>
        </li>
      )}
      {next === undefined ? null : (
        <li>
          <a href={formatTracesHref(asked, next)}>{asked.order === 'newest' ? 'Older traces' : 'Faster traces'}</a>
        </li>
      )}
    </ul>
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
      <SpanState isFailed={trace.isFailed} />
    </td>
    <td class="instant">
      <a href={`${TRACES_PATH}/${trace.traceId}`}>{`Trace ${trace.traceId.slice(0, 8)}`}</a>
    </td>
  </tr>
);
