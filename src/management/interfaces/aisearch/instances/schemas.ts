import * as z from 'zod';
import type { JsonObject } from '../../../../lib/json.ts';
import { vendorRefusals } from '../../../../lib/refusal.ts';
import { MAX_CUSTOM_FIELDS, type MetadataField, type SearchQuery } from '../../../../search/order.ts';
import { parseValue, publicEndpoint, searchPageQuery, slug, withoutNulls } from '../schemas.ts';

/** Where an instance gets its items from: a website, or only uploads. As sent, for it is shown so. */
export type InstanceSource = { source: string | null; type: 'web-crawler' | null };

/** Globs in one list: the limit of most accounts. */
const MAX_GLOBS = 10;
const MAX_GLOB_CHARS = 256;
const MAX_URL_CHARS = 2_048;
const MAX_SITEMAPS = 10;
const MAX_SELECTORS = 10;
const MAX_HEADERS = 5;
const MAX_CRAWL_DEPTH = 10;
/** Pages that a job may be asked for; fewer are read (`MAX_JOB_PAGES`). */
const MAX_LIMIT = 100_000;
const MAX_AGE_S = 604_800;

const globs = z.array(z.string().min(1).max(MAX_GLOB_CHARS)).max(MAX_GLOBS);
const headerName = z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}$/, 'not a name of a header');
const headerValue = z.string().regex(/^[ -~]{0,1024}$/, 'not a value of a header');
/** What no CSS selector may hold; the vendor's list. */
const NO_SELECTOR = [';', '`', '$', '{', '}', '\\'];
const isPlainSelector = (selector: string): boolean => !NO_SELECTOR.some((char) => selector.includes(char));
const sitemap = z.url({ protocol: /^https?$/ }).max(MAX_URL_CHARS);

const discoverOptions = z.strictObject({
  depth: z.int().min(1).max(MAX_CRAWL_DEPTH).optional(),
  include_external_links: z.literal(false).optional(),
  /** Without effect: only the source's own host is read. */
  include_subdomains: z.boolean().optional(),
  limit: z.int().min(1).max(MAX_LIMIT).optional(),
  /** Without effect: pages are read anew. */
  max_age: z.int().min(0).max(MAX_AGE_S).optional(),
  source: z.enum(['all', 'sitemaps', 'links']).optional(),
});

const parseOptions = z.strictObject({
  /** Without effect: the gatherer finds the main content itself. */
  content_selector: z
    .array(
      z.strictObject({
        path: z.string().min(1).max(MAX_GLOB_CHARS),
        selector: z
          .string()
          .min(1)
          .max(MAX_GLOB_CHARS)
          .refine(isPlainSelector, `without ${NO_SELECTOR.join(' ')}`),
      }),
    )
    .min(1)
    .max(MAX_SELECTORS)
    .optional(),
  /** Validated and discarded: headers carry credentials, and our crawls send none. */
  include_headers: z
    .record(headerName, headerValue)
    .refine((headers) => Object.keys(headers).length <= MAX_HEADERS, `at most ${MAX_HEADERS}`)
    .transform(() => ({}))
    .optional(),
  /** These two are without effect: there is no browser, and images are not read. */
  include_images: z.boolean().optional(),
  use_browser_rendering: z.boolean().optional(),
  specific_sitemaps: z.array(sitemap).max(MAX_SITEMAPS).optional(),
});

/** `source_params` of an instance. `prefix` and `r2_jurisdiction` are of buckets, and without effect. */
const sourceParams = z.strictObject({
  exclude_items: globs.optional(),
  include_items: globs.optional(),
  prefix: z.string().max(MAX_URL_CHARS).optional(),
  r2_jurisdiction: z.string().max(MAX_GLOB_CHARS).optional(),
  web_crawler: z
    .strictObject({
      discover_options: discoverOptions.optional(),
      parse_options: parseOptions.optional(),
      parse_type: z.enum(['sitemap', 'discover']).optional(),
    })
    .optional(),
});

export type SourceParams = z.infer<typeof sourceParams>;

