import { rememberPerKey, rememberPerObject } from '../../lib/memo.ts';
import { isCommonWord, isEverydayWord } from '../names/common-words.ts';
import type { Corpus } from './corpus.ts';
import { isJapaneseLabel, getMostCaselessChars, findBusinessFront } from './japanese.ts';
import { isLower, type Piece, splitPieces } from './pieces.ts';
import {
  germanNounEnds,
  nameConnectors,
  softFirstWords,
  stopFirstWords,
  stopHeads,
  stopLastWords,
} from './words-data.ts';
import { isSupported } from './support.ts';
import { isOpeningWord, isPlaceWord } from './more-words.ts';

const MAX_NAME_CHARS = 40;
const MAX_NAME_WORDS = 5;

/** "acme.com", "acme.co.uk": a brand that is written as its domain. */
const DOMAIN =
  /^[\p{L}\p{N}-]{2,40}\.(?:com|net|org|io|ai|app|co|dev|so|me|tv|gg|de|fr|es|eu|uk|co\.uk|ch|at|be|nl|it)$/u;
/** "iRobot", "eBay", "xAI", "tRPC". */
const CAMEL = /^\p{Ll}{1,3}\p{Lu}/u;
/** "1Password", "3M", "8x8", "37signals", "7-Eleven"; not "24/7" or "4". */
const NUMBER_NAME = /^\d{1,3}-?\p{L}/u;
/** "AT&T", "H&M", "3M". */
const LETTERS_NAME = /^(?:\p{Lu}{1,3}&\p{Lu}{1,3}|\d\p{Lu})$/u;
/** "58 Surf". */
const NUMBER_BEFORE = /^\d{1,3} (?=\p{Lu})/u;
/** "GDPR-ready", "cloud-based". */
const QUALIFIED = /-\p{Ll}{3,20}$/u;
/** A brand that writes itself small: one plain word. */
const SMALL_NAME = /^\p{Ll}{4,20}\d{0,2}$/u;
/** "AES-256", "PSD2", "LS16", "R500E", "kWh": standards, codes of models and units, not names of brands. */
const TECHNICAL =
  /^\p{Lu}{2,6}-\d{1,4}$|^\p{Lu}{3,5}\d{1,4}$|^\p{Lu}{2}\d{1,3}$|^\p{Lu}\d{2,4}\p{Lu}$|^[kMGTm](?:Wh?p?|Hz|[BVJ]|Ah|bit|bps|cal|Pa)$/u;
/** "NTA 8776", "DIN EN ISO 9001": the number of a norm. */
const NORM = /^(?:\p{Lu}{2,5} ){1,4}\d{3,6}(?: \d{3})?$/u;
/** "10pm", "8kg", "24h": an amount. */
const AMOUNT =
  /^\d{1,3}-?(?:[ap]m|[AP]M|h|hrs?|min|kg|g|mg|km|cm|mm|m|ml|cl|l|L|k?Wh?|V|mAh|[GMT]B|[MG]bit|Mbps|[kMG]?Hz|k|st|nd|rd|th|er|ère|re|ème|e|o|a|º|ª|ten|ter|te|de|ste|fach|tägig|jährig)$/u;
