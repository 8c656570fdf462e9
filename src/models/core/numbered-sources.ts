import * as z from 'zod';
import { type FoundSource, type FoundSources, MAX_FOUND_SOURCES, toFoundSource } from './answer-sources.ts';

const anything = z.array(z.unknown()).nullish().catch(undefined);
const bodySchema = z.object({
  choices: z.array(z.object({ message: z.object({ content: z.string() }) })).catch([]),
  citations: anything,
  search_results: anything,
});
const resultSchema = z.object({ url: z.string(), title: z.string().nullish().catch(undefined) });

/** The mark of a source in a text: its number, from 1. */
const MARK = /\[(\d{1,3})\]/gu;

/**
 * Sources as Perplexity spells them, in one field or the other, with the marks `[1]` in the text; undefined when there is
 * no such field, which says nothing about sources.
 */
export function readNumberedSources(body: unknown): FoundSources | undefined {
  const { choices = [], citations, search_results: results } = bodySchema.safeParse(body).data ?? {};
  if (!citations && !results) return undefined;
  const text = choices[0]?.message.content ?? '';
  const [byUrl, byResult] = [readList(citations), readList(results)];
  const numbered = byUrl.length > 0 ? byUrl : byResult;
  return { text, found: [...byUrl, ...byResult].flatMap((one) => one ?? []).concat(readMarks(text, numbered)) };
}

/** Each at its place, where a mark finds it; undefined for what is no source. */
const readList = (list: readonly unknown[] | null | undefined): readonly (FoundSource | undefined)[] =>
  (list ?? []).slice(0, MAX_FOUND_SOURCES / 4).map((source) => {
    if (typeof source === 'string') return { url: source };
    const { data } = resultSchema.safeParse(source);
    return data && toFoundSource(data);
  });

function readMarks(text: string, numbered: readonly (FoundSource | undefined)[]): readonly FoundSource[] {
  const marks: FoundSource[] = [];
  for (const match of text.matchAll(MARK)) {
    if (marks.length >= MAX_FOUND_SOURCES / 2) break;
    const source = numbered[Number(match[1]) - 1];
    if (source !== undefined) marks.push({ url: source.url, span: [match.index, match.index + match[0].length] });
  }
  return marks;
}
