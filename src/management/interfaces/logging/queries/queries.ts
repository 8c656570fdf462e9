import { type Json, type JsonObject, isObject } from '../../../../lib/json.ts';
import { type Refusal, refuse } from '../../../../lib/refusal.ts';
import { invalidField } from '../texts.ts';

/** Of saved and recent queries: what a list asks for. */
export type QueryWish = { type?: 'Logging' | 'OpsAnalytics'; visibility?: 'PRIVATE' | 'SHARED' };

const TYPE = /^type\(\s*"(Logging|OpsAnalytics)"\s*\)/;
const VISIBILITY = /^visibility\s*=\s*"?(PRIVATE|SHARED)"?(?![A-Za-z0-9_"])/;
const MAX_FILTER_CHARS = 200;

/**
 * Reads the filter of a list of queries: `type("Logging")`, `visibility = SHARED`, or both, joined by AND or a space
 * (discovery document, savedQueries.list). It is no filter of log entries.
 * @throws Refusal for anything else
 */
export function queryWish(filter: string): QueryWish {
  const wish: QueryWish = {};
  let rest = filter.length > MAX_FILTER_CHARS ? '?' : filter.trim();
  while (rest !== '') {
    const [typed = '', type] = TYPE.exec(rest) ?? [];
    const [seen = '', visibility] = VISIBILITY.exec(rest) ?? [];
    if (type !== undefined && wish.type === undefined) wish.type = type as 'Logging';
    else if (visibility !== undefined && wish.visibility === undefined) wish.visibility = visibility as 'PRIVATE';
    else throw unreadable();
    const left = rest.slice((typed || seen).length).trim();
    rest = left.replace(/^AND\b/, '').trim();
    if (left !== '' && rest === '') throw unreadable();
  }
  return wish;
}

/** Whether a query is of the type that is asked for. */
export const isOfType = (body: JsonObject, type: QueryWish['type']): boolean =>
  type === undefined || isObject(body[type === 'Logging' ? 'loggingQuery' : 'opsAnalyticsQuery'] ?? null);

const unreadable = (): Refusal =>
  invalidField('filter', 'filter must be type("Logging") or type("OpsAnalytics"), and visibility = PRIVATE or SHARED.');

/** The one query that a saved query has. @throws Refusal where it has none, or two */
export function requireOneQuery(logging: Json | undefined, opsAnalytics: Json | undefined): void {
  if (isObject(logging ?? null) && isObject(opsAnalytics ?? null))
    throw invalidField('loggingQuery', 'A query is either loggingQuery or opsAnalyticsQuery, not both.');
  if (!isObject(logging ?? null) && !isObject(opsAnalytics ?? null)) throw refuse.required('loggingQuery');
}
