import { loadOnce } from '../../../lib/concurrency.ts';
import type { ApiEndpoint } from '../../core/api-endpoint.ts';
import type { SdkAnswerModel } from '../../core/sdk-answer.ts';
import { createSdkAnswerEngine, createSdkChat, createSdkEmbedder } from '../../core/sdk-engines.ts';
import type { AnswerEngine, ChatEngine, Embedder } from '../../port.ts';

/** An API that speaks as OpenAI's does; `fetch` is bounded by the adapter. */
export type OpenAiApi = ApiEndpoint & { fetch: typeof fetch };
export type OpenAiTextApi = OpenAiApi & { maxOutputTokens: number };

const kind = 'openai-compatible';
const loadAnswerModels = /* @__PURE__ */ loadOnce(() => import('./answer-model.ts'));
const loadChatModels = /* @__PURE__ */ loadOnce(() => import('./chat-models.ts'));

/** Any API that speaks OpenAI chat completions: OpenAI, Perplexity (with its sources), AI Gateway, Ollama, llama.cpp, vLLM. */
export function createOpenAiEngine(api: OpenAiTextApi): AnswerEngine {
  let model: SdkAnswerModel | undefined;
  return createSdkAnswerEngine(
    { kind, model: api.model },
    async () => (model ??= (await loadAnswerModels()).loadAnswerModel(api)),
  );
}

/** Any API that speaks OpenAI chat completions, streamed: OpenAI, AI Gateway, Ollama, llama.cpp, vLLM. */
export const createOpenAiChat = (api: OpenAiTextApi): ChatEngine =>
  createSdkChat({ kind, model: api.model, maxOutputTokens: api.maxOutputTokens }, async () =>
    (await loadChatModels()).loadChatModel(api),
  );

/** Any API that speaks OpenAI embeddings. */
export const createOpenAiEmbedder = (api: OpenAiApi): Embedder =>
  createSdkEmbedder({ kind, model: api.model }, async () => (await loadChatModels()).loadEmbeddingModel(api));
