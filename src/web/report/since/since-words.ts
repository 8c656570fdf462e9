import type { Translated } from '../../language/language.ts';

type SinceWords = {
  title: (subject: string) => string;
  scores: string;
  scoresCaption: string;
  score: string;
  before: string;
  after: string;
  change: string;
  figure: string;
  figures: string;
  figuresCaption: string;
  overlap: string;
  apart: string;
  none: string;
  backFrom: string;
  backTo: string;
};

export const sinceWords: Translated<SinceWords> = {
  en: {
    title: (subject) => `What changed: ${subject}`,
    scores: 'Scores',
    scoresCaption: 'Scores that both reports have, 0 to 100',
    score: 'Score',
    before: 'Before',
    after: 'After',
    change: 'Change',
    figure: 'Figure',
    figures: 'Figures',
    figuresCaption:
      'Shares of the answers with their 95 % intervals. Where the intervals have a value in common, the difference may be chance.',
    overlap: 'may be chance',
    apart: 'intervals do not overlap',
    none: '–',
    backFrom: 'The earlier report',
    backTo: 'The later report',
  },
  de: {
    title: (subject) => `Was sich geändert hat: ${subject}`,
    scores: 'Bewertungen',
    scoresCaption: 'Bewertungen, die beide Berichte haben, 0 bis 100',
    score: 'Bewertung',
    before: 'Vorher',
    after: 'Nachher',
    change: 'Änderung',
    figure: 'Kennzahl',
    figures: 'Kennzahlen',
    figuresCaption:
      'Anteile der Antworten mit ihren 95-%-Intervallen. Wo die Intervalle einen Wert gemeinsam haben, kann der Unterschied Zufall sein.',
    overlap: 'kann Zufall sein',
    apart: 'Intervalle überschneiden sich nicht',
    none: '–',
    backFrom: 'Der frühere Bericht',
    backTo: 'Der spätere Bericht',
  },
};
