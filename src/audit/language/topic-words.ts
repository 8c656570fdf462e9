import { getPageLanguage } from '../page/facts/language.ts';
import type { PageFacts } from '../page/facts/page-facts.ts';
import { TOPIC_WORDS, type TopicWords, UNBOUNDED_LANGUAGES } from './topic-words-data.ts';

/** The language whose words apply to a page: its own where we know the words, else English. */
export function selectWordLanguage(page: PageFacts): string {
  const language = getPageLanguage(page);
  return Object.hasOwn(TOPIC_WORDS, language) ? language : 'en';
}

const listTopicWords = (language: string, topic: keyof TopicWords): readonly string[] =>
  TOPIC_WORDS[language]?.[topic] ?? [];

const normaliseText = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll('’', "'")
    .replace(/[^\p{L}\p{N}'-]+/gu, ' ')
    .trim();

/** Whether a heading opens with a question word of the language, or ends in a question mark. */
export function isQuestionHeading(heading: string, language: string): boolean {
  if (/[?？؟]["'”’)]?$/u.test(heading.trim())) return true;
  const text = normaliseText(heading);
  if (language === 'ja' && text.endsWith('か')) return true;
  const bounded = !UNBOUNDED_LANGUAGES.has(language);
  return listTopicWords(language, 'asks').some((word) =>
    bounded ? `${text} `.startsWith(`${word} `) : text.startsWith(word),
  );
}

/**
 * The word of a topic that a text contains, or undefined. English words count in every language: titles borrow them.
 */
export function findTopicWord(text: string, language: string, topic: 'process' | 'compares'): string | undefined {
  const spaced = ` ${normaliseText(text)} `;
  const bounded = !UNBOUNDED_LANGUAGES.has(language);
  const own = listTopicWords(language, topic).find((word) => spaced.includes(bounded ? ` ${word} ` : word));
  return own ?? listTopicWords('en', topic).find((word) => spaced.includes(` ${word} `));
}
