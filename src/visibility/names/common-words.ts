import { alwaysCapital, everydayWords, foreignWords, namingWords } from './words/common-words-data.ts';
import { foldText } from './folded-text.ts';
import {
  firstNames,
  germanNamesWithArticle,
  germanNamingNouns,
  germanSubstances,
  kanaWords,
  mythicNames,
  namingWordsOfOthers,
  personNouns,
  personTitles,
  placesOfBrands,
} from './words/other-senses-data.ts';

/** Longest word that is looked up; nothing longer is in the lists. */
const MAX_WORD_CHARS = 24;

/** Whether a word, in any case, is one that people use without meaning a brand: of everyday language or a favourite of namers. */
export const isCommonWord = (word: string): boolean => isIn(loadLists().common, word);

/** Whether a word, in any case, is so frequent that a row of such words is ordinary language ("made in", "quick books"). */
export const isEverydayWord = (word: string): boolean => isIn(loadLists().everyday, word);

/** Whether English gives the word a capital everywhere: days, months, languages. */
export const isAlwaysCapital = (word: string): boolean => loadLists().capital.has(word.toLowerCase());

/** Whether a word with accents is an ordinary German, French or Spanish word in exactly this spelling ("über"). */
export const isAccentedWord = (word: string): boolean => loadLists().accented.has(word.normalize('NFC').toLowerCase());

type Lists = Record<'common' | 'everyday' | 'capital' | 'accented', ReadonlySet<string>>;

let made: Lists | undefined;

/** Made at first use: what never looks for a name does not pay for the lists. */
function loadLists(): Lists {
  made ??= makeLists();
  return made;
}

function makeLists(): Lists {
  const foreign = splitWordList(foreignWords);
  const everyday = new Set([...splitWordList(everydayWords), ...foreign.map((word) => foldText(word).lower)]);
  return {
    everyday,
    common: new Set([
      ...everyday,
      ...splitWordList(namingWords),
      ...foldWords(namingWordsOfOthers),
      ...splitWordList(kanaWords),
    ]),
    capital: new Set(splitWordList(alwaysCapital)),
    accented: new Set(foreign.filter((word) => foldText(word).lower !== word)),
  };
}

/** What else a name may be: a person, a place, a god, a German noun. Folded, in lower case. */
export type OtherSenses = Record<
  | 'titles'
  | 'firstNames'
  | 'personNouns'
  | 'places'
  | 'gods'
  | 'germanNouns'
  | 'germanSubstances'
  | 'withArticle'
  | 'kana',
  ReadonlySet<string>
>;

let senses: OtherSenses | undefined;

/** Made at first use, as the lists of words. */
export function loadOtherSenses(): OtherSenses {
  senses ??= {
    titles: new Set(foldWords(personTitles)),
    firstNames: new Set(foldWords(firstNames)),
    places: new Set(foldWords(placesOfBrands)),
    gods: new Set(foldWords(mythicNames)),
    germanNouns: new Set(foldWords(germanNamingNouns)),
    germanSubstances: new Set(foldWords(germanSubstances)),
    withArticle: new Set(foldWords(germanNamesWithArticle)),
    kana: new Set(splitWordList(kanaWords)),
    personNouns: new Set(foldWords(personNouns)),
  };
  return senses;
}

const foldWords = (list: string): readonly string[] => splitWordList(list).map((word) => foldText(word).lower);

const splitWordList = (list: string): readonly string[] => list.split(/\s+/u).filter((word) => word !== '');

function isIn(list: ReadonlySet<string>, word: string): boolean {
  const lower = word.toLowerCase();
  if (lower.length > MAX_WORD_CHARS) return false;
  return list.has(lower) || listBaseForms(lower).some((base) => list.has(base));
}

/** What a word may be an inflected form of: "rings", "visited", "making", "stories". */
function listBaseForms(word: string): readonly string[] {
  if (word.length < 4) return [];
  if (word.endsWith('ies')) return [`${word.slice(0, -3)}y`];
  if (/[aeo]s$/u.test(word)) return [word.slice(0, -1), word.slice(0, -2)];
  if (word.endsWith('s') && !word.endsWith('ss')) return [word.slice(0, -1)];
  const stem = /^(.{2,20})(?:ing|ed|er|est)$/u.exec(word)?.[1];
  if (stem === undefined) return [];
  const single = stem.at(-1) === stem.at(-2) ? [stem.slice(0, -1)] : [];
  return [stem, `${stem}e`, ...single];
}
