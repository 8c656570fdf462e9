import { normaliseLetters } from '../../language/words.ts';
import type { JsonLd } from './json-ld.ts';
import type { PageFacts } from '../../page/facts/page-facts.ts';
import { listPropertyNodes, listNodesOfType, listPropertyTexts } from './schema-nodes.ts';

const MAX_QUESTIONS = 100;
/** Characters of an answer that must appear in the visible text. */
const ANSWER_CHARS = 60;

/** A question of a FAQPage node; '' where the name or the answer's text is missing. `line` is that of its block. */
export type FaqQuestion = { name: string; answer: string; line: number };

/** `questions` of all FAQPage nodes; `stray` counts members of `mainEntity` that are no Question. */
export type FaqMarkup = { pages: number; questions: readonly FaqQuestion[]; stray: number };

/** The FAQPage nodes of a page. */
export function readFaqMarkup({ graph }: JsonLd): FaqMarkup {
  const pages = listNodesOfType(graph, 'FAQPage');
  const entities = pages.flatMap((page) => listPropertyNodes(graph, page, 'mainEntity')).slice(0, MAX_QUESTIONS);
  const asked = entities.filter((node) => node.types.includes('Question'));
  const questions = asked.map((node) => {
    const answers = listPropertyNodes(graph, node, 'acceptedAnswer').flatMap((answer) =>
      listPropertyTexts(graph, answer, 'text'),
    );
    return { name: listPropertyTexts(graph, node, 'name')[0] ?? '', answer: answers[0] ?? '', line: node.line };
  });
  return { pages: pages.length, questions, stray: entities.length - asked.length };
}

/** Questions whose name and the start of whose answer a reader of the page can see (a closed `details` counts). */
export function listVisibleQuestions(faq: FaqMarkup, page: Pick<PageFacts, 'text'>): readonly FaqQuestion[] {
  if (faq.questions.length === 0) return [];
  const text = normaliseLetters(page.text);
  return faq.questions.filter(({ name, answer }) => {
    const [question, start] = [
      normaliseLetters(extractPlainAnswer(name)),
      normaliseLetters(extractPlainAnswer(answer).slice(0, ANSWER_CHARS)),
    ];
    return question !== '' && start !== '' && text.includes(question) && text.includes(start);
  });
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

/** The text of an answer that is written as HTML. */
export function extractPlainAnswer(html: string): string {
  const text = html.replace(/<[^<>]{0,500}>/g, ' ');
  const named = text.replace(/&(amp|lt|gt|quot|apos|nbsp);/g, (_, name: string) => ENTITIES[name] ?? ' ');
  return named
    .replace(/&#x?[\da-f]{1,6};/gi, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Letters and digits only, so that markup, quotes and spaces cannot make equal texts differ. */
