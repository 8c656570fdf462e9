import { formatWholeNumber } from '../language/amounts.ts';
import type { Translated } from '../language/language.ts';

export type ProgressWords = {
  starting: string;
  reading: (done: number, atMost: number) => string;
  judging: (judged: number, checks: number) => string;
  /** A check whose result is in the full result only. */
  judged: string;
  noAnswer: string;
};

const formatEn = (count: number): string => formatWholeNumber(count, 'en');
const formatDe = (count: number): string => formatWholeNumber(count, 'de');

/** What the page of an audit says while it runs: all the words that its script carries. */
export const progressWords: Translated<ProgressWords> = {
  en: {
    starting: 'Reading the site',
    reading: (done, atMost) => `Reading the site: ${formatEn(done)} of at most ${formatEn(atMost)} requests`,
    judging: (judged, checks) => `Judging what was read: ${formatEn(judged)} of ${formatEn(checks)} checks`,
    judged: 'Judged',
    noAnswer: 'no answer',
  },
  de: {
    starting: 'Die Website wird gelesen',
    reading: (done, atMost) => `Die Website wird gelesen: ${formatDe(done)} von höchstens ${formatDe(atMost)} Anfragen`,
    judging: (judged, checks) => `Das Gelesene wird bewertet: ${formatDe(judged)} von ${formatDe(checks)} Prüfungen`,
    judged: 'Bewertet',
    noAnswer: 'keine Antwort',
  },
};
