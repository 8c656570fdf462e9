import type { Translated } from '../language/language.ts';

/** Words of the list, of one monitor, and of what is below it. */
export type MonitorPageWords = {
  lead: string;
  create: string;
  guide: string;
  emptyTitle: string;
  emptyText: string;
  emptyAction: string;
  balance: (amount: string) => string;
  month: (amount: string) => string;
  addCredits: string;
  columns: { name: string; history: string; state: string; next: string; price: string; last: string };
  noAlert: string;
  older: string;
  count: (count: number) => string;
  summary: string;
  facts: {
    watches: string;
    interval: string;
    next: string;
    price: string;
    state: string;
    since: string;
    rules: string;
  };
  noNext: string;
  act: { pause: string; resume: string; run: string; edit: string; remove: string };
  history: string;
  noHistory: string;
  csv: string;
  runs: string;
  runColumns: { due: string; cause: string; state: string; readings: string; alerts: string; price: string };
  compare: string;
  compareText: string;
  from: string;
  to: string;
  compareButton: string;
  alerts: string;
  noAlerts: string;
  alertColumns: { at: string; what: string; severity: string };
  receivers: string;
  noReceivers: string;
  receiverColumns: { kind: string; where: string; act: string };
  unconfirmed: string;
  disabled: string;
  test: string;
  testOf: (where: string) => string;
  rotateSecret: string;
  rotateFeed: string;
  deliveries: string;
  noDeliveries: string;
  deliveryColumns: { at: string; kind: string; state: string; tries: string; outcome: string; act: string };
  replay: string;
  token: string;
  tokenText: string;
  tokenButton: string;
  forms: string;
  runTitle: (day: string) => string;
  back: string;
  reports: string;
  report: string;
  noReports: string;
  subject: string;
  reason: string;
  replayHow: string;
  snapshot: string;
  alertTitle: string;
  since: string;
  firstAlert: string;
  changes: string;
  before: string;
  after: string;
  nothing: string;
  worse: string;
  better: string;
  because: string;
  moreChanges: (count: number) => string;
  evidenceNote: string;
  reportNow: string;
  reportBefore: string;
  runOfAlert: string;
  compareRuns: string;
  compareBefore: string;
  compareTitle: string;
  compared: readonly [from: string, to: string];
  incomparable: string;
  groups: { worse: string; better: string; inOneOnly: string };
  noChanges: string;
  score: string;
  difference: string;
  wholeComparison: string;
  removeTitle: (name: string) => string;
  removeText: string;
  removeButton: string;
  keepIt: string;
  copy: string;
  shownTitle: string;
  shownText: string;
  shownSecret: string;
  shownFeed: string;
  shownToken: string;
  shownOn: string;
  watch: string;
};

