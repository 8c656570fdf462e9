import { formatAccuracy, type MaybeDoubted } from '../../report/reportable.ts';
import type { Translated } from '../language/language.ts';

type AccuracyWords = { how: string; doubted: (check: MaybeDoubted) => string };

/** What a check says of itself that was often wrong on labelled pages; `doubted` is empty for any other. */
export const accuracyWords: Translated<AccuracyWords> = {
  en: { how: 'How this was measured', doubted: formatAccuracy },
  de: {
    how: 'Wie das gemessen wurde (englisch)',
    doubted: ({ accuracy }) => {
      if (accuracy === undefined) return '';
      const { n, right, wrong } = accuracy;
      const arguable = n - right - wrong;
      return `Auf Seiten mit bekannter Antwort stimmten ${right} von ${n} Urteilen dieser Prüfung${arguable > 0 ? `, ${arguable} sind strittig` : ''}.`;
    },
  },
};
