import type { ImportTable } from './formats-data.ts';

/** What a reader of an import's figures must know, by a reason that stays the same. Names and values are text of the file. */
export type ImportNote =
  | { reason: 'filtered'; name: string; value: string }
  | { reason: 'no_rows'; file: string }
  | { reason: 'repeated_rows'; file: string; rows: number }
  | { reason: 'no_host' };

/** A column that was not read: it has no meaning to us, or its shares have no percent sign. */
export type UnreadColumn = {
  table: ImportTable;
  column: string;
  reason: 'unknown_column' | 'no_percent_sign';
};

/** A note in English, as files and stores have it beside its reason. */
export function formatImportNote(note: ImportNote): string {
  switch (note.reason) {
    case 'filtered':
      return `The export was filtered: ${note.name} is ${note.value}.`;
    case 'no_rows':
      return `${note.file} has a header and no rows.`;
    case 'repeated_rows':
      return note.rows === 1
        ? `${note.file}: 1 row repeats another to the letter. Both count as one.`
        : `${note.file}: ${note.rows} rows repeat another to the letter and count once.`;
    case 'no_host':
      return 'Landing pages have no host: name the site to compare them by page.';
  }
}

/** The same of a column, as `queries: Intent`. */
export const formatUnreadColumn = ({ table, column, reason }: UnreadColumn): string =>
  `${table}: ${column}${reason === 'no_percent_sign' ? ' (numbers without a percent sign)' : ''}`;
