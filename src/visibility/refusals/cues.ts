import type { PromptLanguage } from '../prompts/prompt-set.ts';
import { cueStems, hasAnyStem, isCue, mapLanguages } from './cue-stems.ts';
import { acknowledgements, promises } from './generic-words-data.ts';
import { type AnswerPart, normaliseSigns, normaliseWords, splitClauses } from './parts.ts';
import { listSpecific } from './plain-words.ts';
import { removePraise } from './phrases/praise-data.ts';

/** What the words of a text without names say of it. Counts are of different words; shares are 0 to 1. */
export type Cues = {
  /** Sentences in which the speaker denies what an assistant does. */
  declines: number;
  /** Share of the words in such sentences. */
  declinedShare: number;
  /** Whether one of them goes on with "but", and not about the speaker: the answer follows. */
  isGoingOn: boolean;
  /** Warnings, and the share of the words in sentences that have one. */
  cautions: number;
  cautionShare: number;
  /** Words of errors, disclaimers and instructions, and the share of the words in sentences that have one. */
  machine: number;
  machineShare: number;
  /** Share of the words that are neither in the question nor in talk about any market. */
  specificShare: number;
  /** Share of those that are no cue either. */
  otherShare: number;
  /** Whether the speaker denies something in most of the words, whatever it is. */
  isDenying: boolean;
  words: number;
};

const acknowledged = mapLanguages((language) => new Set(acknowledgements[language].split(',')));
const promised = mapLanguages((language) => new Set(promises[language].split(',')));

export const readWords = (part: AnswerPart, language: PromptLanguage): string =>
  language === 'ja' ? normaliseSigns(part.text) : part.words;

const listFound = (stems: readonly string[], text: string): readonly string[] =>
  stems.filter((stem) => text.includes(stem));

/** @param asked the question and the niche, normalised. */
export function readCues(parts: readonly AnswerPart[], asked: string, language: PromptLanguage): Cues {
  const cues = cueStems[language];
  const cautions = new Set<string>();
  const machine = new Set<string>();
  let [declines, declined, denied, cautioned, mechanical] = [0, 0, 0, 0, 0];
  let [words, specific, other] = [0, 0, 0];
  for (const part of parts) {
    const text = readWords(part, language);
    const size = language === 'ja' ? text.length / 3 : part.wordCount;
    words += size;
    const rare = listSpecific(part, asked, language);
    specific += rare.length;
    other += rare.filter((word) => !isCue(word, language)).length;
    if (isDenied(part, text, language)) denied += size;
    if (isDeclining(part, text, language)) {
      declines += 1;
      declined += size;
    }
    const warned = listFound(cues.preach, text);
    for (const stem of warned) cautions.add(stem);
    if (warned.length > 0) cautioned += size;
    const found = listFound(cues.machine, text);
    for (const stem of found) machine.add(stem);
    if (found.length > 0) mechanical += size;
  }
  const share = (one: number): number => (words === 0 ? 0 : one / words);
  return {
    declines,
    declinedShare: share(declined),
    isGoingOn: isGoingOn(parts, language),
    cautions: cautions.size,
    cautionShare: share(cautioned),
    machine: machine.size,
    machineShare: share(mechanical),
    specificShare: share(specific),
    otherShare: share(other),
    isDenying: share(denied) >= 0.5,
    words,
  };
}

/** Whether "but" follows what is declined, and then nothing of the speaker: the answer does. */
export const isGoingOn = (parts: readonly AnswerPart[], language: PromptLanguage): boolean =>
  parts.some((part, at) => {
    const before = parts[at - 1];
    if (before === undefined || !isOpposing(part.words)) return false;
    const isDeclined = isDeclining(before, readWords(before, language), language);
    return isDeclined && !hasAnyStem(cueStems[language].self, part.words) && !isDeclining(part, part.words, language);
  });

export const isOpposing = (text: string): boolean =>
  /^ (?:but|however|yet|still|aber|doch|mais|pero|mas|porem|ma|pero|maar|toch) /u.test(text);

