import { promptLanguages, type PromptLanguage } from '../prompts/prompt-set.ts';
import { isTouchy } from './cue-stems.ts';
import {
  type Cues,
  isAcknowledgement,
  isAskingBack,
  isGoingOn,
  isOrdered,
  isPromise,
  listTellingParts,
  readCues,
} from './cues.ts';
import { isEcho, isPointingNowhere } from './echo.ts';
import {
  isInstruction,
  isMachineText,
  isDenseMachine,
  isPlainFailure,
  isPlainlyDeclining,
  judgeCues,
} from './judge-cues.ts';
import { hasUnknownCapital, listSpecific } from './plain-words.ts';
import { isForSeeing, isImpersonal, isNarrative, isOpenedByArticle } from './narrative.ts';
import { hasTradeWord, isAboutAsked, isOffMarket, isOpenedByWhich, isPast, joinSaid } from './off-market.ts';
import { isOffTopic } from './off-topic.ts';
import { hasBareName, hasPlacedName, hasPossibleName, isAsked, listCapitals } from './known-words.ts';
import { type AnswerPart, normaliseSigns, normaliseWords, readEnds, splitParts } from './parts.ts';
import { classifyRawText, readBesideCode, removePlaces } from './raw-text.ts';
import { isReferral } from './referral.ts';
import type { RefusalKind } from './refusal-kinds.ts';
import { hasMark, hasSubstance } from './substance.ts';
import { type PartKind, type TalkReading, type ReadPart, readTalk } from './talk.ts';
import { identifyLanguage, isInOtherLanguage } from './written-language.ts';

/** What an answer is judged by. Without `language` nothing is said of the language it is in. */
export type AnswerContext = { prompt: string; language: PromptLanguage | undefined; niche: string };

/**
 * Why a text is no answer to its prompt; undefined for a real answer, and wherever that is unsure, since a refusal that is
 * none takes an answer from the measurement. Reads phrases, not meaning: eight languages have their tables.
 */
export function classifyAnswer(text: string, about: AnswerContext): RefusalKind | undefined {
  const read = readEnds(text);
  const raw = classifyRawText(read);
  if (raw !== undefined) return raw;
  const guess = identifyLanguage(read, about.language);
  const known = guess === 'other' ? undefined : guess;
  const language = about.language ?? known ?? 'en';
  const parts = splitParts(read);
  const spoken = known ?? language;
  const reading = {
    asked: normaliseAsked(about, spoken),
    tables: selectTables(about.language, guess),
    language: spoken,
  };
  const beside = readBesideCode(read, `${about.niche} ${about.prompt}`);
  if (beside !== undefined) return isSaid(splitParts(beside), reading) ? undefined : 'off_topic';
  const rest = removePlaces(read);
  if (rest !== undefined && parts.length <= MAX_CUE_PARTS && !isSaid(splitParts(rest), reading)) return 'stock_phrase';
  const talk = isPlainlySaid(parts, reading) ? [] : readTalk(parts, reading);
  const said = decide(talk, reading);
  const isSure = said === 'refusal' || talk.some(({ kind }) => kind === 'fails');
  const kind = (isSure ? said : undefined) ?? decideByCues(parts, talk, reading, about) ?? said;
  if (about.language !== undefined && isInOtherLanguage(read, about.language)) return 'wrong_language';
  if (kind !== undefined) return kind;
  const isNamed = isSaid(parts, reading) || (spoken === 'de' && isNaming(parts, reading));
  const isLone =
    spoken === 'ja' &&
    !/[「『A-Za-zＡ-Ｚ\d０-９]/u.test(read) &&
    parts.filter((part) => hasSubstance(part, reading.asked, 'ja')).length <= 1;
  const isUnaddressed = isImpersonal(parts, spoken);
  const market = { ...reading, niche: about.niche };
  if (
    (!isNamed || isLone || isPast(read)) &&
    isOffMarket(parts, market, isUnaddressed && isOpenedByArticle(parts, spoken) ? UNADDRESSED : undefined)
  )
    return 'off_topic';
  const isOfThePast = isUnaddressed && isNarrative(read, spoken) && !isForSeeing(`${about.prompt} ${about.niche}`);
  if (isOfThePast && isOffMarket(parts, market, OF_THE_PAST)) return 'off_topic';
  const seen = { language, hasNames: isSaid(parts, reading), mayName: isNaming(parts, reading) };
  return isOffTopic(read, parts, about, seen) ? 'off_topic' : undefined;
}

