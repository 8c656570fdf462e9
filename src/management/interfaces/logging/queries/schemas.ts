import { refuseViolation } from '../../../core/conventions/invalid.ts';
import { refuseQueryFilter } from '../refusals.ts';
import { isObject, isText, type Json, type JsonObject, toTexts } from '../../../../lib/json.ts';
import { vendorRefusals } from '../../../../lib/refusal.ts';
import { parseBelowBucketName, parseLocationName } from '../rows.ts';
import { requireDescription, requireFilter, toTextOrEmpty } from '../schemas.ts';

/** Of saved and recent queries: what a list asks for. */
type QueryCriteria = { type?: 'Logging' | 'OpsAnalytics'; visibility?: 'PRIVATE' | 'SHARED' };

const TYPE = /^type\(\s*"(Logging|OpsAnalytics)"\s*\)/;
const VISIBILITY = /^visibility\s*=\s*"?(PRIVATE|SHARED)"?(?![A-Za-z0-9_"])/;
const MAX_QUERY_FILTER_CHARS = 200;

/**
 * Reads the filter of a list of queries: `type("Logging")`, `visibility = SHARED`, or both, joined by AND or a space
 * (discovery document, savedQueries.list). It is no filter of log entries.
 * @throws Refusal for anything else
 */
export function parseQueryFilter(filter: string): QueryCriteria {
  const requested: QueryCriteria = {};
  let rest = filter.length > MAX_QUERY_FILTER_CHARS ? '?' : filter.trim();
  while (rest !== '') {
    const [typed = '', type] = TYPE.exec(rest) ?? [];
    const [seen = '', visibility] = VISIBILITY.exec(rest) ?? [];
    if (type !== undefined && requested.type === undefined) requested.type = type as 'Logging';
    else if (visibility !== undefined && requested.visibility === undefined)
      requested.visibility = visibility as 'PRIVATE';
    else throw refuseQueryFilter();
    const left = rest.slice((typed || seen).length).trim();
    rest = left.replace(/^AND\b/, '').trim();
    if (left !== '' && rest === '') throw refuseQueryFilter();
  }
  return requested;
}

/** Whether a query is of the type that is asked for. */
export const isOfType = (body: JsonObject, type: QueryCriteria['type']): boolean =>
  type === undefined || isObject(body[type === 'Logging' ? 'loggingQuery' : 'opsAnalyticsQuery'] ?? null);

/** The one query that a saved query has. @throws Refusal where it has none, or two */
function requireOneQuery(logging: Json | undefined, opsAnalytics: Json | undefined): void {
  if (isObject(logging ?? null) && isObject(opsAnalytics ?? null))
    throw refuseViolation('loggingQuery', 'A query is either loggingQuery or opsAnalyticsQuery, not both.');
  if (!isObject(logging ?? null) && !isObject(opsAnalytics ?? null)) throw vendorRefusals.required('loggingQuery');
}

const MAX_DISPLAY_NAME_CHARS = 256;
const VISIBILITIES = ['PRIVATE', 'SHARED'];

/** @throws Refusal for a query without a name, a visibility, or exactly one query that can be read */
export function requireQuery(body: JsonObject): void {
  const { displayName, visibility, loggingQuery, opsAnalyticsQuery } = body;
  if (toTextOrEmpty(displayName) === '') throw vendorRefusals.required('displayName');
  if (toTextOrEmpty(displayName).length > MAX_DISPLAY_NAME_CHARS)
    throw refuseViolation('displayName', `displayName has more than ${MAX_DISPLAY_NAME_CHARS} characters.`);
  if (!isText(visibility) || !VISIBILITIES.includes(visibility)) throw vendorRefusals.required('visibility');
  requireDescription(body['description']);
  requireOneQuery(loggingQuery, opsAnalyticsQuery);
  if (!isObject(loggingQuery ?? null)) return;
  requireFilter((loggingQuery as JsonObject)['filter'], 'loggingQuery.filter');
}

/** What a scope may name: so many resources, and of those so many projects. */
const MAX_RESOURCES = 100;
const MAX_PROJECTS = 5;
/** The only place of log scopes. */
export const SCOPE_LOCATION = 'global';
const PROJECT = /^projects\/[^/]+$/;

/** @throws Refusal for a parent in another location than log scopes are in, and than the `others` */
export function requireScopeParent(parent: string, others: readonly string[] = []): void {
  const { location } = parseLocationName(parent);
  if (location !== SCOPE_LOCATION && !others.includes(location))
    throw refuseViolation('parent', `Log scopes are only in the location ${SCOPE_LOCATION}.`);
}

/** @throws Refusal for a scope that names nothing, too much, or what is neither a project nor a view */
export function requireScope({ resourceNames, description }: JsonObject): void {
  requireDescription(description);
  const names = toTexts(resourceNames);
  if (names.length === 0) throw vendorRefusals.required('resourceNames');
  const projects = new Set(names.filter((name) => PROJECT.test(name)));
  if (new Set(names).size > MAX_RESOURCES || projects.size > MAX_PROJECTS)
    throw refuseViolation(
      'resourceNames',
      `A log scope has at most ${MAX_PROJECTS} projects, and ${MAX_RESOURCES} resources in all.`,
    );
  for (const name of names) if (!projects.has(name)) parseBelowBucketName(name, 'views');
}
