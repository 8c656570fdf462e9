import type { ImportRefusalReason } from '../../visibility/imports/refusal.ts';
import type { Translations } from '../language/language.ts';

/** Why a file is not imported, and what to do. The reader's own sentences, in English, say where in the file it is. */
export const importFaultWords: Translations<Readonly<Record<ImportRefusalReason, string>>> = {
  de: {
    empty_file: 'Die Datei ist leer oder hat keine Tabelle. Exportieren Sie sie noch einmal.',
    too_many_bytes: 'Die Datei ist zu groß. Wählen Sie beim Anbieter einen kürzeren Zeitraum oder weniger Seiten.',
    too_many_rows:
      'Die Datei hat zu viele Zeilen. Wählen Sie beim Anbieter einen kürzeren Zeitraum oder weniger Seiten.',
    too_many_files: 'Es sind zu viele Dateien auf einmal. Laden Sie weniger hoch.',
    cell_too_long: 'Eine Zelle ist zu lang. Prüfen Sie, ob das Trennzeichen und die Anführungszeichen stimmen.',
    zip_file:
      'Die Datei ist ein Archiv oder eine Excel-Mappe. Entpacken Sie sie, oder speichern Sie das Blatt als CSV.',
    html_file:
      'Die Datei ist eine Webseite, oft die der Anmeldung. Melden Sie sich beim Anbieter an, und exportieren Sie noch einmal.',
    not_text: 'Die Datei ist kein Text in UTF-8. Speichern Sie sie als „CSV UTF-8“.',
    malformed_csv: 'Die Datei ist beschädigtes CSV. Exportieren Sie sie noch einmal.',
    several_tables: 'Die Datei hat mehrere Tabellen. Exportieren Sie den Bericht allein, nicht eine Übersicht.',
    unknown_format:
      'Die Spalten passen zu keinem der Formate, die gelesen werden, oder zu mehreren. Unten steht, wie Sie exportieren.',
    missing_columns: 'Es fehlen Spalten, die jedes Format braucht. Exportieren Sie den Bericht mit allen Spalten.',
    other_export: 'Das ist ein anderer Bericht des Anbieters. Exportieren Sie den über KI-Antworten.',
    wrong_row: 'Eine Zeile hat nicht so viele Zellen wie die Kopfzeile. Exportieren Sie die Datei noch einmal.',
    wrong_number: 'In einer Spalte für Zahlen steht etwas, das keine sein kann. Korrigieren Sie die Zelle.',
    wrong_date: 'Ein Datum ist keines, oder es kann nicht stimmen. Korrigieren Sie die Zelle.',
    wrong_url: 'In einer Spalte für Seiten steht keine Adresse einer öffentlichen Seite. Korrigieren Sie die Zelle.',
    conflicting_rows:
      'Zwei Zeilen betreffen dasselbe und haben verschiedene Werte. Exportieren Sie den Bericht mit dieser einen Dimension.',
    no_ai_channel:
      'Keine Zeile gehört zum Kanal „AI Assistant“. Exportieren Sie einen Zeitraum, in dem es solche Sitzungen gab.',
    same_table_twice: 'Eine andere Datei hat dieselbe Tabelle desselben Anbieters. Laden Sie nur eine davon hoch.',
    nothing_to_read: 'Filter allein zählen nichts. Laden Sie die Tabelle der Seiten mit hoch.',
  },
};
