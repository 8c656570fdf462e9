import { isObject, type Json, type JsonObject } from '../../../../lib/json.ts';
import { type Refusal, vendorRefusals } from '../../../../lib/refusal.ts';
import { readPageSize } from '../../../core/engine/collection.ts';
import { hashText } from '../../../core/engine/hash.ts';
import { formatIsoTimestamp } from '../../../core/engine/named-collection.ts';
import type { Call, Context, Handlers } from '../../../core/engine/operation.ts';
import { defineParentHandlers, parseLocationName } from '../rows.ts';
import { refuseLogField, PAGE, toTextOrEmpty } from '../texts.ts';

/** Of saved and recent queries: what a list asks for. */
type QueryCriteria = { type?: 'Logging' | 'OpsAnalytics'; visibility?: 'PRIVATE' | 'SHARED' };

const TYPE = /^type\(\s*"(Logging|OpsAnalytics)"\s*\)/;
const VISIBILITY = /^visibility\s*=\s*"?(PRIVATE|SHARED)"?(?![A-Za-z0-9_"])/;
const MAX_FILTER_CHARS = 200;

/**
 * Reads the filter of a list of queries: `type("Logging")`, `visibility = SHARED`, or both, joined by AND or a space
 * (discovery document, savedQueries.list). It is no filter of log entries.
 * @throws Refusal for anything else
 */
export function parseQueryFilter(filter: string): QueryCriteria {
  const requested: QueryCriteria = {};
  let rest = filter.length > MAX_FILTER_CHARS ? '?' : filter.trim();
  while (rest !== '') {
    const [typed = '', type] = TYPE.exec(rest) ?? [];
    const [seen = '', visibility] = VISIBILITY.exec(rest) ?? [];
    if (type !== undefined && requested.type === undefined) requested.type = type as 'Logging';
    else if (visibility !== undefined && requested.visibility === undefined)
      requested.visibility = visibility as 'PRIVATE';
    else throw refuseFilter();
    const left = rest.slice((typed || seen).length).trim();
    rest = left.replace(/^AND\b/, '').trim();
    if (left !== '' && rest === '') throw refuseFilter();
  }
  return requested;
}

/** Whether a query is of the type that is asked for. */
export const isOfType = (body: JsonObject, type: QueryCriteria['type']): boolean =>
  type === undefined || isObject(body[type === 'Logging' ? 'loggingQuery' : 'opsAnalyticsQuery'] ?? null);

const refuseFilter = (): Refusal =>
  refuseLogField(
    'filter',
    'filter must be type("Logging") or type("OpsAnalytics"), and visibility = PRIVATE or SHARED.',
  );

/** The one query that a saved query has. @throws Refusal where it has none, or two */
export function requireOneQuery(logging: Json | undefined, opsAnalytics: Json | undefined): void {
  if (isObject(logging ?? null) && isObject(opsAnalytics ?? null))
    throw refuseLogField('loggingQuery', 'A query is either loggingQuery or opsAnalyticsQuery, not both.');
  if (!isObject(logging ?? null) && !isObject(opsAnalytics ?? null)) throw vendorRefusals.required('loggingQuery');
}

/** Rows of recent queries: parent = `<container>/<user>`, id = hash of the filter, s1 = when it was last run. */
export const RECENT_QUERIES = 'logging.recentQueries';
/** Queries of one user and container that are remembered, and how long. */
const MAX_QUERIES = 100;
const LIFE_MS = 30 * 86_400_000;
/** All of them were run here: `entries:list` names no location. */
const LOCATION = 'global';
const ANY_LOCATION = '-';

export const recentQueryHandlers: Handlers = defineParentHandlers('locations.recentQueries.list', list);

/** What the caller asked of the entries of a container in the last 30 days, the newest first. */
function list(call: Call, context: Context): JsonObject {
  const { container, location } = parseLocationName(toTextOrEmpty(call.path['parent']));
  const { type, visibility } = parseQueryFilter(toTextOrEmpty(call.query['filter']));
  if (visibility !== undefined) throw refuseLogField('filter', 'Recent queries have no visibility.');
  const limit = readPageSize(call.query['pageSize'], { parameter: 'pageSize', ...PAGE });
  const isHere = location === LOCATION || location === ANY_LOCATION;
  const rows = context.store.list({
    collection: RECENT_QUERIES,
    parent: formatCallerParent(container, call),
    order: { by: 's1', descending: true },
    after: context.pages.open(),
    limit: isHere ? limit + 1 : 0,
  });
  const oldest = formatIsoTimestamp(context.now() - LIFE_MS);
  const page = rows.slice(0, limit);
  const wanted = page.filter(
    ({ row: { body } }) => toTextOrEmpty(body['lastRunTime']) >= oldest && isOfType(body, type),
  );
  const recentQueries = wanted.map(({ row: { id, body } }): JsonObject => ({
    name: `${container}/locations/${LOCATION}/recentQueries/${id}`,
    ...body,
  }));
  const next = rows.length > limit ? page.at(-1)?.cursor : undefined;
  return {
    ...(recentQueries.length > 0 && { recentQueries }),
    ...(next !== undefined && { nextPageToken: context.pages.seal(next) }),
  };
}

/** Remembers that the caller asked this of a container's entries. The oldest of too many is forgotten. */
export function recordRecentQuery(container: string, filter: string, call: Call, context: Context): void {
  const parent = formatCallerParent(container, call);
  const lastRunTime = formatIsoTimestamp(context.now());
  const id = hashText(filter);
  const row = {
    collection: RECENT_QUERIES,
    parent,
    id,
    s1: lastRunTime,
    body: { loggingQuery: { filter }, lastRunTime },
  };
  if (context.store.insert(row) === undefined) {
    context.store.put(row);
    return;
  }
  if (context.store.count(RECENT_QUERIES, parent) <= MAX_QUERIES) return;
  const [oldest] = context.store.list({ collection: RECENT_QUERIES, parent, order: { by: 's1' }, limit: 1 });
  if (oldest !== undefined) context.store.remove(oldest.row);
}

const formatCallerParent = (container: string, { caller }: Call): string => `${container}/${caller.userId}`;