/** `source` and `type` as they are sent. */
const sentSource = {
  source: z.string().max(MAX_URL_CHARS).nullish(),
  type: z.enum(['r2', 'web-crawler']).nullish(),
};

/**
 * The source of a new instance's items: an http(s) address is crawled; without a source the instance takes uploads
 * only.
 * @throws Refusal 400 for a bucket, which does not exist here, and for text that is not an address
 */
export function parseInstanceSource({ source, type }: z.infer<z.ZodObject<typeof sentSource>>): InstanceSource {
  const text = source?.trim() ?? '';
  if (type === 'r2' || (text !== '' && type !== 'web-crawler' && !/^https?:\/\//i.test(text)))
    throw vendorRefusals.invalid(
      'type r2 is not served: there are no buckets here. Give an http(s) source, or none and upload items',
    );
  if (text === '') {
    if (type === 'web-crawler') throw vendorRefusals.invalid('type_and_source_are_required_for_non_managed_instances');
    return { source: null, type: null };
  }
  requireCrawlUrl(text);
  return { source: text, type: 'web-crawler' };
}

/** @throws Refusal 400 for parameters that contradict each other */
function requireConsistentSource({ web_crawler }: SourceParams): void {
  const sitemaps = web_crawler?.parse_options?.specific_sitemaps ?? [];
  if (sitemaps.length > 0 && web_crawler?.parse_type === 'discover')
    throw vendorRefusals.invalid('specific_sitemaps_only_valid_when_parse_type_is_sitemap');
}

/** Whether a text is the address of a website; `example.com` is taken for its https address. */
const isAddress = (text: string): boolean => {
  const url = parseUrl(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
};

const parseUrl = (text: string): URL | null => URL.parse(/^[a-z]+:\/\//i.test(text) ? text : `https://${text}`);

/** @throws Refusal 400 for what is no address of a website */
export function requireCrawlUrl(text: string): URL {
  const url = parseUrl(text);
  if (url === null || !isAddress(text)) throw vendorRefusals.invalid('invalid_url_location');
  url.hash = '';
  return url;
}

/** Fields that one search is boosted by (the vendor's limit). */
const MAX_BOOSTS = 3;
const MAX_NAME_CHARS = 64;

/** `boost_by` of an instance or a search. Names of fields are alike in upper and lower case. */
export const boostBy = z
  .array(
    z.strictObject({
      field: z.string().toLowerCase().min(1).max(MAX_NAME_CHARS),
      direction: z.enum(['asc', 'desc', 'exists', 'not_exists']).optional(),
    }),
  )
  .max(MAX_BOOSTS)
  .refine((boosts) => new Set(boosts.map(({ field }) => field)).size === boosts.length, 'a field is there twice');

/**
 * Boosts with their directions: of numbers and times lower values first, of others those that are there.
 * @throws Refusal 400 for a field that there is not, or a direction that its type has not
 */
export const buildBoosts = (sent: z.infer<typeof boostBy>, fields: readonly MetadataField[]): SearchQuery['boosts'] =>
  sent.map(({ field, direction }) => {
    const type = field === 'timestamp' ? 'datetime' : fields.find(({ name }) => name === field)?.type;
    if (type === undefined)
      throw vendorRefusals.invalid('boost_by: a field is neither timestamp nor one of custom_metadata');
    const isOrdered = type === 'number' || type === 'datetime';
    if (!isOrdered && (direction === 'asc' || direction === 'desc'))
      throw vendorRefusals.invalid(`boost_by: a ${type} field takes exists and not_exists only`);
    return { field, type, direction: direction ?? (isOrdered ? 'asc' : 'exists') };
  });

/** Tokens of a chunk: the least is the vendor's; the most is what fits in the window of common embedding models. */
const MIN_CHUNK_TOKENS = 64;
const MAX_CHUNK_TOKENS = 2_048;
/** Per cent of a chunk. */
const MAX_OVERLAP = 30;
export const MAX_RETRIEVED_RESULTS = 50;
const MAX_MODEL_CHARS = 256;
export const MAX_PROMPT_CHARS = 10_000;
const MAX_ID_CHARS = 64;
/** Filters know these of every item. */
const RESERVED = new Set(['filename', 'folder', 'timestamp']);

export const modelName = z.string().max(MAX_MODEL_CHARS);
const prompt = z.string().max(MAX_PROMPT_CHARS);
export const cacheThreshold = z.enum(['super_strict_match', 'close_enough', 'flexible_friend', 'anything_goes']);
export const fusionMethod = z.enum(['max', 'rrf']);
export const matchMode = z.enum(['and', 'or']);
export const unitIntervalSchema = z.number().min(0).max(1);

/** Upper and lower case are alike, and kept as lower. */
const customField = z.strictObject({
  data_type: z.enum(['text', 'number', 'boolean', 'datetime']),
  field_name: z
    .string()
    .toLowerCase()
    .regex(/^[a-z][a-z0-9_-]{0,63}$/, 'a letter, then up to 63 of a-z, 0-9, - and _')
    .refine((name) => !RESERVED.has(name), 'filename, folder and timestamp are reserved'),
});

/**
 * What may be set of an instance. Kept and shown, but without effect here: ai_gateway_id, cache, cache_threshold,
 * cache_ttl, chunk, embedding_model, indexing_options.use_ocr, metadata, public_endpoint_params, reranking,
 * reranking_model, rewrite_model, rewrite_query, summarization, summarization_model, token_id, and the prompts that
 * rewrite queries and summarize.
 */
const FIELDS = {
  ai_gateway_id: z.string().max(MAX_ID_CHARS),
  ai_search_model: modelName,
  cache: z.boolean(),
  cache_threshold: cacheThreshold,
  cache_ttl: z.literal([600, 1_800, 3_600, 7_200, 21_600, 43_200, 86_400, 172_800, 259_200, 518_400]),
  chunk: z.boolean(),
  chunk_overlap: z.int().min(0).max(MAX_OVERLAP),
  chunk_size: z.int().min(MIN_CHUNK_TOKENS).max(MAX_CHUNK_TOKENS),
  custom_metadata: z.array(customField).max(MAX_CUSTOM_FIELDS),
  embedding_model: modelName,
  fusion_method: fusionMethod,
  hybrid_search_enabled: z.boolean(),
  index_method: z
    .strictObject({ keyword: z.boolean(), vector: z.boolean() })
    .refine(({ keyword, vector }) => keyword || vector, 'one of them must be true'),
  indexing_options: z.strictObject({
    keyword_tokenizer: z.enum(['porter', 'trigram']).optional(),
    use_ocr: z.boolean().optional(),
  }),
  max_num_results: z.int().min(1).max(MAX_RETRIEVED_RESULTS),
  metadata: z.strictObject({
    created_from_aisearch_wizard: z.boolean().optional(),
    worker_domain: z.string().max(MAX_MODEL_CHARS).optional(),
  }),
  paused: z.boolean(),
  public_endpoint_params: publicEndpoint,
  reranking: z.boolean(),
  reranking_model: modelName,
  retrieval_options: z.strictObject({ boost_by: boostBy.optional(), keyword_match_mode: matchMode.optional() }),
  rewrite_model: modelName,
  rewrite_query: z.boolean(),
  score_threshold: unitIntervalSchema,
  source_params: sourceParams,
  summarization: z.boolean(),
  summarization_model: modelName,
  sync_interval: z.literal([900, 1_800, 3_600, 7_200, 14_400, 21_600, 43_200, 86_400]),
  system_prompt_ai_search: prompt,
  system_prompt_index_summarization: prompt,
  system_prompt_rewrite_query: prompt,
  token_id: z.string().max(MAX_ID_CHARS),
};

/** What was set of an instance; all else has its default. */
const instanceSettingsSchema = z.strictObject(FIELDS).partial();
export type InstanceSettings = z.infer<typeof instanceSettingsSchema>;

/**
 * InstanceSettings with what is sent for them: what is not sent stays, and null goes back to the default.
 * @throws Refusal 400 that names the member, for an unknown one as well
 */
export function mergeSettings(before: InstanceSettings, sent: JsonObject): InstanceSettings {
  const isCleared = (name: string): boolean => sent[name] === null;
  const strange = Object.keys(sent).find((name) => isCleared(name) && !Object.hasOwn(FIELDS, name));
  if (strange !== undefined)
    throw vendorRefusals.invalid(`Unrecognized key: ${JSON.stringify(strange.slice(0, MAX_ID_CHARS))}`);
  const given = parseValue(instanceSettingsSchema, withoutNulls(sent, ['public_endpoint_params']));
  const { index_method: method, hybrid_search_enabled: isHybrid } = given;
  if (method !== undefined && isHybrid !== undefined) requireSameMethods(method, isHybrid);
  // One setting in two words: the one that is sent takes the other's place.
  const isReplaced = (name: string): boolean =>
    (name === 'hybrid_search_enabled' && method !== undefined) || (name === 'index_method' && isHybrid !== undefined);
  const kept = Object.entries(before).filter(([name]) => !isCleared(name) && !isReplaced(name));
  const settings: InstanceSettings = { ...Object.fromEntries(kept), ...given };
  requireConsistent(settings);
  return settings;
}

/** The fields of an instance that its items may be filtered by, beside those that all have. */
export const listMetadataFields = ({ custom_metadata = [] }: InstanceSettings): readonly MetadataField[] =>
  custom_metadata.map(({ field_name, data_type }) => ({ name: field_name, type: data_type }));

/** Keyword and vector, unless it says otherwise. The older switch makes an instance of vectors only. */
export const getIndexMethods = ({
  index_method,
  hybrid_search_enabled,
}: InstanceSettings): { keyword: boolean; vector: boolean } =>
  index_method ?? { keyword: hybrid_search_enabled !== false, vector: true };

/** @throws Refusal 400 where both are sent and say different things, as no read shows them */
function requireSameMethods({ keyword, vector }: { keyword: boolean; vector: boolean }, isHybrid: boolean): void {
  if (isHybrid !== (keyword && vector)) throw vendorRefusals.invalid('hybrid_search_enabled: contradicts index_method');
}

function requireConsistent(settings: InstanceSettings): void {
  const fields = listMetadataFields(settings);
  if (new Set(fields.map(({ name }) => name)).size < fields.length)
    throw vendorRefusals.invalid('custom_metadata: a field is there twice');
  buildBoosts(settings.retrieval_options?.boost_by ?? [], fields);
  if (settings.source_params !== undefined) requireConsistentSource(settings.source_params);
}

const time = z.int().nonnegative();

/** A stored instance. */
export const storedInstance = z.strictObject({
  /** Names the object of the instance; it is never shown. */
  uid: z.string().regex(/^[0-9a-f]{32}$/),
  createdMs: time,
  modifiedMs: time,
  createdBy: z.string(),
  modifiedBy: z.string(),
  source: z.string().refine(isAddress).nullable(),
  type: z.literal('web-crawler').nullable(),
  settings: instanceSettingsSchema,
});

export type StoredInstance = z.infer<typeof storedInstance>;

/** Whether a body is one of a stored instance: a restore takes no other (rule K3). */
export const isStoredInstance = (body: JsonObject): boolean => storedInstance.safeParse(body).success;

/** What a new instance is called, and where its items come from. */
export const instanceIdentity = z.object({ id: slug, ...sentSource });
const order = z.enum(['asc', 'desc']).default('desc');

export const instanceListQuery = {
  ...searchPageQuery,
  namespace: z.string().optional(),
  hostname: z.string().optional(),
  order_by: z.literal('created_at').optional(),
  order_by_direction: order,
};

/** Members that a read shows and that callers cannot set. */
export const SHOWN_OF_INSTANCE: ReadonlySet<string> = new Set([
  'created_at',
  'created_by',
  'modified_at',
  'modified_by',
  'status',
  'enable',
  'engine_version',
  'last_activity',
  'public_endpoint_id',
]);
