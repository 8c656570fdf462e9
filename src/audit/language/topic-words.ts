import { languageOf } from '../page/facts/language.ts';
import type { PageFacts } from '../page/facts/page-facts.ts';
import { TOPIC_WORDS, type TopicWords, UNBOUNDED_LANGUAGES } from './topic-words-data.ts';

/** The language whose words apply to a page: its own where we know the words, else English. */
export function wordLanguage(page: PageFacts): string {
  const language = languageOf(page);
  return Object.hasOwn(TOPIC_WORDS, language) ? language : 'en';
}

const wordsOf = (language: string, topic: keyof TopicWords): readonly string[] => TOPIC_WORDS[language]?.[topic] ?? [];

const plain = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll('’', "'")
    .replace(/[^\p{L}\p{N}'-]+/gu, ' ')
    .trim();

/** Tells whether a heading opens with a word by which questions of the language begin, or ends in a question mark. */
export function asksSomething(heading: string, language: string): boolean {
  if (/[?？؟]["'”’)]?$/u.test(heading.trim())) return true;
  const text = plain(heading);
  if (language === 'ja' && text.endsWith('か')) return true;
  const bounded = !UNBOUNDED_LANGUAGES.has(language);
  return wordsOf(language, 'asks').some((word) =>
    bounded ? `${text} `.startsWith(`${word} `) : text.startsWith(word),
  );
}

/** The word of a topic that stands in a text, or undefined. English words count in every language: titles borrow them. */
export function topicWordIn(text: string, language: string, topic: 'process' | 'compares'): string | undefined {
  const spaced = ` ${plain(text)} `;
  const bounded = !UNBOUNDED_LANGUAGES.has(language);
  const own = wordsOf(language, topic).find((word) => spaced.includes(bounded ? ` ${word} ` : word));
  return own ?? wordsOf('en', topic).find((word) => spaced.includes(` ${word} `));
}
