import type { Translated } from '../../language/language.ts';

type FormulaWords = {
  title: (name: string, score: number) => string;
  formula: string;
  rounded: string;
  noCap: string;
  capNotLower: string;
  capped: string;
  /** Between a cap and the check that sets it. */
  by: string;
  allCaps: string;
  coverage: (percent: string) => string;
  coverageMeans: (assessed: string, nominal: string) => string;
};

/** The words of the formula behind a score. */
export const formulaWords: Translated<FormulaWords> = {
  en: {
    title: (name, score) => `${name}: how ${score} came to be`,
    formula: '100 × sum(weight × value) ÷ sum(weight)',
    rounded: 'rounded:',
    noCap: 'No cap is in force.',
    capNotLower: 'A cap is in force, but it is not lower.',
    capped: 'capped at',
    by: 'by',
    allCaps: 'All caps in force:',
    coverage: (percent) => `Coverage ${percent}:`,
    coverageMeans: (assessed, nominal) =>
      `checks with a weight of ${assessed} out of ${nominal} could be assessed. What does not apply and what could not be checked counts neither for nor against the site.`,
  },
  de: {
    title: (name, score) => `${name}: wie ${score} entstanden ist`,
    formula: '100 × Summe(Gewicht × Wert) ÷ Summe(Gewicht)',
    rounded: 'gerundet:',
    noCap: 'Keine Obergrenze gilt.',
    capNotLower: 'Eine Obergrenze gilt, liegt aber nicht tiefer.',
    capped: 'begrenzt auf',
    by: 'durch',
    allCaps: 'Alle geltenden Obergrenzen:',
    coverage: (percent) => `Abdeckung ${percent}:`,
    coverageMeans: (assessed, nominal) =>
      `Prüfungen mit einem Gewicht von ${assessed} aus ${nominal} konnten bewertet werden. Was nicht zutrifft oder nicht prüfbar war, zählt weder für noch gegen die Website.`,
  },
};
