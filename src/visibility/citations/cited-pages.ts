import { sum } from '../../lib/numbers.ts';
import { compareTexts } from '../../lib/text.ts';
import { countUtf8Bytes } from '../../lib/utf8.ts';
import { roundDecimals } from '../metrics/statistics.ts';
import type { Cite, ReadAnswer } from './cited-answers.ts';
import { createSentenceFinder, MAX_SENTENCES_A_SOURCE, type SentenceFinder } from './cited-sentences.ts';
import type { Classified } from './source-kind.ts';

/** Pages that are listed. */
export const MAX_CITED_PAGES = 40;
/** Of the buyer's own pages so many are listed in any case. */
export const MAX_OWN_CITED_PAGES = 5;
/** Bytes of the list as JSON: addresses may be long. */
const MAX_PAGES_BYTES = 100 * 1024;
/** Prompts of one page that are listed. */
const MAX_PROMPTS = 120;

/** A cited page. `position`: the mean place of its first citation in the answers that cite it, 1 is first. */
export type CitedPage = {
  url: string;
  title: string | null;
  domain: string;
  answers: number;
  position: number;
  /** Prompts whose answers cite it, by their index. */
  prompts: readonly number[];
  /** Sentences that it is given for, where the engine or the answer says which. */
  sentences: readonly { prompt: number; text: string }[];
} & Classified;

type Found = { cite: Cite; title: string | undefined; in: { answer: ReadAnswer; cite: Cite }[] };

/** The pages that most answers cite; `further` counts those beyond the list. */
export function listCitedPages(
  answers: readonly ReadAnswer[],
  classify: (cite: Cite) => Classified,
): { pages: readonly CitedPage[]; further: number } {
  const found = [...findPages(answers).values()].map((one) => ({ ...one, position: computePosition(one) }));
  const ranked = found.toSorted(
    (one, other) =>
      other.in.length - one.in.length || one.position - other.position || compareTexts(one.cite.key, other.cite.key),
  );
  const isOwn = ({ cite }: Found): boolean => classify(cite).kind === 'own';
  const own = ranked.filter(isOwn).slice(0, MAX_OWN_CITED_PAGES);
  const missing = own.filter((one) => ranked.indexOf(one) >= MAX_CITED_PAGES - MAX_OWN_CITED_PAGES);
  const first = ranked.filter((one) => !missing.includes(one)).slice(0, MAX_CITED_PAGES - missing.length);
  const finderOf = createFinders();
  const pages = takeWithin([...first, ...missing], (one) => toPage(one, classify(one.cite), finderOf));
  return { pages, further: ranked.length - pages.length };
}

function findPages(answers: readonly ReadAnswer[]): ReadonlyMap<string, Found> {
  const found = new Map<string, Found>();
  for (const answer of answers)
    for (const cite of answer.cites) {
      if (cite.page === undefined) continue;
      const known = found.get(cite.key) ?? { cite, title: undefined, in: [] };
      known.title ??= cite.page.title;
      // A page that is cited by https at least once is read by it.
      if (cite.page.url.startsWith('https:') && known.cite.page?.url.startsWith('http:')) known.cite = cite;
      known.in.push({ answer, cite });
      found.set(cite.key, known);
    }
  return found;
}

const computePosition = (found: Found): number =>
  roundDecimals(sum(found.in.map(({ cite }) => cite.order)) / found.in.length);

/** The sentences of an answer are looked for when the first listed page asks. */
function createFinders(): (answer: ReadAnswer) => SentenceFinder {
  const known = new Map<ReadAnswer, SentenceFinder>();
  return (answer) => {
    const finder = known.get(answer) ?? createSentenceFinder(answer.text, answer.sources);
    known.set(answer, finder);
    return finder;
  };
}

function toPage(
  { cite, title, in: places, position }: Found & { position: number },
  classified: Classified,
  finderOf: (answer: ReadAnswer) => SentenceFinder,
): CitedPage {
  return {
    url: cite.page?.url ?? cite.key,
    title: title ?? null,
    domain: cite.domain,
    ...classified,
    answers: places.length,
    position,
    prompts: [...new Set(places.map(({ answer }) => answer.index))].slice(0, MAX_PROMPTS),
    sentences: listSentences(places, finderOf),
  };
}

function listSentences(places: Found['in'], finderOf: (answer: ReadAnswer) => SentenceFinder): CitedPage['sentences'] {
  const sentences: { prompt: number; text: string }[] = [];
  for (const { answer, cite } of places) {
    if (sentences.length >= MAX_SENTENCES_A_SOURCE) break;
    const given = cite.positions.flatMap((position) => {
      const source = answer.sources[position - 1];
      return source === undefined ? [] : [{ position, source }];
    });
    const [text] = finderOf(answer)(given);
    if (text !== undefined) sentences.push({ prompt: answer.index, text });
  }
  return sentences;
}

/** As many as the bytes of the list allow. */
function takeWithin<T>(found: readonly T[], make: (one: T) => CitedPage): readonly CitedPage[] {
  const pages: CitedPage[] = [];
  let bytes = 0;
  for (const one of found) {
    const page = make(one);
    bytes += countUtf8Bytes(JSON.stringify(page));
    if (bytes > MAX_PAGES_BYTES) break;
    pages.push(page);
  }
  return pages;
}
