import { loadOnce } from '../../lib/concurrency.ts';
import type { AnswerEngine, ChatEngine, ChatPiece, Embedder, EngineKind, EngineMessage } from '../port.ts';
import { streamReply } from './reply.ts';
import type { SdkAnswerModel } from './sdk-answer.ts';
import type { SdkLanguageModel } from './sdk-chat.ts';
import type { SdkEmbeddingModel } from './sdk-embed.ts';

type Named = { kind: EngineKind; model: string };

// The SDK is most of a bundle: it is loaded by the first question, never for an audit or a search. The calls are pure for a
// bundler, which leaves out the uses that a Worker does not have.
const loadAnswerModule = /* @__PURE__ */ loadSdk(() => import('./sdk-answer.ts'));
const loadChatModule = /* @__PURE__ */ loadSdk(() => import('./sdk-chat.ts'));
const loadEmbedModule = /* @__PURE__ */ loadSdk(() => import('./sdk-embed.ts'));

/** A module that calls the SDK, which would print its warnings on the console; ours are in what an answer says. */
function loadSdk<T extends object>(load: () => Promise<T>): () => Promise<T> {
  return loadOnce(() => {
    globalThis.AI_SDK_LOG_WARNINGS = false;
    return load();
  });
}

/** An answer engine over the SDK. `load` is asked for each prompt. */
export const createSdkAnswerEngine = ({ kind, model }: Named, load: () => Promise<SdkAnswerModel>): AnswerEngine => ({
  kind,
  model,
  answer: async (prompt, signal) => {
    const [sdkModel, { requestAnswer }] = await Promise.all([load(), loadAnswerModule()]);
    return requestAnswer(sdkModel, prompt, signal);
  },
});

/** An engine of chats over the SDK. `load` is asked for each reply. */
export const createSdkChat = (
  { kind, model, maxOutputTokens }: Named & { maxOutputTokens: number },
  load: () => Promise<SdkLanguageModel>,
): ChatEngine => {
  async function* streamPieces(messages: readonly EngineMessage[], signal: AbortSignal): AsyncGenerator<ChatPiece> {
    const [sdkModel, { streamSdkChat }] = await Promise.all([load(), loadChatModule()]);
    yield* streamSdkChat({ model: sdkModel, maxOutputTokens }, messages, signal);
  }
  return { kind, model, reply: (messages, signal) => streamReply(streamPieces(messages, signal), signal) };
};

/** An embedder over the SDK. `load` is asked for each batch of texts. */
export const createSdkEmbedder = ({ kind, model }: Named, load: () => Promise<SdkEmbeddingModel>): Embedder => ({
  kind,
  model,
  embed: async (texts, signal) => {
    const [sdkModel, { embedTexts }] = await Promise.all([load(), loadEmbedModule()]);
    return embedTexts(sdkModel, texts, signal);
  },
});
