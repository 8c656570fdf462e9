import type { Translated } from '../language/language.ts';

export type DeleteWords = {
  title: string;
  goneTitle: string;
  gone: readonly string[];
  staysTitle: string;
  stays: readonly string[];
  monitors: (count: number) => string;
  creditsTitle: string;
  creditsLeft: (amount: string) => string;
  noCredits: string;
  forfeit: (amount: string) => string;
  beforeTitle: string;
  before: string;
  publishedLink: string;
  confirmTitle: string;
  /** What is to be typed. */
  word: string;
  confirm: (word: string) => string;
  button: string;
  stale: string;
  signInAgain: string;
  errors: Readonly<Record<DeleteError, string>>;
  deletedTitle: string;
  deleted: string;
  deletedUnreached: string;
  audit: string;
  home: string;
};

/** Why an account was not deleted: said above the form. */
export const DELETE_ERRORS = ['wrong_word', 'credits_left', 'credits_under_way', 'not_readable'] as const;
export type DeleteError = (typeof DELETE_ERRORS)[number];

export const deleteWords: Translated<DeleteWords> = {
  en: {
    title: 'Delete the account',
    goneTitle: 'What is deleted, now',
    gone: [
      'The access of every app, with its tokens and limits.',
      'Every sign-in, in this browser and in others.',
      'The list of your reports, the movements of your credits, and the sum that your wallets have paid in all.',
      'The exports of vendors that you uploaded, and what was made of them.',
      'Your hosts, their tokens, and the counts that were sent for them.',
      'Your e-mail address and your passkeys, at once. The link between a wallet and the account: after 40 days nothing of it is left.',
    ],
    monitors: (count) =>
      count === 1
        ? 'Your monitor, with its runs, alerts, receivers and stored reports.'
        : `Your ${count} monitors, with their runs, alerts, receivers and stored reports.`,
    staysTitle: 'What stays, and why',
    stays: [
      'The ledger of payments: a payment is on a public chain, and the ledger ensures that it is taken once. The law demands books.',
      'For 40 days the number of the account stays with your wallets, so that no payment for credits is ever credited twice. If you sign in before, you have the empty account again.',
      'Reports, until their 30 days are over: they are stored under their address and without your name.',
      'What you published: take it back first if it should not stay public.',
    ],
    creditsTitle: 'Your credits',
    creditsLeft: (amount) =>
      `${amount} of credits are left. They are not paid out. Use them before, or give them up with the account.`,
    noCredits: 'No credits are left.',
    forfeit: (amount) => `I give up ${amount} of credits.`,
    beforeTitle: 'Before you go',
    before: 'Save the reports that you still need.',
    publishedLink: 'Take back published reports',
    confirmTitle: 'Delete it',
    word: 'delete',
    confirm: (word) => `To confirm, type “${word}”`,
    button: 'Delete my account',
    stale: 'Deleting an account needs a sign-in that is younger than five minutes. Yours is older.',
    signInAgain: 'Sign in again',
    errors: {
      wrong_word: 'Nothing was deleted: the word to confirm was not typed. Type it in the field below.',
      credits_left: 'Nothing was deleted: there are credits left. Tick that you give them up, or use them first.',
      credits_under_way:
        'Nothing was deleted: a call or a payment for credits is still under way. Try again in a few minutes.',
      not_readable: 'Nothing was deleted: your credits cannot be read now. Try again in a minute.',
    },
    deletedTitle: 'Your account is deleted',
    deleted: 'You are signed out everywhere, and no app has access any more. You can go on buying without an account.',
    deletedUnreached:
      'A part of the service did not answer and hears of it later: access tokens end within the hour in any case, and the list of your reports within 31 days.',
    audit: 'Audit a site',
    home: 'Go to the start page',
  },
  de: {
    title: 'Konto löschen',
    goneTitle: 'Was jetzt gelöscht wird',
    gone: [
      'Der Zugriff jeder App, mit ihren Token und Limits.',
      'Jede Anmeldung, in diesem Browser und in anderen.',
      'Die Liste Ihrer Berichte, die Bewegungen Ihres Guthabens und die Summe, die Ihre Wallets insgesamt bezahlt haben.',
      'Die Exporte von Anbietern, die Sie hochgeladen haben, und was daraus gemacht wurde.',
      'Ihre Hosts, deren Token und die Zählungen, die für sie geschickt wurden.',
      'Ihre E-Mail-Adresse und Ihre Passkeys, sofort. Die Verbindung zwischen einer Wallet und dem Konto: Nach 40 Tagen ist davon nichts mehr da.',
    ],
    monitors: (count) =>
      count === 1
        ? 'Ihre Überwachung mit Läufen, Meldungen, Empfängern und gespeicherten Berichten.'
        : `Ihre ${count} Überwachungen mit Läufen, Meldungen, Empfängern und gespeicherten Berichten.`,
    staysTitle: 'Was bleibt, und warum',
    stays: [
      'Das Zahlungsbuch: Eine Zahlung steht in einer öffentlichen Blockchain, und das Buch stellt sicher, dass sie nur einmal angenommen wird. Bücher müssen nach dem Gesetz aufbewahrt werden.',
      '40 Tage lang bleibt die Nummer des Kontos bei Ihren Wallets, damit keine Zahlung für Guthaben zweimal gutgeschrieben wird. Melden Sie sich vorher an, haben Sie das leere Konto wieder.',
      'Berichte, bis ihre 30 Tage vorbei sind: Sie liegen unter ihrer Adresse und ohne Ihren Namen.',
      'Was Sie veröffentlicht haben: Nehmen Sie es vorher zurück, wenn es nicht öffentlich bleiben soll.',
    ],
    creditsTitle: 'Ihr Guthaben',
    creditsLeft: (amount) =>
      `Es sind noch ${amount} Guthaben da. Guthaben wird nicht ausgezahlt. Verwenden Sie es vorher, oder geben Sie es mit dem Konto auf.`,
    noCredits: 'Es ist kein Guthaben mehr da.',
    forfeit: (amount) => `Ich gebe ${amount} Guthaben auf.`,
    beforeTitle: 'Bevor Sie gehen',
    before: 'Sichern Sie die Berichte, die Sie noch brauchen.',
    publishedLink: 'Veröffentlichte Berichte zurücknehmen',
    confirmTitle: 'Löschen',
    word: 'löschen',
    confirm: (word) => `Geben Sie zur Bestätigung „${word}“ ein`,
    button: 'Mein Konto löschen',
    stale: 'Zum Löschen braucht es eine Anmeldung, die jünger als fünf Minuten ist. Ihre ist älter.',
    signInAgain: 'Erneut anmelden',
    errors: {
      wrong_word: 'Es wurde nichts gelöscht: Das Wort zur Bestätigung fehlt. Geben Sie es unten ein.',
      credits_left:
        'Es wurde nichts gelöscht: Es ist noch Guthaben da. Kreuzen Sie an, dass Sie es aufgeben, oder verwenden Sie es vorher.',
      credits_under_way:
        'Es wurde nichts gelöscht: Ein Aufruf oder eine Zahlung für Guthaben läuft noch. Versuchen Sie es in einigen Minuten erneut.',
      not_readable:
        'Es wurde nichts gelöscht: Ihr Guthaben lässt sich gerade nicht lesen. Versuchen Sie es in einer Minute erneut.',
    },
    deletedTitle: 'Ihr Konto ist gelöscht',
    deleted:
      'Sie sind überall abgemeldet, und keine App hat mehr Zugriff. Kaufen können Sie weiterhin, auch ohne Konto.',
    deletedUnreached:
      'Ein Teil des Dienstes hat nicht geantwortet und erfährt es später: Zugriffstoken enden in jedem Fall innerhalb einer Stunde, die Liste Ihrer Berichte innerhalb von 31 Tagen.',
    audit: 'Website prüfen',
    home: 'Zur Startseite',
  },
};
