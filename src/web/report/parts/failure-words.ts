import type { FailureReason, FinishReason } from '../../../models/port.ts';
import type { Translated } from '../../language/language.ts';
import { FAILURES, FINISHES } from './words.ts';

type FailureWords = {
  failures: Readonly<Record<FailureReason, string>>;
  finishes: Readonly<Record<FinishReason, string>>;
};

/** Why no answer came, and how one ended. */
export const failureWords: Translated<FailureWords> = {
  en: { failures: FAILURES, finishes: FINISHES },
  de: {
    failures: {
      timeout: 'die Engine brauchte zu lange',
      rate_limited: 'die Engine begrenzt, wie oft sie gefragt wird',
      conflict: 'die Engine war mit derselben Frage beschäftigt',
      unavailable: 'die Engine war nicht erreichbar',
      empty_answer: 'die Antwort war leer',
      unauthorized: 'die Engine wies unseren Schlüssel ab',
      refused: 'die Engine lehnte die Frage ab',
      filtered: 'die Engine filterte ihre Antwort',
      invalid_response: 'die Antwort war nicht lesbar',
      engine_fault: 'die Engine hatte einen Fehler',
      deadline: 'die Zeit der ganzen Messung war um',
      not_delivered: 'die Frage erreichte die Engine nicht',
    },
    finishes: {
      stop: 'vollständig',
      length: 'an der Längengrenze abgeschnitten',
      other: 'aus einem anderen Grund beendet',
    },
  },
};
