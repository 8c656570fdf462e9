import type { Translated } from '../language/language.ts';

type PageWords = {
  made: string;
  readableUntil: string;
  keptByMonitor: string;
  summary: string;
  actions: string;
  copyLink: string;
  copied: string;
  notCopied: string;
  share: string;
  print: string;
  printed: string;
  printWhole: string;
  download: string;
  again: Readonly<Record<'audit' | 'check' | 'generate' | 'compare' | 'measure' | 'fix', string>>;
  otherForms: string;
  inShort: (address: string) => string;
  warnings: string;
  replayTitle: string;
  /** Before and behind the address of the snapshot. */
  replay: readonly [link: string, holds: string, run: string, same: string];
  /** Before the service that signed the result. */
  signed: Readonly<Record<'by' | 'unsigned' | 'verify', string>>;
  figures: Readonly<Record<'named' | 'recommended' | 'passed' | 'failed' | 'files' | 'fixes' | 'topics', string>>;
  described: (title: string, subject: string) => string;
  since: {
    title: string;
    lead: string;
    label: string;
    help: string;
    button: string;
    history: string;
    earlier: string;
    watch: string;
    watchLead: string;
  };
  answerFixes: { lead: string; button: string };
};

const en: PageWords = {
  made: 'Made',
  readableUntil: 'Can be read until',
  keptByMonitor: 'Can be read as long as its monitor exists.',
  summary: 'In short',
  actions: 'What to do with this report',
  copyLink: 'Copy link',
  copied: 'Link copied. Anyone who has it can read this report.',
  notCopied: 'The browser did not allow it. Copy the address by hand:',
  share: 'Share …',
  print: 'Print',
  printed: 'Printed, it has at most four pages;',
  printWhole: 'print every detail',
  download: 'Download all files (ZIP)',
  again: {
    audit: 'Audit again',
    check: 'Check again',
    generate: 'Generate again',
    compare: 'Compare again',
    measure: 'Measure again',
    fix: 'New fix pack',
  },
  otherForms: 'Other forms of this report',
  inShort: (address) => `In short: the whole report, printed, is at ${address}`,
  warnings: 'Warnings',
  replayTitle: 'Check it yourself',
  replay: [
    'The snapshot',
    'holds every answer that the site gave. Download it from',
    'and run',
    'the same verdicts and scores, without a request.',
  ],
  signed: {
    by: 'Signed by',
    unsigned: 'This report is unsigned.',
    verify: 'Verify a copy of it',
  },
  figures: {
    named: 'Named',
    recommended: 'Recommended',
    passed: 'Passed',
    failed: 'To fix',
    files: 'Files',
    fixes: 'Fixes',
    topics: 'Topics',
  },
  described: (title, subject) => `${title} of ${subject}: every check with what was seen and its source.`,
  since: {
    title: 'What changed since',
    lead: 'Compare this report with another one of the same subject that you know the address of.',
    label: 'Address or id of the other report',
    help: 'Both addresses stay as private as they are.',
    button: 'Compare',
    history: 'Compare in the public history of this site',
    earlier: 'Compare with the published report of',
    watch: 'Watch this',
    watchLead: 'A monitor repeats this report and writes to you when something changed.',
  },
  answerFixes: {
    lead: 'A fix pack has texts against these weak spots, each with the place where it belongs.',
    button: 'Get texts against these weak spots',
  },
};

const de: PageWords = {
  made: 'Erstellt',
  readableUntil: 'Lesbar bis',
  keptByMonitor: 'Lesbar, solange es seinen Monitor gibt.',
  summary: 'Kurz gefasst',
  actions: 'Was Sie mit diesem Bericht tun können',
  copyLink: 'Link kopieren',
  copied: 'Link kopiert. Wer ihn hat, kann diesen Bericht lesen.',
  notCopied: 'Der Browser hat es nicht erlaubt. Kopieren Sie die Adresse von Hand:',
  share: 'Teilen …',
  print: 'Drucken',
  printed: 'Gedruckt hat er höchstens vier Seiten;',
  printWhole: 'mit allen Einzelheiten drucken',
  download: 'Alle Dateien herunterladen (ZIP)',
  again: {
    audit: 'Erneut prüfen',
    check: 'Erneut prüfen',
    generate: 'Erneut erzeugen',
    compare: 'Erneut vergleichen',
    measure: 'Erneut messen',
    fix: 'Neues Korrekturpaket',
  },
  otherForms: 'Andere Formen dieses Berichts',
  inShort: (address) => `Kurzfassung: Der ganze Bericht zum Drucken steht unter ${address}`,
  warnings: 'Warnungen',
  replayTitle: 'Selbst nachprüfen',
  replay: [
    'Der Snapshot',
    'enthält jede Antwort der Website. Laden Sie ihn herunter von',
    'und führen Sie aus:',
    'dieselben Urteile und Bewertungen, ohne eine einzige Anfrage.',
  ],
  signed: {
    by: 'Signiert von',
    unsigned: 'Dieser Bericht ist nicht signiert.',
    verify: 'Eine Kopie davon prüfen',
  },
  figures: {
    named: 'Genannt',
    recommended: 'Empfohlen',
    passed: 'Bestanden',
    failed: 'Zu beheben',
    files: 'Dateien',
    fixes: 'Korrekturen',
    topics: 'Themen',
  },
  described: (title, subject) => `${title}: ${subject}. Jede Prüfung mit dem, was gesehen wurde, und ihrer Quelle.`,
  since: {
    title: 'Was sich geändert hat',
    lead: 'Vergleichen Sie diesen Bericht mit einem anderen zum selben Gegenstand, dessen Adresse Sie kennen.',
    label: 'Adresse oder Kennung des anderen Berichts',
    help: 'Beide Adressen bleiben so vertraulich, wie sie sind.',
    button: 'Vergleichen',
    history: 'Im öffentlichen Verlauf dieser Website vergleichen',
    earlier: 'Vergleichen mit dem veröffentlichten Bericht vom',
    watch: 'Überwachen',
    watchLead: 'Eine Überwachung wiederholt diesen Bericht und meldet sich, wenn sich etwas geändert hat.',
  },
  answerFixes: {
    lead: 'Ein Korrekturpaket enthält Texte gegen diese Schwachstellen, jeweils mit der Stelle, an die sie gehören.',
    button: 'Texte gegen diese Schwachstellen',
  },
};

export const reportWords: Translated<PageWords> = { en, de };
