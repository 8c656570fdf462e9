import type { CardPurchaseState } from '../../payment/cards/purchases.ts';
import type { Translated } from '../language/language.ts';

type StateWords = { title: string; text: string };

export type CardsWords = {
  heading: string;
  lead: string;
  button: (amount: string) => string;
  title: string;
  goods: string;
  states: Readonly<Record<CardPurchaseState, StateWords>>;
  /** Paid, and the balance does not have it yet. */
  crediting: string;
  cancelled: string;
  again: string;
  back: string;
  goOn: string;
  reload: string;
  refunded: (amount: string) => string;
  disputed: (amount: string) => string;
};

/** Words of buying credits by card. */
export const cardsWords: Translated<CardsWords> = {
  en: {
    heading: 'Pay by card',
    lead: 'You pay on a page of Stripe, and come back here. The credits are for the account that you are signed in with. What you have not used can be refunded to the same card: write to the operator.',
    button: (amount) => `Pay ${amount} by card`,
    title: 'Credits by card',
    goods: 'Credits',
    states: {
      starting: {
        title: 'The payment page is not ready',
        text: 'Stripe has not answered yet. Nothing was charged. Open the page of your credits, and try again.',
      },
      open: {
        title: 'This payment is still open',
        text: 'Stripe has not said that it was paid. You can go on with it for an hour after you began.',
      },
      processing: {
        title: 'Your bank is working on it',
        text: 'The payment is made and not confirmed. That can take days. The credits are added once it is.',
      },
      paid: { title: 'Paid', text: 'The credits are in your account.' },
      failed: {
        title: 'The payment failed',
        text: 'Your bank did not pay. Nothing was added. Pay again with another card or another way.',
      },
      expired: {
        title: 'This payment is over',
        text: 'It was not paid within an hour. Nothing was charged. Begin again from your credits.',
      },
      refused: { title: 'This payment did not begin', text: 'Nothing was charged. Begin again from your credits.' },
      mismatched: {
        title: 'The amount that was paid is not that of the order',
        text: 'No credits were added. Write to the operator, who can refund it.',
      },
    },
    crediting: 'It is paid. The credits are being added: load this page again in a moment.',
    cancelled: 'You came back without paying. Nothing was charged.',
    again: 'Pay again',
    back: 'Your credits',
    goOn: 'Go on to the payment page',
    reload: 'Load this page again',
    refunded: (amount) => `${amount} of it went back to the card.`,
    disputed: (amount) => `${amount} of it is disputed: these credits are taken back while the bank decides.`,
  },
  de: {
    heading: 'Mit Karte zahlen',
    lead: 'Sie zahlen auf einer Seite von Stripe und kommen hierher zurück. Das Guthaben gehört dem Konto, mit dem Sie angemeldet sind. Was Sie nicht verwendet haben, kann auf dieselbe Karte erstattet werden: Schreiben Sie dem Betreiber.',
    button: (amount) => `${amount} mit Karte zahlen`,
    title: 'Guthaben mit Karte',
    goods: 'Guthaben',
    states: {
      starting: {
        title: 'Die Zahlungsseite ist nicht bereit',
        text: 'Stripe hat noch nicht geantwortet. Es wurde nichts abgebucht. Öffnen Sie die Seite Ihres Guthabens, und versuchen Sie es noch einmal.',
      },
      open: {
        title: 'Diese Zahlung ist noch offen',
        text: 'Stripe hat nicht gemeldet, dass gezahlt wurde. Sie können sie bis eine Stunde nach dem Beginn fortsetzen.',
      },
      processing: {
        title: 'Ihre Bank bearbeitet die Zahlung',
        text: 'Die Zahlung ist veranlasst und nicht bestätigt. Das kann Tage dauern. Danach wird das Guthaben gutgeschrieben.',
      },
      paid: { title: 'Bezahlt', text: 'Das Guthaben ist auf Ihrem Konto.' },
      failed: {
        title: 'Die Zahlung ist gescheitert',
        text: 'Ihre Bank hat nicht gezahlt. Es wurde nichts gutgeschrieben. Zahlen Sie mit einer anderen Karte oder auf anderem Weg.',
      },
      expired: {
        title: 'Diese Zahlung ist beendet',
        text: 'Sie wurde nicht innerhalb einer Stunde bezahlt. Es wurde nichts abgebucht. Beginnen Sie auf der Seite Ihres Guthabens neu.',
      },
      refused: {
        title: 'Diese Zahlung hat nicht begonnen',
        text: 'Es wurde nichts abgebucht. Beginnen Sie auf der Seite Ihres Guthabens neu.',
      },
      mismatched: {
        title: 'Der gezahlte Betrag ist nicht der bestellte',
        text: 'Es wurde nichts gutgeschrieben. Schreiben Sie dem Betreiber, der den Betrag erstatten kann.',
      },
    },
    crediting: 'Sie haben bezahlt. Das Guthaben wird gerade gutgeschrieben: Laden Sie die Seite gleich noch einmal.',
    cancelled: 'Sie sind zurückgekommen, ohne zu zahlen. Es wurde nichts abgebucht.',
    again: 'Noch einmal zahlen',
    back: 'Ihr Guthaben',
    goOn: 'Weiter zur Zahlungsseite',
    reload: 'Seite noch einmal laden',
    refunded: (amount) => `${amount} davon gingen auf die Karte zurück.`,
    disputed: (amount) =>
      `${amount} davon sind strittig: Dieses Guthaben ist zurückgenommen, bis die Bank entscheidet.`,
  },
};
