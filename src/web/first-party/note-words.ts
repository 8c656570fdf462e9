import type { ImportTable } from '../../visibility/imports/formats-data.ts';
import {
  formatImportNote,
  formatUnreadColumn,
  type ImportNote,
  type UnreadColumn,
} from '../../visibility/imports/import-note.ts';
import type { Translated } from '../language/language.ts';

/** What an import notes of its files. Names and values of the files stay as they are. */
export type NoteWords = {
  note: (note: ImportNote) => string;
  unreadColumn: (column: UnreadColumn) => string;
  tables: Readonly<Record<ImportTable, string>>;
};

const germanTables: NoteWords['tables'] = {
  pages: 'Seiten',
  queries: 'Suchanfragen',
  days: 'Tage',
  countries: 'Länder',
  devices: 'Geräte',
  filters: 'Filter',
  channels: 'Kanäle',
};

export const noteWords: Translated<NoteWords> = {
  en: {
    note: formatImportNote,
    unreadColumn: formatUnreadColumn,
    tables: {
      pages: 'pages',
      queries: 'queries',
      days: 'days',
      countries: 'countries',
      devices: 'devices',
      filters: 'filters',
      channels: 'channels',
    },
  },
  de: {
    note: (note) => {
      switch (note.reason) {
        case 'filtered':
          return `Der Export war gefiltert: ${note.name} ist ${note.value}.`;
        case 'no_rows':
          return `${note.file} hat eine Kopfzeile und keine weiteren Zeilen.`;
        case 'repeated_rows':
          return note.rows === 1
            ? `${note.file}: 1 Zeile stimmt Zeichen für Zeichen mit einer anderen überein. Beide zählen als eine.`
            : `${note.file}: ${note.rows} Zeilen stimmen Zeichen für Zeichen mit einer anderen überein und zählen nicht noch einmal.`;
        case 'no_host':
          return 'Landingpages haben keine Domain: Geben Sie die Website an, um sie nach Seiten zu vergleichen.';
      }
    },
    unreadColumn: ({ table, column, reason }) =>
      `${germanTables[table]}: ${column}${reason === 'no_percent_sign' ? ' (Zahlen ohne Prozentzeichen)' : ''}`,
    tables: germanTables,
  },
};
