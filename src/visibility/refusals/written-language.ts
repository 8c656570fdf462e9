import { promptLanguages, type PromptLanguage } from '../prompts/prompt-set.ts';
import { furtherWords, otherLanguageWords } from './common-words-of-answers-data.ts';
import { functionWords } from '../prompts/function-words-data.ts';

/** `other`: a language that no measurement asks in. */
export type WrittenLanguage = PromptLanguage | 'other';

/** Words of a text that are weighed: a text has shown its language by then. */
const MAX_WORDS = 600;
/** Weight of small words below which nothing is said, and times that the claimed language must have less. */
const MIN_WEIGHT = 2.5;
const TIMES_MORE = 2.5;
/** Share of letters by which a script decides. */
const SCRIPT_SHARE = 0.5;
/** Kana and kanji of a Japanese text among its letters, however many Latin names it has. */
const JAPANESE_SHARE = 0.1;
/** Letters from which on a script is judged. */
const MIN_LETTERS = 12;

type Weights = ReadonlyMap<WrittenLanguage, number>;

/** Languages that have a word. */
const languagesOf: ReadonlyMap<string, readonly WrittenLanguage[]> = indexWords();

function indexWords(): ReadonlyMap<string, readonly WrittenLanguage[]> {
  const index = new Map<string, WrittenLanguage[]>();
  const add = (word: string, language: WrittenLanguage): void => {
    const known = index.get(word) ?? [];
    if (!known.includes(language)) index.set(word, [...known, language]);
  };
  for (const language of promptLanguages) {
    if (language === 'ja') continue;
    for (const word of [...functionWords[language], ...furtherWords[language]]) add(word, language);
  }
  for (const word of otherLanguageWords) add(word, 'other');
  return index;
}

/** What the small words of a text say of its language; each counts as often as it is there, three times at most. */
function weighWords(text: string): Weights {
  const weights = new Map<WrittenLanguage, number>();
  const seen = new Map<string, number>();
  for (const word of (text.toLowerCase().match(/\p{L}{1,30}/gu) ?? []).slice(0, MAX_WORDS)) {
    const times = seen.get(word) ?? 0;
    seen.set(word, times + 1);
    const languages = times < 3 ? (languagesOf.get(word) ?? []) : [];
    for (const language of languages) weights.set(language, (weights.get(language) ?? 0) + 1 / languages.length ** 2);
  }
  return weights;
}

const countLetters = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

/** The language of a text by its script alone; undefined for Latin script and for too few letters. */
function readScript(text: string): WrittenLanguage | undefined {
  const letters = countLetters(text, /\p{L}/gu);
  const kana = countLetters(text, /[\p{Script=Hiragana}\p{Script=Katakana}]/gu);
  if (letters < MIN_LETTERS) return kana > (letters * SCRIPT_SHARE) / 2 ? 'ja' : undefined;
  const han = countLetters(text, /\p{Script=Han}/gu);
  if (kana > 0 && (kana + han) / letters >= JAPANESE_SHARE) return 'ja';
  return countLetters(text, /\p{Script=Latin}/gu) / letters < SCRIPT_SHARE ? 'other' : undefined;
}

/** The language that a text is likeliest in: the claimed one unless another is plainly likelier; undefined where nothing shows it. */
export function identifyLanguage(text: string, claimed?: PromptLanguage): WrittenLanguage | undefined {
  const script = readScript(text);
  if (script !== undefined) return script;
  const weights = weighWords(text);
  const own = claimed === undefined ? 0 : (weights.get(claimed) ?? 0);
  if (own >= 1 && Math.max(...weights.values()) < own * TIMES_MORE) return claimed;
  const [best] = [...weights].toSorted((one, other) => other[1] - one[1]);
  return best !== undefined && best[1] >= 1 ? best[0] : undefined;
}

/** Share of words with a capital from which on a text is a list of names. */
const NAMES_SHARE = 0.5;

/** Names are in any language: "Out of the Box, The North Face". */
function isListOfNames(text: string): boolean {
  const words = text.match(/\p{L}[\p{L}\p{M}’']{0,40}/gu) ?? [];
  const names = words.filter((word) => /^\p{Lu}(?:\p{Ll}|$)/u.test(word));
  return names.length >= words.length * NAMES_SHARE;
}

/** Whether a text is mostly in another language than the one it should be in. A list of names is in any language. */
export function isInOtherLanguage(text: string, claimed: PromptLanguage): boolean {
  const script = readScript(text);
  if (script === undefined && isListOfNames(text)) return false;
  if (claimed === 'ja') return script === undefined ? isPlainlyLatin(text) : script !== 'ja';
  if (script !== undefined) return true;
  const weights = weighWords(text);
  const own = weights.get(claimed) ?? 0;
  const others = [...weights].filter(([language]) => language !== claimed).map(([, weight]) => weight);
  const best = Math.max(0, ...others);
  return best >= MIN_WEIGHT && best >= own * TIMES_MORE;
}

/** No kana, and the small words of some other language. */
function isPlainlyLatin(text: string): boolean {
  if (countLetters(text, /[\p{Script=Hiragana}\p{Script=Katakana}]/gu) > 0) return false;
  return Math.max(0, ...weighWords(text).values()) >= MIN_WEIGHT;
}