/** Words of a text that speaks to no one, from which on its silence about the market says something, with names and without. */
const OF_THE_PAST = { words: 18, specific: 0.2 } as const;
const UNADDRESSED = { words: 17 } as const;

/** What the words say of a text in which no phrase was known. */
function decideByCues(
  parts: readonly AnswerPart[],
  read: readonly ReadPart[],
  reading: TalkReading,
  about: AnswerContext,
): RefusalKind | undefined {
  const { asked, language } = reading;
  if (isAcknowledgement(parts.map(({ text }) => text).join(' '), language)) return 'stock_phrase';
  if (parts.length > MAX_CUE_PARTS) return undefined;
  if (isQuestioning(parts, reading) || isReferral(parts, reading)) return 'refusal';
  const mayOrder = isOrdered(parts, language) && !ABOUT_ASSISTANTS.test(about.niche);
  if (isEchoing(parts, read, reading, about.prompt) || isLeadingNowhere(parts, reading)) return 'stock_phrase';
  const isSubstance = read.some(({ kind }) => kind === 'substance') || isSaid(parts, reading);
  const cues = readCues(parts, asked, language);
  const hasUnknown = parts.some((part) =>
    language === 'de'
      ? hasPlacedName(part, asked) || hasBareName(part, asked)
      : hasUnknownCapital(part, asked, language),
  );
  const mayBeOption = hasUnknown || parts.some(hasMark) || (language === 'ja' && cues.otherShare > 0.05);
  if (!mayBeOption && isPlainlyDeclining(cues)) return 'refusal';
  const isFailing = read.some(({ kind }) => kind === 'fails');
  if (isFailing ? isPlainFailure(cues) : isDenseMachine(cues) && !isSaid(parts, reading)) return 'stock_phrase';
  if (isSaid(parts, reading) && !mayOrder) return undefined;
  if (mayOrder && isInstruction(cues)) return 'stock_phrase';
  if (isMachineText(cues) && !isSaid(parts, reading)) return 'stock_phrase';
  if (isFailing && cues.words <= MAX_FAILED_WORDS && !isSaid(parts, reading) && !hasTradeWord(parts, language))
    return 'stock_phrase';
  if (isSubstance) return undefined;
  const isGreeted = read.some(({ kind, part }) => kind === 'courtesy' && part.isQuestion);
  if (!isGreeted && isAskingBack(parts)) return 'refusal';
  if (isCutOff(parts) || isStatus(parts, cues.machine)) return 'stock_phrase';
  const mayName = language === 'de' ? isNaming(parts, reading) : hasUnknown;
  if (!mayName && cues.words <= MAX_SHORT_TALK && isPromise(readFirst(parts), language)) return 'stock_phrase';
  const judged = judgeCues(cues, {
    isTouchy: isTouchy(asked, language),
    mayName,
    mayNameBeside: listTellingParts(parts, language).some((part) => hasUnknownCapital(part, asked, language)),
    hasUnknown,
    isTalking: isTalking(read) && !hasAskedName(parts, about),
    // A sentence of kana has no runs that could be words of their own.
    hasTrade: hasTradeWord(parts, language) || (language === 'ja' && cues.machine === 0),
    isWhich: isOpenedByWhich(parts, language),
    isFilling: read.some(({ kind }) => kind === 'fills') && !hasAskedName(parts, about),
  });
  return judged ?? (!mayName && isBareStatus(parts, cues, reading) ? 'stock_phrase' : undefined);
}

const hasNameBeside = (plain: readonly AnswerPart[], { asked, language }: TalkReading): boolean =>
  language !== 'de' && plain.some((part) => hasUnknownCapital(part, asked, language));

/** Questions one after the other, of which one has no name: a name in another one is what the reader may have or want. */
function isQuestioning(parts: readonly AnswerPart[], reading: TalkReading): boolean {
  const questions = parts.filter(({ isQuestion }) => isQuestion);
  if (questions.length < 2 || parts.at(-1)?.isQuestion !== true || parts.some(({ isEntry }) => isEntry)) return false;
  const others = parts.filter(({ isQuestion }) => !isQuestion);
  if (isSaid(others, reading) || questions.every((part) => isSaid([part], reading))) return false;
  return isAskingBack(parts) || readCues(others, reading.asked, reading.language).otherShare <= MAX_BESIDE_QUESTIONS;
}

