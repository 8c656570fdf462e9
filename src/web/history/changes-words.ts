import type { Translated } from '../language/language.ts';

type GroupWords = { title: string; none: string };
type ChangesWords = {
  groups: Readonly<Record<'passes' | 'partials' | 'failures' | 'notJudged' | 'byRubric', GroupWords>>;
  notAsked: string;
  /** Between two verdicts, for those who hear them. */
  becomes: string;
  otherRubric: (from: string, to: string) => string;
  otherProfile: string;
};

const en: ChangesWords = {
  groups: {
    passes: { title: 'New passes', none: 'No check passes that did not before.' },
    partials: { title: 'Partial now', none: 'No check is partial that was not before.' },
    failures: { title: 'New failures', none: 'No check fails that did not before.' },
    notJudged: { title: 'Not judged any more', none: 'Every check that was judged before is judged now.' },
    byRubric: { title: 'By the rubric', none: 'No verdict changed by the rubric.' },
  },
  notAsked: 'not asked',
  becomes: 'then',
  otherRubric: (from, to) =>
    `The first report was judged by rubric ${from}, the second by ${to}: their scores are not compared, and checks whose rule changed are listed apart from what changed on the site.`,
  otherProfile: 'The site was judged as another kind in between: other checks apply to it.',
};

const de: ChangesWords = {
  groups: {
    passes: { title: 'Neu bestanden', none: 'Keine Prüfung besteht, die vorher nicht bestand.' },
    partials: { title: 'Jetzt teilweise', none: 'Keine Prüfung ist teilweise bestanden, die es vorher nicht war.' },
    failures: { title: 'Neu durchgefallen', none: 'Keine Prüfung fällt durch, die vorher nicht durchfiel.' },
    notJudged: { title: 'Nicht mehr bewertet', none: 'Jede vorher bewertete Prüfung ist auch jetzt bewertet.' },
    byRubric: { title: 'Durch das Regelwerk', none: 'Kein Ergebnis änderte sich durch das Regelwerk.' },
  },
  notAsked: 'nicht gefragt',
  becomes: 'dann',
  otherRubric: (from, to) =>
    `Der erste Bericht wurde nach Regelwerk ${from} bewertet, der zweite nach ${to}: Ihre Werte werden nicht verglichen, und Prüfungen mit geänderter Regel stehen getrennt von dem, was sich an der Website geändert hat.`,
  otherProfile: 'Die Website wurde dazwischen als eine andere Art bewertet: Andere Prüfungen gelten für sie.',
};

export const changesWords: Translated<ChangesWords> = { en, de };
