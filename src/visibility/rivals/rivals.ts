import { compareTexts } from '../../lib/text.ts';
import { foldBlocks, type FoldedText, foldText, toFoldedIndex } from '../names/folded-text.ts';
import { formatQuote, findSentence } from '../names/sentences.ts';
import type { AnswerStructure, AnswerBlock } from '../structure/structure.ts';
import { type Candidate, isFlatText, listCandidates } from './candidates.ts';
import { type Corpus, buildCorpus, count } from './corpus.ts';
import { findGermanNames } from './german.ts';
import { type RivalGroup, groupCandidates, computeRivalKey } from './groups.ts';
import type { Piece } from './pieces.ts';
import { createDictionary, findDictionaryHits, type Hit, type NameDictionary } from './scan.ts';
import { mergeShortened } from './tails.ts';
import { findCjkNames, findJapaneseNames } from './cjk-names.ts';

/** Names in running text of languages whose capitals do not show them: German, Chinese, Japanese. */
function findNamesInRunningText(answers: readonly AnswerStructure[], corpus: Corpus): readonly Candidate[] {
  const texts = answers.map(({ blocks }) => blocks.map(({ text }) => text));
  return [...findGermanNames(texts, corpus), ...findCjkNames(texts), ...findJapaneseNames(answers)];
}

/** Whether most answers are running text of such a language: without lists, tables, headings or bold names. */
function isUnderRead(answers: readonly AnswerStructure[], corpus: Corpus): boolean {
  const under = answers.filter((answer) => isRunning(answer) && (corpus.isGerman || isCjk(answer)));
  return under.length * 2 > answers.length;
}

const isRunning = ({ blocks }: AnswerStructure): boolean =>
  blocks.every(({ kind, bold }) => (kind === 'paragraph' || kind === 'quote') && bold.length === 0);

const CJK_LETTER = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/** Characters looked at: the first lines show the language. */
const MAX_LOOKED_AT = 300;

function isCjk({ blocks }: AnswerStructure): boolean {
  const text = blocks
    .map((block) => block.text)
    .join(' ')
    .slice(0, MAX_LOOKED_AT);
  const letters = text.match(/\p{L}/gu) ?? [];
  return letters.filter((letter) => CJK_LETTER.test(letter)).length * 2 > letters.length;
}

/** A name found in the answers of a run that is not the customer's. Positions are places in the list of answers. */
export type DiscoveredRival = {
  name: string;
  /** Literal spellings seen, the most frequent first, at most 10. */
  forms: readonly string[];
  /** The answers also write it in small letters, as ordinary words are written. */
  isOrdinary: boolean;
  /** The answers that name it, ascending. */
  mentionedIn: readonly number[];
  /** The answers in which it heads an item, a heading, a bold entry or a row of options, ascending. */
  recommendedIn: readonly number[];
  /** For each entry of `mentionedIn` the first block that names it. */
  firstBlocks: readonly number[];
  /** For each entry of `mentionedIn` the literal sentence that names it first, at most 240 characters. */
  quotes: readonly string[];
};

export const MAX_FOUND_RIVALS = 50;
const MAX_FORMS = 10;
/** Names looked for in the second pass, the most frequent first. */
const MAX_NAMES = 5000;
/** From so many answers on, a name that only one of them knows is left out. */
const LARGE_RUN = 10;

/** All names found in the answers of a run. */
export type DiscoveredNames = {
  rivals: readonly DiscoveredRival[];
  /**
   * Names that are no rivals of their own, and are names all the same: at the head of an option in a single answer of a
   * large run, or beyond the 50. `perAnswer` has for each answer the first block of each that it holds.
   */
  further: { names: number; perAnswer: readonly (readonly number[])[] };
  /** Most answers are running text of a language in which few names are found there. */
  isUnderRead: boolean;
};

/** `findNames` where nothing but the rivals is wanted, and no one's name is measured. */
export const findRivals = (
  answers: readonly AnswerStructure[],
  exclude: (name: string) => boolean,
): readonly DiscoveredRival[] => findNames(answers, exclude, []).rivals;

/**
 * Finds the brands that the answers of one run name, without a model: names are at the heads of the structure, are bold
 * or listed in prose, and unlike common words are never written small. Products go to the brand they begin with. A
 * second pass looks for every name in every text. `exclude` says true for the customer's own brand (and the
 * competitor); products that begin with it are left out too.
 * @param measured those names: what is inside one of them is no mention of a shorter name ("Zoho" in "Zoho CRM").
 * @returns at most 50 rivals, by answers that name it, then answers that recommend it, then name. It misses brands that
 * only   occur once inside a sentence, and takes some features for brands: see the labelled tests for how many.
 */
