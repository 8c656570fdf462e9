import { PRODUCT } from '../../lib/product.ts';
import type { MonitorAlertKind, MonitorAlertSeverity } from '../../monitors/core/alert.ts';
import type { PauseReason } from '../../monitors/core/monitor.ts';
import type { AlertDelivery } from '../../monitors/core/protocol.ts';
import type { Receiver } from '../../monitors/core/receiver.ts';
import type { RunCause, MonitorRunState } from '../../monitors/core/run.ts';
import type { Translated } from '../language/language.ts';

const AGENT = `${PRODUCT}Bot`;

/** Words that pages of monitors share. */
export type MonitorSharedWords = {
  title: string;
  more: string;
  all: string;
  active: string;
  paused: Readonly<Record<PauseReason, string>>;
  pausedShort: string;
  causes: Readonly<Record<RunCause, string>>;
  runStates: Readonly<Record<MonitorRunState, string>>;
  late: (minutes: number) => string;
  missed: (count: number) => string;
  /** `why`: in English, such as `status 503`. */
  unread: (why: string) => string;
  severities: Readonly<Record<MonitorAlertSeverity, string>>;
  alertKinds: Readonly<Record<MonitorAlertKind, string>>;
  receivers: Readonly<Record<Receiver['kind'], string>>;
  deliveries: Readonly<Record<AlertDelivery['state'], string>>;
  deliveryKinds: Readonly<Record<AlertDelivery['kind'], string>>;
  subjects: { site: string; brand: string };
  every: Readonly<Record<'daily' | 'weekly' | 'monthly', string>>;
  /** Sunday first, as cron counts. */
  weekdays: readonly string[];
  on: (what: string) => string;
  dayOfMonth: (day: number) => string;
  at: (time: string) => string;
  minuteOfOurs: string;
  cron: (fields: string) => string;
  zone: (name: string) => string;
  free: string;
  aMonth: (amount: string) => string;
  none: string;
  forms: { json: string; markdown: string };
};

