import { parseFilter } from '../../../src/management/core/filter/index.ts';
import { readLogEntry, formatLogsCsv, formatLogsJsonl } from '../../../src/web/console/log-lines.ts';
import { DAY_MS } from '../../../src/lib/time.ts';
import { LOG_SEVERITIES } from '../../../src/lib/severities.ts';
import { type LogsAsked, type LogsProblem, renderLogs } from '../../../src/web/console/logs.tsx';
import type { OwnProject } from '../bindings/own-project.ts';
import type { ConsoleContext, ConsolePage, NothingToShow } from './console-request.ts';
import type { Signal } from '../../../src/web/console/overview.tsx';
import {
  isAboutPage,
  type ProjectList,
  NO_PROJECT,
  NO_SUCH_PAGE,
  findConsoleProject,
  readList,
  readSearchStart,
  formatBefore,
} from './own-projects.ts';

/** A search as it is asked of the log: its filter, or what is wrong with it. */
type LogQuery = { asked: LogsAsked; page: string } & (
  | { ok: true; filter: string }
  | { ok: false; problem: LogsProblem }
);

/** An address has about this much room. */
const MAX_FILTER_CHARS = 6_000;
const MAX_REQUEST_CHARS = 128;
const REQUEST_ID = /^[\w.:-]{1,128}$/;

/** What `/console/logs` is asked for. All that is set must hold. */
function parseLogQuery(c: ConsoleContext): LogQuery {
  const { page, since, from, own } = readSearchStart(c);
  const text = (name: string): string => c.query.get(name) ?? '';
  const asked: LogsAsked = {
    filter: text('filter')
      .slice(0, MAX_FILTER_CHARS + 1)
      .replaceAll('\r\n', '\n'),
    severity: LOG_SEVERITIES.find((severity) => severity === text('severity')) ?? '',
    since,
    own,
    request: text('request')
      .trim()
      .slice(0, MAX_REQUEST_CHARS + 1),
    order: text('order') === 'oldest' ? 'oldest' : 'newest',
    from,
  };
  const problem = findQueryProblem(asked);
  return problem === undefined
    ? { asked, page, ok: true, filter: buildLogFilter(asked) }
    : { asked, page, ok: false, problem };
}

function findQueryProblem({ filter, request }: LogsAsked): LogsProblem | undefined {
  if (request !== '' && !REQUEST_ID.test(request))
    return { field: 'request', message: 'A request id has letters, digits, and . _ : - only, at most 128 of them.' };
  if (filter.length > MAX_FILTER_CHARS)
    return { field: 'filter', message: `A filter has at most ${MAX_FILTER_CHARS} characters here.` };
  const parsed = parseFilter(filter);
  return parsed.ok ? undefined : { field: 'filter', message: parsed.message, at: parsed.at };
}

/** Each part by itself, so that none changes what another means; a line each, since a comment ends with its line. */
function buildLogFilter({ filter, severity, request, from, own }: LogsAsked): string {
  const parts = [
    ...(severity === '' ? [] : [`severity>=${severity}`]),
    ...(from === '' ? [] : [`timestamp>="${from}"`]),
    ...(request === '' ? [] : [`labels.request_id="${request}"`]),
    // Who asks for one request has it, of whatever page it is.
    ...(own === '1' || request !== '' ? [] : [NO_OWN_VIEWS]),
  ];
  if (parts.length === 0) return filter;
  return isBlank(filter) ? parts.join(' AND ') : `${parts.join(' AND ')} AND (\n${filter}\n)`;
}

/** Requests for the console's own pages and their files, which an operator who looks makes oneself. */
const NO_OWN_VIEWS =
  'NOT (log_id("sightline-control") AND (httpRequest.requestUrl:"/console" OR httpRequest.requestUrl:"/web/"))';

/** A filter of only space and comments must not be put in parentheses. */
const isBlank = (filter: string): boolean =>
  filter.split('\n').every((line) => line.trim() === '' || line.trimStart().startsWith('--'));

const PAGE = 50;
const MAX_DOWNLOAD = 1_000;
/** Errors that the overview counts; then it says that there are more. */
const MAX_COUNTED = 200;