/** The question again, and talk at most. */
const isEchoing = (
  parts: readonly AnswerPart[],
  read: readonly ReadPart[],
  { asked, language }: TalkReading,
  prompt: string,
): boolean => {
  if (parts.length > MAX_ECHOING_PARTS) return false;
  const echoes = parts.filter((part) => isEcho(part, prompt, asked, language));
  return echoes.length > 0 && parts.every((part) => echoes.includes(part) || isTalkPart(part, read));
};

const isTalkPart = (part: AnswerPart, read: readonly ReadPart[]): boolean =>
  read.some((one) => one.part === part && one.kind !== 'plain' && one.kind !== 'substance');

/** Words of its own, from which on a sentence before the pointer may be the answer. */
const MIN_ANSWERING_WORDS = 2;
/** What the speaker has done for the answer is not the answer. */
const HAS_DONE =
  / (?:(?:i|we) (?:ve|have)|ich habe|wir haben|habe ich|j ai|nous avons|he|hemos|(?:eu )?(?:reuni|fiz|analisei|comparei)|ho|abbiamo|(?:ik )?heb|hebben) /u;

/** "Below you find a comparison of the best." and nothing below, and no answer before it. */
const isLeadingNowhere = (parts: readonly AnswerPart[], reading: TalkReading): boolean =>
  isPointingNowhere(parts, reading.language) &&
  (hasSubject(parts.at(-1), reading) || !parts.slice(0, -1).some((part) => canAnswer(part, reading))) &&
  !isSaid(parts, reading) &&
  !hasNameBeside(parts.slice(-1), reading) &&
  !(reading.language === 'de' && parts.some((part) => hasPlacedName(part, reading.asked)));

/** A pointer that says again what was asked for promises the whole answer. */
const hasSubject = (last: AnswerPart | undefined, { asked }: TalkReading): boolean =>
  (last?.words.split(' ').filter((word) => word.length >= MIN_SUBJECT_CHARS && isAsked(word, asked)).length ?? 0) >=
  MIN_SUBJECT_WORDS;
const MIN_SUBJECT_CHARS = 4;
const MIN_SUBJECT_WORDS = 2;

const canAnswer = (part: AnswerPart, { asked, language }: TalkReading): boolean =>
  !HAS_DONE.test(part.words) && listSpecific(part, asked, language).length >= MIN_ANSWERING_WORDS;

/** "Here is a comparison:" and nothing behind it. */
const isCutOff = (parts: readonly AnswerPart[]): boolean =>
  parts.length <= 3 && /[:：]$/u.test(parts.at(-1)?.text ?? '');

/** "429: too many requests": a status of HTTP before words of errors. */
const isStatus = (parts: readonly AnswerPart[], machineWords: number): boolean =>
  machineWords >= 2 && /^\W{0,3}[45]\d\d(?!\d)/u.test((parts[0]?.text ?? '').normalize('NFKC'));

/** Words of machines in nearly every sentence of a short text that has neither the question's words nor those of trade. */
const isBareStatus = (parts: readonly AnswerPart[], cues: Cues, { asked, language }: TalkReading): boolean =>
  language !== 'ja' &&
  cues.machine >= 2 &&
  cues.machineShare >= 0.7 &&
  cues.otherShare <= 0.25 &&
  cues.words <= MAX_STATUS_WORDS &&
  !hasTradeWord(parts, language) &&
  !isAboutAsked(joinSaid(parts, language), asked, language);

const isTalking = (read: readonly ReadPart[]): boolean =>
  read.some(({ kind, part }) => TALKING.has(kind) || /[!！?？…]/u.test(part.text));

/** Whether a text has a name that the question has, too ("Acme or Beta?"). */
function hasAskedName(parts: readonly AnswerPart[], { prompt, niche }: AnswerContext): boolean {
  const niches = normaliseWords(niche);
  const names = listCapitals(prompt.trim().replace(/^[^\p{L}]{0,3}\p{L}{1,40}(?=\s)/u, ' ')).filter(
    (name) => !niches.includes(name.slice(0, 5)),
  );
  return parts.some(({ words }) => names.some((name) => words.includes(` ${name} `)));
}

