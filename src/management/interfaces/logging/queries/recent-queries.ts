import { pageSize } from '../../../core/engine/collection.ts';
import { hashText } from '../../../core/engine/hash.ts';
import { timestamp } from '../../../core/engine/named-collection.ts';
import type { Call, Context, Handlers } from '../../../core/engine/operation.ts';
import type { JsonObject } from '../../../../lib/json.ts';
import { locationNameOf } from '../containers.ts';
import { isOfType, queryWish } from './queries.ts';
import { forAllParents } from '../rows.ts';
import { invalidField, PAGE, textOf } from '../texts.ts';

/** Rows of recent queries: parent = `<container>/<user>`, id = hash of the filter, s1 = when it was last run. */
export const RECENT_QUERIES = 'logging.recentQueries';
/** Queries of one user and container that are remembered, and how long. */
const MAX_QUERIES = 100;
const LIFE_MS = 30 * 86_400_000;
/** All of them were run here: `entries:list` names no location. */
const LOCATION = 'global';
const ANY_LOCATION = '-';

export const recentQueryHandlers: Handlers = forAllParents('locations.recentQueries.list', list);

/** What the caller asked of the entries of a container in the last 30 days, the newest first. */
function list(call: Call, context: Context): JsonObject {
  const { container, location } = locationNameOf(textOf(call.path['parent']));
  const { type, visibility } = queryWish(textOf(call.query['filter']));
  if (visibility !== undefined) throw invalidField('filter', 'Recent queries have no visibility.');
  const limit = pageSize(call.query['pageSize'], { parameter: 'pageSize', ...PAGE });
  const isHere = location === LOCATION || location === ANY_LOCATION;
  const rows = context.store.list({
    collection: RECENT_QUERIES,
    parent: parentOf(container, call),
    order: { by: 's1', descending: true },
    after: context.pages.open(),
    limit: isHere ? limit + 1 : 0,
  });
  const oldest = timestamp(context.now() - LIFE_MS);
  const page = rows.slice(0, limit);
  const wanted = page.filter(({ row: { body } }) => textOf(body['lastRunTime']) >= oldest && isOfType(body, type));
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
export function remember(container: string, filter: string, call: Call, context: Context): void {
  const parent = parentOf(container, call);
  const lastRunTime = timestamp(context.now());
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

const parentOf = (container: string, { caller }: Call): string => `${container}/${caller.userId}`;
