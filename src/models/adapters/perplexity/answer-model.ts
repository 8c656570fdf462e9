import { createPerplexity } from '@ai-sdk/perplexity';
import * as z from 'zod';
import { parseApiBase } from '../../core/api-endpoint.ts';
import { createAnswerFetch } from '../../core/engine-fetch.ts';
import { readNumberedSources } from '../../core/numbered-sources.ts';
import type { SdkAnswerModel } from '../../core/sdk-answer.ts';
import { MAX_SEARCH_BODY_BYTES, type VendorApi } from '../../core/vendor-engine.ts';

const named = z.object({ model: z.string() });

/** The SDK's model of Perplexity's chat API. Loaded lazily, as all modules that import the SDK. */
export function loadSonarModel(api: VendorApi): SdkAnswerModel {
  const provider = createPerplexity({
    baseURL: parseApiBase(api.url, '/chat/completions').baseURL,
    apiKey: api.key,
    fetch: createAnswerFetch(api.fetch, MAX_SEARCH_BODY_BYTES),
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
