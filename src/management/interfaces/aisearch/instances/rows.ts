import type { Call, Context } from '../../../core/engine/operation.ts';
import type { ResourceRow, Resources } from '../../../core/engine/stored-row.ts';
import { isText, type JsonObject } from '../../../../lib/json.ts';
import { type CrawlSource, type InstanceConfig, type InstanceFacts, MAX_JOB_PAGES } from '../../../../search/order.ts';
import { refuseMissingInstance } from '../refusals.ts';
import { AISEARCH, EVERY, extractAccountId, type NamespacePlace, requireNamespacePlace } from '../rows.ts';
import { asJson } from '../schemas.ts';
import {
  getIndexMethods,
  type InstanceSource,
  listMetadataFields,
  requireCrawlUrl,
  type SourceParams,
  storedInstance,
  type StoredInstance,
} from './schemas.ts';

/** Instances of a tenant, in all its accounts and namespaces: the vendor's limit in open beta (rule K9). */
export const MAX_INSTANCES = 10;
const DEFAULT_CRAWL_DEPTH = 3;
const PER_CENT = 100;

/** What an instance has where nothing is set. `ready`: it answers; how far its index is, its statistics say. */
export const DEFAULTS = {
  ai_gateway_id: null,
  ai_search_model: null,
  cache: false,
  cache_threshold: 'close_enough',
  cache_ttl: 172_800,
  chunk: true,
  chunk_overlap: 10,
  chunk_size: 256,
  custom_metadata: [],
  embedding_model: null,
  enable: true,
  engine_version: 3,
  fusion_method: 'rrf',
  indexing_options: null,
  last_activity: null,
  max_num_results: 10,
  metadata: null,
  paused: false,
  public_endpoint_id: null,
  public_endpoint_params: null,
  reranking: false,
  reranking_model: null,
  retrieval_options: null,
  rewrite_model: null,
  rewrite_query: false,
  score_threshold: 0.4,
  source_params: null,
  status: 'ready',
  summarization: false,
  summarization_model: null,
  sync_interval: 21_600,
  system_prompt_ai_search: null,
  system_prompt_index_summarization: null,
  system_prompt_rewrite_query: null,
  token_id: null,
};

/** The instance that a path names. @throws Refusal 404 */
export function requireInstance(call: Call, context: Context): ResourceRow {
  return requireInstanceById(requireNamespacePlace(call, context), call.path['id'] ?? '', context);
}

/** An instance of a namespace. @throws Refusal 404 */
export function requireInstanceById({ parent }: NamespacePlace, id: string, { store }: Context): ResourceRow {
  const row = store.get(AISEARCH.instances, parent, id);
  if (row === undefined) throw refuseMissingInstance();
  return row;
}

/** Whether an object is still that of an instance: one whose row is gone (a reset, a restored snapshot) may go as well. */
export const isInstance = (store: Resources, uid: string): boolean => listInstanceUids(store).includes(uid);

/** Names of the objects of all instances. */
export const listInstanceUids = (store: Resources): readonly string[] =>
  listAllInstances(store).flatMap(({ body: { uid } }) => (isText(uid) ? [uid] : []));

/** All instances of the tenant. */
export const listAllInstances = (store: Resources): readonly ResourceRow[] =>
  store.byRef(AISEARCH.instances, EVERY, MAX_INSTANCES + 1);

/** An instance as it is stored. */
export const buildInstanceRow = ({ parent, id }: { parent: string; id: string }, kept: StoredInstance) => ({
  collection: AISEARCH.instances,
  parent,
  id,
  ref: EVERY,
  body: asJson(kept),
});

/** What is stored of an instance. @throws Error for a row of another collection */
export const readStoredInstance = ({ body }: ResourceRow): StoredInstance => storedInstance.parse(body);

