/** Languages of the pages for people. Evidence, documents and the console of operators are in English. */
export const LANGUAGES = ['en', 'de'] as const;
export type PageLanguage = (typeof LANGUAGES)[number];

export const DEFAULT_LANGUAGE: PageLanguage = 'en';

/** What each language calls itself. */
export const LANGUAGE_NAMES: Readonly<Record<PageLanguage, string>> = { en: 'English', de: 'Deutsch' };

/**
 * One table of words in every language: a language that is added to `LANGUAGES` fails to compile until each table has it.
 * A page picks its words by `table[language]`.
 */
export type Translated<Words> = Readonly<Record<PageLanguage, Words>>;

/** A table whose English words are elsewhere, where programs read them too. */
export type Translations<Words> = Readonly<Record<Exclude<PageLanguage, 'en'>, Words>>;

/**
 * The `lang` of a text that stays in English on a page of this language: none where the page is in English. Screen readers
 * pronounce it right, and what has no such mark is a sentence of ours.
 */
export const markEnglish = (language: PageLanguage): 'en' | undefined => (language === 'en' ? undefined : 'en');

/** A language of ours by its code; undefined for any other text. */
export const parseLanguage = (text: string | undefined): PageLanguage | undefined =>
  LANGUAGES.find((language) => language === text);

/** Parts of an Accept-Language header that are read. */
const MAX_RANGES = 20;

type LanguageRange = { language: PageLanguage | undefined; weight: number };

/**
 * The language of a page: the one that was chosen with the switch, else the one that the browser prefers most (RFC 9110,
 * section 12.5.4), else English.
 * @param chosen value of the cookie, as it came
 */
export function chooseLanguage(chosen: string | undefined, acceptLanguage: string | undefined): PageLanguage {
  const own = parseLanguage(chosen);
  if (own !== undefined) return own;
  const ranges = (acceptLanguage ?? '').toLowerCase().split(',', MAX_RANGES).map(readRange);
  const accepted = ranges.filter(({ language, weight }) => language !== undefined && weight > 0);
  const best = Math.max(...accepted.map(({ weight }) => weight));
  return accepted.find(({ weight }) => weight === best)?.language ?? DEFAULT_LANGUAGE;
}

/** `de-CH;q=0.8`; a weight that cannot be read counts as none. */
function readRange(part: string): LanguageRange {
  const [range = '', ...parameters] = part.split(';').map((one) => one.trim());
  const quality = parameters.find((one) => one.startsWith('q='))?.slice(2);
  const weight = quality === undefined ? 1 : Number(quality);
  const [primary] = range.split('-', 1);
  return { language: range === '*' ? DEFAULT_LANGUAGE : parseLanguage(primary), weight: weight >= 0 ? weight : 0 };
}
