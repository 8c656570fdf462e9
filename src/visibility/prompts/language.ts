import { functionWords } from './function-words-data.ts';
import { promptLanguages, type PromptLanguage } from './prompt-set.ts';

/** English names of the languages, for messages. */
export const languageNames: Readonly<Record<PromptLanguage, string>> = {
  en: 'English',
  de: 'German',
  fr: 'French',
  es: 'Spanish',
  pt: 'Portuguese',
  it: 'Italian',
  nl: 'Dutch',
  ja: 'Japanese',
};

/** `other script`: letters that none of the languages is written in. */
export type SeenLanguage = PromptLanguage | 'other script';

/** Weight of words that another language needs at least, and times that the claimed one must have less of them. */
const MIN_WEIGHT = 2;
const TIMES_LESS = 3;
/** Letters without any Japanese or Chinese sign that a Japanese question does not have. */
const MIN_LATIN_LETTERS = 8;

/**
 * The language that a question is in, where that is plainly not the claimed one. Undefined when it may well be, or when too
 * little can be seen: a few words, or a list of names. By script, and else by the small words that languages do not share.
 */
export function findOtherLanguage(text: string, claimed: PromptLanguage): SeenLanguage | undefined {
  const letters = countMatches(text, /\p{L}/gu);
  const latin = countMatches(text, /\p{Script=Latin}/gu);
  const japanese = countMatches(text, /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/gu);
  if (claimed === 'ja') {
    if (japanese === 0 && latin >= MIN_LATIN_LETTERS) return weighLanguages(text)[0]?.language ?? 'en';
    return latin + japanese < letters / 2 ? 'other script' : undefined;
  }
  if (latin < letters / 2) return japanese > letters / 2 ? 'ja' : 'other script';
  const weighed = weighLanguages(text);
  const [first] = weighed;
  const own = weighed.find(({ language }) => language === claimed)?.weight ?? 0;
  if (first === undefined || first.weight < MIN_WEIGHT || first.weight < own * TIMES_LESS) return undefined;
  return first.language === claimed ? undefined : first.language;
}

const countMatches = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

type LatinLanguage = Exclude<PromptLanguage, 'ja'>;

/** Which languages have a word. */
const languagesOfWord: ReadonlyMap<string, ReadonlySet<LatinLanguage>> = indexWords();

function indexWords(): ReadonlyMap<string, ReadonlySet<LatinLanguage>> {
  const index = new Map<string, Set<LatinLanguage>>();
  for (const language of promptLanguages) {
    if (language === 'ja') continue;
    for (const word of functionWords[language]) index.set(word, (index.get(word) ?? new Set()).add(language));
  }
  return index;
}

/** The languages that words of a text are of, the likeliest first: each different word counts 1, shared by those that have it. */
function weighLanguages(text: string): readonly { language: LatinLanguage; weight: number }[] {
  const weights = new Map<LatinLanguage, number>();
  for (const word of new Set(text.toLowerCase().match(/[\p{L}]+(?:'è)?/gu))) {
    const languages = languagesOfWord.get(word) ?? new Set();
    for (const language of languages) weights.set(language, (weights.get(language) ?? 0) + 1 / languages.size);
  }
  return [...weights]
    .map(([language, weight]) => ({ language, weight }))
    .toSorted((one, other) => other.weight - one.weight);
}
