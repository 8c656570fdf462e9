import type { PromptLanguage } from '../prompts/prompt-set.ts';
import { isCue, mapLanguages } from './cue-stems.ts';
import { genericStems } from './generic-words-data.ts';
import { isAsked, isKnownWord, isPlainRun, JAPANESE_RUN, listCapitals } from './known-words.ts';
import { type AnswerPart, normaliseSigns } from './parts.ts';

const generic = mapLanguages((language) => new Set(genericStems[language].split(/[\s,]+/)));

/** Words of a part that are neither in the question nor in talk about any market; in Japanese, runs of signs. */
export function listSpecific(
  part: Pick<AnswerPart, 'text' | 'words'>,
  asked: string,
  language: PromptLanguage,
): readonly string[] {
  if (language === 'ja') {
    const runs = normaliseSigns(part.text).match(JAPANESE_RUN) ?? [];
    return runs.filter((run) => !isPlainRun(run, asked, generic.ja));
  }
  const words = part.words.trim().split(' ');
  return words.filter((word) => word !== '' && !isPlainWord(word, asked, language));
}

const MIN_GENERIC = 3;
const MAX_ENDING = 6;

const isPlainWord = (word: string, asked: string, language: Exclude<PromptLanguage, 'ja'>): boolean =>
  word.length < MIN_GENERIC || isKnownWord(word, language) || isGeneric(word, language) || isAsked(word, asked);

function isGeneric(word: string, language: PromptLanguage): boolean {
  const stems = generic[language];
  for (let end = word.length; end >= MIN_GENERIC && word.length - end <= MAX_ENDING; end -= 1)
    if (stems.has(word.slice(0, end))) return true;
  return false;
}

/** Endings of words that open sentences and name nothing. */
const PLAIN_ENDING: Readonly<Partial<Record<PromptLanguage, RegExp>>> = {
  de: /..(?:ungen|heit|heiten|keit|keiten|schaft|schaften|tion|tionen|tat|taten|ismus|...ung)$/u,
  en: /..(?:ing|ly|tion)$/u,
  fr: /..(?:ement|tion|ite|ant|ir|ier|cer|ger|ter|ez)$/u,
  es: /..(?:mente|cion|dad|tar|sar|lar|rar|nar|rme|cer)$/u,
  pt: /..(?:mente|cao|dade|tar|sar|lar|rar|nar|car|cer)$/u,
  it: /..(?:mente|zione|ita|ere|are|ire)$/u,
};

/** Whether a word with a capital is in none of the words of talk, so that it may be a name. Every noun looks so in German. */
export function hasUnknownCapital(part: AnswerPart, asked: string, language: PromptLanguage): boolean {
  if (language === 'ja') return false;
  return listCapitals(part.text).some(
    (word) =>
      !isPlainWord(word, asked, language) && !isCue(word, language) && PLAIN_ENDING[language]?.test(word) !== true,
  );
}