/** "I would not recommend them" is a judgement of what is sold. */
const OPINION: Readonly<Partial<Record<PromptLanguage, RegExp>>> = {
  en: / (?:wouldn t|would not|d not) (?!be |feel |want )/u,
  de: / wurde .{0,80} (?:empfehlen|raten|kaufen|nehmen) /u,
  fr: / (?:recommanderais|conseillerais|prendrais|choisirais) /u,
  es: / (?:recomendaria|aconsejaria|elegiria|compraria) /u,
  pt: / (?:recomendaria|aconselharia|escolheria|compraria) /u,
  it: / (?:consiglierei|raccomanderei|sceglierei|comprerei) /u,
  nl: / zou .{0,80} (?:aanraden|aanbevelen|kopen|kiezen|nemen) /u,
};

/** What is denied and what denies it are in one clause: "I can recommend Acme, it is not dear" declines nothing. */
export function isDeclining(part: AnswerPart, text: string, language: PromptLanguage): boolean {
  const { self, denial, act, bound } = cueStems[language];
  const said = removePraise(text, language);
  if (OPINION[language]?.test(said) === true) return false;
  if (hasAnyStem(bound, said)) return true;
  if (!hasAnyStem(act, text) || !hasAnyStem(self, said)) return false;
  const clauses = language === 'ja' ? [said] : splitClauses(part.text).map(normaliseWords);
  return clauses.some((clause) => {
    const plain = removePraise(clause, language);
    return hasAnyStem(act, plain) && hasAnyStem(denial, plain);
  });
}

function isDenied(part: AnswerPart, text: string, language: PromptLanguage): boolean {
  const { self, denial } = cueStems[language];
  const said = removePraise(text, language);
  if (!hasAnyStem(self, said) || OPINION[language]?.test(said) === true) return false;
  const clauses = language === 'ja' ? [said] : splitClauses(part.text).map(normaliseWords);
  return clauses.some((clause) => hasAnyStem(self, clause) && hasAnyStem(denial, removePraise(clause, language)));
}

/** Words of a sentence from which on a capital in it counts, though it declines nothing. */
const MIN_SENTENCE = 7;

/** Parts that could name something: those that decline, and whole sentences. "Ask your bank." names nothing. */
export const listTellingParts = (parts: readonly AnswerPart[], language: PromptLanguage): readonly AnswerPart[] =>
  parts.filter((part) => part.wordCount >= MIN_SENTENCE || isDeclining(part, readWords(part, language), language));

/** "Understood." and the like: the whole text. */
export const isAcknowledgement = (text: string, language: PromptLanguage): boolean =>
  acknowledged[language].has(normaliseSaid(text, language));

/** "Understood", before a word or two of what is then to come. */
export const isPromise = (text: string, language: PromptLanguage): boolean =>
  promised[language].has(normaliseSaid(text, language));

const normaliseSaid = (text: string, language: PromptLanguage): string =>
  language === 'ja' ? normaliseSigns(text).replace(/[。！!.]/gu, '') : normaliseWords(text).trim();

/** A text that does nothing but ask: nearly all of it, to its end. */
export function isAskingBack(parts: readonly AnswerPart[]): boolean {
  if (parts.at(-1)?.isQuestion !== true) return false;
  const size = ({ wordCount, text }: AnswerPart): number => Math.max(wordCount, text.length / 12);
  const sum = (some: readonly AnswerPart[]): number => some.reduce((all, part) => all + size(part), 0);
  return sum(parts.filter(({ isQuestion }) => isQuestion)) >= sum(parts) * MIN_ASKED_SHARE;
}

const MIN_ASKED_SHARE = 0.6;

/** Whether a text begins as instructions to a machine do. */
export function isOrdered(parts: readonly AnswerPart[], language: PromptLanguage): boolean {
  const opening = parts[0] === undefined ? '' : readWords(parts[0], language);
  return cueStems[language].order.some((order) => opening.startsWith(order));
}
