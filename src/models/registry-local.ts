import { createRecordedEngine, TranscriptFault } from './adapters/recorded.ts';
import { createSimulatedEngine, demoBrands, parseBrands } from './adapters/simulated/answer.ts';
import { createSimulatedChat } from './adapters/simulated/chat.ts';
import { createSimulatedEmbedder } from './adapters/simulated/embedder.ts';
import type { ApiSettings } from './core/api-endpoint.ts';
import type { AnswerEngine, ChatEngine, Embedder } from './port.ts';
import { type Engines, productionAnswers, productionChats, productionEmbedders } from './registry.ts';

const DEFAULT_SEED = 'sightline';

/*
 * The engines of the local stack, the command line and tests: those of a deployment, on this machine too, and those that
 * are no AI model.
 */

export const localAnswers = {
  isLocal: true,
  factories: {
    ...productionAnswers.factories,
    recorded: ({ model }, { recording }) => {
      if (recording === undefined) return { ok: false, detail: 'No transcripts are given (ANSWER_ENGINE_FILE)' };
      try {
        return { ok: true, engine: createRecordedEngine({ jsonl: recording, model }) };
      } catch (error) {
        if (!(error instanceof TranscriptFault)) throw error;
        return { ok: false, detail: error.message };
      }
    },
    simulated: ({ model }, { brands, seed = DEFAULT_SEED }) => {
      const parsed = brands === undefined ? { ok: true as const, brands: demoBrands } : parseBrands(brands);
      if (!parsed.ok) return parsed;
      return { ok: true, engine: createSimulatedEngine({ seed, brands: parsed.brands, model }) };
    },
  },
} satisfies Engines<AnswerEngine>;

export const localChats: Engines<ChatEngine> = {
  isLocal: true,
  factories: {
    ...productionChats.factories,
    simulated: ({ model }) => ({ ok: true, engine: createSimulatedChat(model) }),
  },
};

export const localEmbedders: Engines<Embedder, ApiSettings> = {
  isLocal: true,
  factories: {
    ...productionEmbedders.factories,
    simulated: ({ model }) => ({ ok: true, engine: createSimulatedEmbedder(model) }),
  },
};
