import * as z from 'zod';
import { parseFilter } from '../../../src/management/core/filter/index.ts';
import { type LogsAsked, type LogsProblem, LOG_SEVERITIES } from '../../../src/web/console/logs-asked.ts';
import { SINCE } from '../../../src/web/console/age.ts';

/** A search as it is asked of the log: its filter, or what is wrong with it. */
export type LogQuery = { asked: LogsAsked; page: string } & (
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
export function logQueryOf(query: URLSearchParams, nowMs: number): LogQuery {
  const page = (query.get('page') ?? '').slice(0, MAX_PAGE_CHARS);
  const asked = askedIn(query, page === '' ? '' : (query.get('from') ?? ''), nowMs);
  const problem = problemOf(asked);
  return problem === undefined
    ? { asked, page, ok: true, filter: filterOf(asked) }
    : { asked, page, ok: false, problem };
}

function askedIn(query: URLSearchParams, from: string, nowMs: number): LogsAsked {
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

function problemOf({ filter, request }: LogsAsked): LogsProblem | undefined {
  if (request !== '' && !REQUEST_ID.test(request))
    return { field: 'request', message: 'A request id has letters, digits, and . _ : - only, at most 128 of them.' };
  if (filter.length > MAX_FILTER_CHARS)
    return { field: 'filter', message: `A filter has at most ${MAX_FILTER_CHARS} characters here.` };
  const parsed = parseFilter(filter);
  return parsed.ok ? undefined : { field: 'filter', message: parsed.message, at: parsed.at };
}

/** Each part by itself, so that none changes what another means; a line each, since a comment ends with its line. */
function filterOf({ filter, severity, request, from }: LogsAsked): string {
  const parts = [
    ...(severity === '' ? [] : [`severity>=${severity}`]),
    ...(from === '' ? [] : [`timestamp>="${from}"`]),
    ...(request === '' ? [] : [`labels.request_id="${request}"`]),
  ];
  if (parts.length === 0) return filter;
  return isBlank(filter) ? parts.join(' AND ') : `${parts.join(' AND ')} AND (\n${filter}\n)`;
}

/** Nothing but space and comments stands in no brackets. */
const isBlank = (filter: string): boolean =>
  filter.split('\n').every((line) => line.trim() === '' || line.trimStart().startsWith('--'));
