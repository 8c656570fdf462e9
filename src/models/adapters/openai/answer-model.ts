import { createOpenAI } from '@ai-sdk/openai';
import * as z from 'zod';
import { parseApiBase } from '../../core/api-endpoint.ts';
import { collectFoundSources, type FoundSource, MAX_FOUND_SOURCES, toFoundSource } from '../../core/answer-sources.ts';
import { createAnswerFetch } from '../../core/engine-fetch.ts';
import type { AnswerExtras, SdkAnswerModel } from '../../core/sdk-answer.ts';
import { buildUserLocation, MAX_SEARCH_BODY_BYTES, type VendorApi } from '../../core/vendor-engine.ts';
import { MAX_ANSWER_BYTES } from '../../port.ts';

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
  return {
    model: provider.responses(api.model),
    maxOutputTokens,
    call: {
      ...(webSearch ? { tools: { web_search: provider.tools.webSearch(buildUserLocation(country)) } } : {}),
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
const refusalPart = z.object({ type: z.literal('refusal'), refusal: z.string() });
const item = z.object({
  type: z.string(),
  status: z.string().optional().catch(undefined),
  content: z.array(z.unknown()).optional().catch(undefined),
});
const bodySchema = z.object({ model: z.string().optional().catch(undefined), output: z.array(item).catch([]) });
type Item = z.infer<typeof item>;

/** Pages that the text cites. Those that were only read on the way are none. */
function readResponsesExtras(body: unknown, webSearch: boolean): AnswerExtras {
  const { model, output = [] } = bodySchema.safeParse(body).data ?? {};
  const found: FoundSource[] = [];
  let text = '';
  const contents = output.flatMap(({ type, content = [] }) => (type === 'message' ? content : []));
  for (const given of contents) {
    const { data } = part.safeParse(given);
    if (data === undefined) continue;
    found.push(...readMarks(data, text.length).slice(0, MAX_FOUND_SOURCES - found.length));
    text += data.text;
  }
  return {
    servedModel: model,
    isSearchBroken: isSearchBroken(output),
    refusal: contents.flatMap((given) => refusalPart.safeParse(given).data?.refusal ?? [])[0],
    sources: collectFoundSources(text, found, { webSearch }),
  };
}

/** Whether searches were made, and none of them worked: the text is then one without a look at the web. */
function isSearchBroken(output: readonly Item[]): boolean {
  const calls = output.filter(({ type }) => type === 'web_search_call');
  return calls.some(({ status }) => status === 'failed') && !calls.some(({ status }) => status === 'completed');
}

type Annotation = z.infer<typeof annotation>;

/** The marks of a part that begins at this place of the text. None is read beyond what is kept of an answer. */
function readMarks({ text, annotations }: z.infer<typeof part>, at: number): readonly FoundSource[] {
  const read = text.slice(0, Math.max(0, MAX_ANSWER_BYTES - at));
  const units = mapCharacters(read);
  return annotations.slice(0, MAX_FOUND_SOURCES).flatMap((mark) => {
    const { data } = annotation.safeParse(mark);
    if (data === undefined) return [];
    const [from, to] = findSpan(read, data, units);
    return from + at >= MAX_ANSWER_BYTES ? [] : [toFoundSource(data, [from + at, to + at])];
  });
}

/** A mark is no longer than this, in UTF-16 units. */
const MAX_MARK_UNITS = 4096;

/**
 * The stretch of an annotation. The API does not say whether it counts characters of Unicode or of UTF-16: the stretch is a
 * mark, `([title](address))`, so the reading that is more like one is right; where both are, the first.
 * @param units as `mapCharacters`
 */
function findSpan(
  text: string,
  { url, start_index: from, end_index: to }: Annotation,
  units: Uint32Array | undefined,
): readonly [number, number] {
  if (units === undefined) return [from, to];
  const unitOf = (character: number): number => units[Math.min(character, units.length - 1)] ?? Number.NaN;
  const whole = [unitOf(from), unitOf(to)] as const;
  const likeness = (stretch: string): number =>
    stretch.length > MAX_MARK_UNITS
      ? 0
      : [stretch.includes(url), /^[([]/u.test(stretch), stretch.endsWith(')')].filter(Boolean).length;
  return likeness(text.slice(from, to)) > likeness(text.slice(...whole)) ? [from, to] : whole;
}

/** For each character of Unicode, and for the end, the UTF-16 unit where it begins; undefined where both counts agree. */
function mapCharacters(text: string): Uint32Array | undefined {
  if (!/[\u{10000}-\u{10ffff}]/u.test(text)) return undefined;
  const units = new Uint32Array(text.length + 1);
  let [character, unit] = [0, 0];
  while (unit < text.length) {
    units[character] = unit;
    character += 1;
    unit += (text.codePointAt(unit) ?? 0) > 0xff_ff ? 2 : 1;
  }
  units[character] = text.length;
  return units.subarray(0, character + 1);
}
