import type { MonitorAlertKind, MonitorAlertSeverity } from '../core/alert.ts';

export type MailLanguage = 'en' | 'de';

type MailWords = {
  kinds: Readonly<Record<MonitorAlertKind, string>>;
  severities: Readonly<Record<MonitorAlertSeverity, string>>;
  sides: Readonly<Record<'before' | 'after', string>>;
  links: { report: string; report_before: string; snapshot: string; monitor: string };
  comparedWith: (time: string) => string;
  more: (count: number) => string;
  digest: (count: number) => string;
  digestLead: (monitor: string) => string;
  test: string;
  testText: (monitor: string) => string;
  confirmSubject: (product: string) => string;
  confirmText: (product: string, monitor: string) => string;
  acceptLink: string;
  confirmIgnore: string;
  why: (product: string, monitor: string) => string;
  unsubscribe: string;
};

/** The words of mails about monitors. Titles of alerts and what sites say stay as they are. */
export const mailWords: Readonly<Record<MailLanguage, MailWords>> = {
  en: {
    kinds: {
      verdict_changed: 'The site changed',
      score_moved: 'A score moved',
      gate_fired: 'A gate holds a score down',
      gate_lifted: 'A gate was lifted',
      site_moved: 'The site is at another address',
      site_unreadable: 'The site cannot be read',
      site_readable: 'The site can be read again',
      rubric_changed: 'New rubric',
      rate_changed: 'A rate changed',
      model_changed: 'Another model answers',
      run_failed: 'A run failed',
      credits_low: 'Too few credits for the next run',
      paused: 'The monitor is paused',
      resumed: 'The monitor runs again',
    },
    severities: { critical: 'critical', warning: 'warning', info: 'notice' },
    sides: { before: 'before', after: 'after' },
    links: { report: 'Report', report_before: 'Report before', snapshot: 'Snapshot', monitor: 'Monitor' },
    comparedWith: (time) => `compared with ${time}`,
    more: (count) => `and ${count} more`,
    digest: (count) => `${count} alerts`,
    digestLead: (monitor) => `Several alerts of the monitor “${monitor}” in one mail:`,
    test: 'Test',
    testText: (monitor) => `This is a test. Alerts of the monitor “${monitor}” come to this address.`,
    confirmSubject: (product) => `Confirm that ${product} may write to you`,
    confirmText: (product, monitor) =>
      `Someone asked ${product} to send alerts of the monitor “${monitor}” to this address. Open the link and press the button if you want them.`,
    acceptLink: 'Confirm the address',
    confirmIgnore:
      'If you did not ask for this, do nothing: no alert will come. With “Unsubscribe” you are not asked again.',
    why: (product, monitor) =>
      `${product} writes to you because this address was confirmed for the monitor “${monitor}”.`,
    unsubscribe: 'Unsubscribe',
  },
  de: {
    kinds: {
      verdict_changed: 'Die Website hat sich geändert',
      score_moved: 'Eine Punktzahl hat sich geändert',
      gate_fired: 'Eine Schranke begrenzt eine Punktzahl',
      gate_lifted: 'Eine Schranke ist aufgehoben',
      site_moved: 'Die Website ist unter einer anderen Adresse',
      site_unreadable: 'Die Website lässt sich nicht lesen',
      site_readable: 'Die Website lässt sich wieder lesen',
      rubric_changed: 'Neuer Bewertungsmaßstab',
      rate_changed: 'Ein Anteil hat sich geändert',
      model_changed: 'Ein anderes Modell antwortet',
      run_failed: 'Ein Lauf ist fehlgeschlagen',
      credits_low: 'Zu wenig Guthaben für den nächsten Lauf',
      paused: 'Die Überwachung ist angehalten',
      resumed: 'Die Überwachung läuft wieder',
    },
    severities: { critical: 'kritisch', warning: 'Warnung', info: 'Hinweis' },
    sides: { before: 'vorher', after: 'nachher' },
    links: { report: 'Bericht', report_before: 'Bericht davor', snapshot: 'Momentaufnahme', monitor: 'Überwachung' },
    comparedWith: (time) => `verglichen mit ${time}`,
    more: (count) => `und ${count} weitere`,
    digest: (count) => `${count} Meldungen`,
    digestLead: (monitor) => `Mehrere Meldungen der Überwachung „${monitor}“ in einer E-Mail:`,
    test: 'Test',
    testText: (monitor) => `Dies ist ein Test. Meldungen der Überwachung „${monitor}“ kommen an diese Adresse.`,
    confirmSubject: (product) => `Bestätigen Sie, dass ${product} Ihnen schreiben darf`,
    confirmText: (product, monitor) =>
      `Jemand hat ${product} gebeten, Meldungen der Überwachung „${monitor}“ an diese Adresse zu senden. Öffnen Sie den Link und drücken Sie den Knopf, wenn Sie das wünschen.`,
    acceptLink: 'Adresse bestätigen',
    confirmIgnore:
      'Wenn Sie nicht darum gebeten haben, brauchen Sie nichts zu tun: Es kommen keine Meldungen. Mit „Abbestellen“ werden Sie nicht noch einmal gefragt.',
    why: (product, monitor) =>
      `${product} schreibt Ihnen, weil diese Adresse für die Überwachung „${monitor}“ bestätigt wurde.`,
    unsubscribe: 'Abbestellen',
  },
};
