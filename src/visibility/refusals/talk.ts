import { type PromptLanguage } from '../prompts/prompt-set.ts';
import { hasPlacedName, hasPossibleName } from './known-words.ts';
import { type AnswerPart, normaliseSigns, normaliseWords, splitClauses } from './parts.ts';
import {
  countStems,
  isAnyRuleMet,
  listPhrases,
  measureOpening,
  type PhraseKind,
  phraseKinds,
} from './phrases/phrase-table.ts';
import { phrasesOf } from './phrases/phrases.ts';
import { firstPerson } from './phrases/first-person-data.ts';
import { removePraise } from './phrases/praise-data.ts';
import { hasUnknownCapital, listSpecific } from './plain-words.ts';
import { requestStems } from './phrases/requests-data.ts';
import { hasSubstance } from './substance.ts';

/** What a part is: one of the kinds of talk, a caution, nothing that we know, or what answers are made of. */
export type PartKind = PhraseKind | 'caution' | 'plain' | 'substance';
export type ReadPart = { part: AnswerPart; kind: PartKind };
/** `asked`: the question and the niche, normalised. `isFailed` is false where the whole text is known to be no error. */
export type TalkReading = {
  asked: string;
  tables: readonly PromptLanguage[];
  language: PromptLanguage;
  isFailed?: boolean;
};

/** Words from which on a sentence with names or prices is an answer, whatever phrase is in it. */
const MAX_TALK_WORDS = 36;
/** Longest greeting in words, and characters of one that is plain wherever it is. */
const MAX_COURTESY_WORDS = 16;
const MIN_COURTESY_CHARS = 12;
/** Languages that put what is denied between the two halves of a verb: both halves must be in one clause. */
const CLAUSE_LANGUAGES: readonly PromptLanguage[] = ['de', 'nl'];
/** Weight of phrases below which a text of one kind of talk has not shown that it is none. */
const MIN_PHRASE_WEIGHT = 2;

/** The parts of a text up to the first that makes an answer of it, each with what it is. One weak sign in a whole text makes no talk of it. */
export function readTalk(parts: readonly AnswerPart[], reading: TalkReading): readonly ReadPart[] {
  const first = readParts(parts, reading);
  const isFailed = weighPhrases(first, 'fails', reading) >= MIN_PHRASE_WEIGHT;
  const read = isFailed ? first : readParts(parts, { ...reading, isFailed });
  const isTalk =
    read.some(({ kind }) => OPEN_TALK.has(kind)) || weighPhrases(read, 'fills', reading) >= MIN_PHRASE_WEIGHT;
  return isTalk ? read : read.map((one) => (one.kind === 'fills' ? { ...one, kind: 'plain' } : one));
}

function readParts(parts: readonly AnswerPart[], reading: TalkReading): readonly ReadPart[] {
  const read: ReadPart[] = [];
  for (const part of parts) {
    const kind = readKind(part, read.at(-1), reading);
    read.push({ part, kind: kind === 'plain' && isOfferOfMore(part, read, reading) ? 'offers' : kind });
    if (kind === 'substance') break;
  }
  return read;
}

/** "I could instead:" behind a refusal, whatever the words. */
const isOfferOfMore = ({ text, words }: AnswerPart, before: readonly ReadPart[], { language }: TalkReading): boolean =>
  /[:：]$/u.test(text) &&
  firstPerson[language]?.test(words) !== false &&
  before.some(({ kind }) => kind === 'refuses' || kind === 'limits');

/** Talk beside which one general phrase is enough. */
const OPEN_TALK: ReadonlySet<PartKind> = new Set([
  'courtesy',
  'announces',
  'offers',
  'asks',
  'refuses',
  'limits',
  'fails',
]);

/** Weight of one word, where a longer phrase weighs 2. */
const WORD_WEIGHT = { fails: 0.5, fills: 1 } as const;

