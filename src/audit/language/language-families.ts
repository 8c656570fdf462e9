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

/** Tells whether a language tag may name the language that a text was guessed to be in. */
export function fitsGuess(tag: string, guess: string): boolean {
  const language = tag.toLowerCase().split('-', 1)[0] ?? '';
  const family = Object.hasOwn(FAMILIES, guess) ? (FAMILIES[guess] ?? '') : guess;
  return family.split(' ').includes(language);
}
