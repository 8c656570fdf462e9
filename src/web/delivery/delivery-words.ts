import type { Translated } from '../language/language.ts';

export type DeliveryWords = {
  title: string;
  description: string;
  lead: string;
  json: string;
  none: string;
  heads: Readonly<Record<'week' | 'capability' | 'delivered' | 'refused' | 'refunded' | 'p50' | 'p95', string>>;
  caption: string;
  meaning: string;
  meanings: readonly string[];
  unknown: string;
  /** Parts of the ledger that are missing. */
  unread: (parts: number) => string;
};

export const deliveryWords: Translated<DeliveryWords> = {
  en: {
    title: 'Delivery figures',
    description: 'What this service delivered, refused and refunded, and how long it took, by week and capability.',
    lead: 'What became of every purchase, from the ledger of payments. Weeks are ISO weeks in UTC; the newest is not over yet.',
    json: 'The same as JSON, signed',
    none: 'Nothing was bought in these weeks.',
    heads: {
      week: 'Week',
      capability: 'Capability',
      delivered: 'Delivered',
      refused: 'Refused',
      refunded: 'Refunded',
      p50: 'Half within',
      p95: '95 % within',
    },
    caption: 'Purchases by week and capability',
    meaning: 'What the numbers mean',
    meanings: [
      'Delivered: paid, and the result is with its buyer.',
      'Refused: a good payment for which there was no result, such as for a site that did not answer. Nothing was charged. A later try counts again.',
      'Refunded: charged, and given back, wholly or partly, to the card or as credits. It counts in the week in which it was given back. Payments on a chain are never given back.',
      'Times run from the claim of a payment to its settlement, in steps of 19 %, for purchases with a payment of their own. Weeks before times were recorded have none.',
      'Not counted: requests without a payment, payments that were not good, free runs of monitors, refused calls on credits, and disputes of card payments.',
    ],
    unknown: 'not recorded',
    unread: (parts) => `${parts} of 256 parts of the ledger could not be read yet. What they hold is missing here.`,
  },
  de: {
    title: 'Liefer-Zahlen',
    description:
      'Was dieser Dienst geliefert, abgelehnt und erstattet hat und wie lange es dauerte, nach Woche und Leistung.',
    lead: 'Was aus jedem Kauf wurde, aus dem Zahlungsbuch. Wochen sind ISO-Wochen in UTC; die neueste läuft noch.',
    json: 'Dasselbe als JSON, signiert',
    none: 'In diesen Wochen wurde nichts gekauft.',
    heads: {
      week: 'Woche',
      capability: 'Leistung',
      delivered: 'Geliefert',
      refused: 'Abgelehnt',
      refunded: 'Erstattet',
      p50: 'Die Hälfte in',
      p95: '95 % in',
    },
    caption: 'Käufe nach Woche und Leistung',
    meaning: 'Was die Zahlen bedeuten',
    meanings: [
      'Geliefert: bezahlt, und das Ergebnis ist beim Käufer.',
      'Abgelehnt: eine gute Zahlung, für die es kein Ergebnis gab, etwa weil eine Website nicht antwortete. Berechnet wurde nichts. Ein späterer Versuch zählt neu.',
      'Erstattet: berechnet und ganz oder teilweise zurückgegeben, auf die Karte oder als Guthaben. Es zählt in der Woche der Rückgabe. Zahlungen auf einer Blockchain werden nie zurückgegeben.',
      'Zeiten laufen vom Annehmen einer Zahlung bis zu ihrer Abrechnung, in Stufen von 19 %, für Käufe mit eigener Zahlung. Für Wochen vor der Aufzeichnung gibt es keine.',
      'Nicht gezählt: Anfragen ohne Zahlung, ungültige Zahlungen, freie Läufe von Überwachungen, abgelehnte Aufrufe auf Guthaben und angefochtene Kartenzahlungen.',
    ],
    unknown: 'nicht erfasst',
    unread: (parts) =>
      `${parts} von 256 Teilen des Zahlungsbuchs waren noch nicht lesbar. Was sie enthalten, fehlt hier.`,
  },
};
