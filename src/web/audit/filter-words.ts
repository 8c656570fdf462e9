import { formatWholeNumber } from '../language/amounts.ts';
import type { Translated } from '../language/language.ts';

/** How many checks a filter shows: apart from the words of the list, because scripts carry it. */
export const filterWords: Translated<{ shown: (shown: number, all: number) => string }> = {
  en: { shown: (shown, all) => `${formatWholeNumber(shown, 'en')} of ${formatWholeNumber(all, 'en')} listed` },
  de: { shown: (shown, all) => `${formatWholeNumber(shown, 'de')} von ${formatWholeNumber(all, 'de')} aufgeführt` },
};
