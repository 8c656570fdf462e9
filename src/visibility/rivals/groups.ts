import { rememberPerKey } from '../../lib/memo.ts';
import { foldText } from '../names/folded-text.ts';
import { isEverydayWord } from '../names/common-words.ts';
import { rememberNames } from '../names/remember-names.ts';
import type { Candidate } from './candidates.ts';
import type { Corpus } from './corpus.ts';
import { isCommon, isWrittenAsName } from './names.ts';
import { splitJapaneseFronts } from './japanese.ts';
import { isPlaceWord } from './more-words.ts';
import { splitPieces } from './pieces.ts';
import { legalForms, modelWords, sharedFirstWords } from './words-data.ts';

/**
 * A brand and the names under which it was found, products included ("Sony": "Sony", "Sony WH-1000XM5"). `written`: the
 * name with the legal form that most answers put behind it, "Beta Corp"; else the name.
 */
export type RivalGroup = {
  name: string;
  written: string;
  found: readonly Candidate[];
  /** Names it has in running text: what its name ends in. */
  aliases?: readonly string[];
};

/** Spelling without what people vary: capitals, accents, spaces, hyphens, marks, the end of a domain. */
export const computeRivalKey = (name: string): string => rivalKeys(name);

const makeRivalKey = (name: string): string =>
  foldText(spellUmlauts(withoutForms(name)))
    .lower.replace(/(?<=\p{L})\+$/u, 'plus')
    .replace(/\.(?:com|io|ai|app|co|net|org|dev|so|me)$/u, '')
    .replaceAll(/[^\p{L}\p{N}\p{M}+#]+/gu, '');

const rivalKeys = rememberNames(makeRivalKey);

const spellUmlauts = (name: string): string =>
  name.normalize('NFC').replaceAll(/[äöüÄÖÜ]/gu, (letter) => UMLAUTS[letter.toLowerCase()] ?? letter);

const UMLAUTS: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue' };

const LEGAL_FORM =
  /(?:[ ,]{1,3}(?:S\.?r\.?l\.?s?|S\.?p\.?A\.?|S\.?L\.?U?\.?|B\.?V\.?|N\.?V\.?|Lda\.?|Ltda\.?|S\/A|GmbH(?: & Co\.? KG)?|AG|UG|KG|e\.K\.|SAS|SARL|Inc\.?|Ltd\.?|LLC|Corp\.?|plc|Co\.))$/u;

/** "株式会社" and "GmbH" are no part of a name. */
const withoutForms = (name: string): string => {
  const bare = name
    .replace(LEGAL_FORM, '')
    .replace(/^(?:株式会社|有限会社|合同会社)|(?:株式会社|有限会社|合同会社)$/u, '');
  return bare === '' ? name : bare;
};

/**
 * Puts spellings of one name and products of one brand together. A product goes to the shortest front part of its name
 * that is found by itself (as a candidate or in `alone`, the capitalised runs of all texts) or that different names share.
 * That others share the front of a name of `measured` proves nothing: "Pizzeria Bianco", "Pizzeria Virtù".
 */
export function groupCandidates(
  candidates: readonly Candidate[],
  alone: readonly string[],
  corpus: Corpus,
  measured: readonly string[],
): readonly RivalGroup[] {
  const own = new Set(measured.flatMap((name) => listFronts(name).map(computeRivalKey)));
  const known = new Map<string, Set<string>>();
  for (const key of new Set(alone.map(computeRivalKey))) known.set(key, new Set([key]));
  const names = new Set(candidates.map(({ name }) => name));
  for (const name of names) {
    for (const key of [...listFronts(name), name].map(computeRivalKey))
      known.set(key, (known.get(key) ?? new Set()).add(computeRivalKey(name)));
  }
  // "AcmeMail" is "Acme Mail" where an answer writes it so.
  const spaced = new Map<string, string>();
  for (const name of names) {
    const widest = spaced.get(computeRivalKey(name));
    if (widest === undefined || name.split(' ').length > widest.split(' ').length)
      spaced.set(computeRivalKey(name), name);
  }
  const fronts = { known, own, branching: listBranchingFronts(names) };
  const selectKnown = rememberPerKey((name: string) => {
    const brand = selectBrand(spaced.get(computeRivalKey(name)) ?? name, fronts, corpus);
    return { brand, key: computeRivalKey(brand) };
  });
  const groups = new Map<string, { names: Map<string, number>; found: Candidate[] }>();
  for (const candidate of candidates) {
    const { brand, key } = selectKnown(candidate.name);
    const group = groups.get(key) ?? { names: new Map<string, number>(), found: [] };
    groups.set(key, group);
    group.names.set(brand, (group.names.get(brand) ?? 0) + 1);
    group.found.push(candidate);
  }
  return [...groups.values()].map(({ names: spellings, found }) => {
    const name = getMostFrequent(spellings);
    return { name, written: selectWrittenName(name, found), found };
  });
}

function selectWrittenName(name: string, found: readonly Candidate[]): string {
  const key = computeRivalKey(name);
  const counts = new Map<string, number>();
  for (const one of found) counts.set(one.name, (counts.get(one.name) ?? 0) + 1);
  const isName = ([spelling]: readonly [string, number]): boolean =>
    computeRivalKey(withoutLegalForm(spelling.split(' ')).join(' ')) === key;
  const most = getMostFrequent(new Map([...counts].filter(isName)));
  return most === '' || computeRivalKey(most) === key ? name : most;
}

/** "Beta" of "Beta Corp." */
const withoutLegalForm = (words: readonly string[]): readonly string[] =>
  words.length > 1 && legalForms.has((words.at(-1) ?? '').toLowerCase().replace(/\.$/u, ''))
    ? words.slice(0, -1)
    : words;

/** Fronts of names and the names that have them, by key; and the fronts of measured names. */
type Fronts = {
  known: ReadonlyMap<string, ReadonlySet<string>>;
  branching: ReadonlySet<string>;
  own: ReadonlySet<string>;
};

/** Fronts, by key, that different words follow: "Acme" of "Acme Mail" and "Acme Desk", not "Two" of "Two Rivers" and "Two Rivers Pro". */
function listBranchingFronts(names: Iterable<string>): ReadonlySet<string> {
  const following = new Map<string, string>();
  const branching = new Set<string>();
  for (const name of names) {
    const words = name.split(' ');
    for (let length = 1; length < words.length; length += 1) {
      const key = computeRivalKey(words.slice(0, length).join(' '));
      const next = computeRivalKey(words[length] ?? '');
      if ((following.get(key) ?? next) !== next) branching.add(key);
      following.set(key, next);
    }
  }
  return branching;
}

/** "Acme", "Acme Mail" of "Acme Mail Pro". */
const listFronts = (name: string): readonly string[] => [
  ...splitJapaneseFronts(name),
  ...name.split(' ').flatMap((_, length, words) => (length === 0 ? [] : [words.slice(0, length).join(' ')])),
];

function selectBrand(name: string, { known, branching, own }: Fronts, corpus: Corpus): string {
  const joined = splitJapaneseFronts(name).find((front) => {
    const key = computeRivalKey(front);
    return known.get(key)?.has(key) === true;
  });
  if (joined !== undefined) return joined;
  const words = withoutModel(name.split(' '), known, corpus);
  for (let length = 1; length < words.length; length += 1) {
    const front = words.slice(0, length).join(' ');
    const key = computeRivalKey(front);
    const sharers = known.get(key);
    // "Riese" of "Riese & Müller", "Serrana" of "Serrana do Bule".
    const isShared =
      !(length === 1 && HALVES.has(words[1] ?? '')) &&
      sharers !== undefined &&
      (sharers.has(key) || (branching.has(key) && !own.has(key) && !isEverydayWord(front.toLowerCase())));
    if (isShared && isBrandFront(front, corpus)) return front;
  }
  return words.join(' ');
}

/** What joins the halves of one name. "Acme on Beta" has two names. */
const HALVES: ReadonlySet<string> = new Set('& + of de del di du da do dos das dei van der von am zum zur'.split(' '));

/** Without numbers at the end, and without words that tell one plan from another if the rest is known by itself. */
function withoutModel(
  words: readonly string[],
  known: ReadonlyMap<string, ReadonlySet<string>>,
  corpus: Corpus,
): readonly string[] {
  const number = words.findIndex((word, index) => index > 0 && /\d/u.test(word));
  const kept = number > 0 ? words.slice(0, number) : words;
  const isPlan = (word: string): boolean => modelWords.has(word.toLowerCase());
  const formless = withoutLegalForm(kept);
  const end = formless.findIndex((word, index) => index > 0 && formless.slice(index).every(isPlan) && word !== '');
  const front = end > 0 ? formless.slice(0, end) : formless;
  const key = computeRivalKey(front.join(' '));
  if (front.length < formless.length && known.get(key)?.has(key) === true) return front;
  return isBrandFront(formless.join(' '), corpus) ? formless : words;
}

const isBrandFront = (front: string, corpus: Corpus): boolean =>
  front.length >= 2 &&
  !sharedFirstWords.has(front.toLowerCase()) &&
  // "Sicily By Car" is no product of Sicily.
  !isPlaceWord(front.toLowerCase()) &&
  !corpus.shared.has(front.toLowerCase()) &&
  isWrittenAsName(front, corpus) &&
  !isCommon(front, corpus) &&
  splitPieces(front).some(({ text }) => text.length > 1);

/** The most frequent, of equals the first in order of characters. */
export const getMostFrequent = (counts: ReadonlyMap<string, number>): string =>
  [...counts].toSorted(([a, many], [b, more]) => more - many || (a < b ? -1 : 1))[0]?.[0] ?? '';
