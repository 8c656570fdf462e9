import { createGoogle } from '@ai-sdk/google';
import * as z from 'zod';
import { parseApiBase } from '../../core/api-endpoint.ts';
import { collectFoundSources, type FoundSource, MAX_FOUND_SOURCES, toFoundSource } from '../../core/answer-sources.ts';
import { createAnswerFetch } from '../../core/engine-fetch.ts';
import type { AnswerExtras, SdkAnswerModel } from '../../core/sdk-answer.ts';
import { MAX_SEARCH_BODY_BYTES, type VendorApi } from '../../core/vendor-engine.ts';

/** Bytes of a part of the text in which stretches are found: more than is kept of an answer. */
const MAX_MAPPED_BYTES = 256 * 1024;

/** The SDK's model of the Gemini API, grounded by search. Loaded lazily, as all modules that import the SDK. */
export function loadGeminiModel(api: VendorApi): SdkAnswerModel {
  const provider = createGoogle({
    baseURL: parseApiBase(api.url, `/models/${api.model}:generateContent`).baseURL,
    apiKey: api.key,
    fetch: createAnswerFetch(api.fetch, MAX_SEARCH_BODY_BYTES),
  });
  return {
    model: provider(api.model),
    maxOutputTokens: api.maxOutputTokens,
    call: api.webSearch ? { tools: { google_search: provider.tools.googleSearch({}) } } : {},
    readExtras: ({ body }) => readGeminiExtras(body, api.webSearch),
  };
}

const chunk = z.object({ web: z.object({ uri: z.string(), title: z.string().nullish().catch(undefined) }) });
const support = z.object({
  segment: z.object({
    partIndex: z.number().nullish(),
    startIndex: z.number().nullish(),
    endIndex: z.number(),
    text: z.string().nullish(),
  }),
  groundingChunkIndices: z.array(z.number()),
});
const part = z.object({
  text: z.string().optional().catch(undefined),
  thought: z.boolean().nullish().catch(undefined),
});
const list = z.array(z.unknown()).nullish().catch(undefined);
const candidate = z.object({
  content: z
    .object({ parts: z.array(part).catch([]) })
    .optional()
    .catch(undefined),
  groundingMetadata: z.object({ groundingChunks: list, groundingSupports: list }).nullish().catch(undefined),
});
const bodySchema = z.object({
  modelVersion: z.string().optional().catch(undefined),
  candidates: z.array(candidate).nullish().catch(undefined),
});
type Support = z.infer<typeof support>;
/** Where a part begins in the text, and its words. Parts that are thoughts have none. */
type Part = { at: number; text: string };

/** Pages that grounded the text, and the claims that each supports. Addresses are redirects of Google. */
function readGeminiExtras(body: unknown, webSearch: boolean): AnswerExtras {
  const { modelVersion, candidates } = bodySchema.safeParse(body).data ?? {};
  const { content, groundingMetadata } = candidates?.[0] ?? {};
  let text = '';
  const parts = (content?.parts ?? []).map(({ text: words = '', thought }): Part => {
    const own = { at: text.length, text: thought === true ? '' : words };
    text += own.text;
    return own;
  });
  const chunks = (groundingMetadata?.groundingChunks ?? []).slice(0, MAX_FOUND_SOURCES / 2).map(readChunk);
  const supports = (groundingMetadata?.groundingSupports ?? []).slice(0, MAX_FOUND_SOURCES / 2);
  const found = [...chunks.flatMap((one) => one ?? []), ...readSupports(supports, chunks, parts)];
  return { servedModel: modelVersion, sources: collectFoundSources(text, found, { webSearch }) };
}

function readChunk(given: unknown): FoundSource | undefined {
  const { data } = chunk.safeParse(given);
  return data && toFoundSource({ url: data.web.uri, title: data.web.title });
}

function readSupports(
  supports: readonly unknown[],
  chunks: readonly (FoundSource | undefined)[],
  parts: readonly Part[],
): readonly FoundSource[] {
  const mapOf = createUnitMaps(parts);
  return supports
    .flatMap((given) => {
      const { data } = support.safeParse(given);
      const span = data && findSpan(data, parts, mapOf);
      if (span === undefined) return [];
      return data?.groundingChunkIndices.slice(0, MAX_FOUND_SOURCES).flatMap((at) => {
        const source = chunks[at];
        return source === undefined ? [] : [{ url: source.url, span }];
      });
    })
    .flatMap((one) => one ?? [])
    .slice(0, MAX_FOUND_SOURCES);
}

/** The stretch that a support names by bytes of UTF-8. Where its words are others, they are looked for instead. */
function findSpan(
  { segment }: Support,
  parts: readonly Part[],
  mapOf: (part: number) => Uint32Array,
): readonly [number, number] | undefined {
  const { partIndex, startIndex, endIndex, text } = segment;
  const index = partIndex ?? parts.findIndex((one) => one.text !== '');
  const own = parts[index];
  if (own === undefined) return undefined;
  const units = mapOf(index);
  const [from, to] = [units[startIndex ?? 0], units[endIndex]];
  if (from !== undefined && to !== undefined && (!text || own.text.slice(from, to) === text))
    return [own.at + from, own.at + to];
  const found = text ? own.text.indexOf(text) : -1;
  return found === -1 || !text ? undefined : [own.at + found, own.at + found + text.length];
}

/** For each byte of a part's UTF-8 the UTF-16 unit that it belongs to; made when a part is first asked for. */
function createUnitMaps(parts: readonly Part[]): (part: number) => Uint32Array {
  const made = new Map<number, Uint32Array>();
  return (index) => {
    const known = made.get(index);
    if (known !== undefined) return known;
    const units = mapBytes(parts[index]?.text ?? '');
    made.set(index, units);
    return units;
  };
}

function mapBytes(text: string): Uint32Array {
  const units = new Uint32Array(Math.min(MAX_MAPPED_BYTES, 3 * text.length) + 1);
  let [byte, unit] = [0, 0];
  while (unit < text.length && byte < units.length - 4) {
    const code = text.codePointAt(unit) ?? 0;
    const bytes = code < 0x80 ? 1 : code < 0x8_00 ? 2 : code <= 0xff_ff ? 3 : 4;
    units.fill(unit, byte, byte + bytes);
    byte += bytes;
    unit += code > 0xff_ff ? 2 : 1;
  }
  units[byte] = unit;
  return units.subarray(0, byte + 1);
}
