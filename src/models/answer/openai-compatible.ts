import type { AnswerEngine } from './port.ts';
import type { SdkModel } from './sdk-answer.ts';

export type AnswerApi = {
  /** Base URL such as `https://api.openai.com/v1`; the full address of its chat completions is taken too. */
  url: string;
  model: string;
  key: string | undefined;
  fetch: typeof fetch;
  maxOutputTokens: number;
};

/** Any API that speaks OpenAI chat completions: OpenAI, Perplexity (with its sources), AI Gateway, Ollama, llama.cpp, vLLM. */
export function createOpenAiEngine(api: AnswerApi): AnswerEngine {
  let model: SdkModel | undefined;
  return {
    kind: 'openai-compatible',
    model: api.model,
    answer: async (prompt, signal) => {
      // The SDK is most of the bundle: it is loaded by the first prompt, never for an audit.
      const [{ loadAnswerModel: chatModel }, { requestAnswer: sdkAnswer }] = await Promise.all([
        import('./chat-model.ts'),
        import('./sdk-answer.ts'),
      ]);
      model ??= chatModel(api);
      return sdkAnswer(model, prompt, signal);
    },
  };
}