const CASELESS = /^[\p{Lo}\p{Lm}]|^[A-Za-z0-9]{1,20}[\p{Script=Han}\p{Script=Katakana}\p{Script=Hiragana}]/u;
const FORBIDDEN = /[?;|…$€£¥%<>{}[\]=\\^~`"“”„«»]|: |(?<!(?<!\p{L})(?:Dr|Dra|St|Prof|Mr|Mrs))\.\s|https?:|@/u;

/** The text of a head, as a name is written in running text: without trade marks, possessive and outer marks. */
function cleanCandidateName(text: string): string {
  const name = text
    .slice(0, 4 * MAX_NAME_CHARS)
    .replaceAll(/[™®©*_]/gu, '')
    // "Bigin by Zoho"; "Sicily by Car" has no maker.
    .replace(/ (?:by|von|from) \p{Lu}[^,]{1,40}$/u, (maker, at: number) =>
      isPlaceWord(text.slice(0, at).trim().toLowerCase()) ? maker : '',
    )
    .replace(/[’']s?$/u, '')
    // "and", which Chinese does not part from the name.
    .replace(/^[和与與及或](?=\p{Script=Han}{2})/u, '')
    .replace(/^[\s,.:;–—(-]{1,9}/u, '')
    .replace(/[\s,.:;–—)(-]{1,9}$/u, '')
    .replace(/ ?[(（][^)）]{0,40}$/u, '')
    .trim();
  // German glues what a thing is to the name of its maker: "DATEV-Export".
  const [, maker, kind] = /^(\p{Lu}[\p{L}\d]{2,20})-(\p{Lu}\p{Ll}{2,20})$/u.exec(name) ?? [];
  return maker !== undefined && germanNounEnds.some((end) => kind?.toLowerCase().endsWith(end)) ? maker : name;
}

/**
 * Names joined in one head: "Acme vs. Beta", "Acme, Beta and Gamma", "Acme / Beta". Only words of the answers' language join:
 * "Rent and Go" is one name in Italian.
 */
export const splitNames = (head: string, corpus: Corpus): readonly string[] => splits(corpus)(head);

const splitUnknown = (head: string, language: string): readonly string[] =>
  head
    .slice(0, 4 * MAX_NAME_CHARS)
    .split(partings.get(language) ?? ANY_PARTING)
    .map(cleanCandidateName)
    .filter((name) => name !== '');

const splits = rememberPerObject(({ language }: Corpus) =>
  rememberPerKey((head: string) => splitUnknown(head, language)),
);

const ANY_PARTING =
  / (?:vs\.?|versus|and|or|und|oder|et|ou|gegen|contre) (?=[\p{Lu}\p{N}])|, (?=[\p{Lu}\p{N}])| ?\/ ?(?=\p{Lu})| \+ /u;
const partings: ReadonlyMap<string, RegExp> = new Map([
  ['en', / (?:vs\.?|versus|and|or) (?=[\p{Lu}\p{N}])|, (?=[\p{Lu}\p{N}])| ?\/ ?(?=\p{Lu})| \+ /u],
  ['de', / (?:vs\.?|versus|gegen|und|oder) (?=[\p{Lu}\p{N}])|, (?=[\p{Lu}\p{N}])| ?\/ ?(?=\p{Lu})| \+ /u],
  ['fr', / (?:vs\.?|versus|contre|et|ou) (?=[\p{Lu}\p{N}])|, (?=[\p{Lu}\p{N}])| ?\/ ?(?=\p{Lu})| \+ /u],
  ['es', / (?:vs\.?|versus|y|e|o|u) (?=[\p{Lu}\p{N}])|, (?=[\p{Lu}\p{N}])| ?\/ ?(?=\p{Lu})| \+ /u],
  ['it', / (?:vs\.?|versus|e|ed|o) (?=[\p{Lu}\p{N}])|, (?=[\p{Lu}\p{N}])| ?\/ ?(?=\p{Lu})| \+ /u],
  ['nl', / (?:vs\.?|versus|en|of) (?=[\p{Lu}\p{N}])|, (?=[\p{Lu}\p{N}])| ?\/ ?(?=\p{Lu})| \+ /u],
  ['pt', / (?:vs\.?|versus|e|ou) (?=[\p{Lu}\p{N}])|, (?=[\p{Lu}\p{N}])| ?\/ ?(?=\p{Lu})| \+ /u],
]);

/**
 * How a text is written: as a name (capitalised words that are not all ordinary ones), as what may be one (to be believed
 * when more than one answer has it), as an ordinary word (to be believed when a verb follows), or as something else: a sentence, question, date, price, feature or kind of thing.
 * `corpus` says how the words are written elsewhere in the run.
 */
export const judgeName = (name: string, corpus: Corpus): NameVerdict => verdicts(corpus)(name);

type NameVerdict = 'name' | 'doubtful' | 'ordinary' | 'other';

/** A name recurs in the answers of a run, and is judged once. */
const verdicts = rememberPerObject((corpus: Corpus) => rememberPerKey((name: string) => judgeUnknown(name, corpus)));

function judgeUnknown(name: string, corpus: Corpus): NameVerdict {
  if (name.length < 2 || name.length > MAX_NAME_CHARS || FORBIDDEN.test(name) || !/\p{L}/u.test(name)) return 'other';
  const lower = name.toLowerCase();
  if (NORM.test(name) || AMOUNT.test(name)) return 'other';
  const [number] = NUMBER_BEFORE.exec(name) ?? [];
  if (number !== undefined) return isNumberedName(name.slice(number.length), corpus) ? 'doubtful' : 'other';
  if (stopHeads.has(lower) || (lower.includes('-') && stopHeads.has(lower.replaceAll('-', ' ')))) return 'other';
  if (CASELESS.test(name)) {
    const isBusiness = findBusinessFront(name) !== undefined && isSupported(name, corpus.support);
    return name.length <= getMostCaselessChars(name) && (isBusiness || !isJapaneseLabel(name)) ? 'name' : 'other';
  }
  const words = name.split(' ');
  const [first = ''] = words;
  const last = words.at(-1) ?? '';
  if (words.length > MAX_NAME_WORDS || !words.every(isNameWord) || nameConnectors.has(last)) return 'other';
  if (nameConnectors.has(first) || (stopFirstWords.has(first.toLowerCase()) && !isTitle(words))) return 'other';
  if (isSmall(first)) return 'doubtful';
  if (words.length === 1 && ((isOpeningWord(lower) && !isNamedInside(lower, corpus)) || TECHNICAL.test(name)))
    return 'other';
  if (isCommon(name, corpus)) return isPossibleName(words, corpus) ? 'doubtful' : 'ordinary';
  if (words.length > 1 && stopLastWords.has(last.toLowerCase())) return 'doubtful';
  if (corpus.isGerman && !/\p{Ll}\p{Lu}/u.test(name) && germanNounEnds.some((end) => lower.endsWith(end)))
    return 'doubtful';
  const isUnseen = words.length === 1 && !corpus.capitalised.has(lower) && isEverydayWord(first);
  return isUnseen || stopFirstWords.has(first.toLowerCase()) ? 'doubtful' : 'name';
}

/** Whether what is behind a number is written as a name: not "30 Tage", where capitals show nothing. */
const isNumberedName = (rest: string, corpus: Corpus): boolean => !corpus.isGerman && isWrittenAsName(rest, corpus);

/** Whether the run has the word with a capital inside sentences, and never small: "consiglio Prima". */
const isNamedInside = (lower: string, corpus: Corpus): boolean =>
  (corpus.capitalised.get(lower) ?? 0) > 0 && !corpus.lower.has(lower);

/** Whether a text is written as a name beyond doubt. */
export const isWrittenAsName = (name: string, corpus: Corpus): boolean => judgeName(name, corpus) === 'name';

/** Ordinary words may still be a name ("Home Chef") when they hardly ever stand together in lower case. */
const isPossibleName = (words: readonly string[], { lowerPairs }: Corpus): boolean =>
  words.length > 1 &&
  !stopLastWords.has((words.at(-1) ?? '').toLowerCase()) &&
  words.every((word, index) => index === 0 || (lowerPairs.get(`${words[index - 1]} ${word}`.toLowerCase()) ?? 0) < 2);

/** "Less Annoying CRM", "Better Stack": a first word that opens sentences may open a name when all words are capitalised. */
const isTitle = (words: readonly string[]): boolean =>
  softFirstWords.has((words[0] ?? '').toLowerCase()) &&
  words.length > 1 &&
  words.every((word) => /^\p{Lu}/u.test(word));

/** "sevdesk", "monday CRM": a name that begins with a small letter, and no inner capital or domain says so. */
const isSmall = (first: string): boolean => isLower(first) && !CAMEL.test(first) && !DOMAIN.test(first);

/** Whether every word of the text is an ordinary one in the answers of this run. */
export const isCommon = (name: string, corpus: Corpus): boolean => commons(corpus)(name);

const commons = rememberPerObject((corpus: Corpus) => rememberPerKey((name: string) => isUnknownCommon(name, corpus)));

function isUnknownCommon(name: string, corpus: Corpus): boolean {
  if (DOMAIN.test(name.toLowerCase()) || CAMEL.test(name) || LETTERS_NAME.test(name)) return false;
  const pieces = splitPieces(name).filter(({ text }) => /\p{L}/u.test(text));
  return pieces.every((piece) => isCommonPiece(piece, corpus));
}

function isCommonPiece({ key, text }: Piece, { lower, capitalised, afterArticle }: Corpus): boolean {
  if (text.length === 1 || stopFirstWords.has(key) || nameConnectors.has(key)) return true;
  const small = lower.get(key) ?? 0;
  const great = capitalised.get(key) ?? 0;
  // "die ING": an article makes no noun of what is all capitals.
  return small > great || (!/^\p{Lu}{2,6}$/u.test(text) && (afterArticle.get(key) ?? 0) > great);
}

function isNameWord(word: string, index: number, words: readonly string[]): boolean {
  if (QUALIFIED.test(word)) return false;
  if (/^[\p{Lu}\p{Lo}\p{Lt}]/u.test(word) || CAMEL.test(word) || DOMAIN.test(word)) return true;
  if (word === '&' || word === '+') return index > 0 && index < words.length - 1;
  if (/^\p{N}/u.test(word)) return index > 0 ? word.length <= 6 : NUMBER_NAME.test(word);
  if (/^\.\p{Lu}/u.test(word)) return true;
  if (index > 0) return nameConnectors.has(word);
  return SMALL_NAME.test(word) && !isCommonWord(word);
}