/** Parts of a text that says no more than the question. */
const MAX_ECHOING_PARTS = 5;
/** Share of words of their own in sentences that only lead to questions. */
const MAX_BESIDE_QUESTIONS = 0.12;
/** Words of an error and what to do about it. */
const MAX_FAILED_WORDS = 30;
/** Words of "Understood, I am on it." */
const MAX_SHORT_TALK = 12;
const readFirst = (parts: readonly AnswerPart[]): string => (parts[0]?.text ?? '').split(/[,、:]/u, 1)[0] ?? '';

/** Words of a message of a machine. */
const MAX_STATUS_WORDS = 24;

/** Parts of a text that is judged by its words: talk is short. */
const MAX_CUE_PARTS = 20;
const TALKING: ReadonlySet<PartKind> = new Set(['courtesy', 'announces', 'fills', 'asks', 'offers']);
/** Markets where an instruction may be the answer. */
const ABOUT_ASSISTANTS = /prompt|chatbot|プロンプト|チャットボット/iu;

/** Parts with names or prices, and their share, from which on no phrase makes talk of a text. */
const SURE_PARTS = 5;
const SURE_SHARE = 0.4;

const isPlainlySaid = (parts: readonly AnswerPart[], { asked, language }: TalkReading): boolean => {
  if (parts.length < SURE_PARTS) return false;
  const said = parts.filter((part) => hasSubstance(part, asked, language)).length;
  return said >= SURE_PARTS && said >= parts.length * SURE_SHARE;
};

const isSaid = (parts: readonly AnswerPart[], { asked, language }: TalkReading): boolean =>
  parts.some((part) => hasSubstance(part, asked, language));

const isNaming = (parts: readonly AnswerPart[], { asked, language }: TalkReading): boolean =>
  parts.some((part) =>
    language === 'de' ? hasPlacedName(part, asked) : language !== 'ja' && hasPossibleName(part, asked, language),
  );

const normaliseAsked = ({ prompt, niche }: AnswerContext, language: PromptLanguage): string =>
  language === 'ja' ? normaliseSigns(`${prompt}${niche}`).toLowerCase() : normaliseWords(`${prompt} ${niche}`);

/** Languages whose phrases are looked for: that of the question, that of the text, and English, which engines fall back to. */
function selectTables(
  asked: PromptLanguage | undefined,
  guess: ReturnType<typeof identifyLanguage>,
): readonly PromptLanguage[] {
  if (asked === undefined && guess === undefined) return promptLanguages;
  const found = [asked, guess === 'other' ? undefined : guess, 'en' as const];
  return [...new Set(found.filter((one): one is PromptLanguage => one !== undefined))];
}

/** Share of the words that may be plain where a refusal was read, and where only talk was. */
const MAX_PLAIN_BESIDE_REFUSAL = 0.45;
const MAX_PLAIN_BESIDE_TALK = 0.34;
/** Cautions that make a refusal where the reader is sent to someone else and nothing else is said. */
const MIN_CAUTIONS = 2;

function decide(read: readonly ReadPart[], reading: TalkReading): RefusalKind | undefined {
  const parts = read.map(({ part }) => part);
  const count = (kind: PartKind): number => read.filter((one) => one.kind === kind).length;
  if (count('substance') > 0 || isGoingOn(parts, reading.language)) return undefined;
  const share = computePlainShare(read);
  const declines = count('refuses') + count('limits');
  if (declines > 0) return share <= MAX_PLAIN_BESIDE_REFUSAL ? 'refusal' : undefined;
  const plain = read.filter(({ kind }) => kind === 'plain').map(({ part }) => part);
  if (share > MAX_PLAIN_BESIDE_TALK || hasNameBeside(plain, reading)) return undefined;
  if (count('fails') > 0) return 'stock_phrase';
  if (count('asks') > 0) return 'refusal';
  if (count('caution') >= MIN_CAUTIONS && count('offers') > 0 && share === 0) return 'refusal';
  const talk = count('courtesy') + count('announces') + count('fills') + count('offers');
  return talk > 0 && count('caution') <= talk ? 'stock_phrase' : undefined;
}

/** Share of the words in parts that nothing is known of. */
function computePlainShare(read: readonly ReadPart[]): number {
  const sizeOf = ({ part }: ReadPart): number => Math.max(part.wordCount, part.text.length / 12);
  const all = read.reduce((sum, one) => sum + sizeOf(one), 0);
  const plain = read.filter(({ kind }) => kind === 'plain').reduce((sum, one) => sum + sizeOf(one), 0);
  return all === 0 ? 0 : plain / all;
}
