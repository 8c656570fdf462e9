import { isConjunction, isPlaced } from './joins.ts';
import { isPersonWord } from './more-words.ts';
import { type BlockWords, isLower, type Piece, type CapitalisedRun } from './pieces.ts';
import { articles, listTriggers, nameTriggers, nameVerbs } from './words-data.ts';

/** Names of a list that are read. */
const MAX_LIST = 30;
/** A list of so many capitalised names needs no word before it that says so. */
const LIST_WITHOUT_TRIGGER = 3;

const LIST_GAP = /^(?:, |,? ?& |,? (?:vs\.?|versus) | ?\/ ?)$/u;
const WORD_GAP = /^,? (\p{Ll}{1,6}) $/u;
/** A list that lost its lines: "... 1. Acme - good. 2. Beta - cheap." */
const NUMBERED = /(?:^|\s)\d{1,2}[.)] $/u;
const TRIGGER_GAP = /^[ :*“"„«]{1,3}$/u;

/**
 * Names that a sentence lists or offers: "such as Acme", "I recommend Acme", "Acme, Beta and Gamma". Capitalised runs as they
 * are written; whether they are names is for the caller to judge.
 */
export function findNamesInProse(text: string, { pieces, runs }: BlockWords, about: AboutProse): ProseNames {
  const listed: NameList[] = [];
  const passing: PassingNames[] = [];
  for (let at = 0; at < runs.length;) {
    const list = listFrom(text, runs, at, about.language);
    at += list.length;
    const [first] = list;
    if (first === undefined) break;
    if (isPlaced(pieces, first, about.language)) continue;
    const names = list.map(({ start, end }) => text.slice(start, end));
    const trigger = findTrigger(text, pieces, first);
    const isOffered = trigger !== undefined && nameTriggers.has(trigger);
    // "Acme and Beta have both": a pair of which other answers know one.
    const isPair = names.length > 1 && names.some((name) => about.isKnown(name));
    if (isOffered || isPair || isListed(text, first, list.length, trigger)) listed.push({ names, isOffered });
    else if (isExplained(text, first)) continue;
    else if (isPersonBehind(pieces, first)) continue;
    else if (isInside(text, pieces, first) || isSubject(text, pieces, first) || isLabelled(text, first))
      passing.push({ names, ...readWordBefore(pieces, first, about.language) });
  }
  return { listed, passing };
}

/** The language of the answers, and which names more than one of them has. */
export type AboutProse = { language: string; isKnown: (name: string) => boolean };

/** Names of a list, or after a word or number that announces one, and names elsewhere inside sentences. */
export type ProseNames = { listed: readonly NameList[]; passing: readonly PassingNames[] };

/**
 * `isDefinite`: a definite article precedes, which places, offices and things have more often than brands. `isBound`: it
 * does, or a word that says whose a thing is or from where.
 */
export type PassingNames = { names: readonly string[]; isDefinite: boolean; isBound: boolean };

/** `isOffered`: a word before it says that names follow. */
export type NameList = { names: readonly string[]; isOffered: boolean };

function isListed(text: string, { start }: CapitalisedRun, length: number, trigger: string | undefined): boolean {
  if (length >= LIST_WITHOUT_TRIGGER || NUMBERED.test(text.slice(Math.max(0, start - 6), start))) return true;
  return trigger !== undefined && length > 1 && listTriggers.has(trigger);
}

/** Whether the word before says that a person follows: "il signor Efisio". Behind "a" or "nach" is a name as often as a town. */
function isPersonBehind(pieces: readonly Piece[], { first, start }: CapitalisedRun): boolean {
  const before = pieces[first - 1];
  return before !== undefined && start - before.end === 1 && isPersonWord(before.key);
}

/** What the word before says. In English the article of "the Acme Cube" is the cube's. */
function readWordBefore(
  pieces: readonly Piece[],
  { first, last }: CapitalisedRun,
  language: string,
): Omit<PassingNames, 'names'> {
  const before = pieces[first - 1]?.key ?? '';
  return {
    isDefinite: definiteArticles[language]?.has(before) === true && (language !== 'en' || last === first),
    isBound: definiteArticles[language]?.has(before) === true || originWords[language]?.has(before) === true,
  };
}

/** Definite articles, alone and with the prepositions that swallow them. Portuguese gives brands one, too. */
const definiteArticles: Readonly<Record<string, ReadonlySet<string>>> = {
  en: new Set(['the']),
  fr: new Set('le la les l au aux du des'.split(' ')),
  es: new Set('el la los las al del'.split(' ')),
  it: new Set(
    'il lo la i gli le l al allo alla ai agli alle del dello della dei degli delle dal dallo dalla dai dagli dalle nel nello nella nei negli nelle sul sullo sulla sui sugli sulle'.split(
      ' ',
    ),
  ),
  nl: new Set(['de', 'het']),
};

/** What joins a thing to its maker as well as to its place. */
const originWords: Readonly<Record<string, ReadonlySet<string>>> = {
  fr: new Set(['de', 'd']),
  es: new Set(['de']),
  it: new Set(['di', 'd']),
  pt: new Set(['de']),
};

/** What ends no sentence, so that the capital behind it is a name's: "at Acme", "third, Acme is simplest". */
const INSIDE_GAP = /^(?: |, | [–—-] | ?\()$/u;

/** Whether a small word precedes in the same sentence: capitals at its start say nothing. */
function isInside(text: string, pieces: readonly Piece[], { first, start }: CapitalisedRun): boolean {
  const before = pieces[first - 1];
  return before !== undefined && isLower(before.text) && INSIDE_GAP.test(text.slice(before.end, start));
}

/** "the office of fair trade (DGCCRF)": short for what is before it. */
const isExplained = (text: string, { start, end }: CapitalisedRun): boolean =>
  text.charAt(start - 1) === '(' && text.charAt(end) === ')' && /^\p{Lu}{3,8}$/u.test(text.slice(start, end));

/** "Cheapest: Acme.": all that is behind a label. */
const isLabelled = (text: string, { start, end }: CapitalisedRun): boolean =>
  /\p{L} ?: $/u.test(text.slice(Math.max(0, start - 4), start)) && /^(?:[.;,]|$)/u.test(text.slice(end, end + 1));

/** Whether a verb follows: "Acme has grown." */
function isSubject(text: string, pieces: readonly Piece[], { last, end }: CapitalisedRun): boolean {
  const after = pieces[last + 1];
  return after !== undefined && nameVerbs.has(after.text) && text.slice(end, after.start) === ' ';
}

function listFrom(
  text: string,
  runs: readonly CapitalisedRun[],
  at: number,
  language: string,
): readonly CapitalisedRun[] {
  let end = at + 1;
  while (end < runs.length && end - at < MAX_LIST) {
    const [before, next] = [runs[end - 1], runs[end]];
    if (before === undefined || next === undefined) break;
    if (next.start - before.end > 12 || !isListGap(text.slice(before.end, next.start), language)) break;
    end += 1;
  }
  return runs.slice(at, end);
}

const isListGap = (gap: string, language: string): boolean =>
  LIST_GAP.test(gap) || isConjunction(WORD_GAP.exec(gap)?.[1] ?? '', language);

/** The word that announces a list, in lower case; an article between them is passed over. */
function findTrigger(text: string, pieces: readonly Piece[], { first, start }: CapitalisedRun): string | undefined {
  const before = pieces[first - 1];
  if (before === undefined || !TRIGGER_GAP.test(text.slice(before.end, start))) return undefined;
  const further = pieces[first - 2];
  if (further === undefined || !articles.has(before.key) || !nameTriggers.has(further.key)) return before.key;
  return further.key;
}
