import { removeHiddenCharacters } from '../../lib/safe-text.ts';
import { hasName } from '../names/mentions.ts';
import { NICHE } from '../run/prompts-data.ts';
import { findOtherLanguage, languageNames } from './language.ts';
import { MAX_OWN_PROMPT_CHARS, MAX_OWN_PROMPTS, MIN_OWN_PROMPT_CHARS, MIN_OWN_PROMPTS } from './limits.ts';
import type { PromptLanguage } from './prompt-set.ts';

/** What is wrong with a buyer's questions. `pointer` is a JSON pointer into the body, `message` in our words. */
export type OwnPromptFault = {
  pointer: string;
  reason:
    | 'too_few'
    | 'too_many'
    | 'too_short'
    | 'too_long'
    | 'not_one_line'
    | 'no_word'
    | 'placeholder'
    | 'duplicate'
    | 'names_brand'
    | 'wrong_language';
  message: string;
};

export type OwnPrompts = { ok: true; prompts: readonly string[] } | { ok: false; faults: readonly OwnPromptFault[] };

/**
 * Reads the questions of a buyer: 6 to 100, each on one line, of 8 to 300 characters, no two alike, none with the name of a
 * brand that is measured, none that is plainly in another language. Blanks around them are dropped.
 * @param names the measured brand, and the one it is compared with.
 * @returns every fault, at most one for each question.
 */
export function readOwnPrompts(
  given: readonly string[],
  { language, names }: { language: PromptLanguage; names: readonly string[] },
): OwnPrompts {
  const count = findCountFault(given.length);
  if (count) return { ok: false, faults: [count] };
  const prompts = given.map((text) => text.trim());
  const firstAt = new Map<string, number>();
  const faults = prompts.flatMap((text, at): readonly OwnPromptFault[] => {
    const pointer = `/prompts/${at}`;
    const same = computeSameKey(text);
    const first = firstAt.get(same);
    firstAt.set(same, first ?? at);
    const fault =
      findFormFault(text) ??
      (first === undefined ? undefined : describeDuplicate(first)) ??
      findNameFault(text, names) ??
      findLanguageFault(text, language);
    return fault ? [{ pointer, ...fault }] : [];
  });
  return faults.length > 0 ? { ok: false, faults } : { ok: true, prompts };
}

type Fault = Omit<OwnPromptFault, 'pointer'>;

function findCountFault(count: number): OwnPromptFault | undefined {
  const pointer = '/prompts';
  if (count < MIN_OWN_PROMPTS)
    return { pointer, reason: 'too_few', message: `needs at least ${MIN_OWN_PROMPTS} questions` };
  if (count > MAX_OWN_PROMPTS)
    return { pointer, reason: 'too_many', message: `may have at most ${MAX_OWN_PROMPTS} questions` };
  return undefined;
}

function findFormFault(text: string): Fault | undefined {
  if (text.length > MAX_OWN_PROMPT_CHARS)
    return { reason: 'too_long', message: `must have at most ${MAX_OWN_PROMPT_CHARS} characters` };
  if (text.length < MIN_OWN_PROMPT_CHARS)
    return { reason: 'too_short', message: `must have at least ${MIN_OWN_PROMPT_CHARS} characters` };
  if (removeHiddenCharacters(text) !== text || /[\p{Zl}\p{Zp}]/u.test(text))
    return { reason: 'not_one_line', message: 'must be one line without control or invisible characters' };
  if (text.includes(NICHE)) return { reason: 'placeholder', message: `has ${NICHE} in it: write the niche out` };
  return /\p{L}/u.test(text) ? undefined : { reason: 'no_word', message: 'must contain a word' };
}

const describeDuplicate = (first: number): Fault => ({
  reason: 'duplicate',
  message: `asks the same as question ${first + 1}`,
});

function findNameFault(text: string, names: readonly string[]): Fault | undefined {
  if (!names.some((name) => hasName(text, name))) return undefined;
  return { reason: 'names_brand', message: 'names a brand that is measured: ask as someone who does not know it yet' };
}

function findLanguageFault(text: string, language: PromptLanguage): Fault | undefined {
  const other = findOtherLanguage(text, language);
  if (other === undefined) return undefined;
  const seen = other === 'other script' ? 'is in another script' : `reads like ${languageNames[other]}`;
  return {
    reason: 'wrong_language',
    message: `${seen}, not ${languageNames[language]}: \`language\` is the one of the questions`,
  };
}

/** Capitals, blanks and marks do not make another question. */
const computeSameKey = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
