import { splitPreamble } from './csv-rows.ts';
import { readDay } from './cells.ts';
import { decodeImportFile } from './decode-file.ts';
import type { FirstPartyImport, NamedCount, PageCount, QueryCount } from './first-party.ts';
import { formatImportNote, formatUnreadColumn, type ImportNote } from './import-note.ts';
import { type ImportSource, importSources, type ImportTable } from './formats-data.ts';
import { type Counted, readTable, type ReadTable } from './read-table.ts';
import { recogniseTable } from './recognise.ts';
import { type ImportRefusal, ImportStopped } from './refusal.ts';

/** Bytes of one file. */
export const MAX_IMPORT_BYTES = 32 * 1_024 * 1_024;
/** Files that are read as one import. */
export const MAX_IMPORT_FILES = 20;

export type GivenFile = { name: string; bytes: Uint8Array };

export type ImportOptions = {
  /** Unix milliseconds: no day of an export lies behind it. */
  nowMs: number;
  maxRows: number;
  /** The only source that is tried; by the columns where it is undefined. */
  as?: ImportSource | undefined;
  /** The host that paths of Google Analytics belong to, such as `example.com`. */
  site?: string | undefined;
};

export type ImportedFiles = { ok: true; imports: readonly FirstPartyImport[] } | ImportRefusal;

/** Reads exports of vendors: all of them, or none. Files of one source are parts of one import. */
export function importFiles(files: readonly GivenFile[], options: ImportOptions): ImportedFiles {
  const tables: ReadTable[] = [];
  if (files.length > MAX_IMPORT_FILES)
    return refuse('', new ImportStopped('too_many_files', `At most ${MAX_IMPORT_FILES} files are read at once.`));
  for (const { name, bytes } of files) {
    try {
      tables.push(readFile(name, bytes, options));
    } catch (error) {
      if (error instanceof ImportStopped) return refuse(name, error);
      throw error;
    }
  }
  const twice = findSameTable(tables);
  if (twice !== undefined) return twice;
  const imports = importSources.flatMap((source) => {
    const own = tables.filter(({ format }) => format.source === source);
    return own.length === 0 ? [] : [uniteTables(own)];
  });
  const bare = imports.find(({ files: read }) => read.every(({ table }) => table === 'filters'));
  return bare === undefined
    ? { ok: true, imports }
    : refuse(
        bare.files[0]?.name ?? '',
        new ImportStopped('nothing_to_read', 'Filters alone count nothing. Add the table of pages beside them.'),
      );
}

const refuse = (file: string, { reason, message, detail }: ImportStopped): ImportRefusal => ({
  ok: false,
  reason,
  file,
  message,
  detail,
});

function readFile(name: string, bytes: Uint8Array, { as, site, maxRows, nowMs }: ImportOptions): ReadTable {
  if (bytes.byteLength > MAX_IMPORT_BYTES)
    throw new ImportStopped('too_many_bytes', `The file has more than ${MAX_IMPORT_BYTES} bytes.`);
  const { comments, delimiter, table } = splitPreamble(decodeImportFile(bytes));
  if (table.trim() === '') throw new ImportStopped('empty_file', 'The file has comments and no table.');
  const found = recogniseTable(table, { named: delimiter, as });
  const read = readTable(table, found, { name, nowMs, maxRows, site });
  return { ...read, range: read.range ?? readCommentRange(comments, nowMs) };
}

const COMMENT_DAY = /^(Start|End) date: (\d{8})$/i;

/** The first and last day that comments of Google Analytics name. @throws ImportStopped for days that cannot be */
function readCommentRange(comments: readonly string[], nowMs: number): ReadTable['range'] {
  const days = new Map(
    comments.flatMap((comment) => {
      const [, end, digits] = COMMENT_DAY.exec(comment) ?? [];
      return end === undefined || digits === undefined
        ? []
        : [[end.toLowerCase(), readDay(digits, `Comment "${end} date"`, nowMs)] as const];
    }),
  );
  const [from, to] = [days.get('start'), days.get('end')];
  if (from === undefined || to === undefined) return undefined;
  if (from > to) throw new ImportStopped('wrong_date', `The comments say that it starts on ${from} and ends on ${to}.`);
  return { from, to };
}