export const monitorPageWords: Translated<MonitorPageWords> = {
  en: {
    lead: 'Each monitor runs on its own schedule and writes to you only when something changed.',
    create: 'New monitor',
    guide: 'How monitors work',
    emptyTitle: 'You watch nothing yet',
    emptyText:
      'A monitor repeats an audit of a site or a measurement of a brand. It says what changed, since when, and shows the evidence.',
    emptyAction: 'Watch a site or a brand',
    balance: (amount) => `You have ${amount} of credits.`,
    month: (amount) => `All active monitors cost about ${amount} a month.`,
    addCredits: 'Add credits',
    columns: {
      name: 'Monitor',
      history: 'Last runs',
      state: 'State',
      next: 'Next run',
      price: 'Price',
      last: 'Last run',
    },
    noAlert: 'no alerts',
    older: 'Show older entries',
    count: (count) => (count === 1 ? '1 alert' : `${count} alerts`),
    summary: 'At a glance',
    facts: {
      watches: 'Watches',
      interval: 'Runs',
      next: 'Next run',
      price: 'A run costs',
      state: 'State',
      since: 'Created',
      rules: 'Alerts on',
    },
    noNext: 'none while it is paused',
    act: { pause: 'Pause', resume: 'Resume', run: 'Run now', edit: 'Change', remove: 'Delete' },
    history: 'History',
    noHistory: 'No run has finished yet. The first one begins as soon as a monitor is created.',
    csv: 'Download the history as CSV',
    runs: 'Runs',
    runColumns: {
      due: 'Due',
      cause: 'Why',
      state: 'State',
      readings: 'Readings',
      alerts: 'Alerts',
      price: 'Paid',
    },
    compare: 'Compare two runs',
    compareText: 'What changed between them.',
    from: 'From',
    to: 'To',
    compareButton: 'What changed',
    alerts: 'Alerts',
    noAlerts: 'No alerts yet: nothing changed that your rules ask for.',
    alertColumns: { at: 'When', what: 'What', severity: 'How urgent' },
    receivers: 'Receivers',
    noReceivers: 'Alerts are on this page only. Add a receiver under “Change”.',
    receiverColumns: { kind: 'Kind', where: 'Address', act: 'Actions' },
    unconfirmed: 'not confirmed: open the link in the e-mail that we sent',
    disabled: 'switched off, because it refuses messages for good. Add it again under “Change”',
    test: 'Send a test',
    testOf: (where) => `Send a test: ${where}`,
    rotateSecret: 'New secret',
    rotateFeed: 'New address',
    deliveries: 'Deliveries',
    noDeliveries: 'Nothing has been sent yet.',
    deliveryColumns: {
      at: 'When',
      kind: 'What',
      state: 'State',
      tries: 'Tries',
      outcome: 'Last answer',
      act: 'Actions',
    },
    replay: 'Send again',
    token: 'Token of this monitor',
    tokenText:
      'With this token, a program can read, pause, resume, run and delete this monitor, and nothing else. A new token replaces the old one.',
    tokenButton: 'Issue a new token',
    forms: 'This page as',
    runTitle: (day) => `Run of ${day}`,
    back: 'Back to the monitor',
    reports: 'Reports',
    report: 'Report',
    noReports: 'This run has no report.',
    subject: 'What is watched',
    reason: 'Why it failed',
    replayHow: 'To check it yourself, replay the snapshot:',
    snapshot: 'Snapshot',
    alertTitle: 'Alert',
    since: 'Since',
    firstAlert: 'This alert is about the monitor itself and compares no runs.',
    changes: 'What changed',
    before: 'Before',
    after: 'Now',
    nothing: 'nothing',
    worse: 'worse',
    better: 'better',
    because: 'Because of',
    moreChanges: (count) => (count === 1 ? 'And 1 more change.' : `And ${count} more changes.`),
    evidenceNote: 'The evidence is text of the site, as we read it.',
    reportNow: 'Report of this run',
    reportBefore: 'Report of the run before',
    runOfAlert: 'The run',
    compareRuns: 'Compare the two runs',
    compareBefore: 'Compare with the run before',
    compareTitle: 'What changed between two runs',
    compared: ['From ', ' to '],
    incomparable:
      'These two runs cannot be compared: choose two different ones of this monitor that are done and whose reports can be read.',
    groups: { worse: 'Worse', better: 'Better', inOneOnly: 'Judged in one of the runs only' },
    noChanges: 'No check.',
    score: 'Score',
    difference: 'Difference',
    wholeComparison: 'Compare the two reports in full',
    removeTitle: (name) => `Delete ${name}`,
    removeText:
      'Its runs, alerts and history are deleted at once, and its receivers get no more messages. Its reports can be read until 30 days after their run. Credits that you have not spent stay in your account.',
    removeButton: 'Delete the monitor',
    keepIt: 'Keep it',
    copy: 'Copy',
    shownTitle: 'Copy this now',
    shownText: 'We show it once, on this page only. Later you see it masked, and you can replace it.',
    shownSecret: 'Secret of the signed webhook',
    shownFeed: 'Address of the Atom feed',
    shownToken: 'Token of the monitor',
    shownOn: 'Go to the monitor',
    watch: 'Watch this site',
  },
  de: {
    lead: 'Jede Überwachung läuft nach ihrem eigenen Plan und meldet sich nur, wenn sich etwas geändert hat.',
    create: 'Neue Überwachung',
    guide: 'Wie Überwachungen funktionieren',
    emptyTitle: 'Sie überwachen noch nichts',
    emptyText:
      'Eine Überwachung wiederholt die Prüfung einer Website oder die Messung einer Marke. Sie sagt, was sich seit wann geändert hat, und zeigt die Belege.',
    emptyAction: 'Website oder Marke überwachen',
    balance: (amount) => `Ihr Guthaben beträgt ${amount}.`,
    month: (amount) => `Alle aktiven Überwachungen kosten etwa ${amount} im Monat.`,
    addCredits: 'Guthaben aufladen',
    columns: {
      name: 'Überwachung',
      history: 'Letzte Läufe',
      state: 'Zustand',
      next: 'Nächster Lauf',
      price: 'Preis',
      last: 'Letzter Lauf',
    },
    noAlert: 'keine Meldungen',
    older: 'Ältere anzeigen',
    count: (count) => (count === 1 ? '1 Meldung' : `${count} Meldungen`),
    summary: 'Auf einen Blick',
    facts: {
      watches: 'Überwacht',
      interval: 'Läuft',
      next: 'Nächster Lauf',
      price: 'Ein Lauf kostet',
      state: 'Zustand',
      since: 'Angelegt',
      rules: 'Meldet',
    },
    noNext: 'keiner, solange sie angehalten ist',
    act: { pause: 'Anhalten', resume: 'Fortsetzen', run: 'Jetzt ausführen', edit: 'Ändern', remove: 'Löschen' },
    history: 'Verlauf',
    noHistory: 'Es gibt noch keinen fertigen Lauf. Der erste beginnt, sobald eine Überwachung angelegt ist.',
    csv: 'Verlauf als CSV herunterladen',
    runs: 'Läufe',
    runColumns: {
      due: 'Fällig',
      cause: 'Anlass',
      state: 'Zustand',
      readings: 'Werte',
      alerts: 'Meldungen',
      price: 'Bezahlt',
    },
    compare: 'Zwei Läufe vergleichen',
    compareText: 'Was sich dazwischen geändert hat.',
    from: 'Von',
    to: 'Bis',
    compareButton: 'Was sich geändert hat',
    alerts: 'Meldungen',
    noAlerts: 'Noch keine Meldung: Es hat sich nichts geändert, was zu melden ist.',
    alertColumns: { at: 'Wann', what: 'Was', severity: 'Wie dringend' },
    receivers: 'Empfänger',
    noReceivers: 'Meldungen stehen nur auf dieser Seite. Unter „Ändern“ fügen Sie einen Empfänger hinzu.',
    receiverColumns: { kind: 'Art', where: 'Adresse', act: 'Aktionen' },
    unconfirmed: 'nicht bestätigt: Öffnen Sie den Link in der E-Mail, die wir geschickt haben',
    disabled: 'abgeschaltet: Er hat endgültig abgelehnt. Unter „Ändern“ fügen Sie ihn wieder hinzu',
    test: 'Test senden',
    testOf: (where) => `Test senden: ${where}`,
    rotateSecret: 'Neuer Schlüssel',
    rotateFeed: 'Neue Adresse',
    deliveries: 'Zustellungen',
    noDeliveries: 'Es wurde noch nichts verschickt.',
    deliveryColumns: {
      at: 'Wann',
      kind: 'Was',
      state: 'Zustand',
      tries: 'Versuche',
      outcome: 'Letzte Antwort',
      act: 'Aktionen',
    },
    replay: 'Erneut senden',
    token: 'Token dieser Überwachung',
    tokenText:
      'Für ein Programm, das diese Überwachung lesen, anhalten, fortsetzen, ausführen und löschen darf und sonst nichts. Ein neues Token beendet das vorige.',
    tokenButton: 'Neues Token ausstellen',
    forms: 'Diese Seite als',
    runTitle: (day) => `Lauf vom ${day}`,
    back: 'Zurück zur Überwachung',
    reports: 'Berichte',
    report: 'Bericht',
    noReports: 'Dieser Lauf hat keinen Bericht.',
    subject: 'Was überwacht wird',
    reason: 'Warum er gescheitert ist',
    replayHow: 'Um es selbst nachzuprüfen, spielen Sie die Aufzeichnung ab:',
    snapshot: 'Aufzeichnung',
    alertTitle: 'Meldung',
    since: 'Seit',
    firstAlert: 'Sie betrifft die Überwachung selbst und vergleicht keine Läufe.',
    changes: 'Was sich geändert hat',
    before: 'Vorher',
    after: 'Jetzt',
    nothing: 'nichts',
    worse: 'schlechter',
    better: 'besser',
    because: 'Wegen',
    moreChanges: (count) => (count === 1 ? 'Und 1 weitere Änderung.' : `Und ${count} weitere Änderungen.`),
    evidenceNote: 'Belege sind Text der Website, so wie wir ihn gelesen haben.',
    reportNow: 'Bericht dieses Laufs',
    reportBefore: 'Bericht des Laufs davor',
    runOfAlert: 'Der Lauf',
    compareRuns: 'Beide Läufe vergleichen',
    compareBefore: 'Mit dem Lauf davor vergleichen',
    compareTitle: 'Was sich zwischen zwei Läufen geändert hat',
    compared: ['Von ', ' bis '],
    incomparable:
      'Diese zwei Läufe lassen sich nicht vergleichen: Wählen Sie zwei verschiedene, fertige dieser Überwachung, deren Berichte lesbar sind.',
    groups: { worse: 'Schlechter', better: 'Besser', inOneOnly: 'Nur in einem der Läufe bewertet' },
    noChanges: 'Keine Prüfung.',
    score: 'Bewertung',
    difference: 'Unterschied',
    wholeComparison: 'Beide Berichte ganz vergleichen',
    removeTitle: (name) => `${name} löschen`,
    removeText:
      'Läufe, Meldungen und Verlauf werden sofort gelöscht, und die Empfänger bekommen nichts mehr. Die Berichte sind bis 30 Tage nach ihrem Lauf lesbar. Nicht verbrauchtes Guthaben bleibt.',
    removeButton: 'Überwachung löschen',
    keepIt: 'Behalten',
    copy: 'Kopieren',
    shownTitle: 'Jetzt kopieren',
    shownText:
      'Das ist nur einmal und nur auf dieser Seite zu sehen. Danach zeigen wir es verkürzt, und Sie können es ersetzen.',
    shownSecret: 'Schlüssel des signierten Webhooks',
    shownFeed: 'Adresse des Atom-Feeds',
    shownToken: 'Token der Überwachung',
    shownOn: 'Zur Überwachung',
    watch: 'Website überwachen',
  },
};
