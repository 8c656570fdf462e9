/** Characters looked at: enough to tell a language, whatever the length of the text. */
const MAX_LANGUAGE_CHARS = 20_000;
/** Fewer words than this tell nothing. */
const MIN_WORDS = 8;

const scripts: readonly { code: string; pattern: RegExp }[] = [
  { code: 'ja', pattern: /[\p{Script=Hiragana}\p{Script=Katakana}]/gu },
  { code: 'ko', pattern: /\p{Script=Hangul}/gu },
  { code: 'zh', pattern: /\p{Script=Han}/gu },
  { code: 'ru', pattern: /\p{Script=Cyrillic}/gu },
  { code: 'ar', pattern: /\p{Script=Arabic}/gu },
  { code: 'he', pattern: /\p{Script=Hebrew}/gu },
  { code: 'el', pattern: /\p{Script=Greek}/gu },
  { code: 'hi', pattern: /\p{Script=Devanagari}/gu },
  { code: 'th', pattern: /\p{Script=Thai}/gu },
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

/**
 * Guesses the main language of a text: by script where the script tells, else by which common words it uses.
 * @returns a BCP 47 primary subtag, or `und` when the text is short or its words fit no list better than another.
 */
export function guessLanguage(text: string): string {
  const sample = text
    .slice(0, MAX_LANGUAGE_CHARS)
    .replaceAll(/https?:\/\/\S{1,2000}/g, ' ')
    .toLowerCase();
  const letters = countOf(sample, /\p{L}/gu);
  if (letters === 0) return 'und';
  const byScript = scripts.find(
    ({ code, pattern }) => countOf(sample, pattern) / letters >= (code === 'ja' ? 0.1 : 0.3),
  );
  if (byScript) return byScript.code;
  const words = sample.match(/\p{L}+/gu) ?? [];
  return words.length < MIN_WORDS ? 'und' : byWords(words);
}

function byWords(words: readonly string[]): string {
  const scored = Object.entries(stopWords)
    .map(([code, list]) => {
      const common = new Set(list.split(' '));
      return { code, score: words.filter((word) => common.has(word)).length };
    })
    .toSorted((a, b) => b.score - a.score);
  const [best, second] = scored;
  if (!best || !second || best.score < Math.max(2, words.length / 25) || best.score === second.score) return 'und';
  return best.code;
}

function countOf(text: string, pattern: RegExp): number {
  let count = 0;
  for (const _ of text.matchAll(pattern)) count += 1;
  return count;
}
