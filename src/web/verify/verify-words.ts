import type { UnverifiableReason, VerifiedPart, VerifiedSubject } from '../../statements/verify-report.ts';
import type { Translated } from '../language/language.ts';

/** What the script of the page says, by what was found. */
export type VerifyFindings = {
  passed: string;
  /** Where a part was not checked: the verdict says nothing about that part. */
  passedPartly: string;
  failed: string;
  trust: string;
  doubt: string;
  key: string;
  subjects: Readonly<Record<VerifiedSubject, string>>;
  noBrowser: string;
  parts: Readonly<Record<VerifiedPart, readonly [pass: string, fail: string]>>;
  /** Parts that a file may hold without what they could be checked by. */
  unchecked: Readonly<Partial<Record<VerifiedPart, string>>>;
  unverifiable: Readonly<Record<UnverifiableReason, string>>;
};

export type VerifyWords = VerifyFindings & {
  title: string;
  description: string;
  lead: string;
  report: string;
  keySet: string;
  keySetHelp: string;
  issuer: string;
  snapshot: string;
  check: string;
  noScript: string;
  more: string;
};

export const verifyWords: Translated<VerifyWords> = {
  en: {
    title: 'Verify a report',
    description: 'Check in your browser that a report was signed by its service and not changed since.',
    lead: 'Your browser checks the files here. Nothing is uploaded, and it works without a network once this page is open.',
    report: 'Report, as JSON',
    keySet: 'Key set of the service',
    keySetHelp: 'Save it from the service itself, at /.well-known/jwks.json. Never use one that came with the report.',
    issuer: 'Service that you expect',
    snapshot: 'Snapshot (optional)',
    check: 'Check',
    noScript: 'This page needs its script. Without it, use the command line: sightline verify.',
    more: 'How it works, and how to check without our tools',
    passed: 'Every check passed.',
    passedPartly: 'Every check that could be made passed.',
    failed: 'Not verified.',
    trust: 'What passed is as certain as it is that the key set came from the service.',
    doubt: 'Do not rely on this file. Ask who gave it to you, or read the report at its service.',
    key: 'Key',
    subjects: {
      report: 'The file was read as a report.',
      delivery_figures: 'The file was read as delivery figures. They say nothing about any report.',
    },
    noBrowser: 'This browser cannot check Ed25519 signatures. Use a newer one, or sightline verify.',
    parts: {
      issuer: ['The statement names the service that you expect', 'The statement names another service'],
      signature: ['The signature is by a key of the key set', 'No key of the key set made this signature'],
      report: ['The statement is of this report', 'The statement is of another report'],
      result: ['The result is as it was signed', 'The result was changed after it was signed'],
      snapshot: ['The result was made from this snapshot', 'The result was not made from this snapshot'],
      receipt: ['The receipt is of this result', 'The receipt is not of this result, or was changed'],
      payment: ['The payment is the one that the receipt names', 'The payment is not the one that the receipt names'],
    },
    unchecked: { payment: 'The payment was not checked: no receipt says that it was made' },
    unverifiable: {
      no_report: 'The first file is no report of a service.',
      no_whole_report: 'The first file is a view of a report. Save the whole report: add ?view=full to its address.',
      two_in_one:
        'The first file mixes delivery figures with something else. No service writes such a file: do not rely on it.',
      unsigned: 'The report is unsigned: its service had no key when it stored it, or the statement was taken out.',
      no_key_set: 'The second file is no key set.',
    },
  },
  de: {
    title: 'Bericht prüfen',
    description: 'Prüfen Sie im Browser, ob ein Bericht von seinem Dienst signiert und seither nicht verändert wurde.',
    lead: 'Ihr Browser prüft die Dateien hier. Nichts wird hochgeladen, und ist die Seite offen, geht es auch ohne Netz.',
    report: 'Bericht als JSON',
    keySet: 'Schlüssel des Dienstes',
    keySetHelp:
      'Speichern Sie sie vom Dienst selbst, unter /.well-known/jwks.json. Nehmen Sie nie welche, die mit dem Bericht kamen.',
    issuer: 'Erwarteter Dienst',
    snapshot: 'Aufzeichnung (freiwillig)',
    check: 'Prüfen',
    noScript: 'Diese Seite braucht ihr Skript. Ohne es hilft die Befehlszeile: sightline verify.',
    more: 'Wie es geht, auch ohne unsere Programme',
    passed: 'Alles stimmt.',
    passedPartly: 'Alles, was sich prüfen ließ, stimmt.',
    failed: 'Nicht bestätigt.',
    trust: 'Was stimmt, ist so sicher, wie die Schlüssel vom Dienst selbst stammen.',
    doubt:
      'Verlassen Sie sich nicht auf diese Datei. Fragen Sie nach, woher sie kommt, oder lesen Sie den Bericht beim Dienst.',
    key: 'Schlüssel',
    subjects: {
      report: 'Die Datei wurde als Bericht gelesen.',
      delivery_figures: 'Die Datei wurde als Liefer-Zahlen gelesen. Sie sagen nichts über einen Bericht.',
    },
    noBrowser: 'Dieser Browser kann keine Ed25519-Signaturen prüfen. Nehmen Sie einen neueren oder sightline verify.',
    parts: {
      issuer: ['Die Erklärung nennt den erwarteten Dienst', 'Die Erklärung nennt einen anderen Dienst'],
      signature: ['Die Signatur stammt von einem dieser Schlüssel', 'Keiner dieser Schlüssel hat so signiert'],
      report: ['Die Erklärung gehört zu diesem Bericht', 'Die Erklärung gehört zu einem anderen Bericht'],
      result: ['Das Ergebnis ist so, wie es signiert wurde', 'Das Ergebnis wurde nach dem Signieren verändert'],
      snapshot: [
        'Das Ergebnis entstand aus dieser Aufzeichnung',
        'Das Ergebnis entstand nicht aus dieser Aufzeichnung',
      ],
      receipt: ['Die Quittung gehört zu diesem Ergebnis', 'Die Quittung gehört nicht dazu oder wurde verändert'],
      payment: ['Die Zahlung ist die der Quittung', 'Die Zahlung ist nicht die der Quittung'],
    },
    unchecked: { payment: 'Die Zahlung wurde nicht geprüft: Keine Quittung belegt sie' },
    unverifiable: {
      no_report: 'Die erste Datei ist kein Bericht eines Dienstes.',
      no_whole_report:
        'Die erste Datei ist nur ein Auszug. Speichern Sie den ganzen Bericht: ?view=full an der Adresse.',
      two_in_one:
        'Die erste Datei vermischt Liefer-Zahlen mit anderem. Kein Dienst schreibt so eine Datei: Verlassen Sie sich nicht darauf.',
      unsigned: 'Der Bericht ist nicht signiert: Der Dienst hatte keinen Schlüssel, oder die Erklärung wurde entfernt.',
      no_key_set: 'Die zweite Datei enthält keine Schlüssel.',
    },
  },
};
