import type { ImportRefusal, ImportRefusalReason } from '../../visibility/imports/refusal.ts';
import type { Translated } from '../language/language.ts';

/** Why nothing was imported: by the form, or by a file. */
export type ImportFault =
  | { reason: 'no_file' | 'too_many_kept' | 'no_measurement' | 'measurement_too_large' | 'wrong_site' }
  | Pick<ImportRefusal, 'reason' | 'file' | 'message' | 'detail'>;

export type ImportsWords = {
  title: string;
  more: string;
  lead: string;
  refused: string;
  faults: Readonly<Record<Exclude<ImportFault['reason'], ImportRefusalReason>, string>>;
  /** What is wrong with the named file; in English the reader's own sentence says it. */
  fileFault: (file: string) => string;
  filesLabel: string;
  filesHint: string;
  reportLabel: string;
  noReport: string;
  siteLabel: string;
  siteHint: string;
  button: string;
  keptTitle: string;
  none: string;
  deleteIt: string;
  deleteOf: (what: string) => string;
  how: string;
  back: string;
  save: string;
  kept: string;
};

export const importsWords: Translated<ImportsWords> = {
  en: {
    title: 'First-party data',
    more: 'Upload exports, or see earlier ones',
    lead: 'Upload what Google and Microsoft say of your site in AI answers, and see it beside a measurement of your own. It is read here, handed on to no one, and deleted after 30 days.',
    refused: 'Nothing was imported.',
    faults: {
      no_file: 'Choose at least one CSV file.',
      too_many_kept: 'There are as many as an account can have. Delete one below first.',
      no_measurement: 'The chosen report is not a measurement of this account, or it cannot be read any more.',
      measurement_too_large:
        'The answers of the chosen measurement are too long to be compared here. Download them and use sightline visibility import.',
      wrong_site: 'The site is not an address. Write it like example.com.',
    },
    fileFault: (file) => `${file} cannot be read.`,
    filesLabel: 'CSV files',
    filesHint: 'Tables of one or more vendors, 2 MiB in all. Nothing is imported if one of them cannot be read.',
    reportLabel: 'Beside this measurement',
    noReport: 'none',
    siteLabel: 'Your site, for landing pages of Google Analytics',
    siteHint: 'Such as example.com. Leave it empty for other exports.',
    button: 'Import',
    keptTitle: 'Imported',
    none: 'Nothing is imported.',
    deleteIt: 'Delete',
    deleteOf: (what) => `Delete: ${what}`,
    how: 'How to export',
    back: 'All imports',
    save: 'Save as CSV',
    kept: 'It is deleted 30 days after the upload. Only this account sees it.',
  },
  de: {
    title: 'Daten der Anbieter',
    more: 'Exporte hochladen oder frühere ansehen',
    lead: 'Laden Sie hoch, was Google und Microsoft über Ihre Website in KI-Antworten sagen, und sehen Sie es neben einer eigenen Messung. Es wird hier gelesen, an niemanden weitergegeben und nach 30 Tagen gelöscht.',
    refused: 'Es wurde nichts übernommen.',
    faults: {
      no_file: 'Wählen Sie mindestens eine CSV-Datei.',
      too_many_kept: 'Mehr kann ein Konto nicht haben. Löschen Sie unten zuerst einen Import.',
      no_measurement: 'Der gewählte Bericht ist keine Messung dieses Kontos, oder er lässt sich nicht mehr lesen.',
      measurement_too_large:
        'Die Antworten der gewählten Messung sind zu lang für einen Vergleich hier. Laden Sie sie herunter und nehmen Sie sightline visibility import.',
      wrong_site: 'Die Website ist keine Adresse. Schreiben Sie sie wie example.com.',
    },
    fileFault: (file) => `${file} lässt sich nicht lesen.`,
    filesLabel: 'CSV-Dateien',
    filesHint:
      'Tabellen eines Anbieters oder mehrerer, zusammen 2 MiB. Lässt sich eine nicht lesen, wird nichts übernommen.',
    reportLabel: 'Neben dieser Messung',
    noReport: 'keine',
    siteLabel: 'Ihre Website, für Landingpages von Google Analytics',
    siteHint: 'Zum Beispiel example.com. Für andere Exporte bleibt das Feld leer.',
    button: 'Übernehmen',
    keptTitle: 'Übernommen',
    none: 'Es ist nichts übernommen.',
    deleteIt: 'Löschen',
    deleteOf: (what) => `Löschen: ${what}`,
    how: 'So exportieren Sie',
    back: 'Alle Importe',
    save: 'Als CSV speichern',
    kept: 'Sie werden 30 Tage nach dem Hochladen gelöscht. Nur dieses Konto sieht sie.',
  },
};
