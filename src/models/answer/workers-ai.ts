import type { Ai } from '@cloudflare/workers-types';
import type { AnswerEngine } from './port.ts';

export type PlatformModel = { binding: Ai; model: string; maxOutputTokens: number };

/** Models of the platform, by the `AI` binding of the production section. */
export function createWorkersAiEngine(given: PlatformModel): AnswerEngine {
  return {
    kind: 'workers-ai',
    model: given.model,
    answer: async (prompt, signal) => {
      // Loaded by the first prompt, like the SDK it uses.
      const [{ loadPlatformModel: platformModel }, { requestAnswer: sdkAnswer }] = await Promise.all([
        import('./platform-model.ts'),
        import('./sdk-answer.ts'),
      ]);
      return sdkAnswer(platformModel(given), prompt, signal);
    },
  };
}
