import { DEFAULT_LANGUAGE, type PageLanguage } from '../language/language.ts';
import type { PageText } from './document.ts';
import { buildStartFacts } from './start-facts.ts';
import { startWords } from './start-words.ts';

/** The day on which the words of the pages were changed last: it goes into their dates and into the sitemap. */
export const WORDS_CHANGED = '2026-11-28';

/** What the start page says, in HTML and in Markdown alike: from the tables and our own address. */
export function startText(baseUrl: string, language: PageLanguage = DEFAULT_LANGUAGE): PageText {
  const { title, description, lead, sections } = startWords[language];
  return {
    path: '/',
    language,
    title,
    description,
    changed: WORDS_CHANGED,
    lead: [lead],
    sections: sections(buildStartFacts(baseUrl, language)),
  };
}
