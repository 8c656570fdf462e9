import type { Ai } from '@cloudflare/workers-types';
import { createWorkersAI } from 'workers-ai-provider';
import * as z from 'zod';
import type { SdkAnswerModel } from '../../core/sdk-answer.ts';
import { EngineAnswerRefused } from '../../core/sdk-failure.ts';
import type { PlatformTextModel } from './engines.ts';

/**
 * The SDK's model of the platform, for ONE call: the binding's own answer is looked at, because the provider trusts it
 * and drops half of it. Loaded lazily, as all modules that import the SDK.
 */
export function loadPlatformModel({ binding, model, maxOutputTokens }: PlatformTextModel): SdkAnswerModel {
  let said: Output | undefined;
  const run = async (...asked: Parameters<Ai['run']>): Promise<Output> => {
    said = readPlatformOutput(await binding.run(...asked));
    return said;
  };
  return {
    model: createWorkersAI({ binding: { run } as unknown as Ai })(model), // Text generation calls `run` alone.
    maxOutputTokens,
    readExtras: () => ({
      servedModel: said?.model,
      // Models of the platform's own form do not say why they stopped.
      isCutOff: said?.choices === undefined && (said?.usage?.completion_tokens ?? 0) >= maxOutputTokens,
    }),
  };
}

/** Both forms of text generation: the platform's own, and that of OpenAI. */
const outputSchema = z.looseObject({
  response: z.string().nullish(),
  choices: z
    .array(
      z.looseObject({
        message: z.looseObject({ content: z.string().nullish() }),
        finish_reason: z.string().nullish(),
      }),
    )
    .min(1)
    .optional(),
  model: z.string().optional().catch(undefined),
  usage: z
    .looseObject({ prompt_tokens: z.number().optional(), completion_tokens: z.number().optional() })
    .optional()
    .catch(undefined),
});
type Output = z.infer<typeof outputSchema>;

function readPlatformOutput(given: unknown): Output {
  const { success, data } = outputSchema.safeParse(given);
  if (!success) throw new EngineAnswerRefused('no text generation');
  return data;
}
