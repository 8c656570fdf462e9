import * as z from 'zod';
import type { Call, Context, Handlers } from '../../core/engine/operation.ts';
import type { JsonObject } from '../../../lib/json.ts';
import { parseLegacyFilters } from './filters.ts';
import { requireInstance } from './instances.ts';
import { buildInstanceFacts, readStoredInstance } from './kept.ts';
import { HANDED, MAX_QUESTION_CHARS, refuseMissingQuery } from './questions.ts';
import { parseValue, withoutNulls } from './parse.ts';
import { mergeMetadataFields, type SearchTargets, buildSearchQuery } from './query.ts';
import { MAX_PROMPT_CHARS, MAX_RETRIEVED_RESULTS, modelName, unitIntervalSchema } from './settings.ts';

/** The older interface: rewriting and reranking are judged, and without effect here. */
const search = z.strictObject({
  query: z.string().max(MAX_QUESTION_CHARS),
  filters: z.unknown().optional(),
  max_num_results: z.int().min(1).max(MAX_RETRIEVED_RESULTS).optional(),
  ranking_options: z
    .strictObject({ ranker: modelName.optional(), score_threshold: unitIntervalSchema.optional() })
    .optional(),
  reranking: z.strictObject({ enabled: z.boolean().optional(), model: modelName.optional() }).optional(),
  rewrite_query: z.boolean().optional(),
  /** Of a chat alone. */
  stream: z.boolean().optional(),
});

const chat = search.extend({
  model: modelName.optional(),
  system_prompt: z.string().max(MAX_PROMPT_CHARS).optional(),
});

/** The older routes, of instances in the default namespace. */
export const autoragHandlers: Handlers = {
  'autorag.rags.search': (call, context) => {
    const body = parseValue(search, withoutNulls(call.body, ['filters']));
    context.handSearch({ do: 'search', form: 'legacy', ...buildLegacyOrder(body, call, context).asked });
    return HANDED;
  },
  'autorag.rags.aiSearch': (call, context): JsonObject => {
    const body = parseValue(chat, withoutNulls(call.body, ['filters']));
    const { asked, settings } = buildLegacyOrder(body, call, context);
    const instructions = body.system_prompt ?? settings.system_prompt_ai_search;
    context.handSearch({
      do: 'chat',
      form: 'legacy',
      ...asked,
      messages: [{ role: 'user', content: asked.query.text }],
      ...(instructions !== undefined && { instructions }),
      stream: body.stream === true,
      model: body.model || (settings.ai_search_model ?? ''),
    });
    return HANDED;
  },
};

function buildLegacyOrder(body: z.infer<typeof search>, call: Call, context: Context) {
  const instances: SearchTargets = [requireInstance(call, context)];
  const text = body.query.trim().toWellFormed();
  if (text === '') throw refuseMissingQuery();
  const { max_num_results, ranking_options } = body;
  const retrieval = { max_num_results, match_threshold: ranking_options?.score_threshold };
  const filter = parseLegacyFilters(body.filters, mergeMetadataFields(instances));
  const facts = instances.map((row) => buildInstanceFacts(row, context.tenant.id));
  return {
    asked: { instances: facts, query: buildSearchQuery(text, retrieval, filter, instances) },
    settings: readStoredInstance(instances[0]).settings,
  };
}
