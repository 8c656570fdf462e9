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
      timeout: 'die Antwortmaschine brauchte zu lange',
      rate_limited: 'die Antwortmaschine begrenzt, wie oft sie gefragt wird',
      conflict: 'die Antwortmaschine war mit derselben Frage beschäftigt',
      unavailable: 'die Antwortmaschine war nicht erreichbar',
      empty_answer: 'die Antwort war leer',
      unauthorized: 'die Antwortmaschine wies unseren Schlüssel ab',
      refused: 'die Antwortmaschine lehnte die Frage ab',
      filtered: 'die Antwortmaschine filterte ihre Antwort',
      invalid_response: 'die Antwort war nicht lesbar',
      engine_fault: 'die Antwortmaschine hatte einen Fehler',
      deadline: 'die Zeit der ganzen Messung war um',
      not_delivered: 'die Frage erreichte die Antwortmaschine nicht',
    },
    finishes: {
      stop: 'vollständig',
      length: 'an der Längengrenze abgeschnitten',
      other: 'aus einem anderen Grund beendet',
    },
  },
};
