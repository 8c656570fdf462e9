import type { Translated } from '../language/language.ts';

export type CheckStatus = 'pass' | 'partial' | 'fail' | 'not_applicable' | 'unknown';

/** Words of the parts that every page shares. */
export type PartsWords = {
  /** What a check came to. */
  statuses: Readonly<Record<CheckStatus, string>>;
  /** Within a gauge. */
  grade: (grade: string) => string;
  /** A gauge, as it is read aloud. */
  gauge: (title: string, score: number, grade: string) => string;
};

export const partsWords: Translated<PartsWords> = {
  en: {
    statuses: {
      pass: 'Pass',
      partial: 'Partial',
      fail: 'Fail',
      not_applicable: 'Does not apply',
      unknown: 'Could not check',
    },
    grade: (grade) => `Grade ${grade}`,
    gauge: (title, score, grade) => `${title}: ${score} of 100, grade ${grade}`,
  },
  de: {
    statuses: {
      pass: 'Bestanden',
      partial: 'Teilweise',
      fail: 'Nicht bestanden',
      not_applicable: 'Trifft nicht zu',
      unknown: 'Nicht prüfbar',
    },
    grade: (grade) => `Note ${grade}`,
    gauge: (title, score, grade) => `${title}: ${score} von 100, Note ${grade}`,
  },
};
