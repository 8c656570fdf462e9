import type { Translated } from '../../language/language.ts';

/** Words between the parts of what was seen: the parts themselves are quoted. */
export type EvidenceWords = {
  none: string;
  answered: (status: number) => string;
  header: string;
  at: string;
  line: (line: number) => string;
};

export const evidenceWords: Translated<EvidenceWords> = {
  en: {
    none: 'No evidence was stored.',
    answered: (status) => `answered ${status}`,
    header: 'header',
    at: 'at',
    line: (line) => `line ${line}`,
  },
  de: {
    none: 'Es wurde kein Beleg gespeichert.',
    answered: (status) => `antwortete mit ${status}`,
    header: 'Header',
    at: 'an der Stelle',
    line: (line) => `Zeile ${line}`,
  },
};
