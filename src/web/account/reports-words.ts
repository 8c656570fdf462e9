import type { PaidBy } from '../../payment/rails/rail-ids.ts';
import type { Translated } from '../language/language.ts';

export type ReportsWords = {
  title: string;
  more: string;
  lead: string;
  how: Readonly<Record<'wallet' | 'credits', string>>;
  methods: Readonly<Record<PaidBy, string>>;
  site: string;
  paid: string;
  readable: string;
  until: (day: string) => string;
  gone: string;
  emptyTitle: string;
  emptyText: string;
  emptyAction: string;
  missingTitle: string;
  missing: readonly string[];
  count: (count: number) => string;
  many: (count: number) => string;
  published: {
    title: string;
    more: string;
    lead: string;
    history: (host: string) => string;
    report: string;
    unpublish: string;
    unpublishOf: (host: string, day: string) => string;
    emptyTitle: string;
    emptyText: string;
    emptyAction: string;
    count: (count: number) => string;
    looked: (count: number) => string;
  };
};

export const reportsWords: Translated<ReportsWords> = {
  en: {
    title: 'Reports',
    more: 'See all reports',
    lead: 'What you bought with this wallet, or with the credits of this account. A report can be read for 30 days by anyone who has its address.',
    how: { wallet: 'wallet', credits: 'credits' },
    methods: { x402: 'x402', mpp: 'MPP', transfer: 'transfer' },
    site: 'Site',
    paid: 'Paid by',
    readable: 'Can be read',
    until: (day) => `until ${day}`,
    gone: 'not any more',
    emptyTitle: 'No report of the last 30 days',
    emptyText: 'Buy one with this wallet or with credits, and it is listed here. You need no account to buy.',
    emptyAction: 'Audit a site',
    missingTitle: 'Which reports are not listed',
    missing: [
      'Reports that were bought with another wallet. Sign in with it to see them.',
      'Reports that were paid by a transfer whose hash was presented without a proof of the payer. Everyone can see a hash, so it does not show who bought.',
      'Reports older than 30 days: they are deleted.',
      'Reports whose purchase was settled before this list existed.',
    ],
    count: (count) => (count === 1 ? '1 report in the last 30 days' : `${count} reports in the last 30 days`),
    many: (count) => `At least ${count} reports in the last 30 days`,
    published: {
      title: 'Published sites',
      more: 'See published reports',
      lead: 'These reports are in the public history of their site, and the newest decides what its badge shows. If you take one back, anyone who has its address can still read it until it expires.',
      history: (host) => `History of ${host}`,
      report: 'Report',
      unpublish: 'Take it back',
      unpublishOf: (host, day) => `Take it back: ${host}, ${day}`,
      emptyTitle: 'Nothing is published',
      emptyText:
        'A report of a whole site can be published on its page. Then its scores are on a badge, and in a history.',
      emptyAction: 'See your reports',
      count: (count) => (count === 1 ? '1 published report' : `${count} published reports`),
      looked: (count) =>
        `Your newest ${count} reports that can be published were checked. An older one is taken back with the publish token of its purchase.`,
    },
  },
  de: {
    title: 'Berichte',
    more: 'Alle Berichte ansehen',
    lead: 'Was Sie mit dieser Wallet oder mit dem Guthaben dieses Kontos gekauft haben. Einen Bericht kann 30 Tage lang lesen, wer seine Adresse hat.',
    how: { wallet: 'Wallet', credits: 'Guthaben' },
    methods: { x402: 'x402', mpp: 'MPP', transfer: 'Überweisung' },
    site: 'Website',
    paid: 'Bezahlt mit',
    readable: 'Lesbar',
    until: (day) => `bis ${day}`,
    gone: 'nicht mehr',
    emptyTitle: 'Kein Bericht der letzten 30 Tage',
    emptyText:
      'Kaufen Sie einen mit dieser Wallet oder mit Guthaben, dann steht er hier. Zum Kaufen brauchen Sie kein Konto.',
    emptyAction: 'Website prüfen',
    missingTitle: 'Welche Berichte hier fehlen',
    missing: [
      'Berichte, die mit einer anderen Wallet gekauft wurden. Melden Sie sich mit ihr an, um sie zu sehen.',
      'Berichte, die mit einer Überweisung bezahlt wurden, deren Hash ohne Nachweis des Zahlers vorgelegt wurde. Einen Hash kann jeder sehen; er zeigt nicht, wer gekauft hat.',
      'Berichte, die älter als 30 Tage sind: Sie sind gelöscht.',
      'Berichte, deren Kauf abgewickelt wurde, bevor es diese Liste gab.',
    ],
    count: (count) => (count === 1 ? '1 Bericht in den letzten 30 Tagen' : `${count} Berichte in den letzten 30 Tagen`),
    many: (count) => `Mindestens ${count} Berichte in den letzten 30 Tagen`,
    published: {
      title: 'Veröffentlichte Websites',
      more: 'Veröffentlichte Berichte ansehen',
      lead: 'Diese Berichte stehen im öffentlichen Verlauf ihrer Website, und der neueste bestimmt, was ihr Badge zeigt. Wenn Sie einen zurücknehmen, kann ihn weiterhin lesen, wer seine Adresse hat, bis er abläuft.',
      history: (host) => `Verlauf von ${host}`,
      report: 'Bericht',
      unpublish: 'Zurücknehmen',
      unpublishOf: (host, day) => `Zurücknehmen: ${host}, ${day}`,
      emptyTitle: 'Es ist nichts veröffentlicht',
      emptyText:
        'Der Bericht einer ganzen Website lässt sich auf seiner Seite veröffentlichen. Dann zeigt ein Badge seine Bewertungen, und ein Verlauf sammelt sie.',
      emptyAction: 'Ihre Berichte ansehen',
      count: (count) => (count === 1 ? '1 veröffentlichter Bericht' : `${count} veröffentlichte Berichte`),
      looked: (count) =>
        `Geprüft wurden Ihre neuesten ${count} Berichte, die sich veröffentlichen lassen. Einen älteren nehmen Sie mit dem publish_token seines Kaufs zurück.`,
    },
  },
};
