import { createOpenAI } from '@ai-sdk/openai';
import * as z from 'zod';
import { parseApiBase } from '../../core/api-endpoint.ts';
import { type FoundSource, MAX_FOUND_SOURCES } from '../../core/answer-sources.ts';
import { createAnswerFetch } from '../../core/engine-fetch.ts';
import type { AnswerExtras, SdkAnswerModel } from '../../core/sdk-answer.ts';
import { MAX_SEARCH_BODY_BYTES, type VendorApi } from '../../core/vendor-engine.ts';

/**
 * The SDK's model of the Responses API, with its tool of web search. Nothing of an answer is stored there. Loaded lazily,
 * as all modules that import the SDK.
 */
export function loadResponsesModel(api: VendorApi): SdkAnswerModel {
  const provider = createOpenAI({
    baseURL: parseApiBase(api.url, '/responses').baseURL,
    apiKey: api.key,
    fetch: createAnswerFetch(api.fetch, MAX_SEARCH_BODY_BYTES),
  });
  const { country, webSearch, maxOutputTokens } = api;
  const location = country === undefined ? {} : { userLocation: { type: 'approximate' as const, country } };
  return {
    model: provider.responses(api.model),
    maxOutputTokens,
    call: {
      ...(webSearch ? { tools: { web_search: provider.tools.webSearch(location) } } : {}),
      providerOptions: { openai: { store: false } },
    },
    readExtras: ({ body }) => readResponsesExtras(body, webSearch),
  };
}

const annotation = z.object({
  type: z.literal('url_citation'),
  url: z.string(),
  title: z.string().nullish().catch(undefined),
  start_index: z.number(),
  end_index: z.number(),
});
const part = z.object({ text: z.string(), annotations: z.array(z.unknown()).catch([]) });
const bodySchema = z.object({
  model: z.string().optional().catch(undefined),
  output: z.array(z.object({ type: z.string(), content: z.array(z.unknown()).optional().catch(undefined) })).catch([]),
});

/** Pages that the text cites. Those that were only read on the way are none. */
function readResponsesExtras(body: unknown, webSearch: boolean): AnswerExtras {
  const { model, output = [] } = bodySchema.safeParse(body).data ?? {};
  const found: FoundSource[] = [];
  let text = '';
  for (const given of output.flatMap(({ type, content = [] }) => (type === 'message' ? content : []))) {
    const { data } = part.safeParse(given);
    if (data === undefined) continue;
    for (const mark of data.annotations.slice(0, MAX_FOUND_SOURCES - found.length)) {
      const { data: cited } = annotation.safeParse(mark);
      if (cited !== undefined)
        found.push({ ...toSource(cited), span: addOffset(findSpan(data.text, cited), text.length) });
    }
    text += data.text;
  }
  return { servedModel: model, sources: webSearch || found.length > 0 ? { text, found } : undefined };
}

type Annotation = z.infer<typeof annotation>;

const toSource = ({ url, title }: Annotation): FoundSource => ({ url, title: title ?? undefined });

const addOffset = ([from, to]: readonly [number, number], by: number): readonly [number, number] => [
  from + by,
  to + by,
];

/**
 * The stretch of an annotation. The API does not say whether it counts characters of Unicode or of UTF-16: the stretch is a
 * mark, `([title](address))`, so the reading that is more like one is right; where both are, the first.
 */
function findSpan(text: string, { url, start_index: from, end_index: to }: Annotation): readonly [number, number] {
  if (!/[\u{10000}-\u{10ffff}]/u.test(text.slice(0, to))) return [from, to];
  const whole = [countUnits(text, from), countUnits(text, to)] as const;
  const likeness = (stretch: string): number =>
    [stretch.includes(url), /^[([]/u.test(stretch), stretch.endsWith(')')].filter(Boolean).length;
  return likeness(text.slice(from, to)) > likeness(text.slice(...whole)) ? [from, to] : whole;
}

/** UTF-16 units that the first characters of a text take. */
function countUnits(text: string, characters: number): number {
  let units = 0;
  for (let left = characters; left > 0 && units < text.length; left -= 1)
    units += (text.codePointAt(units) ?? 0) > 0xff_ff ? 2 : 1;
  return units;
}
