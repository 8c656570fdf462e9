import { createAnthropic } from '@ai-sdk/anthropic';
import * as z from 'zod';
import { parseApiBase } from '../../core/api-endpoint.ts';
import { collectFoundSources, type FoundSource, MAX_FOUND_SOURCES, toFoundSource } from '../../core/answer-sources.ts';
import { createAnswerFetch } from '../../core/engine-fetch.ts';
import type { AnswerExtras, SdkAnswerModel } from '../../core/sdk-answer.ts';
import { buildUserLocation, MAX_SEARCH_BODY_BYTES, MAX_SEARCHES, type VendorApi } from '../../core/vendor-engine.ts';

/** The SDK's model of the Messages API, with its tool of web search. Loaded lazily, as all modules that import the SDK. */
export function loadMessagesModel(api: VendorApi): SdkAnswerModel {
  const provider = createAnthropic({
    baseURL: parseApiBase(api.url, '/messages').baseURL,
    apiKey: api.key,
    fetch: createAnswerFetch(api.fetch, MAX_SEARCH_BODY_BYTES),
  });
  const { country, webSearch, maxOutputTokens } = api;
  const search = provider.tools.webSearch_20250305({ maxUses: MAX_SEARCHES, ...buildUserLocation(country) });
  return {
    model: provider(api.model),
    maxOutputTokens,
    call: webSearch ? { tools: { web_search: search } } : {},
    readExtras: ({ body }) => readMessagesExtras(body, webSearch),
  };
}

const citation = z.object({
  type: z.literal('web_search_result_location'),
  url: z.string(),
  title: z.string().nullish().catch(undefined),
});
const block = z.object({
  type: z.string(),
  text: z.string().optional().catch(undefined),
  citations: z.array(z.unknown()).nullish().catch(undefined),
  content: z.unknown().optional(),
});
const bodySchema = z.object({
  model: z.string().optional().catch(undefined),
  stop_reason: z.string().nullish().catch(undefined),
  stop_details: z.object({ explanation: z.string() }).optional().catch(undefined),
  content: z.array(block).catch([]),
});
type Block = z.infer<typeof block>;

/** Pages that blocks of the text cite; each block is a claim. Results of a search that no block cites are none. */
function readMessagesExtras(body: unknown, webSearch: boolean): AnswerExtras {
  const { model, stop_reason: stop, stop_details: details, content = [] } = bodySchema.safeParse(body).data ?? {};
  const found: FoundSource[] = [];
  let written = '';
  for (const { type, text, citations } of content) {
    if (type !== 'text' || text === undefined) continue;
    const span = [written.length, written.length + text.length] as const;
    for (const given of (citations ?? []).slice(0, MAX_FOUND_SOURCES - found.length)) {
      const { data } = citation.safeParse(given);
      if (data !== undefined) found.push(toFoundSource(data, span));
    }
    written += text;
  }
  return {
    servedModel: model,
    // A turn that the model means to go on with is not whole.
    isCutOff: stop === 'pause_turn',
    isSearchBroken: isSearchBroken(content),
    refusal: stop === 'refusal' ? (details?.explanation ?? '') : undefined,
    sources: collectFoundSources(written, found, { webSearch }),
  };
}

/** Whether searches were made and all of them failed: the text is then one without a look at the web. */
function isSearchBroken(content: readonly Block[]): boolean {
  const results = content.filter(({ type }) => type === 'web_search_tool_result');
  return results.length > 0 && results.every((result) => !Array.isArray(result.content));
}
