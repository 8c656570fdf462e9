import { hashText } from '../../../core/engine/hash.ts';
import { refuseMissingName, splitName } from '../../../core/engine/named-collection.ts';
import type { Call, Context } from '../../../core/engine/operation.ts';
import type { ResourceRow } from '../../../core/engine/stored-row.ts';
import type { JsonObject } from '../../../../lib/json.ts';
import { formatIsoTimestamp, DAY_MS } from '../../../../lib/time.ts';
import { parseLocationName } from '../rows.ts';
import { toTextOrEmpty } from '../schemas.ts';
import { requireScopeParent } from './schemas.ts';

/** The vendor's word for every location. */
export const ANY_LOCATION = '-';

/** Rows of saved queries: parent = container, id = `<location>/<id>`. `owner` in the body is the user who made it. */
export const SAVED_QUERIES = 'logging.savedQueries';
export const MAX_SAVED_QUERIES = 1_000;

/** The caller's own, or a shared one. @throws Refusal 404: another's private query is not there */
export function requireSavedQuery({ path, caller }: Call, context: Context): ResourceRow {
  const name = toTextOrEmpty(path['name']);
  const { parent, id } = splitName(name);
  const { container, location } = parseLocationName(parent);
  const row = context.store.get(SAVED_QUERIES, container, `${location}/${id}`);
  if (row === undefined || !isVisibleQuery(row.body, { caller })) throw refuseMissingName(name);
  return row;
}

export const isVisibleQuery = ({ visibility, owner }: JsonObject, { caller }: Pick<Call, 'caller'>): boolean =>
  visibility === 'SHARED' || owner === caller.userId;

/** `projects/p/locations/global/savedQueries/q`, without its owner. */
export function toSavedQueryResource({ parent, id, body }: ResourceRow): JsonObject {
  const [location, key] = id.split('/');
  const { owner: _owner, ...shown } = body;
  return { name: `${parent}/locations/${location}/savedQueries/${key}`, ...shown };
}

/** Rows of recent queries: parent = `<container>/<user>`, id = hash of the filter, s1 = when it was last run. */
export const RECENT_QUERIES = 'logging.recentQueries';
/** Queries of one user and container that are remembered, and how long. */
const MAX_RECENT_QUERIES = 100;
export const RECENT_QUERY_LIFE_MS = 30 * DAY_MS;
/** All of them were run here: `entries:list` names no location. */
export const RECENT_LOCATION = 'global';

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
  if (context.store.count(RECENT_QUERIES, parent) <= MAX_RECENT_QUERIES) return;
  const [oldest] = context.store.list({ collection: RECENT_QUERIES, parent, order: { by: 's1' }, limit: 1 });
  if (oldest !== undefined) context.store.remove(oldest.row);
}

/** The parent of the caller's recent queries of a container. */
export const formatCallerParent = (container: string, { caller }: Call): string => `${container}/${caller.userId}`;

export const toRecentQueryResource = (container: string, { id, body }: ResourceRow): JsonObject => ({
  name: `${container}/locations/${RECENT_LOCATION}/recentQueries/${id}`,
  ...body,
});

/** Rows of log scopes: parent = `projects/p/locations/global`. */
export const LOG_SCOPES = 'logging.logScopes';
/** Log scopes of a container (the vendor's). */
export const MAX_LOG_SCOPES = 100;
/** The scope that every container has without a row: itself. */
export const DEFAULT_SCOPE = '_Default';

/** A log scope. `isStored`: false for the default one that was never changed. */
export type LogScope = { parent: string; id: string; body: JsonObject; isStored: boolean };

/** All log scopes of a location, `_Default` included. */
export function listLogScopes(parent: string, context: Context): readonly LogScope[] {
  const rows = context.store.list({ collection: LOG_SCOPES, parent, limit: MAX_LOG_SCOPES + 1 });
  const stored = rows.map(({ row: { id, body } }): LogScope => ({ parent, id, body, isStored: true }));
  return stored.some(({ id }) => id === DEFAULT_SCOPE) ? stored : [...stored, buildDefaultScope(parent)];
}

/** @throws Refusal 404 */
export function requireNamedScope(name: string, context: Context): LogScope {
  const { parent, id } = splitName(name);
  requireScopeParent(parent);
  const row = context.store.get(LOG_SCOPES, parent, id);
  if (row !== undefined) return { parent, id, body: row.body, isStored: true };
  if (id === DEFAULT_SCOPE) return buildDefaultScope(parent);
  throw refuseMissingName(name);
}

const buildDefaultScope = (parent: string): LogScope => ({
  parent,
  id: DEFAULT_SCOPE,
  body: { resourceNames: [parseLocationName(parent).container] },
  isStored: false,
});

export const toScopeResource = ({ parent, id, body }: LogScope): JsonObject => ({
  name: `${parent}/logScopes/${id}`,
  ...body,
});
