import type { Call, Context, Handler, Handlers } from '../../../core/engine/operation.ts';
import type { JsonObject } from '../../../../lib/json.ts';
import { vendorRefusals } from '../../../../lib/refusal.ts';
import { parseMetadata } from '../../../../search/metadata.ts';
import type { InstanceFacts, InstanceOrder } from '../../../../search/order.ts';
import { defineInstanceHandlers } from '../instances/handlers.ts';
import { buildInstanceFacts, readSandboxClock, requireInstance } from '../instances/rows.ts';
import { HANDED } from '../rows.ts';
import { pageQuery, parseCallQuery, parseValue, withoutNulls } from '../schemas.ts';
import { parseFilters } from '../search/filters.ts';
import {
  chunksQuery,
  indexBody,
  itemListQuery,
  itemLogsQuery,
  jobBody,
  jobChangeBody,
  jobLogsQuery,
  MAX_KEY_CHARS,
  MAX_PAGE_KEY_CHARS,
  parseJsonObject,
  putBody,
  requireItemKey,
  uploadBody,
} from './schemas.ts';

/** Items, jobs and statistics: judged here, done by the object of the instance. */
export const handlers: Handlers = defineInstanceHandlers({
  'items.list': createItemHandler(({ instance, call }) => {
    const query = parseCallQuery(itemListQuery, call);
    const filter = parseFilters(parseJsonObject(query.metadata_filter), instance.config.metadata);
    const { item_id: itemId, key, search, source, status } = query;
    const wanted = Object.entries({ itemId, key, filter, search, source, status });
    return {
      do: 'items.list',
      instance,
      page: query.page,
      perPage: query.per_page,
      sortBy: query.sort_by,
      ...Object.fromEntries(wanted.filter(([, value]) => value !== undefined)),
    };
  }),
  'items.upload': upload,
  'items.createOrUpdate': createItemHandler(({ instance, call }) => {
    const { key, wait_for_completion: waits = false } = parseValue(putBody, withoutNulls(call.body));
    requireItemKey(key, MAX_PAGE_KEY_CHARS);
    return { do: 'items.index', instance, key, waits };
  }),
  'items.sync': createItemHandler(({ instance, call, itemId }) => {
    const { wait_for_completion: waits = false } = parseValue(indexBody, withoutNulls(call.body));
    return { do: 'items.index', instance, itemId, waits };
  }),
  'items.get': createItemHandler(({ instance, itemId }) => ({ do: 'items.get', instance, itemId })),
  'items.delete': createItemHandler(({ instance, itemId }) => ({ do: 'items.delete', instance, itemId })),
  'items.download': createItemHandler(({ instance, itemId }) => ({ do: 'items.download', instance, itemId })),
  'items.chunks': createItemHandler(({ instance, call, itemId }) => ({
    do: 'items.chunks',
    instance,
    itemId,
    ...parseCallQuery(chunksQuery, call),
  })),
  'items.logs': createItemHandler(({ instance, call, itemId }) => ({
    do: 'items.logs',
    instance,
    itemId,
    ...parseCallQuery(itemLogsQuery, call),
  })),
  stats: createItemHandler(({ instance }) => ({ do: 'stats', instance })),
  'jobs.create': createItemHandler(({ instance, call, context }) => {
    const { description } = parseValue(jobBody, call.body);
    const clock = readSandboxClock(context);
    return { do: 'jobs.create', instance, ...clock, ...(typeof description === 'string' && { description }) };
  }),
  'jobs.list': createItemHandler(({ instance, call }) => {
    const { page, per_page: perPage } = parseCallQuery(pageQuery, call);
    return { do: 'jobs.list', instance, page, perPage };
  }),
  'jobs.get': createItemHandler(({ instance, jobId }) => ({ do: 'jobs.get', instance, jobId })),
  'jobs.update': createItemHandler(({ instance, call, jobId }) => {
    parseValue(jobChangeBody, call.body);
    return { do: 'jobs.cancel', instance, jobId };
  }),
  'jobs.logs': createItemHandler(({ instance, call, jobId }) => {
    const { page, per_page: perPage } = parseCallQuery(jobLogsQuery, call);
    return { do: 'jobs.logs', instance, jobId, page, perPage };
  }),
});

/** What an order for the object of one instance is made of. */
type ItemRequest = { instance: InstanceFacts; call: Call; context: Context; itemId: string; jobId: string };

/** A handler that hands the order on: the instance is looked up first, so that what is not there is 404 whatever is sent. */
function createItemHandler(order: (asked: ItemRequest) => InstanceOrder): Handler {
  return (call, context) => {
    const instance = buildInstanceFacts(requireInstance(call, context), context.tenant.id);
    const { item_id: itemId = '', job_id: jobId = '' } = call.path;
    context.handSearch(order({ instance, call, context, itemId, jobId }));
    return HANDED;
  };
}

/** The file itself goes to the object from the Worker; this says as what. */
function upload(call: Call, context: Context): JsonObject {
  const instance = buildInstanceFacts(requireInstance(call, context), context.tenant.id);
  const {
    key,
    metadata,
    wait_for_completion: waits = false,
  } = parseValue(uploadBody, withoutNulls(call.body, ['metadata']));
  requireItemKey(key, MAX_KEY_CHARS);
  if (instance.config.isPaused) throw vendorRefusals.invalid('ai_search_is_paused');
  const judged = parseMetadata(metadata, instance.config.metadata);
  context.handSearch({ do: 'upload', instance, key, ...judged, waits });
  return HANDED;
}
