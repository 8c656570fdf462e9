import type { Translated } from '../../language/language.ts';

type VersusWords = {
  who: string;
  verdict: (verdict: 'brand' | 'competitor' | 'too_close_to_call', names: readonly [string, string]) => string;
  neitherNamed: string;
  against: string;
  asked: readonly [before: string, behind: string];
  chance: (p: number) => string;
  /** `smallest`: the smallest difference of two shares that can be seen, 0 to 1. */
  visible: (smallest: number | null) => string;
  sideBySide: string;
  line: string;
  counted: (count: number, answers: number, worst: string | undefined) => string;
  noName: string;
  over: (answers: number) => string;
  noPosition: string;
  intentsLabel: string;
  intentsCaption: string;
  brandSaid: (named: string, recommended: string) => string;
  allFigures: string;
  splitCaption: (total: number) => string;
  splitColumns: readonly [names: string, answers: string];
  only: (name: string) => string;
  both: string;
  neither: string;
};

/** In how many of so many runs a split at least as uneven comes up. */
function countRuns(p: number): readonly [runs: number, of: number] | 'all' | 'none' {
  if (p >= 0.995) return 'all';
  if (p >= 0.01) return [Math.round(p * 100), 100];
  return p >= 0.001 ? [Math.round(p * 1000), 1000] : 'none';
}

/** Below this p value a difference is called (`SIGNIFICANCE` of the measurement). */
const CALLED_BELOW = 0.05;

const describeRuns = (p: number): string => {
  const runs = countRuns(p);
  if (runs === 'all') return 'practically every run';
  return runs === 'none'
    ? 'fewer than 1 of 1,000 runs'
    : `about ${runs[0]} of ${runs[1] === 100 ? '100' : '1,000'} runs`;
};

/** A difference between two shares, 0 to 1, in points with one decimal. */
const computePoints = (difference: number): number => Math.round(difference * 1000) / 10;

const en: VersusWords = {
  who: 'Who is named more often',
  verdict: (verdict, [brand, competitor]) => {
    if (verdict === 'brand') return `${brand} is named more often than ${competitor}`;
    return verdict === 'competitor' ? `${competitor} is named more often than ${brand}` : 'Too close to call';
  },
  neitherNamed: 'No answer names either brand',
  against: 'against',
  asked: ['when an assistant is asked for', 'without naming any brand.'],
  chance: (p) =>
    `If the engine were equally likely to name either one, a split at least as uneven would come up by chance in ${describeRuns(p)}. ${
      p < CALLED_BELOW
        ? 'That is rare enough to call the difference.'
        : 'That is too common to call a difference, which does not mean that the two are equal.'
    }`,
  visible: (smallest) =>
    smallest === null
      ? 'So few answers cannot show a difference of any size.'
      : `The smallest difference between the two mention rates that a run like this one calls four times out of five is ${computePoints(smallest)} points. Smaller ones often go unseen.`,
  sideBySide: 'Side by side',
  line: 'The line below a bar is the 95 % interval.',
  counted: (count, answers, worst) =>
    `${count} of ${answers} ${answers === 1 ? 'answer' : 'answers'}${
      worst === undefined ? '' : `; with the missing answers against it or for it ${worst}`
    }`,
  noName: 'no name was found.',
  over: (answers) => `over ${answers} ${answers === 1 ? 'answer' : 'answers'}`,
  noPosition: 'No position: no answer names it.',
  intentsLabel: 'Mention rates of both by kind of question',
  intentsCaption: 'Mention rates for each kind of question: five prompts each, so the intervals are wide.',
  brandSaid: (named, recommended) => `${named} of the answers name it, ${recommended} recommend it.`,
  allFigures: 'All figures of',
  splitCaption: (total) =>
    `Which of the two the ${total} answers name. Only answers that name one of them tell them apart.`,
  splitColumns: ['The answer names', 'Answers'],
  only: (name) => `Only ${name}`,
  both: 'Both',
  neither: 'Neither',
};

const describeGermanRuns = (p: number): string => {
  const runs = countRuns(p);
  if (runs === 'all') return 'praktisch jeder Messung';
  return runs === 'none'
    ? 'weniger als 1 von 1.000 Messungen'
    : `etwa ${runs[0]} von ${runs[1] === 100 ? '100' : '1.000'} Messungen`;
};

const de: VersusWords = {
  who: 'Wer öfter genannt wird',
  verdict: (verdict, [brand, competitor]) => {
    if (verdict === 'brand') return `${brand} wird öfter genannt als ${competitor}`;
    return verdict === 'competitor' ? `${competitor} wird öfter genannt als ${brand}` : 'Zu knapp für ein Urteil';
  },
  neitherNamed: 'Keine Antwort nennt eine der beiden Marken',
  against: 'gegen',
  asked: ['wenn ein Assistent nach', 'gefragt wird, ohne dass eine Marke genannt ist.'],
  chance: (p) =>
    `Nennte die Antwortmaschine beide gleich wahrscheinlich, käme ein mindestens so ungleiches Ergebnis durch Zufall in ${describeGermanRuns(p)} vor. ${
      p < CALLED_BELOW
        ? 'Das ist selten genug, um von einem Unterschied zu sprechen.'
        : 'Das ist zu häufig, um von einem Unterschied zu sprechen; gleich sind die beiden damit nicht.'
    }`,
  visible: (smallest) =>
    smallest === null
      ? 'So wenige Antworten können keinen Unterschied zeigen, wie groß er auch ist.'
      : `Der kleinste Unterschied der beiden Nennungsraten, den eine Messung wie diese in vier von fünf Fällen erkennt, sind ${String(computePoints(smallest)).replace('.', ',')} Punkte. Kleinere bleiben oft unbemerkt.`,
  sideBySide: 'Nebeneinander',
  line: 'Die Linie unter einem Balken ist das 95-%-Intervall.',
  counted: (count, answers, worst) =>
    `${count} von ${answers} Antworten${
      worst === undefined ? '' : `; wären die fehlenden Antworten gegen oder für sie: ${worst}`
    }`,
  noName: 'kein Name wurde gefunden.',
  over: (answers) => `über ${answers} ${answers === 1 ? 'Antwort' : 'Antworten'}`,
  noPosition: 'Keine Position: Keine Antwort nennt sie.',
  intentsLabel: 'Nennungsraten beider nach Art der Frage',
  intentsCaption: 'Nennungsraten je Art der Frage: fünf Fragen je Art, die Intervalle sind deshalb breit.',
  brandSaid: (named, recommended) => `${named} der Antworten nennen sie, ${recommended} empfehlen sie.`,
  allFigures: 'Alle Zahlen zu',
  splitCaption: (total) =>
    `Welche der beiden die ${total} Antworten nennen. Nur Antworten, die eine von beiden nennen, unterscheiden sie.`,
  splitColumns: ['Die Antwort nennt', 'Antworten'],
  only: (name) => `Nur ${name}`,
  both: 'Beide',
  neither: 'Keine',
};

export const versusWords: Translated<VersusWords> = { en, de };
