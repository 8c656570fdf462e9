import { countWords, isQuestion, splitSentences } from '../../audit/language/words.ts';
import { getMetaContent } from '../../audit/page/facts/page.ts';
import type { PageFacts, Paragraph } from '../../audit/page/facts/page-facts.ts';
import { extractPlainAnswer, listVisibleQuestions, readFaqMarkup } from '../../audit/structured-data/facts/faq.ts';
import { getJsonLd } from '../../audit/structured-data/facts/json-ld.ts';
import { cleanSiteText } from './safe-site.ts';

/**
 * Sentences of a page under one heading: the first of them, whole. `heading` is '' above the first heading, `lead` marks
 * what the page says it is about.
 */
export type OwnText = { heading: string; sentences: readonly string[]; from: string; lead: boolean };

/** A question that the site asks and answers where its readers see it. */
export type OwnQuestion = { question: string; answer: string; from: string };

const MAX_HEADING_CHARS = 120;
/** Characters of a sentence or an answer. What is longer is left out: half of a sentence says something else. */
const MAX_SENTENCE_CHARS = 320;
const MAX_ANSWER_CHARS = 600;
/** Words of a sentence that says something. */
const MIN_WORDS = 6;
const MAX_TEXTS = 40;
const MAX_QUESTIONS = 40;
/** Sentences of a paragraph that are read. */
const MAX_SENTENCES = 3;

/** What the page says: its description, then the first sentences under each heading of its content. */
export function listOwnTexts(page: PageFacts, from: string): readonly OwnText[] {
  const described = listWholeSentences(getMetaContent(page, 'description'));
  const description = described.length === 0 ? [] : [{ heading: '', sentences: described, from, lead: true }];
  const seen = new Set<number>();
  const texts = page.paragraphs.filter(isShown).flatMap((paragraph) => {
    if (seen.has(paragraph.heading)) return [];
    const sentences = listAnswer(page, paragraph);
    if (sentences.length === 0) return [];
    seen.add(paragraph.heading);
    const heading = cleanSiteText(findHeading(page, paragraph.heading)?.text ?? '', MAX_HEADING_CHARS);
    // What a page says first is what it is about, where it has no description.
    return [{ heading, sentences, from, lead: described.length === 0 && seen.size === 1 }];
  });
  return [...description, ...texts].slice(0, MAX_TEXTS);
}

/** A list above the first paragraph is what a heading asks for: its items, where they are sentences. */
function listAnswer(page: PageFacts, { heading, line, text }: Paragraph): readonly string[] {
  const above = page.lists.find((list) => list.heading === heading && list.line < line && list.hidden === undefined);
  return listWholeSentences(above === undefined ? text : above.items.slice(0, MAX_SENTENCES).join(' '));
}

const findHeading = (page: PageFacts, order: number) => page.headings.find((heading) => heading.order === order);

const isShown = ({ hidden, region }: Paragraph): boolean =>
  hidden === undefined && (region === 'main' || region === 'none');

/** Whole sentences from the first on, until one is too long or none. */
function listWholeSentences(text: string): readonly string[] {
  const clean = splitSentences(text)
    .slice(0, MAX_SENTENCES)
    .map((sentence) => cleanSiteText(sentence, MAX_SENTENCE_CHARS + 1));
  const end = clean.findIndex((sentence) => !isWhole(sentence));
  return end === -1 ? clean : clean.slice(0, end);
}

const isWhole = (sentence: string): boolean =>
  sentence.length <= MAX_SENTENCE_CHARS &&
  /[.!?。！？]["'”’»)]{0,2}$/u.test(sentence) &&
  countWords(sentence) >= MIN_WORDS;

/** Questions of the structured data that the page shows, then headings that ask, with the sentences below them. */
export function listOwnQuestions(page: PageFacts, from: string): readonly OwnQuestion[] {
  const marked = listVisibleQuestions(readFaqMarkup(getJsonLd(page)), page).map(({ name, answer }) => ({
    question: cleanSiteText(extractPlainAnswer(name), MAX_HEADING_CHARS + 1),
    answer: cleanSiteText(extractPlainAnswer(answer), MAX_ANSWER_CHARS + 1),
    from,
  }));
  const asked = listOwnTexts(page, from)
    .filter(({ heading }) => heading.length <= MAX_HEADING_CHARS && isQuestion(heading))
    .map(({ heading, sentences }) => ({ question: heading, answer: sentences.join(' '), from }));
  const whole = [...marked, ...asked].filter(
    ({ question, answer }) =>
      question !== '' && question.length <= MAX_HEADING_CHARS && answer !== '' && answer.length <= MAX_ANSWER_CHARS,
  );
  return [...new Map(whole.toReversed().map((one) => [one.question, one])).values()]
    .toReversed()
    .slice(0, MAX_QUESTIONS);
}
