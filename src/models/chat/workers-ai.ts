import type { Ai } from '@cloudflare/workers-types';
import { loadOnce } from '../../lib/load-once.ts';
import type { ChatEngine, ChatPiece, Embedder, EngineMessage } from '../answer/port.ts';
import { streamReply } from './reply.ts';

/** A model of the platform, by the `AI` binding of the production section. */
export type PlatformPlace = { binding: Ai; model: string };
export type PlatformChat = PlatformPlace & { maxOutputTokens: number };

const KIND = 'workers-ai';
// Loaded by the first chat or embedding, like the SDK that both use.
const loadChatModules = loadOnce(() => Promise.all([import('./platform-models.ts'), import('./sdk-chat.ts')]));
const loadEmbeddingModules = loadOnce(() => Promise.all([import('./platform-models.ts'), import('./sdk-embed.ts')]));

/** Text generation of the platform, streamed. */
export const createWorkersAiChat = (place: PlatformChat): ChatEngine => ({
  kind: KIND,
  model: place.model,
  reply: (messages, signal) => streamReply(streamPlatformPieces(place, messages, signal), signal),
});

async function* streamPlatformPieces(
  place: PlatformChat,
  messages: readonly EngineMessage[],
  signal: AbortSignal,
): AsyncGenerator<ChatPiece> {
  const [{ loadPlatformChat: platformChat }, { streamSdkChat: sdkChat }] = await loadChatModules();
  yield* sdkChat({ model: platformChat(place), maxOutputTokens: place.maxOutputTokens }, messages, signal);
}

/** Text embeddings of the platform. */
export const createWorkersAiEmbedder = (place: PlatformPlace): Embedder => ({
  kind: KIND,
  model: place.model,
  embed: async (texts, signal) => {
    const [{ loadPlatformEmbedding: platformEmbedding }, { embedTexts: sdkEmbed }] = await loadEmbeddingModules();
    return sdkEmbed(platformEmbedding(place), texts, signal);
  },
});
