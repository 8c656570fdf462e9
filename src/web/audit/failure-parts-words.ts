import type { Translated } from '../language/language.ts';

/** What happened, what it means, and what to do next. */
export type FailureRow = { happened: string; means: string; next: string };

/** What a person can press: try the same again, correct the address, read more. */
export type FailureWays = { retry?: boolean | undefined; edit?: boolean | undefined; docs?: string | undefined };

/** Why there is no result, in words for a person. `detail` is in English, and may quote an address. */
export type DescribedFailure = FailureRow & { detail?: string | undefined; ways: FailureWays };

/** What the page of an audit finds out by itself; all other failures are described by the service. */
export type OwnFailure = 'connection_lost' | 'service_unreachable' | 'stopped_here';

type FailurePartsWords = {
  whatToDo: string;
  retry: string;
  edit: string;
  docs: string;
  detail: string;
  own: Readonly<Record<OwnFailure, FailureRow>>;
};

/** The words around a failure, and of failures that only the script of the page knows. */
export const failurePartsWords: Translated<FailurePartsWords> = {
  en: {
    whatToDo: 'What to do:',
    retry: 'Try again',
    edit: 'Edit the address',
    docs: 'Read more',
    detail: 'What was tried',
    own: {
      connection_lost: {
        happened: 'The connection was lost',
        means: 'It broke off, or nothing came for a long time, before the result was complete.',
        next: 'Check your connection and try again. If the audit ended meanwhile, its result is shown at once.',
      },
      service_unreachable: {
        happened: 'The service could not be reached',
        means: 'No connection could be made, so no audit was started.',
        next: 'Check your connection and try again.',
      },
      stopped_here: {
        happened: 'Stopped',
        means: 'You stopped the audit. Nothing more is asked of the site.',
        next: 'Run it again, or enter another address.',
      },
    },
  },
  de: {
    whatToDo: 'Was Sie tun können:',
    retry: 'Noch einmal versuchen',
    edit: 'Adresse ändern',
    docs: 'Mehr dazu',
    detail: 'Was versucht wurde',
    own: {
      connection_lost: {
        happened: 'Die Verbindung ist abgebrochen',
        means: 'Sie endete, oder es kam lange nichts mehr, bevor das Ergebnis vollständig war.',
        next: 'Prüfen Sie Ihre Verbindung und versuchen Sie es noch einmal. Ist die Prüfung inzwischen fertig, kommt ihr Ergebnis sofort.',
      },
      service_unreachable: {
        happened: 'Der Dienst ist nicht erreichbar',
        means: 'Es kam keine Verbindung zustande, daher wurde keine Prüfung gestartet.',
        next: 'Prüfen Sie Ihre Verbindung und versuchen Sie es noch einmal.',
      },
      stopped_here: {
        happened: 'Angehalten',
        means: 'Sie haben die Prüfung angehalten. An die Website geht keine weitere Anfrage.',
        next: 'Starten Sie die Prüfung noch einmal oder geben Sie eine andere Adresse ein.',
      },
    },
  },
};
