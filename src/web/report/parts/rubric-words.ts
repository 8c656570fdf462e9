import type { Translated } from '../../language/language.ts';

/** What a report of another rubric says of itself, by both versions and the number of checks that judge otherwise now. */
export const otherRubricWords: Translated<(version: string, today: string, changed: number) => string> = {
  en: (version, today, changed) =>
    `Judged by rubric ${version}. The rubric of today is ${today}: ${changed} ${changed === 1 ? 'check' : 'checks'} came or judge otherwise since, so that a new report may differ though the site did not change.`,
  de: (version, today, changed) =>
    `Bewertet nach Regelwerk ${version}. Heute gilt Regelwerk ${today}: ${changed} ${changed === 1 ? 'Prüfung kam seitdem hinzu oder urteilt anders' : 'Prüfungen kamen seitdem hinzu oder urteilen anders'}. Ein neuer Bericht kann daher abweichen, auch wenn sich die Website nicht geändert hat.`,
};