export const monitorWords: Translated<MonitorSharedWords> = {
  en: {
    title: 'Monitors',
    more: 'See all monitors',
    all: 'All monitors',
    active: 'Active',
    paused: {
      by_owner: 'You paused it.',
      insufficient_credits: 'Your credits do not cover the next run. Add credits, then resume it.',
      access_ended: 'The app that created it no longer has access. Resume it here, and this account pays for its runs.',
      robots_disallow: `robots.txt of the site does not let our agent in. Allow ${AGENT} there, or prove that the site is yours, then resume it.`,
      engine_budget: 'Free monitors have used up what they may spend on engines in a day.',
      order_refused: 'What it orders is no longer sold. Change it, then resume it.',
    },
    pausedShort: 'Paused',
    causes: { first: 'First run', schedule: 'By schedule', manual: 'By you' },
    runStates: { reserved: 'Under way', stored: 'Done', failed: 'Failed, not charged' },
    late: (minutes) => (minutes === 1 ? '1 minute late' : `${minutes} minutes late`),
    missed: (count) => (count === 1 ? '1 run before it was missed' : `${count} runs before it were missed`),
    unread: (why) => `The site could not be read (${why})`,
    severities: { info: 'Note', warning: 'Warning', critical: 'Critical' },
    alertKinds: {
      verdict_changed: 'The site changed',
      score_moved: 'A score moved',
      gate_fired: 'A check holds a score down',
      gate_lifted: 'A check no longer holds a score down',
      site_unreadable: 'The site cannot be read',
      site_readable: 'The site can be read again',
      site_moved: 'The start page leads to another host',
      rubric_changed: 'New rubric',
      rate_changed: 'A rate changed',
      model_changed: 'Another model answers',
      run_failed: 'A run failed',
      credits_low: 'Credits are low',
      paused: 'Paused',
      resumed: 'Resumed',
    },
    receivers: { webhook: 'Signed webhook', slack: 'Slack', teams: 'Teams', email: 'E-mail', feed: 'Atom feed' },
    deliveries: { waiting: 'Waiting', delivered: 'Delivered', dead: 'Given up' },
    deliveryKinds: { alert: 'Alert', digest: 'Digest', test: 'Test', confirmation: 'Confirmation of the address' },
    subjects: { site: 'Site', brand: 'Brand' },
    every: { daily: 'Every day', weekly: 'Every week', monthly: 'Every month' },
    weekdays: ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'],
    on: (what) => `on ${what}`,
    dayOfMonth: (day) => `on day ${day}`,
    at: (time) => `at ${time}`,
    minuteOfOurs: 'between 5 and 6 a.m.',
    cron: (fields) => `Cron fields ${fields}`,
    zone: (name) => `(${name})`,
    free: 'free',
    aMonth: (amount) => `about ${amount} a month`,
    none: 'None',
    forms: { json: 'JSON', markdown: 'Markdown' },
  },
  de: {
    title: 'Überwachungen',
    more: 'Alle Überwachungen ansehen',
    all: 'Alle Überwachungen',
    active: 'Aktiv',
    paused: {
      by_owner: 'Sie haben sie angehalten.',
      insufficient_credits:
        'Das Guthaben reicht nicht für den nächsten Lauf. Laden Sie es auf und setzen Sie sie fort.',
      access_ended:
        'Die App, die sie angelegt hat, hat keinen Zugriff mehr. Setzen Sie sie hier fort, dann zahlt dieses Konto ihre Läufe.',
      robots_disallow: `robots.txt der Website lässt unseren Agenten nicht zu. Erlauben Sie dort ${AGENT} oder weisen Sie nach, dass die Website Ihnen gehört, und setzen Sie sie fort.`,
      engine_budget: 'Was kostenlose Überwachungen am Tag für Assistenten ausgeben dürfen, ist verbraucht.',
      order_refused: 'Was sie bestellt, wird nicht mehr verkauft. Ändern Sie sie und setzen Sie sie fort.',
    },
    pausedShort: 'Angehalten',
    causes: { first: 'Erster Lauf', schedule: 'Nach Plan', manual: 'Von Ihnen' },
    runStates: { reserved: 'Unterwegs', stored: 'Fertig', failed: 'Gescheitert, nicht berechnet' },
    late: (minutes) => (minutes === 1 ? '1 Minute verspätet' : `${minutes} Minuten verspätet`),
    missed: (count) => (count === 1 ? '1 Lauf davor fiel aus' : `${count} Läufe davor fielen aus`),
    unread: (why) => `Die Website ließ sich nicht lesen (${why})`,
    severities: { info: 'Hinweis', warning: 'Warnung', critical: 'Dringend' },
    alertKinds: {
      verdict_changed: 'Die Website hat sich geändert',
      score_moved: 'Eine Punktzahl hat sich geändert',
      gate_fired: 'Eine Prüfung begrenzt eine Punktzahl',
      gate_lifted: 'Eine Prüfung begrenzt keine Punktzahl mehr',
      site_unreadable: 'Die Website lässt sich nicht lesen',
      site_readable: 'Die Website lässt sich wieder lesen',
      site_moved: 'Die Startseite führt zu einem anderen Host',
      rubric_changed: 'Neues Regelwerk',
      rate_changed: 'Ein Anteil hat sich geändert',
      model_changed: 'Ein anderes Modell antwortet',
      run_failed: 'Ein Lauf ist gescheitert',
      credits_low: 'Das Guthaben wird knapp',
      paused: 'Angehalten',
      resumed: 'Fortgesetzt',
    },
    receivers: { webhook: 'Signierter Webhook', slack: 'Slack', teams: 'Teams', email: 'E-Mail', feed: 'Atom-Feed' },
    deliveries: { waiting: 'Wartet', delivered: 'Zugestellt', dead: 'Aufgegeben' },
    deliveryKinds: {
      alert: 'Meldung',
      digest: 'Sammelmeldung',
      test: 'Test',
      confirmation: 'Bestätigung der Adresse',
    },
    subjects: { site: 'Website', brand: 'Marke' },
    every: { daily: 'Täglich', weekly: 'Wöchentlich', monthly: 'Monatlich' },
    weekdays: ['Sonntag', 'Montag', 'Dienstag', 'Mittwoch', 'Donnerstag', 'Freitag', 'Samstag'],
    on: (what) => `am ${what}`,
    dayOfMonth: (day) => `am ${day}.`,
    at: (time) => `um ${time}`,
    minuteOfOurs: 'zwischen 5 und 6 Uhr',
    cron: (fields) => `Cron-Felder ${fields}`,
    zone: (name) => `(${name})`,
    free: 'kostenlos',
    aMonth: (amount) => `etwa ${amount} im Monat`,
    none: 'Keine',
    forms: { json: 'JSON', markdown: 'Markdown' },
  },
};
