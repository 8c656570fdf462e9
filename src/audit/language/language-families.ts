/**
 * Whether a text is a well-formed BCP 47 language tag. `Intl.getCanonicalLocales` decides by form only and does so
 * alike in Node and workerd; its result is not used, since that depends on the data of the engine. Languages of four
 * letters and more are reserved, and none is registered (RFC 5646, 2.2.1): "english" is not a tag.
 */
export function isLanguageTag(text: string): boolean {
  if (text.length > 60 || !/^[a-z]{2,3}(?:-|$)/i.test(text)) return false;
  try {
    return Intl.getCanonicalLocales(text).length === 1;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** Country codes that are often written for a language or for the United Kingdom, and mean nothing there. */
const NO_LANGUAGES = new Set('at cn cz dk gb gr jp mx us'.split(' '));

/** Why a well-formed tag is still no language and region that readers of hreflang know, or undefined. */
export function findTagMistake(tag: string): 'country_for_language' | 'uk_for_gb' | undefined {
  const [language = '', ...rest] = tag.toLowerCase().split('-', 5);
  if (NO_LANGUAGES.has(language)) return 'country_for_language';
  return rest.includes('uk') ? 'uk_for_gb' : undefined;
}

/** Languages that a guess by script or by common words cannot tell apart, by the code of the guess. */
const FAMILIES: Readonly<Record<string, string>> = {
  en: 'en sco',
  es: 'es ca gl ast an',
  fr: 'fr oc br co',
  de: 'de gsw nds lb bar',
  it: 'it co sc scn vec',
  pt: 'pt gl',
  nl: 'nl af fy nds li',
  pl: 'pl szl csb',
  sv: 'sv da no nb nn fo is',
  tr: 'tr az tk',
  ja: 'ja',
  ko: 'ko',
  zh: 'zh cmn yue wuu nan hak lzh ja',
  ru: 'ru uk be bg sr mk kk ky mn tg tt ba',
  ar: 'ar fa ur ps ckb ug sd arz',
  he: 'he iw yi ji',
  el: 'el grc',
  hi: 'hi mr ne sa kok mai bho',
  th: 'th',
};

/** Whether a language tag may name the language that was guessed for a text. */
export function isGuessCompatible(tag: string, guess: string): boolean {
  const language = tag.toLowerCase().split('-', 1)[0] ?? '';
  const family = Object.hasOwn(FAMILIES, guess) ? (FAMILIES[guess] ?? '') : guess;
  return family.split(' ').includes(language);
}
