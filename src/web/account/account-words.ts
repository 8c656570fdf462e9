import type { Translated } from '../language/language.ts';

/** What an action did, as the page after it says it. */
export const ACCOUNT_DONE = [
  'way_added',
  'way_removed',
  'revoked',
  'revoked_all',
  'unpublished',
  'import_deleted',
  'host_dropped',
  'monitor_created',
  'monitor_saved',
  'monitor_paused',
  'monitor_resumed',
  'monitor_started',
  'monitor_deleted',
  'receiver_tested',
  'delivery_replayed',
] as const;
export type Done = (typeof ACCOUNT_DONE)[number];

export type AccountWords = {
  title: string;
  navigation: string;
  overview: string;
  signedInAs: string;
  operator: string;
  passkeyAccount: string;
  signOut: string;
  signOutEverywhere: string;
  sessions: string;
  sessionsText: string;
  data: string;
  dataText: string;
  dataLink: string;
  end: string;
  endText: string;
  done: Readonly<Record<Done, string>>;
  notReadable: string;
  date: string;
  what: string;
  amount: string;
  next: string;
  operatorText: string;
  operatorLink: string;
};

/** Words that the pages of an account share. */
export const accountWords: Translated<AccountWords> = {
  en: {
    title: 'Your account',
    navigation: 'Account',
    overview: 'Overview',
    signedInAs: 'Signed in as',
    operator: 'an operator of this service',
    passkeyAccount: 'the owner of a passkey',
    signOut: 'Sign out',
    signOutEverywhere: 'Sign out everywhere',
    sessions: 'Where you are signed in',
    sessionsText:
      'A sign-in ends by itself after 12 hours. If you used a computer that others use too, end all of them now, this one included. Apps keep their access: take that back under “Apps with access”.',
    data: 'Your data',
    dataText: 'Everything that this account has, in one file: movements, reports, monitors, apps and ways to sign in.',
    dataLink: 'Download it as JSON',
    end: 'Delete the account',
    endText: 'Read first what is deleted, and what has to stay.',
    done: {
      way_added: 'From now on you can sign in with it.',
      way_removed: 'It signs no one in any more, and every session that it opened has ended.',
      revoked: 'The app has no access any more. What it was running is stopped and not charged.',
      revoked_all: 'No app has access any more. What they were running is stopped and not charged.',
      unpublished: 'The report is no longer in the history of its site or on its badge.',
      import_deleted: 'The uploaded data is deleted.',
      host_dropped: 'The host is removed, its token has ended, and its counts are deleted.',
      monitor_created: 'The monitor is created. Its first run begins now.',
      monitor_saved: 'The monitor is changed.',
      monitor_paused: 'The monitor is paused. It does not run until you resume it.',
      monitor_resumed: 'The monitor is resumed.',
      monitor_started: 'A run has begun. Load the page again in a minute to see its result.',
      monitor_deleted: 'The monitor is deleted.',
      receiver_tested: 'A test is on its way. Its delivery is listed below.',
      delivery_replayed: 'It is sent again.',
    },
    notReadable: 'This cannot be read now. Load the page again in a minute; nothing is lost.',
    date: 'Date',
    what: 'What',
    amount: 'Amount',
    next: 'Show older ones',
    operatorText: 'You are signed in as an operator. Credits and reports belong to accounts of customers.',
    operatorLink: 'Go to the operators’ page',
  },
  de: {
    title: 'Ihr Konto',
    navigation: 'Konto',
    overview: 'Übersicht',
    signedInAs: 'Angemeldet als',
    operator: 'Betreiber dieses Dienstes',
    passkeyAccount: 'Inhaber eines Passkeys',
    signOut: 'Abmelden',
    signOutEverywhere: 'Überall abmelden',
    sessions: 'Wo Sie angemeldet sind',
    sessionsText:
      'Eine Anmeldung endet nach 12 Stunden von selbst. Wenn Sie einen Computer benutzt haben, den auch andere benutzen, beenden Sie jetzt alle, auch diese hier. Apps behalten ihren Zugriff: Entziehen Sie ihn unter „Apps mit Zugriff“.',
    data: 'Ihre Daten',
    dataText:
      'Alles, was zu diesem Konto gehört, in einer Datei: Bewegungen, Berichte, Überwachungen, Apps und Wege zur Anmeldung.',
    dataLink: 'Als JSON herunterladen',
    end: 'Konto löschen',
    endText: 'Lesen Sie zuerst, was gelöscht wird und was bleiben muss.',
    done: {
      way_added: 'Ab jetzt können Sie sich damit anmelden.',
      way_removed: 'Damit kann sich niemand mehr anmelden, und jede damit geöffnete Sitzung ist beendet.',
      revoked: 'Die App hat keinen Zugriff mehr. Was sie gerade ausführte, ist abgebrochen und wird nicht berechnet.',
      revoked_all: 'Keine App hat mehr Zugriff. Was gerade lief, ist abgebrochen und wird nicht berechnet.',
      unpublished: 'Der Bericht steht nicht mehr im Verlauf der Website und nicht mehr auf ihrem Badge.',
      import_deleted: 'Die hochgeladenen Daten sind gelöscht.',
      host_dropped: 'Der Host ist entfernt, sein Token gilt nicht mehr, und seine Zählungen sind gelöscht.',
      monitor_created: 'Die Überwachung ist angelegt. Ihr erster Lauf beginnt jetzt.',
      monitor_saved: 'Die Überwachung ist geändert.',
      monitor_paused: 'Die Überwachung ist angehalten. Sie läuft erst wieder, wenn Sie sie fortsetzen.',
      monitor_resumed: 'Die Überwachung läuft wieder.',
      monitor_started: 'Ein Lauf hat begonnen. Laden Sie die Seite in einer Minute neu, um das Ergebnis zu sehen.',
      monitor_deleted: 'Die Überwachung ist gelöscht.',
      receiver_tested: 'Ein Test ist unterwegs. Seine Zustellung steht unten.',
      delivery_replayed: 'Es wird erneut gesendet.',
    },
    notReadable: 'Das lässt sich gerade nicht lesen. Laden Sie die Seite in einer Minute neu; es ist nichts verloren.',
    date: 'Datum',
    what: 'Was',
    amount: 'Betrag',
    next: 'Ältere anzeigen',
    operatorText: 'Sie sind als Betreiber angemeldet. Guthaben und Berichte gehören zu Konten von Kunden.',
    operatorLink: 'Zur Seite für Betreiber',
  },
};
