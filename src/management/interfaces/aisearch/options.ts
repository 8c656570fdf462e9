import * as z from 'zod';
import { boostBy } from './boosts.ts';
import { cacheThreshold, fusionMethod, matchMode, MAX_PROMPT_CHARS, MAX_RESULTS, modelName, unit } from './settings.ts';

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
  match_threshold: unit.optional(),
  max_num_results: z.int().min(1).max(MAX_RESULTS).optional(),
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
    .strictObject({ enabled: z.boolean().optional(), match_threshold: unit.optional(), model: modelName.optional() })
    .optional(),
};

/** `ai_search_options` of one instance. */
export const searchOptions = z.strictObject({ retrieval: retrieval.optional(), ...withoutEffect });

/** The same of a namespace; the ids are judged by themselves, for the vendor has words of its own for them. */
export const namespaceOptions = searchOptions.extend({ instance_ids: z.unknown().optional() });
