import { createRecordedEngine, TranscriptFault } from './recorded.ts';
import type { EngineFactory } from './registry.ts';
import { demoBrands, parseBrands, createSimulatedEngine } from './simulated.ts';

const DEFAULT_SEED = 'sightline';

/** Engines that are no AI model: for the local stack, the command line and tests alone. */
export const localEngines = {
  recorded: ({ model }, { recording }) => {
    if (recording === undefined)
      return { ok: false, detail: 'No transcripts are given (ANSWER_ENGINE_FILE, or --answers)' };
    try {
      return {
        ok: true,
        engine: createRecordedEngine({ jsonl: recording, ...(model === undefined ? {} : { model }) }),
      };
    } catch (error) {
      if (!(error instanceof TranscriptFault)) throw error;
      return { ok: false, detail: error.message };
    }
  },
  simulated: ({ model }, { brands, seed = DEFAULT_SEED }) => {
    const parsed = brands === undefined ? { ok: true as const, brands: demoBrands } : parseBrands(brands);
    if (!parsed.ok) return parsed;
    const named = model === undefined ? {} : { model };
    return { ok: true, engine: createSimulatedEngine({ seed, brands: parsed.brands, ...named }) };
  },
} as const satisfies Readonly<Record<string, EngineFactory>>;
