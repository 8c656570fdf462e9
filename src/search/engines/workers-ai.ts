import type { Ai } from '@cloudflare/workers-types';
import type { ChatEngine, ChatPiece, Embedder } from '../search-object.ts';
import type { EngineMessage } from './messages.ts';
import { replyOf } from './reply.ts';

/** A model of the platform, by the `AI` binding of the production section. */
export type PlatformPlace = { binding: Ai; model: string };
export type PlatformChat = PlatformPlace & { maxOutputTokens: number };

const KIND = 'workers-ai';

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
  // Loaded by the first chat, as the SDK it stands on.
  const [{ platformChat }, { sdkChat }] = await Promise.all([import('./platform-models.ts'), import('./sdk-chat.ts')]);
  yield* sdkChat({ model: platformChat(place), maxOutputTokens: place.maxOutputTokens }, messages, signal);
}

/** Text embeddings of the platform. */
export const workersAiEmbedder = (place: PlatformPlace): Embedder => ({
  kind: KIND,
  model: place.model,
  embed: async (texts, signal) => {
    const [{ platformEmbedding }, { sdkEmbed }] = await Promise.all([
      import('./platform-models.ts'),
      import('./sdk-embed.ts'),
    ]);
    return sdkEmbed(platformEmbedding(place), texts, signal);
  },
});
