import type { FailureReason, FinishReason } from '../../../models/port.ts';
import type { Translated } from '../../language/language.ts';
import type { RefusalKind } from '../../../visibility/refusals/refusal-kinds.ts';
import { FAILURES, FINISHES, REFUSALS } from './words.ts';

type FailureWords = {
  failures: Readonly<Record<FailureReason, string>>;
  finishes: Readonly<Record<FinishReason, string>>;
  refusals: Readonly<Record<RefusalKind, string>>;
};

/** Why no answer came, and how one ended. */
export const failureWords: Translated<FailureWords> = {
  en: { failures: FAILURES, finishes: FINISHES, refusals: REFUSALS },
  de: {
    failures: {
      timeout: 'die Antwortmaschine brauchte zu lange',
      rate_limited: 'die Antwortmaschine begrenzt, wie oft sie gefragt wird',
      conflict: 'die Antwortmaschine war mit derselben Frage beschäftigt',
      unavailable: 'die Antwortmaschine war nicht erreichbar',
      empty_answer: 'die Antwort war leer',
      unauthorized: 'die Antwortmaschine wies unseren Schlüssel ab',
      refused: 'die Antwortmaschine wies die Anfrage zurück',
      filtered: 'die Antwortmaschine filterte ihre Antwort',
      invalid_response: 'die Antwort war nicht lesbar',
      engine_fault: 'die Antwortmaschine hatte einen Fehler',
      deadline: 'die Zeit der ganzen Messung war um',
      not_delivered: 'die Frage erreichte die Antwortmaschine nicht',
      stopped: 'nicht gestellt, weil die Antwortmaschine die meisten ersten Fragen abgelehnt hat',
    },
    finishes: {
      stop: 'vollständig',
      length: 'an der Längengrenze abgeschnitten',
      other: 'aus einem anderen Grund beendet',
    },
    refusals: {
      refusal: 'die Antwortmaschine wollte nicht antworten',
      stock_phrase: 'eine Floskel ohne Antwort',
      wrong_language: 'in einer anderen Sprache als die Frage geschrieben',
      off_topic: 'über etwas anderes',
    },
  },
};
