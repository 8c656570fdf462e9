import { formatWholeNumber } from '../language/amounts.ts';
import type { Translated } from '../language/language.ts';
import type { CheckStatus } from '../design/parts-words.ts';

export type ChecksWords = {
  /** The heading over all checks. */
  all: (count: number) => string;
  groups: Readonly<Record<CheckStatus, string>>;
  /** What is not shown in full, and where it is. */
  locked: (count: number) => string;
  lockedNote: string;
  whatToDo: string;
  copyWhatToDo: string;
  completeFix: string;
  seen: string;
  why: string;
  seeYourself: string;
  copyCommand: string;
  source: string;
  /** Before the names of the scores that it counts in. */
  countsIn: string;
  weight: (weight: string) => string;
  notScored: string;
  value: (value: string) => string;
  evidenceGrade: (grade: string) => string;
  filter: {
    label: string;
    text: string;
    outcome: string;
    score: string;
    every: string;
    locked: string;
    openAll: string;
    closeAll: string;
  };
};

/** The words of the list of checks. What a check says of a site, and its source, stay in English. */
export const checksWords: Translated<ChecksWords> = {
  en: {
    all: (count) => `All ${formatWholeNumber(count, 'en')} checks`,
    groups: {
      fail: 'Failed',
      partial: 'Partly passed',
      unknown: 'Could not be checked',
      pass: 'Passed',
      not_applicable: 'Does not apply to this site',
    },
    locked: (count) => `${formatWholeNumber(count, 'en')} more checks in the full result`,
    lockedNote:
      'They were made, and count in the scores above. The full result shows for each what was seen and where, and how to fix it.',
    whatToDo: 'What to do',
    copyWhatToDo: 'Copy what to do',
    completeFix: 'The complete fix, ready to paste',
    seen: 'What was seen',
    why: 'Why it matters',
    seeYourself: 'See it yourself',
    copyCommand: 'Copy command',
    source: 'Source',
    countsIn: 'Counts in',
    weight: (weight) => `weight ${weight}`,
    notScored: 'not scored',
    value: (value) => `value ${value}`,
    evidenceGrade: (grade) => `evidence of grade ${grade}`,
    filter: {
      label: 'Filter the checks',
      text: 'Text',
      outcome: 'Outcome',
      score: 'Score',
      every: 'All',
      locked: 'In the full result',
      openAll: 'Open all',
      closeAll: 'Close all',
    },
  },
  de: {
    all: (count) => `Alle ${formatWholeNumber(count, 'de')} Prüfungen`,
    groups: {
      fail: 'Nicht bestanden',
      partial: 'Teilweise bestanden',
      unknown: 'Nicht prüfbar',
      pass: 'Bestanden',
      not_applicable: 'Trifft auf diese Website nicht zu',
    },
    locked: (count) => `${formatWholeNumber(count, 'de')} weitere Prüfungen im vollständigen Ergebnis`,
    lockedNote:
      'Sie wurden gemacht und zählen in den Bewertungen oben. Das vollständige Ergebnis zeigt zu jeder, was wo gesehen wurde und wie Sie es beheben.',
    whatToDo: 'Was zu tun ist',
    copyWhatToDo: 'Anleitung kopieren',
    completeFix: 'Die vollständige Korrektur zum Einfügen',
    seen: 'Was gesehen wurde',
    why: 'Warum es wichtig ist',
    seeYourself: 'Selbst nachsehen',
    copyCommand: 'Befehl kopieren',
    source: 'Quelle',
    countsIn: 'Zählt in',
    weight: (weight) => `Gewicht ${weight}`,
    notScored: 'nicht bewertet',
    value: (value) => `Wert ${value}`,
    evidenceGrade: (grade) => `Beleg der Stufe ${grade}`,
    filter: {
      label: 'Prüfungen filtern',
      text: 'Text',
      outcome: 'Ergebnis',
      score: 'Bewertung',
      every: 'Alle',
      locked: 'Im vollständigen Ergebnis',
      openAll: 'Alle öffnen',
      closeAll: 'Alle schließen',
    },
  },
};
