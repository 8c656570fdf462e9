import { guessLanguage } from '../../language/language.ts';
import { mainTextOf } from '../../text/facts/sample-text.ts';
import { oncePer } from '../../core/once-per.ts';
import type { PageFacts } from './page-facts.ts';

/** What the words of a page's main text say of its language, asked once per page; `und` when they do not tell. */
export const textLanguageOf = oncePer((page: PageFacts): string =>
  guessLanguage(mainTextOf(page).text.slice(0, MAX_CHARS)),
);

/** Characters of the main text that tell its language: about a thousand words. */
const MAX_CHARS = 6000;

/**
 * The language a page is written in: as its main text shows, else as `html[lang]` says.
 * @returns a primary subtag in lower case, `und` when neither tells.
 */
export const languageOf = oncePer((page: PageFacts): string => {
  const guessed = textLanguageOf(page);
  if (guessed !== 'und') return guessed;
  return /^[a-z]{2,3}(?=$|[-_])/i.exec(page.lang.trim())?.[0].toLowerCase() ?? 'und';
});
