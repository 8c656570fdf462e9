import { functionWords } from '../prompts/function-words-data.ts';
import type { PromptLanguage } from '../prompts/prompt-set.ts';
import { mapLanguages } from './cue-stems.ts';
import { readCues } from './cues.ts';
import { type AnswerPart, normaliseSigns, normaliseWords } from './parts.ts';
import { tradeStems } from './trade-words-data.ts';

/** Words of a text from which on its silence about the market says something. */
const MIN_WORDS = 25;
/** Share of words that are of some one subject. */
const MIN_SPECIFIC = 0.3;
/** The same in Japanese, where endings are most of the signs. */
const MIN_SPECIFIC_SIGNS = 0.15;
/** Words beside which one word of trade is chance: "choose a pot" is in a recipe too. */
const WORDS_OF_ONE = 35;
const MIN_SPECIFIC_OF_ONE = 0.35;
const SURE_SPECIFIC = 0.45;
/** Letters that two words of one family begin with, and their share of the shorter one. */
const MIN_FAMILY_CHARS = 4;
const FAMILY_SHARE = 0.6;
/** Letters from which on a word may be in a compound. */
const MIN_INNER_CHARS = 5;

/**
 * A pronoun that answers "which", as in "the one that ...". It takes its noun from the question, so the text is about
 * what was asked though it repeats no word of it.
 */
const WHICH: Readonly<Record<PromptLanguage, RegExp | undefined>> = {
  en: /^ (?:the ones?|ones? (?:with|that|who|of)|those|whoever|whichever|whatever|someone|anyone|anything|any|none|neither|either|both|yours|not the) /u,
  de: /^ (?:wer|was|jemand\p{L}{0,2}|jede[nrs]?|keine[nrs]?|eine[nrs] (?:mit|der|die|das)|der der|die die|das was|de[nr]jenige|diejenige|egal) /u,
  fr: /^ (?:celui|celle|ceux|celles|quelqu un|aucune?|n importe|peu importe|l[ea] (?:votre|tien|tienne)|ce qu[ei]) /u,
  es: /^ (?:(?:el|la|lo|los|las|uno|una) que|quien|alguien|ningun[oa]|cualquiera|aquel|aquella|el tuyo|la tuya) /u,
  pt: /^ (?:(?:o|a|os|as|um|uma) que|quem|alguem|nenhuma?|qualquer|aquele|aquela|o teu|a tua) /u,
  it: /^ (?:quell[oaie]|chi|qualcuno|nessun[oa]|un[oa] che|il tuo|la tua|quel che) /u,
  nl: /^ (?:degene|iemand|geen|wie|wat|die (?:met|op|van|in|je|jij)|je eigen|eentje|een met) /u,
  ja: undefined,
};

/** Whether a text begins with a pronoun that answers "which". */
export const isOpenedByWhich = (parts: readonly AnswerPart[], language: PromptLanguage): boolean =>
  WHICH[language]?.test(parts[0]?.words ?? '') === true;

const trade = mapLanguages((language) =>
  tradeStems[language].split(',').map((stem) => {
    const isInner = language === 'ja' || ((language === 'de' || language === 'nl') && stem.length >= MIN_INNER_CHARS);
    return isInner ? stem : ` ${stem}`;
  }),
);

/** What a text needs to be judged: words, and a share of words that are of some subject. */
export type OffMarketLeast = { words: number; specific?: number };

/**
 * Whether a text without names says much of some subject, and nothing of the market: no word of the question's family, and
 * none of trade or choice. An answer that names nothing speaks of what is sold or of how to choose; the longer, the surer.
 */
export function isOffMarket(
  parts: readonly AnswerPart[],
  { asked, niche, language }: { asked: string; niche: string; language: PromptLanguage },
  least: OffMarketLeast = { words: MIN_WORDS },
): boolean {
  if (niche.trim() === '' || parts.some(({ isEntry, isQuestion }) => isEntry || isQuestion)) return false;
  if (isOpenedByWhich(parts, language)) return false;
  const said = joinSaid(parts, language);
  const { words, specificShare } = readCues(parts, asked, language);
  const usual = language === 'ja' ? MIN_SPECIFIC_SIGNS : MIN_SPECIFIC;
  if (words < least.words || specificShare < Math.min(usual, least.specific ?? usual)) return false;
  const trades = countTrades(said, language);
  if (trades > 1 || (trades === 1 && specificShare < (words < WORDS_OF_ONE ? SURE_SPECIFIC : MIN_SPECIFIC_OF_ONE)))
    return false;
  return !isAboutAsked(said, asked, language);
}

/** Whether a word of the question, or one of its family, is in what is said. */
export const isAboutAsked = (said: string, asked: string, language: PromptLanguage): boolean =>
  language === 'ja' ? hasAskedSigns(said, asked) : hasFamily(said, asked, language);

/** A year before there were brands, and neither a price, a measure nor the number of a model. */
const YEAR =
  /(?<![\p{N}.,€$£¥-]|[€$£¥]\s)\b1[0-7]\d\d\b(?!\s?[\p{N}€$£¥%.,-]\d|\s?(?:€|\$|£|¥|%|円|[kcm]?[gmlwv]\b|euro|usd|dol))/iu;

/** Whether a text speaks of years long past, so that its names are of history. */
export const isPast = (text: string): boolean => YEAR.test(text);

export const joinSaid = (parts: readonly AnswerPart[], language: PromptLanguage): string =>
  parts.map(({ text, words }) => (language === 'ja' ? normaliseSigns(text).toLowerCase() : words)).join('');

const countTrades = (said: string, language: PromptLanguage): number =>
  trade[language].filter((stem) => said.includes(stem)).length;

/** Whether a text has a word of trade or choice. */
export const hasTradeWord = (parts: readonly AnswerPart[], language: PromptLanguage): boolean =>
  countTrades(joinSaid(parts, language), language) > 0;

const ASKED_SIGNS = /\p{Script=Han}{2,}|[\p{Script=Katakana}ー]{2,}|[a-z]{2,}/gu;

/** Whether a run of the question, or two signs of kanji in a row, come again. */
const hasAskedSigns = (said: string, asked: string): boolean =>
  (asked.match(ASKED_SIGNS) ?? [])
    .flatMap((run) =>
      /\p{Script=Han}/u.test(run) ? Array.from({ length: run.length - 1 }, (_, at) => run.slice(at, at + 2)) : [run],
    )
    .some((run) => said.includes(run));

function hasFamily(said: string, asked: string, language: Exclude<PromptLanguage, 'ja'>): boolean {
  const small = new Set(functionWords[language].map((word) => normaliseWords(word).trim()));
  const isTelling = (word: string): boolean => word.length >= MIN_FAMILY_CHARS && !small.has(word);
  const own = [...new Set(said.split(' '))].filter(isTelling);
  const others = [...new Set(asked.split(' '))].filter(isTelling);
  return others.some((other) => own.some((word) => isFamily(word, other, COMPOUNDING.has(language))));
}

/** Languages that join nouns to one word. */
const COMPOUNDING: ReadonlySet<PromptLanguage> = new Set(['en', 'de', 'nl']);

function isFamily(word: string, other: string, hasCompounds: boolean): boolean {
  const [short, long] = word.length < other.length ? [word, other] : [other, word];
  if (hasCompounds && short.length >= MIN_INNER_CHARS && long.includes(short)) return true;
  let same = 0;
  while (same < short.length && short[same] === long[same]) same += 1;
  return same >= Math.max(MIN_FAMILY_CHARS, Math.ceil(short.length * FAMILY_SHARE));
}