/** `/console/logs?filter=&severity=&since=&request=&order=&page=`: what the service wrote to its own log. */
export const logsPage: ConsolePage = {
  path: '/console/logs',
  title: 'Logs',
  show,
  signals: [
    {
      question: 'customers',
      title: 'Errors, 24 hours',
      href: '/console/logs?severity=ERROR&since=day',
      read: readErrorsSignal,
    },
  ],
  downloads: [
    { path: '/console/logs.csv', read: (c) => readLogsFile(c, 'csv') },
    { path: '/console/logs.jsonl', read: (c) => readLogsFile(c, 'jsonl') },
  ],
};

async function show(c: ConsoleContext) {
  const query = parseLogQuery(c);
  const { asked, page } = query;
  const own = await findConsoleProject(c);
  if (own === undefined) return NO_PROJECT;
  const shown = { asked, page, maxDownload: MAX_DOWNLOAD };
  if (!query.ok) return renderLogs({ ...shown, ok: false, problem: query.problem });
  const found = await listLogEntries(c, own, query, PAGE);
  if (!found.ok && isAboutPage(found.message)) return NO_SUCH_PAGE;
  if (!found.ok) return renderLogs({ ...shown, ok: false, problem: { field: 'filter', message: found.message } });
  const lines = found.items.map((entry) => readLogEntry(entry, own.project));
  return renderLogs({ ...shown, ok: true, lines, next: found.next });
}

const FILES = {
  csv: { type: 'text/csv; charset=utf-8; header=present', write: formatLogsCsv },
  jsonl: { type: 'application/jsonl; charset=utf-8', write: formatLogsJsonl },
} as const;

/** The same search as a file. */
async function readLogsFile(c: ConsoleContext, kind: keyof typeof FILES) {
  const query = parseLogQuery(c);
  const own = await findConsoleProject(c);
  if (own === undefined) return NO_PROJECT;
  if (!query.ok) return refuseSearch(query.problem.message);
  const found = await listLogEntries(c, own, query, MAX_DOWNLOAD);
  if (!found.ok) return isAboutPage(found.message) ? NO_SUCH_PAGE : refuseSearch(found.message);
  // A file that lacks some says so by its name.
  const name = `logs-${found.next === undefined ? '' : 'first-'}${found.items.length}.${kind}`;
  const { type, write } = FILES[kind];
  return { name, type, text: write(found.items) };
}

/** What needs a person: refusals of callers and prompts that are asked again are none, and have lower severities. */
async function readErrorsSignal(c: ConsoleContext): Promise<Signal> {
  const own = await findConsoleProject(c);
  if (own === undefined)
    return { mood: 'idle', text: 'Not stored', figure: 'None', note: 'This deployment keeps no log of its own.' };
  const filter = `severity>=ERROR AND timestamp>="${formatBefore(c, DAY_MS)}"`;
  const found = await readList(
    c,
    own,
    buildEntriesRead(own, { filter, page: '', isNewestFirst: true, wanted: MAX_COUNTED }),
  );
  if (!found.ok) throw new Error('The log refuses to be counted');
  const count = found.items.length;
  const figure = found.next === undefined ? String(count) : `${count} or more`;
  return count === 0
    ? { mood: 'good', text: 'None', figure, note: 'Nothing happened that needs a person.' }
    : { mood: 'bad', text: 'To look at', figure, note: 'Entries that need a person: ERROR and worse.' };
}

function listLogEntries(
  c: ConsoleContext,
  own: OwnProject,
  { filter, asked, page }: Extract<LogQuery, { ok: true }>,
  wanted: number,
): Promise<ProjectList> {
  return readList(c, own, buildEntriesRead(own, { filter, page, isNewestFirst: asked.order === 'newest', wanted }));
}

function buildEntriesRead(
  { project }: OwnProject,
  { filter, page, isNewestFirst, wanted }: { filter: string; page: string; isNewestFirst: boolean; wanted: number },
) {
  const orderBy = isNewestFirst ? 'timestamp desc' : 'timestamp asc';
  return {
    items: 'entries',
    from: page,
    wanted,
    ask: (asked: { pageSize: number; pageToken: string }) => ({
      method: 'logging.entries.list',
      body: { resourceNames: [project], filter, orderBy, ...asked },
    }),
  } as const;
}

const refuseSearch = (message: string): NothingToShow => ({
  status: 400,
  title: 'That cannot be searched',
  detail: message,
});
