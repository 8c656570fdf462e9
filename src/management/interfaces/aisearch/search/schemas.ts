import * as z from 'zod';
import { isText } from '../../../../lib/json.ts';
import { vendorRefusals } from '../../../../lib/refusal.ts';
import type { ChatMessage } from '../../../../search/order.ts';
import {
  boostBy,
  cacheThreshold,
  fusionMethod,
  matchMode,
  MAX_PROMPT_CHARS,
  MAX_RETRIEVED_RESULTS,
  modelName,
  unitIntervalSchema,
} from '../instances/schemas.ts';
import { refuseMissingQuery } from '../refusals.ts';
import { parseValue, slug } from '../schemas.ts';

const MAX_MESSAGES = 100;
const MAX_PARTS = 50;
const MAX_CONTENT_CHARS = 50_000;
/** Characters of a conversation. */
const MAX_CONVERSATION_CHARS = 200_000;
/** What is searched for; of a longer message so much of its beginning. */
const MAX_QUESTION_CHARS = 4_000;

/** Instances of one search (the vendor's limit). */
const MAX_TOGETHER = 10;

const MAX_EXPANSION = 3;
/** Entries that go to logs at the vendor. */
const MAX_LOGGED = 2;
const MAX_LOGGED_CHARS = 256;
const RESERVED_LOGGED = new Set(['ai-search', 'task', 'origin']);

const content = z.string().max(MAX_CONTENT_CHARS);
const part = z.object({ type: z.literal('text', 'only text is read here'), text: content });
/** Other members, such as `tool_calls`, are left aside. */
const message = z.object({
  role: z.enum(['system', 'developer', 'user', 'assistant', 'tool']),
  content: z.union([content, z.array(part).max(MAX_PARTS)]).nullable(),
});

/** Messages of a search or a chat, as they are sent. */
const messages = z.array(message).min(1).max(MAX_MESSAGES);

export const searchBody = z.strictObject({
  query: z.string().max(MAX_QUESTION_CHARS).optional(),
  messages: messages.optional(),
  /** Without effect: a search is answered at once. */
  stream: z.boolean().optional(),
  ai_search_options: z.unknown().optional(),
});

/** What else a chat of OpenAI's kind may say (`temperature` and so on) is left aside; `query` is no part of it. */
export const chatBody = z.looseObject({
  messages,
  query: z.undefined('give messages, not query').optional(),
  model: modelName.optional(),
  stream: z.boolean().optional(),
  stream_options: z.looseObject({ include_usage: z.boolean().optional() }).optional(),
  ai_search_options: z.unknown().optional(),
});

/** The older interface: rewriting and reranking are judged, and without effect here. */
export const legacySearchBody = z.strictObject({
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

export const legacyChatBody = legacySearchBody.extend({
  model: modelName.optional(),
  system_prompt: z.string().max(MAX_PROMPT_CHARS).optional(),
});

export type LegacySearchBody = z.infer<typeof legacySearchBody>;

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
const searchOptions = z.strictObject({ retrieval: retrieval.optional(), ...withoutEffect });

/** The same of a namespace; the ids are judged by themselves, for the vendor has words of its own for them. */
const namespaceOptions = searchOptions.extend({ instance_ids: z.unknown().optional() });

/** The options of a search of one instance, and of several. @throws Refusal 400 that names the member which is wrong */
export const parseInstanceOptions = (sent: unknown) =>
  parseValue(z.object({ ai_search_options: searchOptions.nullish() }), { ai_search_options: sent }).ai_search_options;
export const parseNamespaceOptions = (sent: unknown) =>
  parseValue(z.object({ ai_search_options: namespaceOptions.nullish() }), { ai_search_options: sent })
    .ai_search_options;

/** Each once. @throws Refusal 400 in the vendor's words */
export function parseInstanceIds(sent: unknown): readonly string[] {
  const isList = Array.isArray(sent) && sent.length > 0;
  if (!isList || !sent.every((id) => isText(id) && slug.safeParse(id).success))
    throw vendorRefusals.invalid('invalid ai_search_options.instance_ids');
  if (sent.length > MAX_TOGETHER) throw vendorRefusals.invalid('too_many_multi_search_instances');
  return [...new Set(sent.map(String))];
}

/** Messages as plain text. @throws Refusal 400 for a conversation that is too long */
export function toChatMessages(sent: z.infer<typeof messages>): readonly ChatMessage[] {
  const chat = sent.map(({ role, content: said }) => ({ role, content: extractText(said).toWellFormed() }));
  const chars = chat.reduce((sum, { content: text }) => sum + text.length, 0);
  if (chars > MAX_CONVERSATION_CHARS)
    throw vendorRefusals.invalid(`messages: at most ${MAX_CONVERSATION_CHARS} characters in all`);
  return chat;
}

/** What a conversation asks: its last message of the user. @throws Refusal 400 where there is none, or nothing in it */
export function extractQuestion(chat: readonly ChatMessage[]): string {
  const asked = chat.findLast(({ role }) => role === 'user')?.content.trim() ?? '';
  if (asked === '') throw refuseMissingQuery();
  return asked.slice(0, MAX_QUESTION_CHARS).toWellFormed();
}

function extractText(said: z.infer<typeof message>['content']): string {
  if (said === null) return '';
  return typeof said === 'string' ? said : said.map(({ text }) => text).join('\n');
}