/** What lists alone show. */
const ONLY_LISTED: ReadonlySet<string> = new Set([
  'chunk',
  'summarization',
  'summarization_model',
  'system_prompt_ai_search',
  'system_prompt_index_summarization',
  'system_prompt_rewrite_query',
]);
/** What lists show as null, and an instance by itself does not have where it is not set. */
const NULL_IN_LISTS: ReadonlySet<string> = new Set(['metadata', 'public_endpoint_params', 'token_id']);

/** An instance by itself, as npm `cloudflare` 7.3.0 types it: with less than a list has. */
export const toInstanceResource = (row: ResourceRow): JsonObject =>
  Object.fromEntries(
    Object.entries(toListedInstance(row)).filter(
      ([name, value]) => !ONLY_LISTED.has(name) && !(value === null && NULL_IN_LISTS.has(name)),
    ),
  );

/** An instance of a list: all settings, with their defaults. It takes files and questions from its first moment. */
export function toListedInstance(row: ResourceRow): JsonObject {
  const { settings, source, type, createdMs, modifiedMs, createdBy, modifiedBy } = readStoredInstance(row);
  const method = getIndexMethods(settings);
  return {
    ...DEFAULTS,
    ...asJson(settings),
    id: row.id,
    namespace: getInstanceNamespace(row),
    created_at: new Date(createdMs).toISOString(),
    created_by: createdBy,
    modified_at: new Date(modifiedMs).toISOString(),
    modified_by: modifiedBy,
    hybrid_search_enabled: method.keyword && method.vector,
    index_method: method,
    source,
    type,
  };
}

/** What of an instance's settings has an effect on its index. */
function buildInstanceConfig(row: ResourceRow): InstanceConfig {
  const { settings, source, type } = readStoredInstance(row);
  const chunkTokens = settings.chunk_size ?? DEFAULTS.chunk_size;
  const overlap = settings.chunk_overlap ?? DEFAULTS.chunk_overlap;
  const crawl = buildCrawlSource({ source, type }, settings.source_params);
  return {
    ...(crawl !== undefined && { source: crawl }),
    syncIntervalS: settings.sync_interval ?? DEFAULTS.sync_interval,
    chunkTokens,
    overlapTokens: Math.floor((chunkTokens * overlap) / PER_CENT),
    tokenizer: settings.indexing_options?.keyword_tokenizer ?? 'porter',
    ...getIndexMethods(settings),
    metadata: listMetadataFields(settings),
    isPaused: settings.paused === true,
  };
}

/** An instance as it is described to its object. */
export const buildInstanceFacts = (row: ResourceRow, tenant: string): InstanceFacts => ({
  uid: isText(row.body['uid']) ? row.body['uid'] : '',
  tenant,
  account: extractAccountId(row.parent),
  namespace: getInstanceNamespace(row),
  id: row.id,
  config: buildInstanceConfig(row),
});

/** The time of a sandbox, whose clock may be set; nothing for a live tenant, whose clock is the real one. */
export const readSandboxClock = ({ tenant, now }: Context): { clockMs?: number } =>
  tenant.mode === 'sandbox' ? { clockMs: now() } : {};

/** The namespace that an instance is in. */
export const getInstanceNamespace = ({ parent }: ResourceRow): string => parent.slice(parent.lastIndexOf('/') + 1);

/** What the crawler is to read; undefined for an instance that only takes uploads. */
function buildCrawlSource({ source }: InstanceSource, params: SourceParams = {}): CrawlSource | undefined {
  if (source === null) return undefined;
  const { discover_options: options, parse_options, parse_type } = params.web_crawler ?? {};
  return {
    url: requireCrawlUrl(source).href,
    discover: parse_type === 'discover' && options?.source !== 'sitemaps',
    ...(parse_type === 'discover' && options?.source === 'links' && { linksOnly: true as const }),
    sitemaps: parse_options?.specific_sitemaps ?? [],
    include: params.include_items ?? [],
    exclude: params.exclude_items ?? [],
    depth: options?.depth ?? DEFAULT_CRAWL_DEPTH,
    maxPages: Math.min(options?.limit ?? MAX_JOB_PAGES, MAX_JOB_PAGES),
  };
}
