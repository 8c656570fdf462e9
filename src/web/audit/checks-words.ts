import { formatWholeNumber } from '../language/amounts.ts';
import type { Translated } from '../language/language.ts';
import type { CheckStatus } from '../design/parts-words.ts';

export type ChecksWords = {
  /** The heading over all checks. */
  all: (count: number) => string;
  /** The same in a preview, which shows some of them in full. */
  allOfPreview: (open: number, all: number) => string;
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
  /** How well founded the rule is, by the grade of its evidence. */
  strength: string;
  strengths: Readonly<Record<string, string>>;
  /** What holds the numbers behind a check. */
  figures: string;
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
    allOfPreview: (open, all) =>
      `${formatWholeNumber(open, 'en')} of ${formatWholeNumber(all, 'en')} checks, explained in full`,
    groups: {
      fail: 'Failed',
      partial: 'Partly passed',
      unknown: 'Could not be checked',
      pass: 'Passed',
      not_applicable: 'Does not apply to this site',
    },
    locked: (count) => `${formatWholeNumber(count, 'en')} more checks, by name only`,
    lockedNote:
      'They were made, and count in the scores above. The full result, which you can buy, shows for each whether it passed, what was seen and where, and how to fix it.',
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
    notScored: 'For information only: it changes no score.',
    strength: 'Strength of evidence for this rule:',
    strengths: { A: 'high', B: 'medium', C: 'low', D: 'very low' },
    figures: 'Figures and id',
    value: (value) => `value ${value}`,
    evidenceGrade: (grade) => `evidence class ${grade}`,
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
    allOfPreview: (open, all) =>
      `${formatWholeNumber(open, 'de')} von ${formatWholeNumber(all, 'de')} Prüfungen, vollständig erklärt`,
    groups: {
      fail: 'Nicht bestanden',
      partial: 'Teilweise bestanden',
      unknown: 'Nicht prüfbar',
      pass: 'Bestanden',
      not_applicable: 'Trifft auf diese Website nicht zu',
    },
    locked: (count) => `${formatWholeNumber(count, 'de')} weitere Prüfungen, nur mit Namen`,
    lockedNote:
      'Sie wurden gemacht und zählen in den Bewertungen oben. Das vollständige Ergebnis, das Sie kaufen können, zeigt zu jeder, ob sie bestanden ist, was wo gesehen wurde und wie Sie es beheben.',
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
    notScored: 'Nur zur Information: ändert keine Bewertung.',
    strength: 'Beleglage für diese Regel:',
    strengths: { A: 'stark', B: 'mittel', C: 'schwach', D: 'sehr schwach' },
    figures: 'Zahlen und Kennung',
    value: (value) => `Wert ${value}`,
    evidenceGrade: (grade) => `Belegklasse ${grade}`,
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
