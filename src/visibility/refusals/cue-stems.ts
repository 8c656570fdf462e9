import { type PromptLanguage, promptLanguages } from '../prompts/prompt-set.ts';
import { type CueWords, cueWords, touchyStems } from './cue-words-data.ts';

/** Stems of cues: a space before a word, one behind it too where it is whole; signs alone in Japanese. */
export type CueStems = Readonly<Record<keyof CueWords, readonly string[]>>;

const compileStems = (stems: string, language: PromptLanguage): readonly string[] =>
  stems
    .split(',')
    .filter(Boolean)
    .map((stem) => (language === 'ja' ? stem : stem.endsWith('.') ? ` ${stem.slice(0, -1)} ` : ` ${stem}`));

/** A value for each language. */
export const mapLanguages = <Value>(
  make: (language: PromptLanguage) => Value,
): Readonly<Record<PromptLanguage, Value>> =>
  Object.fromEntries(promptLanguages.map((language) => [language, make(language)])) as Record<PromptLanguage, Value>;

export const cueStems: Readonly<Record<PromptLanguage, CueStems>> = mapLanguages((language) => {
  const entries = Object.entries(cueWords[language]).map(([kind, stems]) => [kind, compileStems(stems, language)]);
  return Object.fromEntries(entries) as CueStems;
});

const touchy = mapLanguages((language) => compileStems(touchyStems[language], language));

export const hasAnyStem = (stems: readonly string[], text: string): boolean =>
  stems.some((stem) => text.includes(stem));

/** Whether a market is one that assistants preach about. */
export const isTouchy = (asked: string, language: PromptLanguage): boolean => hasAnyStem(touchy[language], asked);

const cueStarts = mapLanguages(
  (language) => new Set([...Object.values(cueStems[language]).flat(), ...touchy[language]]),
);

/** Whether a word, without accents, is one of the cues. */
export function isCue(word: string, language: PromptLanguage): boolean {
  const stems = cueStarts[language];
  if (language === 'ja') return [...stems].some((stem) => stem.includes(word) || word.includes(stem));
  if (stems.has(` ${word} `)) return true;
  for (let end = word.length; end > 1; end -= 1) if (stems.has(` ${word.slice(0, end)}`)) return true;
  return false;
}
