import type { Ai } from '@cloudflare/workers-types';
import { loadOnce } from '../../lib/load-once.ts';
import type { ChatEngine, ChatPiece, Embedder } from '../../search/search-object.ts';
import type { EngineMessage } from './messages.ts';
import { replyOf } from './reply.ts';

/** A model of the platform, by the `AI` binding of the production section. */
export type PlatformPlace = { binding: Ai; model: string };
export type PlatformChat = PlatformPlace & { maxOutputTokens: number };

const KIND = 'workers-ai';
// Loaded by the first chat or embedding, as the SDK that both stand on.
const chatModules = loadOnce(() => Promise.all([import('./platform-models.ts'), import('./sdk-chat.ts')]));
const embeddingModules = loadOnce(() => Promise.all([import('./platform-models.ts'), import('./sdk-embed.ts')]));

/** Text generation of the platform, streamed. */
export const workersAiChat = (place: PlatformChat): ChatEngine => ({
  kind: KIND,
  model: place.model,
  reply: (messages, signal) => replyOf(piecesOf(place, messages, signal), signal),
});

async function* piecesOf(
  place: PlatformChat,
  messages: readonly EngineMessage[],
  signal: AbortSignal,
): AsyncGenerator<ChatPiece> {
  const [{ platformChat }, { sdkChat }] = await chatModules();
  yield* sdkChat({ model: platformChat(place), maxOutputTokens: place.maxOutputTokens }, messages, signal);
}

/** Text embeddings of the platform. */
export const workersAiEmbedder = (place: PlatformPlace): Embedder => ({
  kind: KIND,
  model: place.model,
  embed: async (texts, signal) => {
    const [{ platformEmbedding }, { sdkEmbed }] = await embeddingModules();
    return sdkEmbed(platformEmbedding(place), texts, signal);
  },
});
