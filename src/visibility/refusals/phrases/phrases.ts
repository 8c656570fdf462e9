import { type PromptLanguage } from '../../prompts/prompt-set.ts';
import { germanPhrases } from './de-data.ts';
import { englishPhrases } from './en-data.ts';
import { spanishPhrases } from './es-data.ts';
import { frenchPhrases } from './fr-data.ts';
import { italianPhrases } from './it-data.ts';
import { japanesePhrases } from './ja-data.ts';
import { dutchPhrases } from './nl-data.ts';
import { compilePhrases, type Phrases } from './phrase-table.ts';
import { portuguesePhrases } from './pt-data.ts';

export const phrasesOf: Readonly<Record<PromptLanguage, Phrases>> = {
  en: compilePhrases(englishPhrases, true),
  de: compilePhrases(germanPhrases, true),
  fr: compilePhrases(frenchPhrases, true),
  es: compilePhrases(spanishPhrases, true),
  pt: compilePhrases(portuguesePhrases, true),
  it: compilePhrases(italianPhrases, true),
  nl: compilePhrases(dutchPhrases, true),
  ja: compilePhrases(japanesePhrases, false),
};
