import { loadOnce } from '../../../lib/concurrency.ts';
import type { Ai } from '@cloudflare/workers-types';
import { createSdkAnswerEngine, createSdkChat, createSdkEmbedder } from '../../core/sdk-engines.ts';
import type { AnswerEngine, ChatEngine, Embedder } from '../../port.ts';

/** A model of the platform, by the `AI` binding of the production section. */
export type PlatformModel = { binding: Ai; model: string };
export type PlatformTextModel = PlatformModel & { maxOutputTokens: number };

const kind = 'workers-ai';
const loadAnswerModels = /* @__PURE__ */ loadOnce(() => import('./answer-model.ts'));
const loadChatModels = /* @__PURE__ */ loadOnce(() => import('./chat-models.ts'));

/** Text generation of the platform, as a whole. */
export const createWorkersAiEngine = (platform: PlatformTextModel): AnswerEngine =>
  createSdkAnswerEngine({ kind, model: platform.model }, async () =>
    (await loadAnswerModels()).loadPlatformModel(platform),
  );

/** Text generation of the platform, streamed. */
export const createWorkersAiChat = (platform: PlatformTextModel): ChatEngine =>
  createSdkChat({ kind, model: platform.model, maxOutputTokens: platform.maxOutputTokens }, async () =>
    (await loadChatModels()).loadPlatformChat(platform),
  );

/** Text embeddings of the platform. */
export const createWorkersAiEmbedder = (platform: PlatformModel): Embedder =>
  createSdkEmbedder({ kind, model: platform.model }, async () =>
    (await loadChatModels()).loadPlatformEmbedding(platform),
  );
