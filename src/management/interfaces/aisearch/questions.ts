import * as z from 'zod';
import { isText, type JsonObject } from '../../../lib/json.ts';
import { vendorRefusals } from '../../../lib/refusal.ts';
import type { ChatMessage, SearchForm } from '../../../search/order.ts';
import type { Call, Context, Handler, Handlers } from '../../core/engine/operation.ts';
import { parseFilters } from './filters.ts';
import { requireInstanceById, requireInstance } from './instances.ts';
import { buildInstanceFacts, readStoredInstance } from './kept.ts';
import { modelName, namespaceOptions, type Retrieval, searchOptions } from './settings.ts';
import { parseValue, withoutNulls } from './parse.ts';
import { mergeMetadataFields, type SearchTargets, buildSearchQuery } from './query.ts';
import { defineInstanceHandlers, refuseMissingInstance, requireNamespacePlace, slug } from './rows.ts';

const MAX_MESSAGES = 100;
const MAX_PARTS = 50;
const MAX_CONTENT_CHARS = 50_000;
/** Characters of a conversation. */
const MAX_CHARS = 200_000;
/** What is searched for; of a longer message so much of its beginning. */
export const MAX_QUESTION_CHARS = 4_000;

const content = z.string().max(MAX_CONTENT_CHARS);
const part = z.object({ type: z.literal('text', 'only text is read here'), text: content });
/** Other members, such as `tool_calls`, are left aside. */
const message = z.object({
  role: z.enum(['system', 'developer', 'user', 'assistant', 'tool']),
  content: z.union([content, z.array(part).max(MAX_PARTS)]).nullable(),
});

/** Messages of a search or a chat, as they are sent. */
const messages = z.array(message).min(1).max(MAX_MESSAGES);

/** Messages as plain text. @throws Refusal 400 for a conversation that is too long */
function toChatMessages(sent: z.infer<typeof messages>): readonly ChatMessage[] {
  const chat = sent.map(({ role, content: said }) => ({ role, content: extractText(said).toWellFormed() }));
  const chars = chat.reduce((sum, { content: text }) => sum + text.length, 0);
  if (chars > MAX_CHARS) throw vendorRefusals.invalid(`messages: at most ${MAX_CHARS} characters in all`);
  return chat;
}

/** What a conversation asks: its last message of the user. @throws Refusal 400 where there is none, or nothing in it */
function extractQuestion(chat: readonly ChatMessage[]): string {
  const asked = chat.findLast(({ role }) => role === 'user')?.content.trim() ?? '';
  if (asked === '') throw refuseMissingQuery();
  return asked.slice(0, MAX_QUESTION_CHARS).toWellFormed();
}

export const refuseMissingQuery = () => vendorRefusals.invalid('missing_user_query');

function extractText(said: z.infer<typeof message>['content']): string {
  if (said === null) return '';
  return typeof said === 'string' ? said : said.map(({ text }) => text).join('\n');
}

/** Instances of one search (the vendor's limit). */
const MAX_TOGETHER = 10;

const search = z.strictObject({
  query: z.string().max(MAX_QUESTION_CHARS).optional(),
  messages: messages.optional(),
  /** Without effect: a search is answered at once. */
  stream: z.boolean().optional(),
  ai_search_options: z.unknown().optional(),
});

/** What else a chat of OpenAI's kind may say (`temperature` and so on) is left aside; `query` is no part of it. */
const chat = z.looseObject({
  messages,
  query: z.undefined('give messages, not query').optional(),
  model: modelName.optional(),
  stream: z.boolean().optional(),
  stream_options: z.looseObject({ include_usage: z.boolean().optional() }).optional(),
  ai_search_options: z.unknown().optional(),
});

type SearchRequest = { instances: SearchTargets; retrieval: Retrieval };
/** The instances that a call asks, and how: by its path, or by a list of ids. */
type Asking = (call: Call, context: Context, options: unknown) => SearchRequest;

/** Searches and chats of one instance, on both families of paths, and of several of a namespace. */
export const questionHandlers: Handlers = {
  ...defineInstanceHandlers({
    search: createSearchHandler('instance', readInstanceRequest),
    chatCompletions: createChatHandler('instance', readInstanceRequest),
  }),
  'aisearch.namespaces.search': createSearchHandler('namespace', readNamespaceRequest),
  'aisearch.namespaces.chatCompletions': createChatHandler('namespace', readNamespaceRequest),
};

function createSearchHandler(form: SearchForm, asking: Asking): Handler {
  return (call, context) => {
    const { query: words, messages: sent, ai_search_options: options } = parseValue(search, readSentBody(call));
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
    const { messages: sent, ai_search_options: options, model, ...how } = parseValue(chat, readSentBody(call));
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

/** The order's own answer takes the place of this one. */
export const HANDED: JsonObject = {};

function buildSearchOrder(text: string, { instances, retrieval }: SearchRequest, { tenant }: Context) {
  const filter = parseFilters(retrieval.filters, mergeMetadataFields(instances));
  return {
    instances: instances.map((row) => buildInstanceFacts(row, tenant.id)),
    query: buildSearchQuery(text, retrieval, filter, instances),
  };
}

function readInstanceRequest(call: Call, context: Context, sent: unknown): SearchRequest {
  const row = requireInstance(call, context);
  const options = parseValue(z.object({ ai_search_options: searchOptions.nullish() }), { ai_search_options: sent });
  return { instances: [row], retrieval: options.ai_search_options?.retrieval ?? {} };
}

function readNamespaceRequest(call: Call, context: Context, sent: unknown): SearchRequest {
  const place = requireNamespacePlace(call, context);
  const { ai_search_options: options } = parseValue(z.object({ ai_search_options: namespaceOptions.nullish() }), {
    ai_search_options: sent,
  });
  const [first, ...others] = parseInstanceIds(options?.instance_ids).map((id) =>
    requireInstanceById(place, id, context),
  );
  if (first === undefined) throw refuseMissingInstance();
  return { instances: [first, ...others], retrieval: options?.retrieval ?? {} };
}

/** Each once. @throws Refusal 400 in the vendor's words */
function parseInstanceIds(sent: unknown): readonly string[] {
  const isList = Array.isArray(sent) && sent.length > 0;
  if (!isList || !sent.every((id) => isText(id) && slug.safeParse(id).success))
    throw vendorRefusals.invalid('invalid ai_search_options.instance_ids');
  if (sent.length > MAX_TOGETHER) throw vendorRefusals.invalid('too_many_multi_search_instances');
  return [...new Set(sent.map(String))];
}
