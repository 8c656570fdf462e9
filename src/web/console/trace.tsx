import type { Html } from '../design/shell.tsx';
import { formatTraceLogsHref } from './logs.tsx';
import { formatDuration, Instant } from './search.tsx';
import { WideTable, State, type StateWord } from './tables.tsx';
import { type Parent, SCALE, type SpanSeen, type Waterfall, type WaterfallRow } from './spans.ts';

export type TraceSeen = {
  /** Its full name: `projects/p/traces/t`. */
  name: string;
  startTime: string;
  spans: number;
  failed: number;
  waterfall: Waterfall;
};

/** Deeper spans are drawn as deep as this: `console.css` has a class for each. */
const MAX_INDENT = 8;
const MAX_VALUE_CHARS = 1_000;
const COLUMNS = ['Span', { number: 'Starts after' }, { number: 'Takes' }, 'State', 'Waterfall'];

/** `/console/traces/{id}`: what a request waited for. */
export const traceView = ({ name, startTime, spans, failed, waterfall }: TraceSeen): Html => (
  <>
    <dl class="figures">
      <Figure title="Takes" value={formatDuration(waterfall.totalMs)} />
      <Figure title="Spans" value={String(spans)} />
      <Figure title="Failed spans" value={String(failed)} />
    </dl>
    <p>
      Began at <Instant text={startTime} />. <code>{name}</code>
    </p>
    <p>
      <a href={formatTraceLogsHref(name)}>Log entries of this trace</a>
    </p>
    <h2>Spans</h2>
    {waterfall.leftOut === 0 ? null : (
      <p class="note">
        The first {waterfall.rows.length} spans are drawn; {waterfall.leftOut} are left out.
      </p>
    )}
    <WideTable caption="Spans below their parents, by their start" columns={COLUMNS}>
      {waterfall.rows.map((row) => (
        <Row row={row} />
      ))}
    </WideTable>
  </>
);

const Figure = ({ title, value }: { title: string; value: string }) => (
  <div>
    <dt>{title}</dt>
    <dd>{value}</dd>
  </div>
);

/** Said where it is not as usual. */
const PARENTS: Readonly<Record<Parent, string | undefined>> = {
  none: undefined,
  drawn: undefined,
  missing: 'Its parent is not in this trace',
  cycle: 'It is its own ancestor: its trace says so',
};

const Row = ({ row: { span, depth, parent, x, width } }: { row: WaterfallRow }) => (
  <tr>
    <th scope="row" class={`span indent-${Math.min(depth, MAX_INDENT)}`}>
      <span class="visually-hidden">Level {depth + 1}: </span>
      <Name span={span} />
      {PARENTS[parent] === undefined ? null : <div class="small">{PARENTS[parent]}</div>}
    </th>
    <td class="number">{formatDuration(span.offsetMs)}</td>
    <td class="number">{formatDuration(span.durationMs)}</td>
    <td>
      <SpanState isFailed={span.isFailed} />
    </td>
    <td class="timeline">
      <svg
        class={`bar${span.isFailed ? ' failed' : ''}`}
        viewBox={`0 0 ${SCALE} 16`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        <rect class="track" x="0" y="7" width={SCALE} height="2" />
        <rect class="value" x={x} y="1" width={width} height="14" />
      </svg>
    </td>
  </tr>
);

const Name = ({ span: { id, name, kind, attributes } }: { span: SpanSeen }) => (
  <details>
    <summary>{name}</summary>
    <dl class="attributes">
      {[...(kind === '' ? [] : [['Kind', kind] as const]), ...attributes].map(([key, value]) => (
        <>
          <dt>{key}</dt>
          <dd>{value.length > MAX_VALUE_CHARS ? `${value.slice(0, MAX_VALUE_CHARS)} …` : value}</dd>
        </>
      ))}
      <dt>Span id</dt>
      <dd>{id}</dd>
    </dl>
  </details>
);

/** Whether a span says that its work failed; of a request, what its answer was. */
export const SpanState = ({ isFailed, status }: { isFailed: boolean; status?: number | undefined }) => (
  <State {...describeOutcome(isFailed, status)} />
);

const PAYMENT_REQUIRED = 402;
const TOO_MANY = 429;
const CALLERS_FAULT = 400;
const SERVER_FAULT = 500;

/** Answers of the 4xx are the caller's: nothing of ours failed, and nothing was delivered. */
function describeOutcome(isFailed: boolean, status: number | undefined): StateWord {
  if (isFailed || (status !== undefined && status >= SERVER_FAULT)) return { text: 'Failed', mood: 'bad' };
  if (status === undefined || status < CALLERS_FAULT) return { text: 'No error', mood: 'good' };
  if (status === PAYMENT_REQUIRED) return { text: 'Price named', mood: 'idle' };
  return { text: status === TOO_MANY ? 'Turned away' : 'Refused', mood: 'idle' };
}
