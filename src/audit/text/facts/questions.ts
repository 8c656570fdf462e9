import { getJsonLd } from '../../structured-data/facts/json-ld.ts';
import type { Heading, PageFacts } from '../../page/facts/page-facts.ts';
import { findParagraphBelow } from '../../page/facts/page.ts';
import { listNodesOfType, listPropertyTexts } from '../../structured-data/facts/schema-nodes.ts';
import { isQuestion, toOneLine, splitSentences } from '../../language/words.ts';

/** A question that a visitor sees answered on the page, and in what form. */
export type QuestionAnswer = { question: string; form: 'details' | 'definition' | 'heading'; line: number };

/** Visible pairs of question and answer: disclosure widgets, description lists, and question headings with a paragraph. */
export function listQuestionAnswers(page: PageFacts): readonly QuestionAnswer[] {
  const details = page.details
    .filter(({ summary, text }) => summary !== '' && text.length > summary.length + 10)
    .map(({ summary, line }) => ({ question: summary, form: 'details' as const, line }));
  const definitions = page.definitions
    .filter(({ term, text }) => isQuestion(term) && text !== '')
    .map(({ term, line }) => ({ question: term, form: 'definition' as const, line }));
  const headings = page.headings
    .filter(
      (heading) =>
        heading.question && heading.hidden === undefined && findParagraphBelow(page, heading.order) !== undefined,
    )
    .map(({ text, line }) => ({ question: text, form: 'heading' as const, line }));
  return [...details, ...definitions, ...headings];
}

/** How many questions FAQPage markup has, and how many of them the page's text contains. */
export function countMarkedQuestions(page: PageFacts): { marked: number; visible: number } {
  const { graph } = getJsonLd(page);
  if (listNodesOfType(graph, 'FAQPage').length === 0) return { marked: 0, visible: 0 };
  const text = toOneLine(page.text).toLowerCase();
  const names = listNodesOfType(graph, 'Question')
    .slice(0, 100)
    .flatMap((node) => listPropertyTexts(graph, node, 'name').slice(0, 1));
  return { marked: names.length, visible: names.filter((name) => text.includes(toOneLine(name).toLowerCase())).length };
}

const VERB =
  /(?:^|[^\p{L}])(?:is|are|was|were|be|been|has|have|had|do|does|did|can|could|will|would|should|must|may|might|means?|lets?|gets?|takes?|makes?|gives?|[\p{L}]{2,30}(?:s|ed|es))(?=$|[^\p{L}])/iu;

const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/** Length of an answer that can be lifted out whole. */
const CAPSULE_WORDS = { from: 20, to: 75 };
const CAPSULE_CHARS = 320;
const MIN_WORDS = 5;

/**
 * Whether a short, direct answer follows a question heading: the first paragraph has 20 to 75 words (or at most 320
 * characters) and its first sentence has a verb and takes up a word of the question. The two tests of wording are left
 * out where we cannot make them: the verb in other languages than English, the word in unspaced scripts.
 */
export function hasCapsule(page: PageFacts, heading: Heading): boolean {
  const paragraph = findParagraphBelow(page, heading.order);
  if (!paragraph || paragraph.hidden !== undefined) return false;
  const unspaced = UNSPACED.test(heading.text);
  const short = paragraph.text.length <= CAPSULE_CHARS && (paragraph.words >= MIN_WORDS || unspaced);
  if (!short && (paragraph.words < CAPSULE_WORDS.from || paragraph.words > CAPSULE_WORDS.to)) return false;
  const first = splitSentences(paragraph.text)[0] ?? '';
  const english = page.lang === '' || /^en\b/i.test(page.lang);
  if (english && !VERB.test(first)) return false;
  return unspaced || isTakenUp(first, heading.text);
}

const QUESTION_WORDS = new Set(
  'what when where which while with does have your that this from should would could much many long there their about into'.split(
    ' ',
  ),
);

/** A content word counts as taken up by its first five letters, so that "charges" answers "charge". */
function isTakenUp(sentence: string, question: string): boolean {
  const wanted = splitQuestionTokens(question).filter((word) => word.length > 3 && !QUESTION_WORDS.has(word));
  if (wanted.length === 0) return true;
  const said = new Set(splitQuestionTokens(sentence).map((word) => word.slice(0, 5)));
  return wanted.some((word) => said.has(word.slice(0, 5)));
}

const splitQuestionTokens = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{N}]{3,40}/gu) ?? [];
