import type { ChangeVerdict } from '../../../visibility/trend/pairs.ts';
import type { TrendVerdict } from '../../../visibility/trend/slope.ts';
import type { Translated } from '../../language/language.ts';

type Paired = { points: string; range: string; prompts: number; out: number; more: number; less: number };

type HistoryWords = {
  title: string;
  lead: string;
  holm: (comparisons: number) => string;
  simulated: string;
  /** Followed by the model before and after. */
  otherModel: string;
  notTheBrand: (before: string, after: string) => string;
  caption: string;
  at: string;
  rate: string;
  without: string;
  change: string;
  verdict: string;
  none: string;
  to: string;
  paired: (of: Paired) => string;
  verdicts: Readonly<Record<ChangeVerdict, string>>;
  trend: (points: string, range: string) => string;
  trends: Readonly<Record<TrendVerdict, string>>;
};

export const brandHistoryWords: Translated<HistoryWords> = {
  en: {
    title: 'Change of the mention rate',
    lead: 'Each question is compared with itself: how many answers name the brand now that did not before, and the other way round. Questions without a real answer in one of the two are left out.',
    holm: (comparisons) =>
      `p is corrected for ${comparisons} comparisons, so that many of them do not make a change by chance.`,
    simulated: 'These answers are made up or replayed: the change says nothing about the brand.',
    otherModel: 'Another model answered:',
    notTheBrand: (before, after) =>
      `The rate was ${before} before and ${after} after. The difference may be the model’s, so it is no change of the brand.`,
    caption: 'Mention rate with its 95 % interval, and the change since the row above in points',
    at: 'Measured',
    rate: 'Mention rate',
    without: 'Without an answer',
    change: 'Change',
    verdict: 'Meaning',
    none: '–',
    to: 'to',
    paired: ({ points, range, prompts, out, more, less }) =>
      `${points} points (${range}); ${prompts} questions, ${more} more often, ${less} less often${out === 0 ? '' : `, ${out} left out`}`,
    verdicts: { rose: 'rose', fell: 'fell', no_change_seen: 'may be chance' },
    trend: (points, range) => `Trend: ${points} points in 30 days (95 %: ${range}).`,
    trends: {
      rising: 'It rises.',
      falling: 'It falls.',
      no_trend_seen: 'These measurements show no trend, which does not mean that there is none.',
    },
  },
  de: {
    title: 'Änderung der Nennungsrate',
    lead: 'Jede Frage wird mit sich selbst verglichen: wie viele Antworten die Marke jetzt nennen und vorher nicht, und umgekehrt. Fragen ohne echte Antwort in einer der beiden Messungen bleiben außen vor.',
    holm: (comparisons) =>
      `p ist für ${comparisons} Vergleiche korrigiert, damit nicht einer von vielen zufällig auffällt.`,
    simulated: 'Diese Antworten sind erfunden oder wiederholt: Die Änderung sagt nichts über die Marke.',
    otherModel: 'Es antwortete ein anderes Modell:',
    notTheBrand: (before, after) =>
      `Die Rate war vorher ${before} und nachher ${after}. Der Unterschied kann am Modell liegen und ist deshalb keine Änderung der Marke.`,
    caption: 'Nennungsrate mit ihrem 95-%-Intervall und die Änderung seit der Zeile darüber in Punkten',
    at: 'Gemessen',
    rate: 'Nennungsrate',
    without: 'Ohne Antwort',
    change: 'Änderung',
    verdict: 'Bedeutung',
    none: '–',
    to: 'bis',
    paired: ({ points, range, prompts, out, more, less }) =>
      `${points} Punkte (${range}); ${prompts} Fragen, ${more} häufiger, ${less} seltener${out === 0 ? '' : `, ${out} ausgelassen`}`,
    verdicts: { rose: 'gestiegen', fell: 'gefallen', no_change_seen: 'kann Zufall sein' },
    trend: (points, range) => `Trend: ${points} Punkte in 30 Tagen (95 %: ${range}).`,
    trends: {
      rising: 'Sie steigt.',
      falling: 'Sie fällt.',
      no_trend_seen: 'Diese Messungen zeigen keinen Trend; das heißt nicht, dass es keinen gibt.',
    },
  },
};
