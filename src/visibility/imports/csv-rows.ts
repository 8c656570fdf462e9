import Papa from 'papaparse';
import { ImportStopped } from './refusal.ts';

/** Data rows of one file. The vendors give 100 to 1,000. */
export const MAX_IMPORT_ROWS = 100_000;
/** Characters of one cell. */
export const MAX_CELL_CHARS = 8_192;
/** Lines above the header: comments of Google Analytics, and Excel's `sep=`. */
const MAX_PREAMBLE_LINES = 50;
/** Cells of one row. */
const MAX_CELLS = 200;

export const DELIMITERS = [',', ';', '\t'] as const;
export type Delimiter = (typeof DELIMITERS)[number];

/** Comment lines above the header without their `#`, the delimiter that the file names, and the rest. */
export type SplitPreamble = { comments: readonly string[]; delimiter: Delimiter | undefined; table: string };

/** Parts what is above the header from the table. */
export function splitPreamble(text: string): SplitPreamble {
  const comments: string[] = [];
  let delimiter: Delimiter | undefined;
  let at = 0;
  for (let line = 0; line < MAX_PREAMBLE_LINES && at < text.length; line += 1) {
    const end = text.indexOf('\n', at);
    const next = end === -1 ? text.length : end + 1;
    const content = text.slice(at, next).trim();
    const named = DELIMITERS.find((one) => content === `sep=${one}` || (one === '\t' && content === 'sep='));
    if (content !== '' && !content.startsWith('#') && named === undefined) break;
    if (content.startsWith('#')) comments.push(content.slice(1).trim());
    delimiter ??= named;
    at = next;
  }
  return { comments, delimiter, table: text.slice(at) };
}

/** The cells of the first row, by a delimiter; for recognising the file. */
export function readHeader(table: string, delimiter: Delimiter): readonly string[] {
  const { data } = Papa.parse<string[]>(table, { delimiter, preview: 1, skipEmptyLines: 'greedy' });
  return (data[0] ?? []).slice(0, MAX_CELLS).map((cell) => cell.trim());
}

export type CsvRow = {
  cells: readonly string[];
  /** Counted from 1, the header included; a row of several lines counts once. */
  row: number;
};

/**
 * Hands each row behind the header to `take`, one after another, and keeps none.
 * @throws ImportStopped for CSV that is broken, rows of another width than the header, and more than `maxRows`
 */
export function readRows(
  table: string,
  { delimiter, width, maxRows }: { delimiter: Delimiter; width: number; maxRows: number },
  take: (row: CsvRow) => void,
): number {
  let row = 0;
  let stopped: unknown;
  Papa.parse<string[]>(table, {
    delimiter,
    skipEmptyLines: 'greedy',
    step: ({ data: cells, errors }, parser) => {
      row += 1;
      try {
        judgeRow(cells, errors[0]?.message, row, { width, maxRows });
        if (row > 1) take({ cells, row });
      } catch (error) {
        stopped = error;
        parser.abort();
      }
    },
  });
  if (stopped !== undefined) throw stopped;
  return Math.max(0, row - 1);
}

function judgeRow(
  cells: readonly string[],
  fault: string | undefined,
  row: number,
  { width, maxRows }: { width: number; maxRows: number },
): void {
  if (fault !== undefined)
    throw new ImportStopped('malformed_csv', `Row ${row} is broken CSV: ${fault}. Export the file again.`);
  if (row - 1 > maxRows)
    throw new ImportStopped(
      'too_many_rows',
      `The file has more than ${maxRows} rows. Choose a shorter time or fewer pages at the vendor.`,
    );
  if (cells.some((cell) => cell.length > MAX_CELL_CHARS))
    throw new ImportStopped('cell_too_long', `Row ${row} has a cell of more than ${MAX_CELL_CHARS} characters.`);
  if (row > 1 && /^# ?[-A-Z]/.test(cells[0] ?? '') && cells.slice(1).every((cell) => cell === ''))
    throw new ImportStopped(
      'several_tables',
      `A second table begins in row ${row}. Export the report by itself, not a snapshot of several.`,
    );
  if (cells.length !== width)
    throw new ImportStopped('wrong_row', `Row ${row} has ${cells.length} cells, and the header has ${width}.`);
}
