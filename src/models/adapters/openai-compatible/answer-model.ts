import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import * as z from 'zod';
import { parseApiBase } from '../../core/api-endpoint.ts';
import { createAnswerFetch } from '../../core/engine-fetch.ts';
import type { AnswerExtras, SdkAnswerModel } from '../../core/sdk-answer.ts';
import type { OpenAiTextApi } from './engines.ts';

/** Name of the provider in what the SDK hands back. */
const PROVIDER = 'engine';
/** Sources of an answer that are read. */
const MAX_SOURCES = 100;

/** The SDK's model of a chat API. Loaded lazily, as all modules that import the SDK. */
export function loadAnswerModel({ url, model, key, fetch: inner, maxOutputTokens }: OpenAiTextApi): SdkAnswerModel {
  const provider = createOpenAICompatible({
    name: PROVIDER,
    ...parseApiBase(url, '/chat/completions'),
    fetch: createAnswerFetch(inner),
    metadataExtractor: {
      extractMetadata: async ({ parsedBody }) => ({ [PROVIDER]: readProviderExtras(parsedBody) }),
      createStreamExtractor: () => ({ processChunk: () => {}, buildMetadata: () => undefined }),
    },
    ...(key === undefined ? {} : { apiKey: key }),
  });
  return { model: provider.chatModel(model), maxOutputTokens, readExtras: getProviderExtras };
}

const anything = z.array(z.unknown()).optional().catch(undefined);
const body = z.object({ citations: anything, search_results: anything, model: z.string().optional().catch(undefined) });
const result = z.object({ url: z.string() });

/**
 * Sources as Perplexity spells them, in one field or the other; none when there is no such field, which says nothing
 * about sources. And the model, which the SDK would replace by the one that was asked for.
 */
function readProviderExtras(parsedBody: unknown): { citations?: string[]; servedModel?: string } {
  const { citations, search_results: results, model } = body.safeParse(parsedBody).data ?? {};
  const urls = [...(citations ?? []), ...(results ?? [])].slice(0, MAX_SOURCES).flatMap(readSourceUrl);
  return {
    ...(citations || results ? { citations: urls } : {}),
    ...(model === undefined ? {} : { servedModel: model }),
  };
}

const readSourceUrl = (source: unknown): readonly string[] => {
  if (typeof source === 'string') return [source];
  const { success, data } = result.safeParse(source);
  return success ? [data.url] : [];
};

const metadata = z.object({
  [PROVIDER]: z.object({ citations: z.array(z.string()).optional(), servedModel: z.string().optional() }),
});
const getProviderExtras = (given: unknown): AnswerExtras => metadata.safeParse(given).data?.[PROVIDER] ?? {};
