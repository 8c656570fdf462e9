import type { Call, Context, Handler, Handlers } from '../../../core/engine/operation.ts';
import type { ResourceRow } from '../../../core/engine/stored-row.ts';
import type { JsonObject } from '../../../../lib/json.ts';
import { vendorRefusals } from '../../../../lib/refusal.ts';
import type { Filter, MetadataField, SearchForm, SearchQuery } from '../../../../search/order.ts';
import { defineInstanceHandlers } from '../instances/handlers.ts';
import {
  buildInstanceFacts,
  DEFAULTS,
  readStoredInstance,
  requireInstance,
  requireInstanceById,
} from '../instances/rows.ts';
import { buildBoosts, getIndexMethods, type InstanceSettings, listMetadataFields } from '../instances/schemas.ts';
import { refuseMissingInstance, refuseMissingQuery } from '../refusals.ts';
import { HANDED, requireNamespacePlace } from '../rows.ts';
import { parseValue, withoutNulls } from '../schemas.ts';
import { parseFilters, parseLegacyFilters } from './filters.ts';
import {
  chatBody,
  extractQuestion,
  legacyChatBody,
  type LegacySearchBody,
  legacySearchBody,
  parseInstanceIds,
  parseInstanceOptions,
  parseNamespaceOptions,
  type Retrieval,
  searchBody,
  toChatMessages,
} from './schemas.ts';

/** Instances that are searched together: at least one. What a call does not say, the first of them does. */
type SearchTargets = readonly [ResourceRow, ...ResourceRow[]];

type SearchRequest = { instances: SearchTargets; retrieval: Retrieval };
/** The instances that a call asks, and how: by its path, or by a list of ids. */
type Asking = (call: Call, context: Context, options: unknown) => SearchRequest;

/** Searches and chats of one instance, on both families of paths, and of several of a namespace. */
export const handlers: Handlers = {
  ...defineInstanceHandlers({
    search: createSearchHandler('instance', readInstanceRequest),
    chatCompletions: createChatHandler('instance', readInstanceRequest),
  }),
  'aisearch.namespaces.search': createSearchHandler('namespace', readNamespaceRequest),
  'aisearch.namespaces.chatCompletions': createChatHandler('namespace', readNamespaceRequest),
};

function createSearchHandler(form: SearchForm, asking: Asking): Handler {
  return (call, context) => {
    const { query: words, messages: sent, ai_search_options: options } = parseValue(searchBody, readSentBody(call));
    if (words !== undefined && sent !== undefined) throw vendorRefusals.invalid('give query or messages, not both');
    const text = words === undefined ? extractQuestion(toChatMessages(sent ?? [])) : words.trim().toWellFormed();
    if (text === '') throw refuseMissingQuery();
    const asked = asking(call, context, options);
    context.handSearch({ do: 'search', form, ...buildSearchOrder(text, asked, context) });
    return HANDED;
  };
}

function createChatHandler(form: SearchForm, asking: Asking): Handler {
  return (call, context) => {
    const { messages: sent, ai_search_options: options, model, ...how } = parseValue(chatBody, readSentBody(call));
    const said = toChatMessages(sent);
    const text = extractQuestion(said);
    const { instances, retrieval } = asking(call, context, options);
    const asked = { instances, retrieval: { ...retrieval, metadata_only: false } };
    const { ai_search_model, system_prompt_ai_search: instructions } = readStoredInstance(instances[0]).settings;
    context.handSearch({
      do: 'chat',
      form,
      ...buildSearchOrder(text, asked, context),
      messages: said,
      ...(instructions !== undefined && { instructions }),
      stream: how.stream === true,
      ...(how.stream_options?.include_usage === true && { showsUsage: true }),
      model: model || (ai_search_model ?? ''),
    });
    return HANDED;
  };
}

/** Members that are null are as if they were not there; within a message or a filter null is judged by their own rules. */
const readSentBody = ({ body }: Call): JsonObject => withoutNulls(body, ['messages', 'filters', 'custom_metadata']);

