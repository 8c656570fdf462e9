import {
  Choice,
  FilterExamples,
  buildFilterField,
  formatSearchHref,
  Instant,
  NoneFound,
  NotSearched,
  SearchPages,
  type SearchTerms,
  OwnChoice,
  SinceChoice,
} from './search.tsx';
import { LOG_SEVERITIES } from '../../lib/severities.ts';
import type { Html } from '../design/shell.tsx';
import type { LogEntryLine } from './log-lines.ts';
import { WideTable, State, type StateWord } from './tables.tsx';

/** A search of the log, as the form has it; '' for what is not set. */
export type LogsAsked = SearchTerms & {
  severity: (typeof LOG_SEVERITIES)[number] | '';
  request: string;
  order: 'newest' | 'oldest';
};

/** What is wrong with a field. `at` counts characters of the filter from 0. */
export type LogsProblem = { field: 'filter' | 'request'; message: string; at?: number };

const LOGS_PATH = '/console/logs';

/** Path of a search; at a page of it, and as a file, where asked for. */
export const formatLogsHref = (
  asked: Partial<LogsAsked>,
  { page, path = LOGS_PATH }: { page?: string | undefined; path?: string } = {},
): string => formatSearchHref(path, asked, page);

/** Path of the entries of a trace: its full name, `projects/p/traces/t`. */
export const formatTraceLogsHref = (name: string): string => formatLogsHref({ filter: `trace="${name}"` });

export type LogsSeen = { asked: LogsAsked; /** Of this page. */ page: string; maxDownload: number } & (
  | { ok: true; lines: readonly LogEntryLine[]; next: string | undefined }
  | { ok: false; problem: LogsProblem }
);

/** Filters to begin with; a test has each parsed. */
export const FILTER_EXAMPLES = [
  {
    filter: 'severity>=WARNING AND NOT log_id("sightline-control")',
    text: 'Warnings and worse of all Workers but one',
  },
  {
    filter: 'jsonPayload.event="delivery_dead" OR jsonPayload.event:"_failed"',
    text: 'Events by name, or by a part of it',
  },
  { filter: 'httpRequest.status>=500 AND httpRequest.requestUrl:"/api/agent"', text: 'Failed requests of some routes' },
] as const;

/** Searches that are one click. */
const QUICK: readonly { text: string; asked: Partial<LogsAsked> }[] = [
  { text: 'What needs a person, 24 hours', asked: { severity: 'ERROR', since: 'day' } },
  { text: 'Warnings and worse of 24 hours', asked: { severity: 'WARNING', since: 'day' } },
  { text: 'What operators did', asked: { filter: 'log_id("cloudaudit.googleapis.com/activity")' } },
];
const EXCERPT_CHARS = 40;

/** `/console/logs`: the service's own log, by the filter language. */
export const renderLogs = (seen: LogsSeen): Html => (
  <>
    <ul class="links">
      {QUICK.map(({ text, asked }) => (
        <li>
          <a href={formatLogsHref(asked)}>{text}</a>
        </li>
      ))}
    </ul>
    <Search asked={seen.asked} problem={seen.ok ? undefined : seen.problem} />
    <h2>Entries</h2>
    {seen.ok ? <Entries {...seen} /> : <NotSearched />}
  </>
);

const Search = ({ asked, problem }: { asked: LogsAsked; problem: LogsProblem | undefined }) => (
  <form method="get" action={LOGS_PATH}>
    <label for="filter">Filter</label>
    <textarea {...buildFilterField(problem?.field === 'filter', { rows: 3 })}>{asked.filter}</textarea>
    <div id="filter-problem">
      {problem?.field === 'filter' ? <Problem problem={problem} of={asked.filter} /> : null}
    </div>
    <div class="filters">
      <Choice name="severity" label="Severity" value={asked.severity} options={SEVERITIES} />
      <SinceChoice value={asked.since} />
      <Choice name="order" label="Order" value={asked.order} options={ORDERS} />
      <div>
        <label for="request">Request id</label>
        <input
          id="request"
          name="request"
          value={asked.request}
          maxlength={128}
          autocomplete="off"
          aria-describedby="request-problem"
          aria-invalid={problem?.field === 'request' ? 'true' : undefined}
        />
      </div>
    </div>
    <OwnChoice value={asked.own} />
    <div id="request-problem">{problem?.field === 'request' ? <Problem problem={problem} of="" /> : null}</div>
    <button>Search</button>
    <Help />
  </form>
);

