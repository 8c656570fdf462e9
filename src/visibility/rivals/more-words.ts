import { englishOpeningWords, openingWords, personWords, placeNames, trailingLabels } from './more-words-data.ts';

type Lists = Record<'places' | 'openings' | 'englishOpenings' | 'persons' | 'labels', ReadonlySet<string>>;

let made: Lists | undefined;

/** Made at first use, as the lists of words of names are. */
const loadMoreWords = (): Lists =>
  (made ??= {
    places: createWords(placeNames),
    openings: createWords(openingWords),
    englishOpenings: createWords(englishOpeningWords),
    persons: createWords(personWords),
    labels: createWords(trailingLabels),
  });

const createWords = (text: string): ReadonlySet<string> =>
  new Set(text.split(/\s+/u).flatMap((word) => (word === '' ? [] : [word.replaceAll('_', ' ')])));

/** Whether a name, in lower case, is all of a place, a day or an authority, which running text capitalises. */
export const isPlaceWord = (word: string): boolean => loadMoreWords().places.has(word);

/** Whether a word, in lower case, opens sentences, items or cells and is no name; in English only words of English do. */
export const isOpeningWord = (word: string, isEnglish = false): boolean =>
  loadMoreWords().englishOpenings.has(word) || (!isEnglish && loadMoreWords().openings.has(word));

/** Whether a person's name follows the word, in lower case. */
export const isPersonWord = (word: string): boolean => loadMoreWords().persons.has(word);

/** Whether a word, in lower case, is a label that follows a name on a page without lines. */
export const isTrailingLabel = (word: string): boolean => loadMoreWords().labels.has(word);