function buildSearchOrder(text: string, { instances, retrieval }: SearchRequest, { tenant }: Context) {
  const filter = parseFilters(retrieval.filters, mergeMetadataFields(instances));
  return {
    instances: instances.map((row) => buildInstanceFacts(row, tenant.id)),
    query: buildSearchQuery(text, retrieval, filter, instances),
  };
}

function readInstanceRequest(call: Call, context: Context, sent: unknown): SearchRequest {
  const row = requireInstance(call, context);
  return { instances: [row], retrieval: parseInstanceOptions(sent)?.retrieval ?? {} };
}

function readNamespaceRequest(call: Call, context: Context, sent: unknown): SearchRequest {
  const place = requireNamespacePlace(call, context);
  const options = parseNamespaceOptions(sent);
  const [first, ...others] = parseInstanceIds(options?.instance_ids).map((id) =>
    requireInstanceById(place, id, context),
  );
  if (first === undefined) throw refuseMissingInstance();
  return { instances: [first, ...others], retrieval: options?.retrieval ?? {} };
}

/** The older routes, of instances in the default namespace. */
export const autoragHandlers: Handlers = {
  'autorag.rags.search': (call, context) => {
    const body = parseValue(legacySearchBody, withoutNulls(call.body, ['filters']));
    context.handSearch({ do: 'search', form: 'legacy', ...buildLegacyOrder(body, call, context).asked });
    return HANDED;
  },
  'autorag.rags.aiSearch': (call, context): JsonObject => {
    const body = parseValue(legacyChatBody, withoutNulls(call.body, ['filters']));
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

function buildLegacyOrder(body: LegacySearchBody, call: Call, context: Context) {
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

/** The fields that items of any of the instances may be filtered by. */
const mergeMetadataFields = (instances: SearchTargets): readonly MetadataField[] => [
  ...new Map(
    instances
      .flatMap((row) => listMetadataFields(readStoredInstance(row).settings))
      .toReversed() // Of two with one name the first counts.
      .map((field) => [field.name, field]),
  ).values(),
];

/**
 * What is asked of the index: what the call says, else the instance, else the default.
 * @throws Refusal 400 for a type of retrieval that an instance has no index for, and for boosts by unknown fields
 */
function buildSearchQuery(
  text: string,
  asked: Retrieval,
  filter: Filter | undefined,
  instances: SearchTargets,
): SearchQuery {
  const all = instances.map((row) => readStoredInstance(row).settings);
  const settings: InstanceSettings = all[0] ?? {};
  const { boost_by, keyword_match_mode } = settings.retrieval_options ?? {};
  return {
    text,
    ...(filter !== undefined && { filter }),
    type: selectRetrievalType(asked.retrieval_type, all),
    fusion: asked.fusion_method ?? settings.fusion_method ?? 'rrf',
    keywordMode: asked.keyword_match_mode ?? keyword_match_mode ?? 'auto',
    threshold: asked.match_threshold ?? settings.score_threshold ?? DEFAULTS.score_threshold,
    maxResults: asked.max_num_results ?? settings.max_num_results ?? DEFAULTS.max_num_results,
    expansion: asked.context_expansion ?? 0,
    showsText: asked.metadata_only !== true,
    boosts: buildBoosts(asked.boost_by ?? boost_by ?? [], mergeMetadataFields(instances)),
    returnsOnFailure: asked.return_on_failure ?? true,
  };
}

/**
 * Keyword and hybrid retrieval need an index of words in each instance, that by vectors one of vectors. Where the call names
 * none it is what the instances have together: `hybrid` is for each what that one has of it.
 */
function selectRetrievalType(
  asked: Retrieval['retrieval_type'],
  all: readonly InstanceSettings[],
): SearchQuery['type'] {
  const methods = all.map(getIndexMethods);
  if (asked !== undefined) {
    const need = asked === 'vector' ? 'vector' : 'keyword';
    if (!methods.every((method) => method[need])) throw vendorRefusals.invalid('invalid_retrieval_type');
    return asked;
  }
  const has = (name: 'keyword' | 'vector'): boolean => methods.some((method) => method[name]);
  if (!has('vector')) return 'keyword';
  return has('keyword') ? 'hybrid' : 'vector';
}
