import type { Since } from './age.ts';

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
export function tracesHref({ filter = '', since = '', order, from = '' }: Partial<TracesAsked>, page = ''): string {
  const query = new URLSearchParams({
    ...(filter === '' ? {} : { filter }),
    ...(since === '' ? {} : { since }),
    ...(order === 'slowest' ? { order } : {}),
    ...(page === '' ? {} : { ...(from === '' ? {} : { from }), page }),
  }).toString();
  return query === '' ? TRACES_PATH : `${TRACES_PATH}?${query}`;
}
