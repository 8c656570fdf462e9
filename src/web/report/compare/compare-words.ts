import type { Translated } from '../../language/language.ts';

type Sides<Of> = Readonly<Record<'url' | 'competitor', Of>>;
type Winner = 'url' | 'competitor' | 'tie';

/** A score of both sites, as far as its sentences say something of it. */
export type ComparedScore = {
  winner: Winner;
  points: number;
  difference: number;
  applies: Sides<boolean> | undefined;
  /** Titles of the checks that decided it. */
  decisive: readonly string[];
  /** The loser meets a cap that the winner does not meet. */
  isCapped: boolean;
  /** Both are based on very different shares of the rubric. */
  isUneven: boolean;
};

/** How a comparison calls its two sites. */
export type SiteNames = Sides<string>;

type CompareWords = {
  /** Sites whose address is not known. */
  names: SiteNames;
  against: string;
  headings: Readonly<Record<'wins' | 'copyFirst' | 'differences' | 'judged', string>>;
  differences: string;
  nothingToCopy: string;
  points: (points: number) => string;
  copyFix: string;
  check: string;
  notCompared: string;
  tie: string;
  /** After the name of the winner. */
  by: (points: number) => string;
  notAssessed: string;
  notApplying: string;
  grade: (grade: string) => string;
  noCheck: string;
  assessed: (percent: string) => string;
  /** Before the check that sets a cap, and after it. */
  cap: (cap: number, holds: boolean) => readonly [before: string, after: string];
  decidedBy: string;
  /** After the name of the site that is ahead. */
  ahead: (count: number) => string;
  noneAhead: string;
  weight: (weight: string) => string;
  whatToDo: string;
  seen: string;
  value: (value: string) => string;
  all: (count: number) => string;
  allLabel: string;
  allCaption: string;
  columns: Readonly<Record<'check' | 'weight', string>>;
  siteType: string;
  given: string;
  /** Before the clues. */
  because: string;
  requests: (count: number) => string;
  rubric: (version: string) => string;
};

export const compareWords: Translated<CompareWords> = {
  en: {
    names: { url: 'The site', competitor: 'The competitor' },
    against: 'against',
    headings: {
      wins: 'Who wins',
      copyFirst: 'What to copy first',
      differences: 'Every difference',
      judged: 'By what they were judged',
    },
    differences:
      'Checks that the two sites answer differently. The points are what your score gains by doing as well in that one check. A check that applies to one site only is no lead for the other and is not listed.',
    nothingToCopy: 'There is no check in which the competitor does better and that counts.',
    points: (points) => `${points} ${points === 1 ? 'point' : 'points'}`,
    copyFix: 'Copy the fix',
    check: 'Check',
    notCompared: 'Not compared',
    tie: 'Tie',
    by: (points) => `by ${points} ${points === 1 ? 'point' : 'points'}`,
    notAssessed: 'not assessed',
    notApplying: 'does not apply',
    grade: (grade) => `grade ${grade}`,
    noCheck: 'No check of this score applies to the site or could be made.',
    assessed: (percent) => `${percent} of the checks, by weight, could be assessed.`,
    cap: (cap, holds) => (holds ? [`Capped at ${cap} by`, '.'] : [`A cap of ${cap} by`, ' does not hold it down.']),
    decidedBy: 'What decided it:',
    ahead: (count) => `is ahead in ${count}`,
    noneAhead: 'No check in which it does better.',
    weight: (weight) => `weight ${weight}`,
    whatToDo: 'What to do',
    seen: 'What was seen',
    value: (value) => `Value ${value} of 1.`,
    all: (count) => `All ${count} checks of both sites`,
    allLabel: 'All checks of both sites',
    allCaption: 'Weight and outcome of each check; one that counts in several scores is listed once.',
    columns: { check: 'Check', weight: 'Weight' },
    siteType: 'Site type',
    given: ', as the buyer asked',
    because: 'because of:',
    requests: (count) => `${count} ${count === 1 ? 'request' : 'requests'}`,
    rubric: (version) => `rubric ${version}`,
  },
  de: {
    names: { url: 'Die Website', competitor: 'Die andere Website' },
    against: 'gegen',
    headings: {
      wins: 'Wer vorn liegt',
      copyFirst: 'Was Sie zuerst übernehmen sollten',
      differences: 'Alle Unterschiede',
      judged: 'Wonach bewertet wurde',
    },
    differences:
      'Prüfungen, bei denen die beiden Websites verschieden abschneiden. Die Punkte sagen, was Ihre Website gewinnt, wenn sie in dieser einen Prüfung ebenso gut abschneidet. Eine Prüfung, die nur auf eine der beiden zutrifft, ist kein Vorsprung und fehlt hier.',
    nothingToCopy: 'In keiner Prüfung, die zählt, schneidet die andere Website besser ab.',
    points: (points) => `${points} ${points === 1 ? 'Punkt' : 'Punkte'}`,
    copyFix: 'Korrektur kopieren',
    check: 'Prüfung',
    notCompared: 'Nicht verglichen',
    tie: 'Gleichstand',
    by: (points) => `mit ${points} ${points === 1 ? 'Punkt' : 'Punkten'} Vorsprung`,
    notAssessed: 'nicht bewertet',
    notApplying: 'trifft nicht zu',
    grade: (grade) => `Note ${grade}`,
    noCheck: 'Keine Prüfung dieser Bewertung trifft zu oder war möglich.',
    assessed: (percent) => `${percent} der Prüfungen, nach Gewicht, konnten bewertet werden.`,
    cap: (cap, holds) =>
      holds ? [`Begrenzt auf ${cap} durch`, '.'] : [`Eine Obergrenze von ${cap} durch`, ' wirkt sich nicht aus.'],
    decidedBy: 'Was den Ausschlag gab:',
    ahead: (count) => `liegt in ${count} ${count === 1 ? 'Prüfung' : 'Prüfungen'} vorn`,
    noneAhead: 'Es gibt keine Prüfung, in der sie besser abschneidet.',
    weight: (weight) => `Gewicht ${weight}`,
    whatToDo: 'Was zu tun ist',
    seen: 'Was gesehen wurde',
    value: (value) => `Wert ${value} von 1.`,
    all: (count) => `Alle ${count} Prüfungen beider Websites`,
    allLabel: 'Alle Prüfungen beider Websites',
    allCaption: 'Gewicht und Ergebnis jeder Prüfung; eine, die in mehreren Bewertungen zählt, ist einmal aufgeführt.',
    columns: { check: 'Prüfung', weight: 'Gewicht' },
    siteType: 'Art der Website:',
    given: ', wie beim Kauf angegeben',
    because: 'aufgrund von:',
    requests: (count) => `${count} ${count === 1 ? 'Anfrage' : 'Anfragen'}`,
    rubric: (version) => `Regelwerk ${version}`,
  },
};
