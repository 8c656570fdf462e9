import * as z from 'zod';
import type { JsonObject } from '../../../lib/json.ts';
import { vendorRefusals } from '../../../lib/refusal.ts';
import { MAX_CUSTOM_FIELDS, type MetadataField, type SearchQuery } from '../../../search/order.ts';
import { parseValue, withoutNulls } from './parse.ts';
import { publicEndpoint } from './rows.ts';
import { requireConsistentSource, sourceParams } from './source.ts';

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
export const instanceSettingsSchema = z.strictObject(FIELDS).partial();
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

const MAX_EXPANSION = 3;
/** Entries that go to logs at the vendor. */
const MAX_LOGGED = 2;
const MAX_LOGGED_CHARS = 256;
const RESERVED_LOGGED = new Set(['ai-search', 'task', 'origin']);

const isLoggable = (name: string): boolean => !RESERVED_LOGGED.has(name) && !name.startsWith('cf.');

const retrieval = z.strictObject({
  boost_by: boostBy.optional(),
  context_expansion: z.int().min(0).max(MAX_EXPANSION).optional(),
  /** Judged by filters.ts, for it needs the instance's fields. */
  filters: z.unknown().optional(),
  fusion_method: fusionMethod.optional(),
  keyword_match_mode: matchMode.optional(),
  match_threshold: unitIntervalSchema.optional(),
  max_num_results: z.int().min(1).max(MAX_RETRIEVED_RESULTS).optional(),
  /** Of a search alone: a chat is answered from the texts. */
  metadata_only: z.boolean().optional(),
  retrieval_type: z.enum(['vector', 'keyword', 'hybrid']).optional(),
  return_on_failure: z.boolean().optional(),
});
export type Retrieval = Partial<z.infer<typeof retrieval>>;

/** Judged, but without effect here: there is no cache, no reranking or rewriting model, and no gateway's log. */
const withoutEffect = {
  cache: z.strictObject({ cache_threshold: cacheThreshold.optional(), enabled: z.boolean().optional() }).optional(),
  custom_metadata: z
    .record(z.string().max(MAX_LOGGED_CHARS), z.union([z.string().max(MAX_LOGGED_CHARS), z.number(), z.boolean()]))
    .refine((entries) => Object.keys(entries).length <= MAX_LOGGED, `at most ${MAX_LOGGED} entries`)
    .refine((entries) => Object.keys(entries).every(isLoggable), 'a name is reserved')
    .optional(),
  query_rewrite: z
    .strictObject({
      enabled: z.boolean().optional(),
      model: modelName.optional(),
      rewrite_prompt: z.string().max(MAX_PROMPT_CHARS).optional(),
    })
    .optional(),
  reranking: z
    .strictObject({
      enabled: z.boolean().optional(),
      match_threshold: unitIntervalSchema.optional(),
      model: modelName.optional(),
    })
    .optional(),
};

/** `ai_search_options` of one instance. */
export const searchOptions = z.strictObject({ retrieval: retrieval.optional(), ...withoutEffect });

/** The same of a namespace; the ids are judged by themselves, for the vendor has words of its own for them. */
export const namespaceOptions = searchOptions.extend({ instance_ids: z.unknown().optional() });
