import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { apiBase } from '../../visibility/engines/api-settings.ts';
import { engineFetch } from './engine-fetch.ts';
import { CHAT_LIMITS, EMBEDDING_LIMITS } from './limits.ts';
import type { Api } from './openai-compatible.ts';
import type { SdkLanguageModel } from './sdk-chat.ts';
import type { SdkEmbeddingModel } from './sdk-embed.ts';

/** Name of the provider in what the SDK hands back. */
const PROVIDER = 'engine';

/** The SDK's model of a chat API. Loaded lazily, as all modules that import the SDK. */
export function apiChat({ url, model, key, fetch: inner }: Api): SdkLanguageModel {
  const provider = createOpenAICompatible({
    name: PROVIDER,
    ...apiBase(url, '/chat/completions'),
    fetch: engineFetch(inner, CHAT_LIMITS),
    includeUsage: true,
    ...(key === undefined ? {} : { apiKey: key }),
  });
  return provider.chatModel(model);
}

/** The SDK's model of an embeddings API. */
export function apiEmbedding({ url, model, key, fetch: inner }: Api): SdkEmbeddingModel {
  const provider = createOpenAICompatible({
    name: PROVIDER,
    ...apiBase(url, '/embeddings'),
    fetch: engineFetch(inner, EMBEDDING_LIMITS),
    ...(key === undefined ? {} : { apiKey: key }),
  });
  return provider.embeddingModel(model);
}
