import * as z from 'zod';
import type { Call, Context, Handler, Handlers } from '../../core/engine/operation.ts';
import { isObject, isText, type Json } from '../../../lib/json.ts';
import { vendorRefusals } from '../../../lib/refusal.ts';
import { type InstanceFacts, type InstanceOrder, refuseFilter } from '../../../search/order.ts';
import { parseFilters } from './filters.ts';
import { requireInstance } from './instances.ts';
import { buildInstanceFacts } from './kept.ts';
import { parseMetadata } from '../../../search/metadata.ts';
import { pageQuery, parseValue, parseCallQuery, defineWholeNumber, withoutNulls } from './parse.ts';
import { HANDED } from './questions.ts';
import { defineInstanceHandlers } from './rows.ts';

/** Of an upload; the vendor's limit. */
const MAX_KEY_CHARS = 128;
/** Of what is asked for by its key: that of a crawled page is its URL. */
const MAX_PAGE_KEY_CHARS = 2_048;
const MAX_ITEM_ID_CHARS = 128;
const MAX_SOURCE_CHARS = 2_200;
const MAX_SEARCH_CHARS = 256;
const MAX_FILTER_CHARS = 8_192;
const MAX_CURSOR_CHARS = 1_024;
const MAX_CHUNKS = 100;
const DEFAULT_CHUNKS = 20;
const MAX_LOGS = 100;
const DEFAULT_LOGS = 50;
const MAX_OFFSET = 1_000_000;

const listQuery = {
  ...pageQuery,
  item_id: z.string().max(MAX_ITEM_ID_CHARS).optional(),
  key: z.string().max(MAX_PAGE_KEY_CHARS).optional(),
  metadata_filter: z.string().max(MAX_FILTER_CHARS).optional(),
  search: z.string().max(MAX_SEARCH_CHARS).optional(),
  sort_by: z.enum(['status', 'modified_at']).default('status'),
  source: z.string().max(MAX_SOURCE_CHARS).optional(),
  status: z.enum(['queued', 'running', 'completed', 'error', 'skipped', 'outdated']).optional(),
};
const chunksQuery = {
  limit: defineWholeNumber(1, MAX_CHUNKS, DEFAULT_CHUNKS),
  offset: defineWholeNumber(0, MAX_OFFSET, 0),
};
const logsQuery = {
  limit: defineWholeNumber(1, MAX_LOGS, DEFAULT_LOGS),
  cursor: z.string().max(MAX_CURSOR_CHARS).default(''),
};

const indexBody = z.strictObject({
  next_action: z.literal('INDEX'),
  wait_for_completion: z.boolean().optional(),
});
const putBody = indexBody.extend({ key: z.string().min(1) });

/** `wait_for_completion` of a form is text. */
const uploadBody = z.strictObject({
  key: z.string().min(1),
  metadata: z.unknown().optional(),
  wait_for_completion: z
    .union([z.boolean(), z.enum(['true', 'false', '']).transform((text) => text === 'true')])
    .optional(),
});

/** Items: judged here, done by the object of the instance. */
export const itemHandlers: Handlers = defineInstanceHandlers({
  'items.list': createItemHandler(({ instance, call }) => {
    const query = parseCallQuery(listQuery, call);
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
    requireKey(key, MAX_PAGE_KEY_CHARS);
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
    ...parseCallQuery(logsQuery, call),
  })),
});

/** What an order for the object of one instance is made of. */
type ItemRequest = { instance: InstanceFacts; call: Call; itemId: string };

/** A handler that hands the order on: the instance is looked up first, so that what is not there is 404 whatever is sent. */
export function createItemHandler(order: (asked: ItemRequest) => InstanceOrder): Handler {
  return (call, context) => {
    const instance = buildInstanceFacts(requireInstance(call, context), context.tenant.id);
    context.handSearch(order({ instance, call, itemId: call.path['item_id'] ?? '' }));
    return HANDED;
  };
}

/** The file itself goes to the object from the Worker; this says as what. */
function upload(call: Call, context: Context) {
  const instance = buildInstanceFacts(requireInstance(call, context), context.tenant.id);
  const {
    key,
    metadata,
    wait_for_completion: waits = false,
  } = parseValue(uploadBody, withoutNulls(call.body, ['metadata']));
  requireKey(key, MAX_KEY_CHARS);
  if (instance.config.isPaused) throw vendorRefusals.invalid('ai_search_is_paused');
  const judged = parseMetadata(metadata, instance.config.metadata);
  context.handSearch({ do: 'upload', instance, key, ...judged, waits });
  return HANDED;
}

function requireKey(key: string, maxChars: number): void {
  if (key.length > maxChars) throw vendorRefusals.invalid('filename_exceeds_maximum_length');
  const isPlain = key.isWellFormed() && Array.from(key).every((char) => char >= ' ' && char !== '\u007f');
  if (!isPlain || key.trim() === '') throw vendorRefusals.invalid('key: not blank, and without control characters');
}

/** @throws Refusal 400 for what is no JSON object */
function parseJsonObject(text: string | undefined): Json | undefined {
  if (!isText(text) || text === '') return undefined;
  try {
    const value = JSON.parse(text) as Json; // JSON.parse makes nothing else.
    if (isObject(value)) return value;
  } catch {
    // Said below, for both.
  }
  throw refuseFilter('it is not a JSON object');
}
