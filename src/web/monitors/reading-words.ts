import type { OutcomeStatus } from '../../audit/core/check.ts';
import { verdictWords } from '../../monitors/alerts/alert-words.ts';
import type { Translated } from '../language/language.ts';

/** Words for one side of a change, and for what changed where it is no check. */
export type ReadingWords = {
  verdicts: Readonly<Record<OutcomeStatus, string>>;
  points: (count: number) => string;
  /** What a gate holds: a score, and where. */
  holds: (scores: string) => string;
  cap: (score: string, points: string) => string;
  status: (status: string) => string;
  /** Short texts of alerts, which are in English where they are made. */
  texts: Readonly<Record<string, string>>;
  /** Titles of changes, as the alerts have them. */
  titles: Readonly<Record<string, string>>;
  givenUp: string;
};

export const readingWords: Translated<ReadingWords> = {
  en: {
    verdicts: verdictWords.en,
    points: (count) => (count === 1 ? '1 point' : `${count} points`),
    holds: (scores) => `holds ${scores}`,
    cap: (score, points) => `${score} at ${points}`,
    status: (status) => `status ${status}`,
    texts: {},
    titles: {},
    givenUp:
      'A run was given up after several attempts. Whether it was charged could not be asked: your credits show it.',
  },
  de: {
    verdicts: verdictWords.de,
    points: (count) => (count === 1 ? '1 Punkt' : `${count} Punkte`),
    holds: (scores) => `begrenzt ${scores}`,
    cap: (score, points) => `${score} auf ${points}`,
    status: (status) => `Status ${status}`,
    texts: { read: 'gelesen', 'not read': 'nicht gelesen', 'no answer': 'keine Antwort' },
    titles: {
      Run: 'Lauf',
      Monitor: 'Überwachung',
      Credits: 'Guthaben',
      Site: 'Website',
      Rubric: 'Regelwerk',
      'Host of the start page': 'Host der Startseite',
    },
    givenUp:
      'Ein Lauf wurde nach mehreren Versuchen aufgegeben. Ob er berechnet wurde, war nicht zu erfahren: Ihr Guthaben zeigt es.',
  },
};