/** How much the parts of a kind say: a word alone is in answers too ("maintenance"), two words or an ending are seldom. */
function weighPhrases(read: readonly ReadPart[], kind: 'fails' | 'fills', { tables }: TalkReading): number {
  const texts = read.filter((one) => one.kind === kind).map(({ part }) => part);
  const found = tables.flatMap((table) =>
    texts.flatMap((part) =>
      listPhrases(phrasesOf[table].rules[kind], table === 'ja' ? normaliseSigns(part.text) : part.words),
    ),
  );
  const weigh = (phrase: string): number =>
    kind === 'fails' && (phrase.trim().includes(' ') || /\p{Script=Hiragana}/u.test(phrase)) ? 2 : WORD_WEIGHT[kind];
  const questions = kind === 'fills' ? texts.filter(({ isQuestion }) => isQuestion).length : 0;
  return [...new Set(found)].reduce((sum, phrase) => sum + weigh(phrase), questions);
}

function readKind(part: AnswerPart, before: ReadPart | undefined, reading: TalkReading): PartKind {
  const { language, asked } = reading;
  if (part.wordCount === 0) return 'announces';
  if (part.isEntry && before?.kind === 'asks') return 'asks';
  if (part.isEntry && before?.kind === 'offers' && !hasSubstance(part, asked, language)) return 'offers';
  const kinds = findKinds(part, reading);
  if (reading.isFailed === false) kinds.delete('fails');
  const isSubstance = hasSubstance(part, asked, language);
  if (language === 'ja' && JAPANESE_REQUEST.test(part.text)) return 'asks';
  if (part.wordCount > MAX_TALK_WORDS && isSubstance) return 'substance';
  // "I cannot recommend Acme: ..." is an answer.
  if (kinds.has('refuses')) return !kinds.has('offers') && isSubstance ? 'substance' : 'refuses';
  // A name makes "Acme works without access to the internet" of the same words; a second refusal decides.
  if (kinds.has('limits')) return isSubstance ? 'plain' : 'limits';
  const isNamed = isSubstance || hasPossibleName(part, asked, language);
  if (kinds.has('fails')) return isFailure(part, { isSubstance, isNamed }, reading) ? 'fails' : 'plain';
  if (part.isQuestion) {
    if (isGreeting(part, kinds, reading)) return 'courtesy';
    const asks = kinds.has('asks') ? 'asks' : 'fills';
    return (asks === 'asks' ? isSubstance : isNamed) && !kinds.has('courtesy') ? 'plain' : asks;
  }
  if (isSubstance) return kinds.has('offers') ? 'plain' : 'substance';
  if (isBareName(part, reading)) return 'substance';
  if (language !== 'ja' && !requestStems.some((stem) => part.words.includes(stem))) kinds.delete('asks');
  const talk = (['asks', 'offers', 'announces', 'courtesy', 'fills'] as const).find((kind) => kinds.has(kind));
  if (talk === 'announces' && hasSaidBehindColon(part, reading)) return 'plain';
  if (talk !== undefined) return isNamed && canName(talk, part, reading) ? 'plain' : talk;
  if (part.isEntry) return 'substance';
  return countCautions(part, reading) > 0 ? 'caution' : 'plain';
}

/** "Here is my advice: three firm springs, ..." is the answer itself. */
function hasSaidBehindColon({ text }: AnswerPart, { asked, language }: TalkReading): boolean {
  const said = text.replace(/^[^:：]*[:：]/u, '');
  if (said === text) return false;
  return listSpecific({ text: said, words: normaliseWords(said) }, asked, language).length >= MIN_SAID_WORDS;
}

const MIN_SAID_WORDS = 2;

/**
 * Talk that a name makes an answer of ("Sure: Vodafone."). In German and Japanese an offer to help with something is full of
 * nouns that look like names.
 */
