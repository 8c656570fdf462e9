import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import * as z from 'zod';
import { parseApiBase } from '../../core/api-endpoint.ts';
import { createStreamFetch, CHAT_LIMITS, EMBEDDING_LIMITS } from '../../core/engine-fetch.ts';
import { rewriteEvents, scalarText } from '../../core/event-lines.ts';
import type { OpenAiApi } from './engines.ts';
import type { SdkLanguageModel } from '../../core/sdk-chat.ts';
import type { SdkEmbeddingModel } from '../../core/sdk-embed.ts';

/** Name of the provider in what the SDK hands back. */
const PROVIDER = 'engine';

/** The SDK's model of a chat API. Loaded lazily, as all modules that import the SDK. */
export function loadChatModel({ url, model, key, fetch: inner }: OpenAiApi): SdkLanguageModel {
  const provider = createOpenAICompatible({
    name: PROVIDER,
    ...parseApiBase(url, '/chat/completions'),
    fetch: createChatFetch(createStreamFetch(inner, CHAT_LIMITS)),
    includeUsage: true,
    ...(key === undefined ? {} : { apiKey: key }),
  });
  return provider.chatModel(model);
}

/** The SDK's model of an embeddings API. */
export function loadEmbeddingModel({ url, model, key, fetch: inner }: OpenAiApi): SdkEmbeddingModel {
  const provider = createOpenAICompatible({
    name: PROVIDER,
    ...parseApiBase(url, '/embeddings'),
    fetch: createStreamFetch(inner, EMBEDDING_LIMITS),
    ...(key === undefined ? {} : { apiKey: key }),
  });
  return provider.embeddingModel(model);
}

/**
 * The events of a chat, with text where the SDK wants text; a chat that broke off is distinguished from one that ended.
 */
const createChatFetch =
  (inner: typeof fetch): typeof fetch =>
  async (input, init) => {
    const { ok, status, headers, body } = await inner(input, init);
    return new Response(ok && body ? rewriteEvents(body, normaliseChatEvent, isLast) : body, { status, headers });
  };

/** What is looked at of an event; all else of it goes through as it came, and is judged by the SDK. */
const looked = z.looseObject({
  choices: z.array(
    z.looseObject({ delta: z.looseObject({ content: scalarText }).nullish(), finish_reason: z.unknown() }),
  ),
});

const normaliseChatEvent = (json: unknown): unknown => looked.safeParse(json).data ?? json;

/** The last piece says why it is that; an error ends a stream too. */
function isLast(json: unknown): boolean {
  const event = looked.safeParse(json);
  return !event.success || event.data.choices.some(({ finish_reason: reason }) => typeof reason === 'string');
}
