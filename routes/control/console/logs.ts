import * as z from 'zod';
import type { JsonObject } from '../../../src/lib/json.ts';
import { parseFilter } from '../../../src/management/core/filter/index.ts';
import { SINCE } from '../../../src/web/console/age.ts';
import { readLogEntry, formatLogsCsv, formatLogsJsonl } from '../../../src/web/console/log-lines.ts';
import { LOG_SEVERITIES, type LogsAsked, type LogsProblem, renderLogs } from '../../../src/web/console/logs.tsx';
import type { OwnProject } from '../bindings/own-project.ts';
import type { ConsoleContext, ConsoleDownload, ConsolePage, NothingToShow, Tile } from './console-request.ts';
import {
  isAboutPage,
  type ProjectList,
  NO_PROJECT,
  NO_SUCH_PAGE,
  findConsoleProject,
  readList,
} from './own-projects.ts';

/** A search as it is asked of the log: its filter, or what is wrong with it. */
type LogQuery = { asked: LogsAsked; page: string } & (
  | { ok: true; filter: string }
  | { ok: false; problem: LogsProblem }
);

/** An address has about this much room. */
const MAX_FILTER_CHARS = 6_000;
const MAX_PAGE_CHARS = 6_000;
const MAX_REQUEST_CHARS = 128;
const REQUEST_ID = /^[\w.:-]{1,128}$/;

const fromSchema = z.iso.datetime({ precision: 3 });

/**
 * What `/console/logs` is asked for. All that is set must hold. What is said of a time before now is fixed with the first
 * page, as `from`: pages of a search are good for the same filter only.
 */
function parseLogQuery(query: URLSearchParams, nowMs: number): LogQuery {
  const page = (query.get('page') ?? '').slice(0, MAX_PAGE_CHARS);
  const asked = parseLogFields(query, page === '' ? '' : (query.get('from') ?? ''), nowMs);
  const problem = findQueryProblem(asked);
  return problem === undefined
    ? { asked, page, ok: true, filter: buildLogFilter(asked) }
    : { asked, page, ok: false, problem };
}

function parseLogFields(query: URLSearchParams, from: string, nowMs: number): LogsAsked {
  const text = (name: string): string => query.get(name) ?? '';
  const since = SINCE.find(({ value }) => value === text('since'));
  const start = fromSchema.safeParse(from);
  return {
    filter: text('filter')
      .slice(0, MAX_FILTER_CHARS + 1)
      .replaceAll('\r\n', '\n'),
    severity: LOG_SEVERITIES.find((severity) => severity === text('severity')) ?? '',
    since: since?.value ?? '',
    request: text('request')
      .trim()
      .slice(0, MAX_REQUEST_CHARS + 1),
    order: text('order') === 'oldest' ? 'oldest' : 'newest',
    from: since === undefined ? '' : start.success ? start.data : new Date(nowMs - since.ms).toISOString(),
  };
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
function buildLogFilter({ filter, severity, request, from }: LogsAsked): string {
  const parts = [
    ...(severity === '' ? [] : [`severity>=${severity}`]),
    ...(from === '' ? [] : [`timestamp>="${from}"`]),
    ...(request === '' ? [] : [`labels.request_id="${request}"`]),
  ];
  if (parts.length === 0) return filter;
  return isBlank(filter) ? parts.join(' AND ') : `${parts.join(' AND ')} AND (\n${filter}\n)`;
}

/** A filter of only space and comments must not be put in parentheses. */
const isBlank = (filter: string): boolean =>
  filter.split('\n').every((line) => line.trim() === '' || line.trimStart().startsWith('--'));

const PAGE = 50;
const MAX_DOWNLOAD = 1_000;
/** Errors that the overview counts; then it says that there are more. */
const MAX_COUNTED = 200;
const HOUR_MS = 3_600_000;

/** `/console/logs?filter=&severity=&since=&request=&order=&page=`: what the service wrote to its own log. */
export const logsPage: ConsolePage = { path: '/console/logs', title: 'Logs', show, tile: buildErrorsTile };

async function show(c: ConsoleContext) {
  const query = parseLogQuery(c.query, c.now());
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

/** The same search as a file. */
const download = (
  kind: 'csv' | 'jsonl',
  type: string,
  write: (items: readonly JsonObject[]) => string,
): ConsoleDownload => ({
  path: `/console/logs.${kind}`,
  read: async (c) => {
    const query = parseLogQuery(c.query, c.now());
    const own = await findConsoleProject(c);
    if (own === undefined) return NO_PROJECT;
    if (!query.ok) return refuseSearch(query.problem.message);
    const found = await listLogEntries(c, own, query, MAX_DOWNLOAD);
    if (!found.ok) return isAboutPage(found.message) ? NO_SUCH_PAGE : refuseSearch(found.message);
    // A file that lacks some says so by its name.
    const name = `logs-${found.next === undefined ? '' : 'first-'}${found.items.length}.${kind}`;
    return { name, type, text: write(found.items) };
  },
});

export const logDownloads: readonly ConsoleDownload[] = [
  download('csv', 'text/csv; charset=utf-8; header=present', formatLogsCsv),
  download('jsonl', 'application/jsonl; charset=utf-8', formatLogsJsonl),
];

async function buildErrorsTile(c: ConsoleContext): Promise<Tile> {
  const title = 'Errors in the last hour';
  const own = await findConsoleProject(c);
  if (own === undefined) return { title, value: 'Not kept', note: 'This deployment keeps no log of its own.' };
  const filter = `severity>=ERROR AND timestamp>="${new Date(c.now() - HOUR_MS).toISOString()}"`;
  const found = await readList(
    c,
    own,
    buildEntriesRead(own, { filter, page: '', isNewestFirst: true, wanted: MAX_COUNTED }),
  );
  if (!found.ok) throw new Error('The log refuses to be counted');
  const count = found.items.length;
  return {
    title,
    value: found.next === undefined ? String(count) : `${count} or more`,
    note: 'Entries of the severity ERROR and worse.',
  };
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
