import { getJsonLd } from '../../structured-data/facts/json-ld.ts';
import type { Heading, PageFacts, Paragraph } from '../../page/facts/page-facts.ts';
import { findParagraphBelow } from '../../page/facts/page.ts';
import { listNodesOfType, listPropertyTexts } from '../../structured-data/facts/schema-nodes.ts';
import { countWords, isQuestion, toOneLine, splitSentences } from '../../language/words.ts';

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

/** Words by which headings ask, in the languages that we know; other scripts are believed by their question mark. */
const ASKING =
  /(?<!\p{L})(?:who|what|when|where|why|how|which|whose|is|are|was|were|do|does|did|can|could|should|would|will|has|have|wer|was|wann|wo|warum|wieso|weshalb|wie|welche[rsnm]?|womit|wofür|woran|ist|sind|kann|können|soll|sollte|hat|haben|gibt|darf|muss|qué|quién|cuándo|dónde|cómo|cuál|cuáles|cuánto|qui|que|quoi|quand|où|pourquoi|comment|quel|quelle|quels|combien|chi|cosa|quando|dove|perché|come|quale|quanto|quem|onde|como|qual|quais|wat|wanneer|waar|waarom|hoe|welke|kto|co|kiedy|gdzie|dlaczego|jak|ile|który|czy|vad|hur|varför|när|hvad|hvordan|hvorfor)(?!\p{L})/iu;
const OTHER_SCRIPT = /[^\p{Script=Latin}\p{N}\p{P}\p{S}\s]/u;

/** A question of the main content, and the paragraph that follows it. */
export type ContentQuestion = { text: string; selector: string; line: number; answer: Answer | undefined };
type Answer = Pick<Paragraph, 'text' | 'words' | 'hidden'>;

/** So many different questions outside of the main content are a list of questions and answers. */
const MIN_FAQ = 3;
/** More bold questions are an interview. */
const MAX_BOLD = 4;
const IN_PAGE = /^\s{0,9}(?:#|javascript:)/i;
const OUTSIDE: ReadonlySet<string> = new Set(['nav', 'header', 'footer', 'aside']);

/**
 * Questions which the page then has to answer: headings of the main content and of a list of questions and answers beside
 * it, and bold paragraphs; not those that lead to other pages, nor a headline, unless an answer follows it, nor a few words
 * with a question mark.
 */
export function listContentQuestions(page: PageFacts): readonly ContentQuestion[] {
  // The link of an accordion opens what is below it.
  const linked = new Set(page.anchors.filter(({ rawHref }) => !IN_PAGE.test(rawHref)).map(({ text }) => text));
  const isAsked = ({ text, hidden }: Pick<Heading, 'text' | 'hidden'>): boolean =>
    hidden === undefined && !linked.has(text) && (ASKING.test(text) || OTHER_SCRIPT.test(text));
  const asked = page.headings.filter((heading) => heading.question && isAsked(heading));
  const beside = asked.filter(
    ({ inContent, region, level, order }) =>
      !inContent && level > 1 && !OUTSIDE.has(region) && findParagraphBelow(page, order) !== undefined,
  );
  const isFaq = new Set(beside.map(({ text }) => text)).size >= MIN_FAQ;
  const headed = asked
    .filter((heading) => heading.inContent || isHeadline(heading) || (isFaq && beside.includes(heading)))
    .map(({ text, level, line, order }) => ({
      text,
      selector: `h${level}`,
      line,
      answer: findParagraphBelow(page, order) ?? findLineBelow(page, text),
    }))
    .filter((question) => question.selector !== 'h1' || hasCapsule(page, question));
  const bold = page.paragraphs.flatMap((paragraph, index): ContentQuestion[] => {
    const { text, line, inContent } = paragraph;
    if (paragraph.bold !== true || !inContent || !isQuestion(text) || !isAsked(paragraph)) return [];
    return [{ text, selector: 'p', line, answer: page.paragraphs[index + 1] }];
  });
  return [...headed, ...(bold.length > MAX_BOLD ? [] : bold)];
}

const isHeadline = ({ level, region }: Heading): boolean => level === 1 && (region === 'none' || region === 'main');

/** The line of the main text below a heading, where lines are parted without paragraphs. */
function findLineBelow({ contentText }: PageFacts, heading: string): Answer | undefined {
  const at = `\n${contentText}`.indexOf(`\n${heading}\n`);
  if (at < 0) return undefined;
  const from = at + heading.length + 1;
  const text = contentText.slice(from, from + MAX_LINE_CHARS).split('\n', 1)[0] ?? '';
  return text === '' ? undefined : { text, words: countWords(text) };
}

/** A longer line is no short answer. */
const MAX_LINE_CHARS = 2000;

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
const CAPSULE_WORDS = { from: 15, to: 80 };
const CAPSULE_CHARS = 320;
const MIN_WORDS = 5;

/**
 * Whether a short, direct answer follows a question heading: the first paragraph has 15 to 80 words (or at most 320
 * characters), and begins with yes or no, or its first sentence has a verb and takes up a word of the question. The two
 * tests of wording are left out where we cannot make them: the verb in other languages than English, the word in
 * unspaced scripts.
 */
export function hasCapsule(page: Pick<PageFacts, 'lang'>, question: ContentQuestion): boolean {
  const paragraph = question.answer;
  if (!paragraph || paragraph.hidden !== undefined) return false;
  const unspaced = UNSPACED.test(question.text);
  const short = paragraph.text.length <= CAPSULE_CHARS && (paragraph.words >= MIN_WORDS || unspaced);
  if (!short && (paragraph.words < CAPSULE_WORDS.from || paragraph.words > CAPSULE_WORDS.to)) return false;
  if (DECIDING.test(paragraph.text)) return true;
  const first = splitSentences(paragraph.text)[0] ?? '';
  const english = page.lang === '' || /^en\b/i.test(page.lang);
  if (english && !VERB.test(first)) return false;
  return unspaced || isTakenUp(first, question.text);
}

/** An answer that decides a question need not repeat it. */
const DECIDING =
  /^(?:yes|yep|yeah|no|nope|ja|jein|nein|nee|sí|si|no|oui|non|sim|não|tak|nie|da|да|нет|igen|nem|evet|hayır|joo|kyllä|ei|ano|ne|nej)(?!\p{L})/iu;

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
