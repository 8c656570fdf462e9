import { type Delimiter, DELIMITERS, readHeader } from './csv-rows.ts';
import { type ColumnMeaning, type FormatRow, importFormats, type ImportSource, type TableRow } from './formats-data.ts';
import { ImportStopped, quoteCell } from './refusal.ts';

/** The table that a file holds, and where each meaning is found in it. */
export type RecognisedTable = {
  format: FormatRow;
  table: TableRow;
  delimiter: Delimiter;
  header: readonly string[];
  /** Places of columns by what they mean. */
  places: ReadonlyMap<ColumnMeaning, number>;
};

/** Longest cell of a header that can be the name of a column of ours, in characters. */
const MAX_NAME_CHARS = 200;

/** A header cell as it is compared: one spelling of case, spaces and dashes. Text that is no name is compared with none. */
const foldHeader = (cell: string): string =>
  cell
    .slice(0, MAX_NAME_CHARS)
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[\u2010-\u2015\u2212]/g, '-')
    .replaceAll(/\s+/g, ' ')
    .trim();

/** `names` are the cells of the header, folded. */
type Header = { delimiter: Delimiter; header: readonly string[]; names: readonly string[] };
type Candidate = Header & { format: FormatRow; table: TableRow };

/**
 * Finds the one table of our formats that the header of a file has.
 * @param as the only source that is tried
 * @throws ImportStopped where none fits, or where several do
 */
export function recogniseTable(
  text: string,
  { named, as }: { named: Delimiter | undefined; as: ImportSource | undefined },
): RecognisedTable {
  const delimiters = named === undefined ? DELIMITERS : [named];
  const headers = delimiters.map((delimiter): Header => {
    const header = readHeader(text, delimiter);
    return { delimiter, header, names: header.map(foldHeader) };
  });
  const formats = importFormats.filter(({ source }) => as === undefined || source === as);
  const candidates = headers.flatMap((header) =>
    formats.flatMap((format) => format.tables.map((table) => ({ format, table, ...header }))),
  );
  const fitting = candidates.filter((candidate) => isFitting(candidate));
  const [first, second] = fitting;
  if (first === undefined) {
    const [widest] = headers.toSorted((one, other) => other.header.length - one.header.length) as [Header];
    throw refuseHeader(widest, candidates, formats);
  }
  if (second !== undefined)
    throw new ImportStopped(
      'unknown_format',
      `The columns fit ${fitting.map(({ format }) => format.title).join(' and ')}. Say which of them it is.`,
    );
  return { ...first, places: locateColumns(first) };
}

const findColumn = (names: readonly string[], spellings: readonly string[]): number => {
  const wanted = new Set(spellings.map(foldHeader));
  return names.findIndex((name) => wanted.has(name));
};

const listMissing = ({ names, table }: Pick<Candidate, 'names' | 'table'>): readonly string[] =>
  table.columns
    .filter(({ optional, headers }) => optional !== true && findColumn(names, headers) === -1)
    .map(({ headers: [name = ''] }) => name);

const listForeign = ({ header, names, table: { never = [] } }: Candidate): readonly string[] => {
  const unwanted = new Set(never.map(foldHeader));
  return header.filter((_cell, at) => unwanted.has(names[at] ?? ''));
};

const isFitting = (candidate: Candidate): boolean =>
  listMissing(candidate).length === 0 && listForeign(candidate).length === 0;

function locateColumns({ names, table }: Candidate): ReadonlyMap<ColumnMeaning, number> {
  return new Map(
    table.columns
      .map(({ meaning, headers }) => [meaning, findColumn(names, headers)] as const)
      .filter(([, place]) => place !== -1),
  );
}

/** Says what was found, which formats are known, and what each of them lacks here. */
function refuseHeader(
  { header, names }: Header,
  candidates: readonly Candidate[],
  formats: readonly FormatRow[],
): ImportStopped {
  const found = `Found columns: ${header.map(quoteCell).join(', ')}.`;
  const other = candidates.find((candidate) => listMissing(candidate).length === 0);
  if (other !== undefined) {
    const foreign = listForeign(other).map(quoteCell).join(', ');
    return new ImportStopped(
      'other_export',
      `This is not ${other.format.title}: ${foreign} belong to another report of the vendor.`,
      [found],
    );
  }
  const begun = candidates.find(
    (candidate) => listMissing(candidate).length < candidate.table.columns.filter(({ optional }) => !optional).length,
  );
  const known = formats.flatMap(({ source, version, tables }) =>
    tables.map((table) => {
      const missing = listMissing({ names, table });
      return `${source} (${version}), ${table.table}: lacks ${missing.map(quoteCell).join(', ')}`;
    }),
  );
  return begun === undefined
    ? new ImportStopped('unknown_format', 'The file fits none of the formats that are read.', [found, ...known])
    : new ImportStopped('missing_columns', 'The file lacks columns that every format needs.', [found, ...known]);
}