const canName = (talk: PartKind, part: AnswerPart, { asked, language }: TalkReading): boolean => {
  if (talk === 'offers' && language === 'de') return hasPlacedName(part, asked);
  return talk !== 'asks' && (talk !== 'offers' || language !== 'ja');
};

/** An error names nothing that could be bought, unless it says over and over that it is one. */
function isFailure(
  part: AnswerPart,
  { isSubstance, isNamed }: { isSubstance: boolean; isNamed: boolean },
  reading: TalkReading,
): boolean {
  if (!isNamed) return true;
  const weight = weighPhrases([{ part, kind: 'fails' }], 'fails', reading);
  return weight >= (isSubstance ? SURE_FAILURE : LIKELY_FAILURE);
}

/** Weight of phrases that make an error of a part with a name, and of one with a word that may be a name. */
const SURE_FAILURE = 6;
const LIKELY_FAILURE = 4;
const MAX_BARE_WORDS = 3;
/** "What can I do for you?" asks for the question itself. */
const JAPANESE_HELP = /お手伝い|ご用件|お困り|お役に立/u;
const MAX_GREETING_WORDS = 9;

const isGreeting = (
  { text, wordCount }: AnswerPart,
  kinds: ReadonlySet<PhraseKind>,
  { language }: TalkReading,
): boolean => kinds.has('courtesy') && (language === 'ja' ? JAPANESE_HELP.test(text) : wordCount <= MAX_GREETING_WORDS);

/** A request to the reader that needs no question mark. */
const JAPANESE_REQUEST = /(?:教えて|お聞かせ|お知らせ)(?:ください|いただけ)[^、]{0,8}$/u;

/** "Vodafone.", "Albert Heijn": a sentence of nothing but a name. A German heading is one noun too. */
function isBareName(part: AnswerPart, { asked, language }: TalkReading): boolean {
  if (language !== 'de' && !hasUnknownCapital(part, asked, language)) return false;
  if (language === 'ja' || part.wordCount > MAX_BARE_WORDS || !hasPossibleName(part, asked, language)) return false;
  return (language !== 'de' || /[.!]$/u.test(part.text)) && !/(?:^|\s)\p{Ll}/u.test(part.text);
}

function findKinds(part: AnswerPart, { tables }: TalkReading): Set<PhraseKind> {
  const found = new Set<PhraseKind>();
  const signs = normaliseSigns(part.text);
  for (const table of tables) {
    const text = removePraise(table === 'ja' ? signs : part.words, table);
    for (const kind of phraseKinds) if (!found.has(kind) && isOfKind(part, table, text, kind)) found.add(kind);
  }
  return found;
}

function isOfKind(part: AnswerPart, table: PromptLanguage, text: string, kind: PhraseKind): boolean {
  const rules = phrasesOf[table].rules[kind];
  if (kind === 'courtesy') return isCourtesy(part, table, text);
  if (kind === 'limits' && firstPerson[table]?.test(text) === false) return false;
  if (kind !== 'refuses' || !CLAUSE_LANGUAGES.includes(table)) return isAnyRuleMet(rules, text);
  return splitClauses(part.text).some((clause) => isAnyRuleMet(rules, removePraise(normaliseWords(clause), table)));
}

/** A short part that opens with a greeting, or one that holds a whole sentence of them. */
function isCourtesy(part: AnswerPart, table: PromptLanguage, text: string): boolean {
  const { courtesy } = phrasesOf[table].rules;
  if (table === 'ja') return isAnyRuleMet(courtesy, text);
  if (part.wordCount <= MAX_COURTESY_WORDS && measureOpening(courtesy, text) > 0) return true;
  return courtesy.flat(2).some((phrase) => phrase.length >= MIN_COURTESY_CHARS && text.includes(phrase));
}

const countCautions = (part: AnswerPart, { tables }: TalkReading): number => {
  const signs = normaliseSigns(part.text);
  return Math.max(...tables.map((table) => countStems(phrasesOf[table].caution, table === 'ja' ? signs : part.words)));
};
