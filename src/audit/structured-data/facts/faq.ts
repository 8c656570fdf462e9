import type { JsonLd } from './json-ld.ts';
import type { PageFacts } from '../../page/facts/page-facts.ts';
import { nodesAt, nodesOfType, textsAt } from './schema-nodes.ts';

const MAX_QUESTIONS = 100;
/** Characters of an answer that must stand in the visible text. */
const ANSWER_CHARS = 60;

/** A question of a FAQPage node; '' where the name or the answer's text is missing. `line` is that of its block. */
export type MarkedQuestion = { name: string; answer: string; line: number };

/** `questions` of all FAQPage nodes; `stray` counts members of `mainEntity` that are no Question. */
export type FaqMarkup = { pages: number; questions: readonly MarkedQuestion[]; stray: number };

/** The FAQPage nodes of a page. */
export function faqMarkup({ graph }: JsonLd): FaqMarkup {
  const pages = nodesOfType(graph, 'FAQPage');
  const entities = pages.flatMap((page) => nodesAt(graph, page, 'mainEntity')).slice(0, MAX_QUESTIONS);
  const asked = entities.filter((node) => node.types.includes('Question'));
  const questions = asked.map((node) => {
    const answers = nodesAt(graph, node, 'acceptedAnswer').flatMap((answer) => textsAt(graph, answer, 'text'));
    return { name: textsAt(graph, node, 'name')[0] ?? '', answer: answers[0] ?? '', line: node.line };
  });
  return { pages: pages.length, questions, stray: entities.length - asked.length };
}

/** Questions whose name and the start of whose answer a reader of the page can see (a closed `details` counts). */
export function visibleQuestions(faq: FaqMarkup, page: Pick<PageFacts, 'text'>): readonly MarkedQuestion[] {
  if (faq.questions.length === 0) return [];
  const text = letters(page.text);
  return faq.questions.filter(({ name, answer }) => {
    const [question, start] = [letters(plain(name)), letters(plain(answer).slice(0, ANSWER_CHARS))];
    return question !== '' && start !== '' && text.includes(question) && text.includes(start);
  });
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

/** The text of an answer that is written as HTML. */
function plain(html: string): string {
  const text = html.replace(/<[^<>]{0,500}>/g, ' ');
  const named = text.replace(/&(amp|lt|gt|quot|apos|nbsp);/g, (_, name: string) => ENTITIES[name] ?? ' ');
  return named
    .replace(/&#x?[\da-f]{1,6};/gi, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Letters and digits only, so that markup, quotes and spaces cannot make equal texts differ. */
const letters = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
