import { createPerplexity } from '@ai-sdk/perplexity';
import * as z from 'zod';
import { parseJson } from '../../../lib/json.ts';
import { parseApiBase } from '../../core/api-endpoint.ts';
import { createAnswerFetch } from '../../core/engine-fetch.ts';
import { readNumberedSources } from '../../core/numbered-sources.ts';
import type { SdkAnswerModel } from '../../core/sdk-answer.ts';
import { EngineAnswerRefused } from '../../core/sdk-failure.ts';
import { MAX_SEARCH_BODY_BYTES, type VendorApi } from '../../core/vendor-engine.ts';

const named = z.object({ model: z.string() });
const withoutChoice = z.object({ choices: z.tuple([]) });

/** The SDK's model of Perplexity's chat API. Loaded lazily, as all modules that import the SDK. */
export function loadSonarModel(api: VendorApi): SdkAnswerModel {
  const fetchAnswer = createAnswerFetch(api.fetch, MAX_SEARCH_BODY_BYTES);
  const provider = createPerplexity({
    baseURL: parseApiBase(api.url, '/chat/completions').baseURL,
    apiKey: api.key,
    fetch: async (...asked) => requireChoice(await fetchAnswer(...asked)),
  });
  const { country, webSearch, maxOutputTokens } = api;
  const location = country === undefined ? {} : { web_search_options: { user_location: { country } } };
  return {
    model: provider(api.model),
    maxOutputTokens,
    call: { providerOptions: { perplexity: webSearch ? location : { disable_search: true } } },
    readExtras: ({ body }) => ({
      servedModel: named.safeParse(body).data?.model,
      sources: readNumberedSources(body),
    }),
  };
}

/** The provider takes the first choice of an answer without looking. @throws EngineAnswerRefused where there is none */
async function requireChoice(response: Response): Promise<Response> {
  if (!response.ok) return response;
  const text = await response.text();
  if (withoutChoice.safeParse(parseJson(text)).success) throw new EngineAnswerRefused('no choice');
  return new Response(text, { status: response.status, headers: response.headers });
}
