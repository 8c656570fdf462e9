import { isAlwaysCapital } from './common-words.ts';
import type { FoldedText } from './folded-text.ts';
import {
  adverbs,
  brandCompounds,
  brandPrefixes,
  compoundNouns,
  labelWords,
  pronouns,
  symbolNouns,
  wordsAfterBrands,
  wordsBeforeDays,
} from './ordinary-use-data.ts';

/** A place of a name, and what it is written in. Positions are in the folded text. */
export type Place = {
  text: FoldedText;
  start: number;
  end: number;
  /** The sentence around it. */
  from: number;
  to: number;
  /** Whether it stands in a heading, or as the front of a list item or row, where words get capitals for their place. */
  isTitle: boolean;
  /** Whether it stands in the header row of a table. */
  isColumnHead: boolean;
};

/** Characters around a name that are looked at. */
const MAX_NEAR_CHARS = 60;

/**
 * Whether a common word, though its capitals are those of the name, is used as the word here: it opens an imperative ("Target
 * the ..."), is part of a compound ("Ring size"), stands in capitals like the words around it, or is a day of the week.
 */
export function isOrdinaryUse(place: Place): boolean {
  const near = nearOf(place);
  if (near.word.endsWith("'s") || isContraction(near)) return isContraction(near);
  if (isOtherCompound(near) || COMPOUND_NOUNS.has(near.next)) return true;
  if (LABEL_WORDS.has(near.word) && near.opens && (place.isColumnHead || /^: {0,2}[\p{Ll}\d]/u.test(near.after)))
    return true;
  if (isInCapitals(place)) return !isAlone(near);
  if (isAlwaysCapital(near.word)) return isDay(near);
  if (near.opens && PRONOUNS.has(near.word)) return !isCapital(near.nextExact) && !isAlone(near);
  if (near.opens && ADVERBS.has(near.word)) return isAdverb(near);
  if (place.isTitle && isTitleCase(place)) return isWordOfTitle(near);
  return near.opens && opensOrdinarily(near);
}

/**
 * The same for a name of several common words that is written apart with a name's capitals: only capitals all around, or an
 * article in a title ("The Best Buy for Families"), show a phrase.
 */
export function isOrdinaryPhrase(place: Place): boolean {
  const near = nearOf(place);
  if (isInCapitals(place)) return !isAlone(near);
  return place.isTitle && isTitleCase(place) && isWordOfTitle(near);
}

/** Whether a name of three letters or fewer is a symbol, a unit or a part of a model's name here: "O2 sensor", "$3M", "iPhone X". */
export function isSymbolUse(place: Place): boolean {
  const near = nearOf(place);
  if (SYMBOL_NOUNS.has(near.next) || /[$€£]$/u.test(near.before)) return true;
  if (/^\d/u.test(near.word)) return isQuantity(near);
  if (UNITS.has(near.word) && /^\d/u.test(near.previous)) return true;
  if (near.word.length > 1) return isOtherCompound(near);
  return (
    isOtherCompound(near) || /(?:\p{Lu}\p{L}{0,20}|\d) $/u.test(near.beforeExact) || /^ ?[=+*/^]/u.test(near.after)
  );
}

type Near = {
  word: string;
  wordExact: string;
  /** Text of the sentence before the name and after it, at most 60 characters each, lower case and as written. */
  before: string;
  after: string;
  beforeExact: string;
  afterExact: string;
  /** Words next to it, when only spaces are between. */
  previous: string;
  next: string;
  nextExact: string;
  /** Whether it is the first word of its sentence, cell or line. */
  opens: boolean;
};

