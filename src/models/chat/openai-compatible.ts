import { loadOnce } from '../../lib/load-once.ts';
import type { ApiPlace } from '../answer/api-settings.ts';
import type { ChatEngine, ChatPiece, Embedder } from '../../search/search-object.ts';
import type { EngineMessage } from './messages.ts';
import { replyOf } from './reply.ts';

/** An API that speaks as OpenAI's does; `fetch` is bounded by the adapter. */
export type Api = ApiPlace & { fetch: typeof fetch };
export type ChatApi = Api & { maxOutputTokens: number };

const KIND = 'openai-compatible';
// The SDK is loaded by the first chat or embedding, never for a search.
const chatModules = loadOnce(() => Promise.all([import('./api-models.ts'), import('./sdk-chat.ts')]));
const embeddingModules = loadOnce(() => Promise.all([import('./api-models.ts'), import('./sdk-embed.ts')]));

/** Any API that speaks OpenAI chat completions, streamed: OpenAI, AI Gateway, Ollama, llama.cpp, vLLM. */
export const openaiCompatibleChat = (api: ChatApi): ChatEngine => ({
  kind: KIND,
  model: api.model,
  reply: (messages, signal) => replyOf(piecesOf(api, messages, signal), signal),
});

async function* piecesOf(
  api: ChatApi,
  messages: readonly EngineMessage[],
  signal: AbortSignal,
): AsyncGenerator<ChatPiece> {
  const [{ apiChat }, { sdkChat }] = await chatModules();
  yield* sdkChat({ model: apiChat(api), maxOutputTokens: api.maxOutputTokens }, messages, signal);
}

/** Any API that speaks OpenAI embeddings. */
export const openaiCompatibleEmbedder = (api: Api): Embedder => ({
  kind: KIND,
  model: api.model,
  embed: async (texts, signal) => {
    const [{ apiEmbedding }, { sdkEmbed }] = await embeddingModules();
    return sdkEmbed(apiEmbedding(api), texts, signal);
  },
});
