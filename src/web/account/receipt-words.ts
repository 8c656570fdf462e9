import type { Translated } from '../language/language.ts';

export type ReceiptWords = {
  receipt: string;
  invoice: string;
  statement: (month: string) => string;
  number: string;
  date: string;
  seller: string;
  buyer: string;
  account: string;
  item: string;
  count: string;
  amount: string;
  credits: (amount: string) => string;
  total: string;
  paid: string;
  byCard: string;
  byUsdc: (amount: string) => string;
  taxId: string;
  noSeller: string;
  numberNote: string;
  billedTo: string;
  billedToNote: string;
  show: string;
  pdf: string;
  back: string;
  opening: string;
  closing: string;
  unknown: string;
  kinds: Readonly<
    Record<'top_up' | 'card' | 'added' | 'refund' | 'refund_undone' | 'dispute' | 'dispute_undone', string>
  >;
  partial: string;
};

/** Words of receipts and of the statement of a month. */
export const receiptWords: Translated<ReceiptWords> = {
  en: {
    receipt: 'Receipt',
    invoice: 'Invoice and receipt',
    statement: (month) => `Statement of credits, ${month}`,
    number: 'Number',
    date: 'Date',
    seller: 'Seller',
    buyer: 'Billed to',
    account: 'Account',
    item: 'Item',
    count: 'Count',
    amount: 'Amount',
    credits: (amount) => `${amount} of prepaid credits`,
    total: 'Total',
    paid: 'Paid',
    byCard: 'By card or bank, through Stripe',
    byUsdc: (amount) => `${amount}; one USDC counts as one US dollar`,
    taxId: 'Tax number',
    noSeller: 'The operator has set no name and address: this is a receipt and no invoice.',
    numberNote:
      'The number is of this purchase alone and never changes. Numbers of a service do not follow each other.',
    billedTo: 'Billed to: name and address, up to 6 lines',
    billedToNote: 'It is written on this page and its PDF, and stored nowhere.',
    show: 'Write it on the page',
    pdf: 'Download as PDF',
    back: 'Your credits',
    opening: 'Balance at the beginning',
    closing: 'Balance at the end',
    unknown: 'not recorded',
    kinds: {
      top_up: 'Credits bought with USDC',
      card: 'Credits bought by card',
      added: 'Credits added by the operator',
      refund: 'Refunded to a card',
      refund_undone: 'Refunds that failed',
      dispute: 'Taken back for disputes',
      dispute_undone: 'Disputes that are over',
    },
    partial: 'The month has more movements than a statement counts: use the CSV file for all of them.',
  },
  de: {
    receipt: 'Beleg',
    invoice: 'Rechnung und Beleg',
    statement: (month) => `Aufstellung des Guthabens, ${month}`,
    number: 'Nummer',
    date: 'Datum',
    seller: 'Verkäufer',
    buyer: 'Rechnung an',
    account: 'Konto',
    item: 'Posten',
    count: 'Anzahl',
    amount: 'Betrag',
    credits: (amount) => `${amount} vorausbezahltes Guthaben`,
    total: 'Summe',
    paid: 'Bezahlt',
    byCard: 'Mit Karte oder über die Bank, durch Stripe',
    byUsdc: (amount) => `${amount}; ein USDC zählt als ein US-Dollar`,
    taxId: 'Steuernummer',
    noSeller: 'Der Betreiber hat Namen und Anschrift nicht angegeben: Dies ist ein Beleg und keine Rechnung.',
    numberNote:
      'Die Nummer gehört zu diesem Kauf allein und ändert sich nie. Die Nummern eines Dienstes sind nicht fortlaufend.',
    billedTo: 'Rechnung an: Name und Anschrift, bis zu 6 Zeilen',
    billedToNote: 'Es steht auf dieser Seite und in ihrem PDF und wird nirgends gespeichert.',
    show: 'Auf die Seite schreiben',
    pdf: 'Als PDF herunterladen',
    back: 'Ihr Guthaben',
    opening: 'Saldo am Anfang',
    closing: 'Saldo am Ende',
    unknown: 'nicht erfasst',
    kinds: {
      top_up: 'Guthaben mit USDC gekauft',
      card: 'Guthaben mit Karte gekauft',
      added: 'Guthaben vom Betreiber',
      refund: 'Auf eine Karte erstattet',
      refund_undone: 'Gescheiterte Erstattungen',
      dispute: 'Für Streitfälle zurückgenommen',
      dispute_undone: 'Beendete Streitfälle',
    },
    partial: 'Der Monat hat mehr Bewegungen, als eine Aufstellung zählt: In der CSV-Datei stehen alle.',
  },
};
