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
  otherEngine: (before: string, after: string) => string;
  otherQuestions: string;
  /** Of panels, which are compared by their answers alone. */
  withoutAnswers: string;
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
    otherEngine: (before, after) =>
      `Another model answered: ${before} before, ${after} after. A difference may come from the model, not from the brand.`,
    otherQuestions:
      'The two reports asked different questions. A difference may come from the questions, not from the brand.',
    withoutAnswers:
      'These two are compared by their answers, engine by engine. The answers of one of them are no longer stored, they asked different questions, or no engine answered in both.',
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
    otherEngine: (before, after) =>
      `Es antwortete ein anderes Modell: vorher ${before}, nachher ${after}. Ein Unterschied kann am Modell liegen statt an der Marke.`,
    otherQuestions:
      'Die beiden Berichte stellten verschiedene Fragen. Ein Unterschied kann an den Fragen liegen statt an der Marke.',
    withoutAnswers:
      'Diese beiden werden anhand ihrer Antworten verglichen, je Antwortmaschine. Die Antworten von einer der beiden sind nicht mehr gespeichert, sie stellten verschiedene Fragen, oder keine Antwortmaschine kommt in beiden vor.',
    backFrom: 'Der frühere Bericht',
    backTo: 'Der spätere Bericht',
  },
};
