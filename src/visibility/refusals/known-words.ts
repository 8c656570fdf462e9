import { functionWords } from '../prompts/function-words-data.ts';
import { type PromptLanguage, promptLanguages } from '../prompts/prompt-set.ts';
import { furtherWords } from './common-words-of-answers-data.ts';
import { japanesePlainWords, plainStems } from './known-words-data.ts';
import { type AnswerPart, normaliseSigns, normaliseWords } from './parts.ts';
import { phrasesOf } from './phrases/phrases.ts';
import { requestStems } from './phrases/requests-data.ts';

/** Letters of an inflection behind a stem; German ends its nouns in more of them. */
const MAX_ENDING = { short: 3, long: 4 } as const;
/** Letters beyond which a whole word may have one letter more at its end. */
const MIN_INFLECTED = 4;
/** Letters of a stem that may have an ending. */
const MIN_STEM = 3;
/** Runs of fewer signs are of ordinary words in Japanese. */
export const JAPANESE_RUN = /\p{Script=Han}{2,}|[\p{Script=Katakana}ー]{3,}|[A-Za-z][A-Za-z0-9.&'-]{2,}/gu;

type Known = { words: ReadonlySet<string>; stems: ReadonlySet<string>; longest: number };

const knownOf: Readonly<Record<PromptLanguage, Known>> = Object.fromEntries(
  promptLanguages.map((language) => [language, collectKnown(language)]),
) as Record<PromptLanguage, Known>;

function collectKnown(language: PromptLanguage): Known {
  const said = phrasesOf[language].alternatives;
  if (language === 'ja') {
    const runs = said.flatMap((phrase) => phrase.match(JAPANESE_RUN) ?? []);
    return { words: new Set([...japanesePlainWords, ...runs]), stems: new Set(), longest: 0 };
  }
  const spoken = [...said, ...requestStems].flatMap((phrase) => phrase.trim().split(' '));
  const cut = said.filter((phrase) => !phrase.endsWith(' ')).map((phrase) => phrase.slice(phrase.lastIndexOf(' ') + 1));
  const stems = plainStems[language].map((stem) => normaliseWords(stem).trim().replaceAll(' ', ''));
  const small = [...functionWords[language], ...furtherWords[language]].flatMap((word) =>
    normaliseWords(word).trim().split(' '),
  );
  return {
    words: new Set([...spoken, ...small]),
    stems: new Set([...stems, ...cut].filter((stem) => stem.length >= MIN_STEM)),
    longest: language === 'de' ? MAX_ENDING.long : MAX_ENDING.short,
  };
}

/** Whether talk about any market has a word, so that a capital makes no name of it. */
export function isKnownWord(folded: string, language: PromptLanguage): boolean {
  const { words, stems, longest } = knownOf[language];
  if (folded === '' || words.has(folded)) return true;
  for (let end = folded.length; end >= MIN_STEM && folded.length - end <= longest; end -= 1)
    if (stems.has(folded.slice(0, end))) return true;
  return folded.length > MIN_INFLECTED && words.has(folded.slice(0, -1));
}

/** Whether a word of the question is a word of an answer, whatever its ending. */
export const isAsked = (folded: string, asked: string): boolean =>
  asked.includes(` ${folded.slice(0, Math.max(4, folded.length - 2))}`);

/**
 * Whether a part has a word that may be a name: with a capital (in Japanese, in kanji, katakana or Latin letters), neither
 * in the question nor in talk about any market. Weaker than substance: a noun that no list has looks like a name.
 */
export function hasPossibleName(part: Pick<AnswerPart, 'text'>, asked: string, language: PromptLanguage): boolean {
  if (language === 'ja') {
    const runs = normaliseSigns(part.text).match(JAPANESE_RUN) ?? [];
    return runs.some((run) => !asked.includes(run.toLowerCase()) && !isPlainRun(run, asked));
  }
  return listCapitals(part.text).some((word) => isPossibleName(word, asked, language));
}

/** Where German has names rather than nouns: behind "bei" and "zu" without an article, and before the verb of a sentence. */
const GERMAN_PLACE =
  /^(\p{Lu}[\p{L}&+]{1,40})\s(?:ist|hat|\p{Ll}{2,20}(?:t|en))\s|\b(?:bei|zu)\s(\p{Lu}[\p{L}&+]{1,40})/gu;

export const hasPlacedName = ({ text }: AnswerPart, asked: string): boolean =>
  [...text.matchAll(GERMAN_PLACE)].some(([, opening, placed]) =>
    isPossibleName(normaliseWords(opening ?? placed ?? '').trim(), asked, 'de'),
  );

/** A German noun with what makes it one: an article, a pronoun, an adjective, or a preposition that holds an article. */
const GERMAN_NOUN =
  /(?:^|(?<!\b[Ii]ch)\s)(?:\p{L}{1,30}(?:e|e[mnrs])|[Dd][ae]s|(?:[MmDdSsKk]?e|E)in|[Ii]hr|[IiAa]m|[Zz]u[mr]|[Bb]eim|[Vv]om|[ai]ns|aufs|fürs)\s\p{Lu}[\p{L}-]{1,60}/gu;
const OPENING_WORD = /^\W{0,3}\p{L}{1,40}/u;

/** Whether a capital in a German sentence has nothing before it that nouns have: "ich würde Acme nehmen", "am besten: Acme". */
export const hasBareName = ({ text }: AnswerPart, asked: string): boolean =>
  listCapitals(text.replace(GERMAN_NOUN, ' ').replace(OPENING_WORD, ' ')).some((word) =>
    isPossibleName(word, asked, 'de'),
  );

/** @param folded lower case, without accents; was written with a capital. */
export const isPossibleName = (folded: string, asked: string, language: Exclude<PromptLanguage, 'ja'>): boolean =>
  !isKnownWord(folded, language) && !isAsked(folded, asked);

/** Signs that only end or begin a word of Japanese, and runs that are cut into words. */
const JAPANESE_AFFIX = /^[的性者等用語時中後前上下別化度力感数員類率各本当最新全非不無未再]$/u;
const MAX_RUN_SIGNS = 12;

/** Whether a run is made of words of talk (and of `further` ones) and of the question alone. */
export function isPlainRun(run: string, asked: string, further?: ReadonlySet<string>): boolean {
  const isPlain = (word: string): boolean =>
    knownOf.ja.words.has(word) ||
    further?.has(word) === true ||
    JAPANESE_AFFIX.test(word) ||
    (word.length > 1 && asked.includes(word));
  if (run === '' || isPlain(run)) return true;
  if (run.length > MAX_RUN_SIGNS) return false;
  for (let end = run.length - 1; end >= 1; end -= 1)
    if (isPlain(run.slice(0, end)) && isPlainRun(run.slice(end), asked, further)) return true;
  return false;
}

/** Words with a capital, folded; a possessive is taken off. */
export const listCapitals = (text: string): readonly string[] =>
  (text.match(/\p{Lu}[\p{L}\p{N}&+]*/gu) ?? [])
    .map((word) => normaliseWords(word).trim())
    .filter((word) => word.length > 1);
