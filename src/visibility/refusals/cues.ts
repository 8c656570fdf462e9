import { type PromptLanguage, promptLanguages } from '../prompts/prompt-set.ts';
import { type CueWords, cueWords, touchyStems } from './cue-words-data.ts';
import { acknowledgements, genericStems, promises } from './generic-words-data.ts';
import { isAsked, isKnownWord, isPlainRun, JAPANESE_RUN, listCapitals } from './known-words.ts';
import { type AnswerPart, normaliseSigns, normaliseWords, splitClauses } from './parts.ts';
import type { RefusalKind } from './refusal-kinds.ts';
import { removePraise } from './phrases/praise-data.ts';

/** What the words of a text without names say of it. Counts are of different words; shares are 0 to 1. */
export type Cues = {
  /** Sentences in which the speaker denies what an assistant does. */
  declines: number;
  /** Share of the words in such sentences. */
  declinedShare: number;
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

type Compiled = Readonly<Record<keyof CueWords, readonly string[]>>;

const compileStems = (stems: string, language: PromptLanguage): readonly string[] =>
  stems
    .split(',')
    .filter(Boolean)
    .map((stem) => (language === 'ja' ? stem : stem.endsWith('.') ? ` ${stem.slice(0, -1)} ` : ` ${stem}`));

const compiled: Readonly<Record<PromptLanguage, Compiled>> = byLanguage((language) => {
  const words = cueWords[language];
  const compile = (kind: keyof CueWords): readonly string[] => compileStems(words[kind], language);
  return {
    self: compile('self'),
    denial: compile('denial'),
    act: compile('act'),
    bound: compile('bound'),
    machine: compile('machine'),
    order: compile('order'),
    preach: compile('preach'),
  };
});

const touchy = byLanguage((language) => compileStems(touchyStems[language], language));
const generic = byLanguage((language) => new Set(genericStems[language].split(/[\s,]+/)));
const acknowledged = byLanguage((language) => new Set(acknowledgements[language].split(',')));
const promised = byLanguage((language) => new Set(promises[language].split(',')));

function byLanguage<Value>(make: (language: PromptLanguage) => Value): Readonly<Record<PromptLanguage, Value>> {
  return Object.fromEntries(promptLanguages.map((language) => [language, make(language)])) as Record<
    PromptLanguage,
    Value
  >;
}

const readWords = (part: AnswerPart, language: PromptLanguage): string =>
  language === 'ja' ? normaliseSigns(part.text) : part.words;

const hasAny = (stems: readonly string[], text: string): boolean => stems.some((stem) => text.includes(stem));
const listFound = (stems: readonly string[], text: string): readonly string[] => stems.filter((stem) => text.includes(stem));

/** @param asked the question and the niche, normalised. */
export function readCues(parts: readonly AnswerPart[], asked: string, language: PromptLanguage): Cues {
  const cues = compiled[language];
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

/** "I would not recommend them" is a judgement of what is sold. */
const OPINION: Readonly<Partial<Record<PromptLanguage, RegExp>>> = {
  en: / (?:wouldn t|would not|d not) (?:recommend|buy|choose|pick|advise) /u,
  de: / wurde .{0,80} (?:empfehlen|raten|kaufen|nehmen) /u,
  fr: / (?:recommanderais|conseillerais|prendrais|choisirais) /u,
  es: / (?:recomendaria|aconsejaria|elegiria|compraria) /u,
  pt: / (?:recomendaria|aconselharia|escolheria|compraria) /u,
  it: / (?:consiglierei|raccomanderei|sceglierei|comprerei) /u,
  nl: / zou .{0,80} (?:aanraden|aanbevelen|kopen|kiezen|nemen) /u,
};

/** What is denied and what denies it are in one clause: "I can recommend Acme, it is not dear" declines nothing. */
export function isDeclining(part: AnswerPart, text: string, language: PromptLanguage): boolean {
  const { self, denial, act, bound } = compiled[language];
  const said = removePraise(text, language);
  if (OPINION[language]?.test(said) === true) return false;
  if (hasAny(bound, said)) return true;
  if (!hasAny(act, text) || !hasAny(self, said)) return false;
  const clauses = language === 'ja' ? [said] : splitClauses(part.text).map(normaliseWords);
  return clauses.some((clause) => {
    const plain = removePraise(clause, language);
    return hasAny(act, plain) && hasAny(denial, plain);
  });
}

function isDenied(part: AnswerPart, text: string, language: PromptLanguage): boolean {
  const { self, denial } = compiled[language];
  const said = removePraise(text, language);
  if (!hasAny(self, said) || OPINION[language]?.test(said) === true) return false;
  const clauses = language === 'ja' ? [said] : splitClauses(part.text).map(normaliseWords);
  return clauses.some((clause) => hasAny(self, clause) && hasAny(denial, removePraise(clause, language)));
}

/** Words of a sentence from which on a capital in it counts, though it declines nothing. */
const MIN_SENTENCE = 7;

/** Parts that could name something: those that decline, and whole sentences. "Ask your bank." names nothing. */
export const listTellingParts = (parts: readonly AnswerPart[], language: PromptLanguage): readonly AnswerPart[] =>
  parts.filter((part) => part.wordCount >= MIN_SENTENCE || isDeclining(part, readWords(part, language), language));

/** Whether a market is one that assistants preach about. */
export const isTouchy = (asked: string, language: PromptLanguage): boolean => hasAny(touchy[language], asked);

/** "Understood." and the like: the whole text. */
export const isAcknowledgement = (text: string, language: PromptLanguage): boolean =>
  acknowledged[language].has(normaliseSaid(text, language));

/** "Understood", before a word or two of what is then to come. */
export const isPromise = (text: string, language: PromptLanguage): boolean =>
  promised[language].has(normaliseSaid(text, language));

const normaliseSaid = (text: string, language: PromptLanguage): string =>
  language === 'ja' ? normaliseSigns(text).replace(/[。！!.]/gu, '') : normaliseWords(text).trim();

function listSpecific(part: AnswerPart, asked: string, language: PromptLanguage): readonly string[] {
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
    (word) => !isPlainWord(word, asked, language) && !isCue(word, language) && PLAIN_ENDING[language]?.test(word) !== true,
  );
}

const cueStarts = byLanguage((language) => new Set([...Object.values(compiled[language]).flat(), ...touchy[language]]));

function isCue(word: string, language: PromptLanguage): boolean {
  const stems = cueStarts[language];
  if (language === 'ja') return [...stems].some((stem) => stem.includes(word) || word.includes(stem));
  if (stems.has(` ${word} `)) return true;
  for (let end = word.length; end > 1; end -= 1) if (stems.has(` ${word.slice(0, end)}`)) return true;
  return false;
}

/** A text that does nothing but ask: nearly all of it, to its end. */
export function isAskingBack(parts: readonly AnswerPart[]): boolean {
  if (parts.at(-1)?.isQuestion !== true) return false;
  const size = ({ wordCount, text }: AnswerPart): number => Math.max(wordCount, text.length / 12);
  const sum = (some: readonly AnswerPart[]): number => some.reduce((all, part) => all + size(part), 0);
  return sum(parts.filter(({ isQuestion }) => isQuestion)) >= sum(parts) * MIN_ASKED_SHARE;
}

const MIN_ASKED_SHARE = 0.6;

/** Why a text without names is no answer, by its words alone; undefined where they do not show it. */
export function judgeCues(
  cues: Cues,
  seen: { isTouchy: boolean; mayName: boolean; mayNameBeside: boolean; isTalking: boolean; hasUnknown: boolean },
): RefusalKind | undefined {
  if (cues.declinedShare >= 0.6 && !seen.mayNameBeside && isRefusing(cues)) return 'refusal';
  if (seen.mayName) return undefined;
  if (!seen.hasUnknown && isUnwilling(cues)) return 'refusal';
  if (isRefusing(cues) || (seen.isTouchy && isPreaching(cues))) return 'refusal';
  if (isMechanical(cues)) return 'stock_phrase';
  return seen.isTalking && !seen.hasUnknown && cues.words >= MIN_TALK_WORDS && cues.specificShare <= MAX_TALK_SPECIFIC
    ? 'stock_phrase'
    : undefined;
}

const MIN_TALK_WORDS = 8;
const MAX_TALK_SPECIFIC = 0.13;

/** A text that mostly declines, or declines and then warns, and says little that is of one market. */
const isRefusing = ({ declines, declinedShare, cautionShare, specificShare, words }: Cues): boolean =>
  declines > 0 &&
  ((declinedShare >= 0.55 && specificShare <= 0.5 && words <= MAX_SHORT_WORDS) ||
    (declinedShare >= 0.38 && specificShare <= 0.3) || (declinedShare + cautionShare >= 0.6 && specificShare <= 0.25));

/** A text that mostly denies something of the speaker, in words that say nothing of a market. */
const isUnwilling = ({ isDenying, otherShare, words }: Cues): boolean =>
  isDenying && words >= MIN_UNWILLING_WORDS && otherShare <= 0.2;

const MIN_UNWILLING_WORDS = 6;

const isPreaching = ({ cautions, cautionShare, otherShare }: Cues): boolean =>
  ((cautions >= 2 && cautionShare >= 0.4) || cautions >= 4) && otherShare <= 0.35;

/** The words of errors and disclaimers, one close to another. */
const isMechanical = ({ machine, machineShare, otherShare, words }: Cues): boolean =>
  machineShare >= 0.75 &&
  otherShare <= 0.25 &&
  ((machine >= 5 && words <= MAX_MACHINE_WORDS) || (machine >= 3 && words <= MAX_SHORT_WORDS));

const MAX_MACHINE_WORDS = 80;
const MAX_SHORT_WORDS = 24;

/** So many of them that a word like a name is none. */
export const isMachineText = ({ machine, machineShare, specificShare }: Cues): boolean =>
  machine >= 8 && machineShare >= 0.9 && specificShare <= 0.35;

/** Instructions to a machine, whatever names are in them. */
export const isInstruction = ({ machine, machineShare }: Cues): boolean => machine >= 5 && machineShare >= 0.75;

/** Whether a text begins as instructions to a machine do. */
export function isOrdered(parts: readonly AnswerPart[], language: PromptLanguage): boolean {
  const opening = parts[0] === undefined ? '' : readWords(parts[0], language);
  return compiled[language].order.some((order) => opening.startsWith(order));
}