function findSameTable(tables: readonly ReadTable[]): ImportRefusal | undefined {
  for (const [at, { format, table, file }] of tables.entries()) {
    const earlier = tables
      .slice(0, at)
      .find((one) => one.format.source === format.source && one.table.table === table.table);
    if (earlier !== undefined)
      return refuse(
        file.name,
        new ImportStopped(
          'same_table_twice',
          `It is a second table of ${table.table} of ${format.title}; the first is ${earlier.file.name}.`,
          ['Give one of them: counts of two periods do not add up to a third.'],
        ),
      );
  }
  return undefined;
}

/** The tables that a total may be of, the fullest first: a list of pages is cut where the vendor cuts it. */
const TOTALS = [
  'channels',
  'days',
  'pages',
  'queries',
  'countries',
  'devices',
] as const satisfies readonly ImportTable[];

function uniteTables(tables: readonly ReadTable[]): FirstPartyImport {
  const [{ format }] = tables as [ReadTable];
  const find = (wanted: ImportTable): ReadTable | undefined => tables.find(({ table }) => table.table === wanted);
  const counts = (wanted: ImportTable): readonly NamedCount[] | null => listCounts(find(wanted)?.counted);
  const pages = find('pages')?.counted ?? find('channels')?.landing;
  const days = counts('days')?.toSorted((one, other) => (one.name < other.name ? -1 : 1)) ?? null;
  const range = tables.map((one) => one.range).find((one) => one !== undefined);
  const [notRead, notes] = [tables.flatMap((one) => one.notRead), tables.flatMap(listNotes)];
  const totalOf = TOTALS.find((wanted) => find(wanted) !== undefined) ?? null;
  return {
    source: format.source,
    title: format.title,
    version: format.version,
    known: format.known,
    counts: format.counts,
    from: range?.from ?? days?.[0]?.name ?? null,
    to: range?.to ?? days?.at(-1)?.name ?? null,
    pages: sortCounts(pages, (page, counted): PageCount => ({ page, ...counted })),
    queries: sortCounts(find('queries')?.counted, (query, counted): QueryCount => ({ query, ...counted })),
    days,
    countries: counts('countries'),
    devices: counts('devices'),
    total: totalOf === null ? null : sumCounts(find(totalOf)?.counted),
    total_of: totalOf,
    not_read: notRead.map(formatUnreadColumn),
    not_read_columns: notRead,
    notes: notes.map(formatImportNote),
    note_reasons: notes,
    files: tables.map(({ file }) => file),
  };
}

const sumCounts = (counted: ReadonlyMap<string, Counted> | undefined): number =>
  [...(counted?.values() ?? [])].reduce((total, { count }) => total + count, 0);

function sortCounts<T extends { count: number }>(
  counted: ReadonlyMap<string, Counted> | undefined,
  build: (name: string, counted: Counted) => T,
): readonly T[] | null {
  if (counted === undefined) return null;
  return [...counted].map(([name, one]) => build(name, one)).toSorted((one, other) => other.count - one.count);
}

const listCounts = (counted: ReadonlyMap<string, Counted> | undefined): readonly NamedCount[] | null =>
  sortCounts(counted, (name, { count }) => ({ name, count }));

/** What a reader of the figures must know: filters narrow every table, and a header without rows is an answer. */
function listNotes({ filters, file, range, landing }: ReadTable): readonly ImportNote[] {
  const narrowing = filters.filter(
    ({ name, value }) => name.toLowerCase() !== 'date' || range === undefined || value === '',
  );
  const hasNoHost = [...(landing?.keys() ?? [])].some((page) => page.startsWith('/'));
  return [
    ...narrowing.map(({ name, value }): ImportNote => ({ reason: 'filtered', name, value })),
    ...(file.rows === 0 ? [{ reason: 'no_rows', file: file.name } as const] : []),
    ...(file.repeated > 0 ? [{ reason: 'repeated_rows', file: file.name, rows: file.repeated } as const] : []),
    ...(hasNoHost ? [{ reason: 'no_host' } as const] : []),
  ];
}