export function findNames(
  answers: readonly AnswerStructure[],
  exclude: (name: string) => boolean,
  measured: readonly string[],
): DiscoveredNames {
  const corpus = buildCorpus(answers);
  const candidates = [...listCandidates(answers, corpus), ...findNamesInRunningText(answers, corpus)];
  const believed = filterBelieved(withoutDetails(candidates));
  const groups = mergeShortened(groupCandidates(believed, listAllRuns(answers, corpus), corpus, measured))
    .filter(({ name }) => !isExcluded(name, exclude))
    .toSorted((a, b) => b.found.length - a.found.length || compareTexts(a.name, b.name))
    .slice(0, MAX_NAMES);
  // The measured names come last: their places are taken, and belong to no group.
  const dictionary = createDictionary([...groups.map(listSpellings), ...measured.map((name) => [name])]);
  const least = answers.length >= LARGE_RUN ? 2 : 1;
  const seen = findSightings(answers, corpus, dictionary, groups);
  const rivals = seen
    .filter(({ mentionedIn }) => mentionedIn.length >= least)
    .toSorted(
      (a, b) =>
        b.mentionedIn.length - a.mentionedIn.length ||
        b.recommendedIn.length - a.recommendedIn.length ||
        compareTexts(a.name, b.name),
    );
  const singles = seen.filter(
    ({ mentionedIn }, index) =>
      mentionedIn.length > 0 && mentionedIn.length < least && groups[index]?.found.some(isSureHead) === true,
  );
  return {
    rivals: rivals.slice(0, MAX_FOUND_RIVALS),
    further: countFurtherNames([...singles, ...rivals.slice(MAX_FOUND_RIVALS)], answers.length),
    isUnderRead: isUnderRead(answers, corpus),
  };
}

const isSureHead = ({ place, isDoubtful }: Candidate): boolean => place === 'option' && !isDoubtful;

function countFurtherNames(names: readonly DiscoveredRival[], answers: number): DiscoveredNames['further'] {
  const perAnswer = Array.from({ length: answers }, (): number[] => []);
  for (const { mentionedIn, firstBlocks } of names)
    for (const [at, answer] of mentionedIn.entries()) perAnswer[answer]?.push(firstBlocks[at] ?? 0);
  return { names: names.length, perAnswer };
}

/**
 * Bullets under a product are its details, unless they are options elsewhere. A heading that occurs once above such
 * options is a kind of thing, not a product.
 */
function withoutDetails(candidates: readonly Candidate[]): readonly Candidate[] {
  const place = (answer: number, block: number): string => `${answer}:${block}`;
  const standing = candidates.filter(({ under, place: where }) => under === undefined && where === 'option');
  const alone = new Map<string, Set<number>>();
  for (const { name, answer } of standing)
    alone.set(computeRivalKey(name), (alone.get(computeRivalKey(name)) ?? new Set()).add(answer));
  const supported = (one: Candidate): boolean =>
    [...(alone.get(computeRivalKey(one.name)) ?? [])].some((answer) => answer !== one.answer);
  const options = candidates.filter(({ place: where }) => where === 'option');
  const kinds = new Set(
    options.flatMap((one) => (one.under !== undefined && supported(one) ? [place(one.answer, one.under)] : [])),
  );
  const products = new Set(
    options
      .filter((one) => supported(one) || !kinds.has(place(one.answer, one.block)))
      .map((one) => place(one.answer, one.block)),
  );
  return candidates.filter((one) => {
    if (one.place === 'option' && !products.has(place(one.answer, one.block))) return false;
    if (one.place !== 'option' || one.under === undefined || !products.has(place(one.answer, one.under))) return true;
    return supported(one);
  });
}

/** From so many answers on, names are believed that are only in titles, or only behind an article or "de": brands are elsewhere, too. */
const MANY_ANSWERS = 3;

type Evidence = { answers: Set<number>; isSure: boolean; times: number; bound: number; titles: number };

/** Without what only one answer has and may be no name, and what few answers have where a title or a place would be. */
function filterBelieved(candidates: readonly Candidate[]): readonly Candidate[] {
  const evidence = new Map<string, Evidence>();
  for (const { name, answer, isDoubtful, isBound, isTitle } of candidates) {
    const key = computeRivalKey(name);
    const known = evidence.get(key) ?? { answers: new Set(), isSure: false, times: 0, bound: 0, titles: 0 };
    evidence.set(key, known);
    known.answers.add(answer);
    known.isSure ||= !isDoubtful;
    known.times += 1;
    known.bound += Number(isBound === true);
    known.titles += Number(isTitle === true);
  }
  return candidates.filter(({ name }) => {
    const known = evidence.get(computeRivalKey(name));
    return known !== undefined && isBelieved(known);
  });
}