function nearOf({ text, start, end, from, to }: Place): Near {
  const low = Math.max(from, start - MAX_NEAR_CHARS);
  const high = Math.min(to, end + MAX_NEAR_CHARS);
  const before = text.lower.slice(low, start);
  const after = text.lower.slice(end, high);
  const next = /^ {1,3}([\p{L}\p{N}][\p{L}\p{N}']{0,40})/u.exec(text.exact.slice(end, high))?.[1] ?? '';
  return {
    word: text.lower.slice(start, end),
    wordExact: text.exact.slice(start, end),
    before,
    after,
    beforeExact: text.exact.slice(low, start),
    afterExact: text.exact.slice(end, high),
    previous: /([\p{L}\p{N}']{1,40}) {1,3}$/u.exec(before.slice(-44))?.[1] ?? '',
    next: next.toLowerCase(),
    nextExact: next,
    opens: OPENING.test(before),
  };
}

/** Nothing but marks, pictures and numbers stands before, or a mark after which people begin anew. */
const OPENING = /(?:^|[:|–—•;"(] ?)[^\p{L}:|–—•;"(]{0,20}$/u;

const setOf = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/u).filter((word) => word !== ''));

const WORDS_AFTER_BRANDS = setOf(wordsAfterBrands);
const ADVERBS = setOf(adverbs);
const PRONOUNS = setOf(pronouns);
const COMPOUND_NOUNS = setOf(compoundNouns);
const LABEL_WORDS = setOf(labelWords);
const SYMBOL_NOUNS = setOf(symbolNouns);
const WORDS_BEFORE_DAYS = setOf(wordsBeforeDays);
const BRAND_COMPOUNDS = setOf(brandCompounds);
const BRAND_PREFIXES = setOf(brandPrefixes);
const UNITS = setOf('hp kw mb gb tb kg cm mm km oz lb ft ml mi ps am pm ev v w a m l g k');
const ARTICLES = setOf('a an the your our their its my his her each every this that any some no right clear new');

const isCapital = (word: string): boolean => /^\p{Lu}/u.test(word);

const isContraction = ({ after }: Near): boolean => /^'(?:t|re|ve|ll|m|d)(?!\p{L})/u.test(after);

/** "Ring-shaped", "Pro-Max" and "X-ray" are other words; "Apple-branded" and "non-Apple" name Apple. */
function isOtherCompound({ before, afterExact }: Near): boolean {
  const suffix = /^-(\p{L}{1,20})/u.exec(afterExact)?.[1];
  // German writes "Apple-Gerät": a compound with a noun names the brand.
  if (suffix !== undefined && !isCapital(suffix) && !BRAND_COMPOUNDS.has(suffix)) return true;
  const prefix = /([\p{L}\p{N}]{1,20})-$/u.exec(before.slice(-22))?.[1];
  return prefix !== undefined && !BRAND_PREFIXES.has(prefix);
}

/** No small letter in a sentence of several words: capitals say nothing. */
function isInCapitals({ text, from, to, start, end }: Place): boolean {
  if (/\p{Ll}/u.test(text.exact.slice(start, end))) return false;
  const around = `${text.exact.slice(Math.max(from, start - MAX_NEAR_CHARS), start)} ${text.exact.slice(end, Math.min(to, end + MAX_NEAR_CHARS))}`;
  return /\p{Lu}{2}/u.test(around) && !/\p{Ll}/u.test(around);
}

/** Nothing else with letters stands on the line, or a mark parts it from the rest. */
const isAlone = ({ opens, after }: Near): boolean => opens && /^(?:[^\p{L}\p{N}]{0,60}$| ?[:|–—(]| - )/u.test(after);

function isDay({ wordExact, previous, next, nextExact, opens, after }: Near): boolean {
  // "on monday CRM": a day has a capital.
  if (!isCapital(wordExact) && isCapital(nextExact) && !isAlwaysCapital(next)) return false;
  if (WORDS_BEFORE_DAYS.has(previous) || isAlwaysCapital(next)) return true;
  if (/^(?:morning|afternoon|evening|night|noon|through|to|at|\d{1,4})$/u.test(next)) return true;
  if (/^, ?(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|\d)/u.test(after)) return true;
  if (isCapital(nextExact)) return false;
  return !opens || (next !== '' && !WORDS_AFTER_BRANDS.has(next));
}

/** Most words of the sentence have a capital. */
function isTitleCase({ text, from, to, start, end }: Place): boolean {
  const line = `${text.exact.slice(from, start)} ${text.exact.slice(end, to)}`.slice(0, MAX_TITLE_CHARS);
  const words = line.match(/\p{L}{4,40}/gu) ?? [];
  return words.length > 0 && words.every(isCapital);
}
const MAX_TITLE_CHARS = 200;

/** "Set a Target", "Find the Right Ring": an article before and nothing behind it that would be the brand's. */
const isWordOfTitle = ({ previous, nextExact }: Near): boolean =>
  ARTICLES.has(previous) && (nextExact === '' || !isCapital(nextExact));

/** "Away from home", "Later, ...": no verb and no capital behind it. */
const isAdverb = (near: Near): boolean =>
  !isCapital(near.nextExact) && !WORDS_AFTER_BRANDS.has(near.next) && !isAlone(near);

/** After an opening common word a brand goes on with its verb, a mark or another capital; everything else is a sentence. */
function opensOrdinarily({ after, next, nextExact }: Near): boolean {
  if (next === '' || isCapital(nextExact)) return false;
  if (IS_A_THING.test(after)) return true;
  if (/^\d/u.test(next)) return /^ {1,3}\d[\d.,%]{0,8} \p{Ll}/u.test(after);
  return !WORDS_AFTER_BRANDS.has(next) && next !== 'for';
}

/** "Purple is a calm colour", "Apple is a fruit". */
const IS_A_THING =
  /^ (?:is|are|was) (?:(?:an?|the|my|her|his|also|not) )?(?:\p{L}{1,16} ){0,2}(?:colou?rs?|fruits?|vegetables?|animals?|birds?|metals?|words?|nouns?|verbs?|planets?|months?|seasons?|spices?|stones?)(?!\p{L})/u;

/** "more than 3M users", "3M downloads": a count. */
function isQuantity({ previous, nextExact }: Near): boolean {
  if (/^(?:than|over|about|around|nearly|almost|of|to|raised|some|roughly|the first)$/u.test(previous)) return true;
  return /^\p{Ll}{2,30}s$/u.test(nextExact) && !WORDS_AFTER_BRANDS.has(nextExact);
}