const SEVERITIES = [
  { value: '', text: 'All' },
  ...LOG_SEVERITIES.map((value) => ({ value, text: `${value} and worse` })),
];
const ORDERS = [
  { value: 'newest', text: 'Newest first' },
  { value: 'oldest', text: 'Oldest first' },
];

const Problem = ({ problem: { message, at }, of }: { problem: LogsProblem; of: string }) => (
  <p class="warning" role="alert">
    {message}
    {at === undefined ? null : <Place at={at} of={of} />}
  </p>
);

/** Where in the filter, in words: lines and columns count from 1. */
const Place = ({ at, of }: { at: number; of: string }) => {
  const before = of.slice(0, at).split('\n');
  const rest = of.slice(at, at + EXCERPT_CHARS);
  return (
    <>
      {` (line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}, `}
      {rest.trim() === '' ? 'at its end' : ['at ', <code>{rest}</code>]})
    </>
  );
};

const Help = () => (
  <details>
    <summary>The filter language</summary>
    <p>
      Comparisons with = != &gt; &lt; &gt;= &lt;= : (has) and =~ (regular expression), joined with AND, OR and NOT. Text
      is in quotes. What begins with -- is a comment.
    </p>
    <FilterExamples examples={FILTER_EXAMPLES} href={(filter) => formatLogsHref({ filter })} />
  </details>
);

const Entries = ({ asked, page, lines, next, maxDownload }: Extract<LogsSeen, { ok: true }>) => (
  <>
    {lines.length === 0 ? (
      <NoneFound noun="entry" next={next} />
    ) : (
      <WideTable caption={`Entries, ${asked.order} first`} columns={['Time', 'Severity', 'Log', 'Message', 'Trace']}>
        {lines.map((line) => (
          <Line line={line} />
        ))}
      </WideTable>
    )}
    <SearchPages
      page={page}
      next={next}
      text={asked.order === 'newest' ? 'Older entries' : 'Newer entries'}
      href={(to) => formatLogsHref(asked, { page: to })}
    />
    {lines.length === 0 && next === undefined ? null : <Files asked={asked} page={page} maxDownload={maxDownload} />}
  </>
);

const Files = ({ asked, page, maxDownload }: { asked: LogsAsked; page: string; maxDownload: number }) => (
  <p>
    Save from this page on, at most {maxDownload.toLocaleString('en')} entries:{' '}
    <a href={formatLogsHref(asked, { page, path: `${LOGS_PATH}.jsonl` })}>JSON lines</a>,{' '}
    <a href={formatLogsHref(asked, { page, path: `${LOGS_PATH}.csv` })}>CSV</a>.
  </p>
);

const MOODS: ReadonlyMap<string, StateWord['mood']> = new Map([
  ['NOTICE', 'good'],
  ['WARNING', 'warn'],
  ['ERROR', 'bad'],
  ['CRITICAL', 'bad'],
  ['ALERT', 'bad'],
  ['EMERGENCY', 'bad'],
]);

const Line = ({ line: { timestamp, severity, log, message, json, leftOut, traceId } }: { line: LogEntryLine }) => (
  <tr>
    <td class="instant">
      <Instant text={timestamp} />
    </td>
    <td>
      <State text={severity} mood={MOODS.get(severity) ?? 'idle'} />
    </td>
    <td class="log">{log}</td>
    <td class="message">
      <details>
        <summary>{message}</summary>
        <pre tabindex={0}>
          <code>{json}</code>
        </pre>
        {leftOut === 0 ? null : <p class="small">{leftOut} characters more are in the files below.</p>}
      </details>
    </td>
    <td class="instant">
      {traceId === undefined ? 'none' : <a href={`/console/traces/${traceId}`}>{`Trace ${traceId.slice(0, 8)}`}</a>}
    </td>
  </tr>
);