function isBelieved({ answers, isSure, times, bound, titles }: Evidence): boolean {
  if (answers.size < MANY_ANSWERS && (titles === times || (bound === times && times > 1))) return false;
  return isSure || answers.size > 1;
}

/** Every capitalised run of every text. */
const listAllRuns = (answers: readonly AnswerStructure[], corpus: Corpus): readonly string[] =>
  answers.flatMap(({ blocks }, answer) =>
    blocks.flatMap(({ text }, block) =>
      (corpus.blocks[answer]?.[block]?.runs ?? []).map(({ start, end }) => text.slice(start, end)),
    ),
  );

/** Whether the name, or what it begins with, is the customer's. */
const isExcluded = (name: string, exclude: (name: string) => boolean): boolean =>
  name.split(' ').some((_, last, words) => exclude(words.slice(0, last + 1).join(' ')));

/** A brand's own spellings, and those of its products that do not begin with it. */
function listSpellings({ name, written, found, aliases = [] }: RivalGroup): readonly string[] {
  const own = new Set([name, written, ...aliases]);
  for (const one of found) if (computeRivalKey(one.name) === computeRivalKey(name)) own.add(one.name);
  return [...own];
}

type Sighting = { answer: number; block: number; quote: string };

function findSightings(
  answers: readonly AnswerStructure[],
  corpus: Corpus,
  dictionary: NameDictionary,
  groups: readonly RivalGroup[],
): readonly DiscoveredRival[] {
  const sightings = groups.map((): Sighting[] => []);
  const forms = groups.map(() => new Map<string, number>());
  for (const [answer, structure] of answers.entries())
    for (const [block, one] of structure.blocks.entries())
      for (const hit of findBrands(one, corpus.blocks[answer]?.[block]?.pieces ?? [], dictionary)) {
        const form = forms[hit.name];
        if (form !== undefined) count(form, one.text.slice(hit.start, hit.end));
        const seen = sightings[hit.name];
        if (seen === undefined || seen.at(-1)?.answer === answer) continue;
        seen.push({ answer, block, quote: extractQuote(foldBlocks(structure)[block] ?? foldText(one.text), hit) });
      }
  return groups.map(({ name, written, found }, index) => {
    const seen = sightings[index] ?? [];
    const spelled = sortSpellings(forms[index] ?? new Map());
    return {
      name: spelled.find((form) => computeRivalKey(form) === computeRivalKey(written)) ?? written,
      forms: spelled,
      isOrdinary: corpus.lower.has(name.toLowerCase()),
      mentionedIn: seen.map(({ answer }) => answer),
      recommendedIn: listRecommending(found, seen),
      firstBlocks: seen.map(({ block }) => block),
      quotes: seen.map(({ quote }) => quote),
    };
  });
}

/**
 * The names of a block. "Classic" of "Acme Classic" is Acme's only, though Classic has a name of its own elsewhere; where lines
 * were lost, names are side by side all the same.
 */
function findBrands(block: AnswerBlock, pieces: readonly Piece[], dictionary: NameDictionary): readonly Hit[] {
  const hits = findDictionaryHits(block.text, pieces, dictionary);
  if (hits.length < 2 || isFlatText(block)) return hits;
  return hits.filter(({ start, name }, index) => {
    const { name: brand, end } = hits[index - 1] ?? { name, end: start };
    return brand === name || block.text.slice(end, start) !== ' ';
  });
}

/** The sentence of a place, as it is written. */
function extractQuote(folded: FoldedText, hit: { start: number; end: number }): string {
  const [start, end] = [toFoldedIndex(folded, hit.start), toFoldedIndex(folded, hit.end)];
  return formatQuote(folded, findSentence(folded, start, end), start, end);
}

const sortSpellings = (counts: ReadonlyMap<string, number>): readonly string[] =>
  [...counts]
    .toSorted(([a, many], [b, more]) => more - many || compareTexts(a, b))
    .slice(0, MAX_FORMS)
    .map(([form]) => form);

function listRecommending(found: readonly Candidate[], seen: readonly Sighting[]): readonly number[] {
  const headed = new Set(
    found.filter(({ place, isWarning }) => place === 'option' && !isWarning).map(({ answer }) => answer),
  );
  return seen.map(({ answer }) => answer).filter((answer) => headed.has(answer));
}
