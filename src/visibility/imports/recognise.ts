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

/** A header cell as it is compared: one spelling of case, spaces and dashes. */
const foldHeader = (cell: string): string =>
  cell
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[\u2010-\u2015\u2212]/g, '-')
    .replaceAll(/\s+/g, ' ')
    .trim();

type Candidate = { format: FormatRow; table: TableRow; delimiter: Delimiter; header: readonly string[] };

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
  const headers = delimiters.map((delimiter) => ({ delimiter, header: readHeader(text, delimiter) }));
  const formats = importFormats.filter(({ source }) => as === undefined || source === as);
  const candidates = headers.flatMap((header) =>
    formats.flatMap((format) => format.tables.map((table) => ({ format, table, ...header }))),
  );
  const fitting = candidates.filter((candidate) => isFitting(candidate));
  const [first, second] = fitting;
  if (first === undefined) {
    const widest = headers.toSorted((one, other) => other.header.length - one.header.length)[0]?.header ?? [];
    throw refuseHeader(widest, candidates, formats);
  }
  if (second !== undefined)
    throw new ImportStopped(
      'unknown_format',
      `The columns fit ${fitting.map(({ format }) => format.title).join(' and ')}. Say which with --as.`,
    );
  return { ...first, places: locateColumns(first) };
}

const findColumn = (header: readonly string[], spellings: readonly string[]): number => {
  const wanted = new Set(spellings.map(foldHeader));
  return header.findIndex((cell) => wanted.has(foldHeader(cell)));
};

const listMissing = ({ header, table }: Pick<Candidate, 'header' | 'table'>): readonly string[] =>
  table.columns
    .filter(({ optional, headers }) => optional !== true && findColumn(header, headers) === -1)
    .map(({ headers: [name = ''] }) => name);

const listForeign = ({ header, table: { never = [] } }: Candidate): readonly string[] =>
  header.filter((cell) => never.some((one) => foldHeader(one) === foldHeader(cell)));

const isFitting = (candidate: Candidate): boolean =>
  listMissing(candidate).length === 0 && listForeign(candidate).length === 0;

function locateColumns({ header, table }: Candidate): ReadonlyMap<ColumnMeaning, number> {
  return new Map(
    table.columns
      .map(({ meaning, headers }) => [meaning, findColumn(header, headers)] as const)
      .filter(([, place]) => place !== -1),
  );
}

/** Says what was found, which formats are known, and what each of them lacks here. */
function refuseHeader(
  header: readonly string[],
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
      const missing = listMissing({ header, table });
      return `${source} (${version}), ${table.table}: lacks ${missing.map(quoteCell).join(', ')}`;
    }),
  );
  return begun === undefined
    ? new ImportStopped('unknown_format', 'The file fits none of the formats that are read.', [found, ...known])
    : new ImportStopped('missing_columns', 'The file lacks columns that every format needs.', [found, ...known]);
}
