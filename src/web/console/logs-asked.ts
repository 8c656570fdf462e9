import type { Since } from './age.ts';

/** Severities that a search can begin at, the least first. */
export const LOG_SEVERITIES = [
  'DEBUG',
  'INFO',
  'NOTICE',
  'WARNING',
  'ERROR',
  'CRITICAL',
  'ALERT',
  'EMERGENCY',
] as const;

/** A search of the log, as the form has it; '' for what is not set. */
export type LogsAsked = {
  filter: string;
  severity: (typeof LOG_SEVERITIES)[number] | '';
  since: Since | '';
  request: string;
  order: 'newest' | 'oldest';
  /** When `since` began, for further pages of the same search. */
  from: string;
};

/** What is wrong with a field. `at` counts characters of the filter from 0. */
export type LogsProblem = { field: 'filter' | 'request'; message: string; at?: number };

export const LOGS_PATH = '/console/logs';

/** Path of a search; at a page of it, and as a file, where asked for. */
export function logsHref(asked: Partial<LogsAsked>, { page, path = LOGS_PATH }: { page?: string; path?: string } = {}) {
  const { from = '', order, ...rest } = asked;
  const set = Object.entries(rest).filter(([, value]) => value !== '');
  const query = new URLSearchParams({
    ...Object.fromEntries(set),
    ...(order === 'oldest' ? { order } : {}),
    ...(page === undefined || page === '' ? {} : { ...(from === '' ? {} : { from }), page }),
  }).toString();
  return query === '' ? path : `${path}?${query}`;
}

/** Path of the entries of a trace: its full name, `projects/p/traces/t`. */
export const logsOfTrace = (name: string): string => logsHref({ filter: `trace="${name}"` });
