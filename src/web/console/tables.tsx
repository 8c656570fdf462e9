import type { Child } from 'hono/jsx';
import { type Column, TableHead } from '../design/parts.tsx';

/**
 * A table that scrolls by itself where it is wider than the page. `file`: path of its rows as CSV. `isStacking`: on a
 * telephone each row is a list of its cells, which name their columns by `data-column`.
 */
export const WideTable = ({
  caption,
  columns,
  file,
  isStacking = false,
  children,
}: {
  caption: string;
  columns: readonly Column[];
  file?: string | undefined;
  isStacking?: boolean;
  children: Child;
}) => (
  <>
    <div class="scroll" tabindex={0} role="region" aria-label={caption}>
      <table class={isStacking ? 'wide stacking' : 'wide'}>
        <caption>{caption}</caption>
        <TableHead columns={columns} />
        <tbody>{children}</tbody>
      </table>
    </div>
    {file === undefined ? null : <CsvLink href={file} />}
  </>
);

/** The same rows as a file. */
export const CsvLink = ({ href }: { href: string }) => (
  <p class="small">
    <a href={href}>Save as CSV</a>
  </p>
);

/** A state in the words of a page, and how much it asks for attention. */
export type StateWord = { text: string; mood: 'good' | 'warn' | 'bad' | 'idle' };

export const State = ({ text, mood }: StateWord) => <span class={`status ${mood}`}>{text}</span>;

/** A long id on one line: its end is not drawn, but it is there to be read, selected and copied. */
export const LongId = ({ id }: { id: string }) => (
  <code class="id" title={id}>
    {id}
  </code>
);

/** What could not be asked for: never shown as nothing. */
export const CouldNotLook = ({ children }: { children: Child }) => (
  <p class="warning" role="status">
    <strong>Could not read</strong> {children}
  </p>
);

/** Nothing is said where all shards have reported. */
export const UnreadShards = ({ unread, shards }: { unread: number; shards: number }) =>
  unread === 0 ? null : (
    <CouldNotLook>
      {unread} of {shards} shards of the ledger: what they hold is missing from everything below. Load the page again:
      it goes on with the rest.
    </CouldNotLook>
  );

/** Spreadsheets run cells that begin so (rule X8). */
const STARTS_A_FORMULA: ReadonlySet<string> = new Set(['=', '+', '-', '@', '\t', '\r']);

/** Rows as a CSV file (RFC 4180). A cell that a spreadsheet would run begins with an apostrophe instead (rule X8). */
export const formatCsv = (rows: readonly (readonly (string | number)[])[]): string =>
  rows.map((row) => `${row.map((cell) => escapeCsvCell(String(cell))).join(',')}\r\n`).join('');

function escapeCsvCell(text: string): string {
  const plain = STARTS_A_FORMULA.has(text.charAt(0)) ? `'${text}` : text;
  const isSimple = !['"', ',', '\n', '\r'].some((sign) => plain.includes(sign));
  return isSimple ? plain : `"${plain.replaceAll('"', '""')}"`;
}

/** A time as files have it; '' for none. */
export const formatCsvTime = (ms: number | null | undefined): string =>
  ms === null || ms === undefined ? '' : new Date(ms).toISOString();
