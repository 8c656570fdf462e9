/** Characters looked at: enough to tell a language, whatever the length of the text. */
const MAX_LANGUAGE_CHARS = 20_000;
/** Fewer words than this tell nothing. */
const MIN_WORDS = 8;

const scripts: readonly { code: string; pattern: RegExp }[] = [
  { code: 'ja', pattern: /[\p{Script=Hiragana}\p{Script=Katakana}]/u },
  { code: 'ko', pattern: /\p{Script=Hangul}/u },
  { code: 'zh', pattern: /\p{Script=Han}/u },
  { code: 'ru', pattern: /\p{Script=Cyrillic}/u },
  { code: 'ar', pattern: /\p{Script=Arabic}/u },
  { code: 'he', pattern: /\p{Script=Hebrew}/u },
  { code: 'el', pattern: /\p{Script=Greek}/u },
  { code: 'hi', pattern: /\p{Script=Devanagari}/u },
  { code: 'th', pattern: /\p{Script=Thai}/u },
];

const stopWords: Readonly<Record<string, string>> = {
  en: 'the and of to in is for with on that are this from how your you by as an or',
  es: 'el la los las de y en que para con una del por es sus su como se al más',
  fr: 'le la les des et en que pour avec une du dans est vous nos votre sur aux par ce',
  de: 'der die das und in den von für mit ist eine zu auf im des sie ein wie nicht oder',
  it: 'il la di e che per con una del della sono nel le gli come più dei si è al',
  pt: 'o a os as de e em que para com uma do da por no na como se mais não',
  nl: 'de het een en van in voor met op is zijn naar je uw aan bij over niet ook',
  pl: 'i w na z do się jest nie że dla jak od po oraz przez to są za lub o',
  sv: 'och i att det som en på är av för med den till om inte har ett från vi',
  tr: 've bir bu için ile da de olarak çok daha en gibi ya ne kadar sonra her',
};
const commonWords = Object.entries(stopWords).map(([code, list]) => ({ code, common: new Set(list.split(' ')) }));

/**
 * Guesses the main language of a text: by script where the script decides, else by which common words it uses.
 * @returns a BCP 47 primary subtag, or `und` when the text is short or its words fit no list better than another.
 */
export function detectLanguage(text: string): string {
  const sample = text
    .slice(0, MAX_LANGUAGE_CHARS)
    .replaceAll(/https?:\/\/\S{1,2000}/g, ' ')
    .toLowerCase();
  const { letters, ofScript } = countLetters(sample);
  if (letters === 0) return 'und';
  const byScript = scripts.find(({ code }, index) => (ofScript[index] ?? 0) / letters >= (code === 'ja' ? 0.1 : 0.3));
  if (byScript) return byScript.code;
  const words = sample.match(/\p{L}+/gu) ?? [];
  return words.length < MIN_WORDS ? 'und' : detectByCommonWords(words);
}

function detectByCommonWords(words: readonly string[]): string {
  const scored = commonWords
    .map(({ code, common }) => ({ code, score: words.filter((word) => common.has(word)).length }))
    .toSorted((a, b) => b.score - a.score);
  const [best, second] = scored;
  if (!best || !second || best.score < Math.max(2, words.length / 25) || best.score === second.score) return 'und';
  return best.code;
}

/** Letters of a text, and how many of its characters belong to each of `scripts` (in their order). */
function countLetters(text: string): { letters: number; ofScript: readonly number[] } {
  let letters = 0;
  const ofScript = scripts.map(() => 0);
  for (const character of text) {
    const { isLetter, script } = getCharacterClass(character);
    if (isLetter) letters += 1;
    if (script !== -1) ofScript[script] = (ofScript[script] ?? 0) + 1;
  }
  return { letters, ofScript };
}

type CharacterClass = { isLetter: boolean; script: number };

/** `script` is an index into `scripts`, -1 for none. */
const classify = (character: string): CharacterClass => ({
  isLetter: /\p{L}/u.test(character),
  script: scripts.findIndex(({ pattern }) => pattern.test(character)),
});

// A text has few different characters: asking the Unicode tables for each occurrence took a tenth of an audit's time.
const classes = new Map<string, CharacterClass>();
/** Characters that are remembered: more than any sample holds of one language. */
const MAX_CLASSES = 20_000;

function getCharacterClass(character: string): CharacterClass {
  const known = classes.get(character);
  if (known) return known;
  const found = classify(character);
  if (classes.size < MAX_CLASSES) classes.set(character, found);
  return found;
}

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
