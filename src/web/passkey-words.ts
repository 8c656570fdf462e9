import type { Translated } from './language/language.ts';

/** What the script says. It is handed to it as data. */
export type PasskeyScriptWords = {
  waiting: string;
  unsupported: string;
  refused: string;
  known: string;
  failed: string;
  retry: string;
  unreachable: string;
};

export const passkeyScriptWords: Translated<PasskeyScriptWords> = {
  en: {
    waiting: 'Your browser asks you now.',
    unsupported: 'This browser makes no passkeys. Choose another way, or another browser.',
    refused: 'Nothing happened: it was cancelled, or took too long. Press the button to try again.',
    known: 'This device already has a passkey for this account.',
    failed: 'That did not work:',
    retry: 'Press the button to try again.',
    unreachable: 'The service cannot be reached. Check your connection, then press the button again.',
  },
  de: {
    waiting: 'Ihr Browser fragt Sie jetzt.',
    unsupported: 'Dieser Browser kann keine Passkeys. Wählen Sie einen anderen Weg oder einen anderen Browser.',
    refused:
      'Es ist nichts geschehen: Es wurde abgebrochen oder dauerte zu lange. Mit der Schaltfläche versuchen Sie es erneut.',
    known: 'Dieses Gerät hat schon einen Passkey für dieses Konto.',
    failed: 'Das ist fehlgeschlagen:',
    retry: 'Mit der Schaltfläche versuchen Sie es erneut.',
    unreachable:
      'Der Dienst ist nicht erreichbar. Prüfen Sie Ihre Verbindung und versuchen Sie es mit der Schaltfläche erneut.',
  },
};
