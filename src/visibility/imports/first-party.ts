import type { FormatRow, ImportSource, ImportTable } from './formats-data.ts';
import type { ImportNote, UnreadColumn } from './import-note.ts';

/** A page as a source counts it. `page` is the address that sources have in common; a path where no site is known. */
export type PageCount = { page: string; count: number; share: number | null };
export type QueryCount = { query: string; count: number; share: number | null };
export type NamedCount = { name: string; count: number };

/** One file as it was read. */
export type ImportedFile = {
  name: string;
  table: ImportTable;
  /** Data rows, and those of them that repeat another to the letter and count once. */
  rows: number;
  repeated: number;
};

/** What one source says, over all of its files. Counts are of `counts`; shares are 0 to 1. */
export type FirstPartyImport = {
  source: ImportSource;
  title: string;
  /** Of the format: the day of what it was read from. */
  version: string;
  /** `docs`: the format was never seen in a real export. */
  known: FormatRow['known'];
  counts: FormatRow['counts'];
  /** First and last day, `YYYY-MM-DD`; null where the files do not say. */
  from: string | null;
  to: string | null;
  /** Most first. Null: no file has them. */
  pages: readonly PageCount[] | null;
  queries: readonly QueryCount[] | null;
  days: readonly NamedCount[] | null;
  countries: readonly NamedCount[] | null;
  devices: readonly NamedCount[] | null;
  /** Of the table named by `total_of`; null where nothing was counted. */
  total: number | null;
  total_of: ImportTable | null;
  /** Columns of the files that were not read, as `pages: Intent`. */
  not_read: readonly string[];
  /** The same columns in parts; earlier imports do not have it. */
  not_read_columns?: readonly UnreadColumn[];
  /** Sentences in English. */
  notes: readonly string[];
  /** The same notes by their reasons, in the same order; earlier imports do not have it. */
  note_reasons?: readonly ImportNote[];
  files: readonly ImportedFile[];
};
