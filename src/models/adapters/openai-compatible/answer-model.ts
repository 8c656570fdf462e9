import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import * as z from 'zod';
import { parseApiBase } from '../../core/api-endpoint.ts';
import { createAnswerFetch } from '../../core/engine-fetch.ts';
import { readNumberedSources } from '../../core/numbered-sources.ts';
import type { SdkAnswerModel } from '../../core/sdk-answer.ts';
import type { OpenAiTextApi } from './engines.ts';

const named = z.object({ model: z.string() });
/** A refusal has a field of its own beside the text. */
const refusing = z.object({ choices: z.tuple([z.object({ message: z.object({ refusal: z.string().min(1) }) })]) });

/** The SDK's model of a chat API. Loaded lazily, as all modules that import the SDK. */
export function loadAnswerModel({ url, model, key, fetch: inner, maxOutputTokens }: OpenAiTextApi): SdkAnswerModel {
  const provider = createOpenAICompatible({
    name: 'engine',
    ...parseApiBase(url, '/chat/completions'),
    fetch: createAnswerFetch(inner),
    ...(key === undefined ? {} : { apiKey: key }),
  });
  return {
    model: provider.chatModel(model),
    maxOutputTokens,
    // The provider hands on no sources, and replaces the model by the one that was asked for.
    readExtras: ({ body }) => ({
      servedModel: named.safeParse(body).data?.model,
      sources: readNumberedSources(body),
      refusal: refusing.safeParse(body).data?.choices[0].message.refusal,
    }),
  };
}
