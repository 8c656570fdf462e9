import type { CreditLine } from '../../payment/credits/credit-line.ts';
import type { Translated } from '../language/language.ts';

export type CreditsWords = {
  title: string;
  more: string;
  balance: string;
  lead: string;
  how: string;
  frozen: string;
  pending: (amount: string) => string;
  reserved: (amount: string) => string;
  add: string;
  addText: (addresses: readonly string[]) => string;
  noWallet: string;
  addWallet: string;
  pack: (amount: string) => string;
  promise: (amount: string) => string;
  use: string;
  filter: string;
  all: string;
  show: string;
  csv: string;
  kind: Readonly<Record<Exclude<CreditLine['kind'], 'added'> | 'granted', string>>;
  receipt: string;
  statement: string;
  givenBack: (what: string) => string;
  balanceAfter: string;
  unknownBalance: string;
  report: string;
  emptyTitle: string;
  emptyText: string;
  emptyAction: string;
  kept: string;
};

export const creditsWords: Translated<CreditsWords> = {
  en: {
    title: 'Credits',
    more: 'Add credits, and see how they were used',
    balance: 'Balance',
    lead: 'Credits are prepaid US dollars. Assistants and other apps that you let in spend them per call; a call that delivers nothing costs nothing. They do not expire. They are not paid out; what a card paid and you have not used can go back to that card.',
    how: 'How credits work',
    frozen:
      'The balance is below zero: a payment by card was refunded or is disputed, and its credits were spent. Add credits to go on.',
    pending: (amount) => `${amount} is on its way: it is added as soon as the payment is settled.`,
    reserved: (amount) => `${amount} is held by calls that run now.`,
    add: 'Add credits',
    addText: (addresses) =>
      `Credits belong to the account of the wallet that pays. Pay with ${addresses.join(' or ')}, or they go to another account. One US dollar of credits costs one USDC.`,
    noWallet:
      'To pay in USDC, add the wallet that pays to this account first: credits belong to the account of the wallet. One US dollar of credits costs one USDC.',
    addWallet: 'Add a wallet',
    pack: (amount) => `${amount} of credits`,
    promise: (amount) =>
      `${amount} of credits for the account of the address that pays, added as soon as it is settled.`,
    use: 'Use',
    filter: 'Month (UTC)',
    all: 'All months',
    show: 'Show',
    csv: 'Download as CSV',
    kind: {
      top_up: 'Credits bought',
      card: 'Credits bought by card',
      call: 'Call',
      granted: 'Credits granted',
      refund: 'Refunded to the card',
      refund_undone: 'Refund that failed, credited again',
      dispute: 'Taken back: the payment is disputed',
      dispute_undone: 'Dispute over, credited again',
    },
    receipt: 'Receipt',
    statement: 'Statement of this month',
    givenBack: (what) => `Given back: ${what}`,
    balanceAfter: 'Balance after',
    unknownBalance: 'not recorded',
    report: 'Report',
    emptyTitle: 'No credits were bought or used yet',
    emptyText: 'Each top-up and each paid call is listed here, with what was left after it.',
    emptyAction: 'Add credits',
    kept: 'Movements are listed for 400 days.',
  },
  de: {
    title: 'Guthaben',
    more: 'Guthaben aufladen und Verwendung ansehen',
    balance: 'Saldo',
    lead: 'Guthaben sind vorausbezahlte US-Dollar. Assistenten und andere Apps, denen Sie Zugriff geben, zahlen damit pro Aufruf; ein Aufruf ohne Ergebnis kostet nichts. Guthaben verfällt nicht. Es wird nicht ausgezahlt; was eine Karte bezahlt hat und nicht verwendet ist, kann auf diese Karte zurückgehen.',
    how: 'So funktioniert Guthaben (Englisch)',
    frozen:
      'Der Saldo ist negativ: Eine Kartenzahlung wurde erstattet oder ist strittig, und ihr Guthaben war verwendet. Laden Sie Guthaben auf, um weiterzumachen.',
    pending: (amount) => `${amount} sind unterwegs: Sie werden gutgeschrieben, sobald die Zahlung abgewickelt ist.`,
    reserved: (amount) => `${amount} sind für Aufrufe reserviert, die gerade laufen.`,
    add: 'Guthaben aufladen',
    addText: (addresses) =>
      `Guthaben gehört dem Konto der Wallet, die zahlt. Zahlen Sie mit ${addresses.join(' oder ')}, sonst geht es auf ein anderes Konto. Ein US-Dollar Guthaben kostet einen USDC.`,
    noWallet:
      'Um in USDC zu zahlen, fügen Sie die Wallet, die zahlt, zuerst diesem Konto hinzu: Guthaben gehört dem Konto der Wallet. Ein US-Dollar Guthaben kostet einen USDC.',
    addWallet: 'Wallet hinzufügen',
    pack: (amount) => `${amount} Guthaben`,
    promise: (amount) =>
      `${amount} Guthaben für das Konto der zahlenden Adresse, gutgeschrieben, sobald die Zahlung abgewickelt ist.`,
    use: 'Verwendung',
    filter: 'Monat (UTC)',
    all: 'Alle Monate',
    show: 'Anzeigen',
    csv: 'Als CSV herunterladen',
    kind: {
      top_up: 'Guthaben gekauft',
      card: 'Guthaben mit Karte gekauft',
      call: 'Aufruf',
      granted: 'Guthaben gutgeschrieben',
      refund: 'Auf die Karte erstattet',
      refund_undone: 'Gescheiterte Erstattung, wieder gutgeschrieben',
      dispute: 'Zurückgenommen: Die Zahlung ist strittig',
      dispute_undone: 'Streitfall beendet, wieder gutgeschrieben',
    },
    receipt: 'Beleg',
    statement: 'Aufstellung dieses Monats',
    givenBack: (what) => `Erstattet: ${what}`,
    balanceAfter: 'Saldo danach',
    unknownBalance: 'nicht erfasst',
    report: 'Bericht',
    emptyTitle: 'Es wurde noch kein Guthaben gekauft oder verwendet',
    emptyText: 'Hier steht jede Aufladung und jeder bezahlte Aufruf mit dem Saldo danach.',
    emptyAction: 'Guthaben aufladen',
    kept: 'Bewegungen stehen hier 400 Tage lang.',
  },
};
