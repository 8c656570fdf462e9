import { rememberPerObject } from '../../../lib/memo.ts';
import { detectLanguage } from '../../language/language.ts';
import { getMainText } from '../../text/facts/sample-text.ts';
import type { PageFacts } from './page-facts.ts';

/** What the words of a page's main text say of its language, asked once per page; `und` when they do not tell. */
export const getTextLanguage = rememberPerObject((page: PageFacts): string =>
  detectLanguage(getMainText(page).text.slice(0, MAX_CHARS)),
);

/** Characters of the main text that tell its language: about a thousand words. */
const MAX_CHARS = 6000;

/**
 * The language a page is written in: by its main text, else by `html[lang]`.
 * @returns a primary subtag in lower case, `und` when neither decides.
 */
export const getPageLanguage = rememberPerObject((page: PageFacts): string => {
  const guessed = getTextLanguage(page);
  if (guessed !== 'und') return guessed;
  return /^[a-z]{2,3}(?=$|[-_])/i.exec(page.lang.trim())?.[0].toLowerCase() ?? 'und';
});
