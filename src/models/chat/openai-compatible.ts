import { loadOnce } from '../../lib/load-once.ts';
import type { ApiPlace } from '../answer/api-settings.ts';
import type { ChatEngine, ChatPiece, Embedder, EngineMessage } from '../answer/port.ts';
import { streamReply } from './reply.ts';

/** An API that speaks as OpenAI's does; `fetch` is bounded by the adapter. */
export type Api = ApiPlace & { fetch: typeof fetch };
export type OpenAiChatApi = Api & { maxOutputTokens: number };

const KIND = 'openai-compatible';
// The SDK is loaded by the first chat or embedding, never for a search.
const loadChatModules = loadOnce(() => Promise.all([import('./api-models.ts'), import('./sdk-chat.ts')]));
const loadEmbeddingModules = loadOnce(() => Promise.all([import('./api-models.ts'), import('./sdk-embed.ts')]));

/** Any API that speaks OpenAI chat completions, streamed: OpenAI, AI Gateway, Ollama, llama.cpp, vLLM. */
export const createOpenAiChat = (api: OpenAiChatApi): ChatEngine => ({
  kind: KIND,
  model: api.model,
  reply: (messages, signal) => streamReply(streamChatPieces(api, messages, signal), signal),
});

async function* streamChatPieces(
  api: OpenAiChatApi,
  messages: readonly EngineMessage[],
  signal: AbortSignal,
): AsyncGenerator<ChatPiece> {
  const [{ loadChatModel: apiChat }, { streamSdkChat: sdkChat }] = await loadChatModules();
  yield* sdkChat({ model: apiChat(api), maxOutputTokens: api.maxOutputTokens }, messages, signal);
}

/** Any API that speaks OpenAI embeddings. */
export const createOpenAiEmbedder = (api: Api): Embedder => ({
  kind: KIND,
  model: api.model,
  embed: async (texts, signal) => {
    const [{ loadEmbeddingModel: apiEmbedding }, { embedTexts: sdkEmbed }] = await loadEmbeddingModules();
    return sdkEmbed(apiEmbedding(api), texts, signal);
  },
});
