import type { Child } from 'hono/jsx';
import { TableHead } from '../design/parts.tsx';

/** A table that scrolls by itself where it is wider than the page. */
export const WideTable = ({
  caption,
  columns,
  children,
}: {
  caption: string;
  columns: readonly string[];
  children: Child;
}) => (
  <div class="scroll" tabindex={0} role="region" aria-label={caption}>
    <table class="wide">
      <caption>{caption}</caption>
      <TableHead columns={columns} />
      <tbody>{children}</tbody>
    </table>
  </div>
);

/** A state in the words of a page, and how much it asks for attention. */
export type StateWord = { text: string; mood: 'good' | 'warn' | 'bad' | 'idle' };

export const State = ({ text, mood }: StateWord) => <span class={`status ${mood}`}>{text}</span>;

/** What could not be asked for: never shown as nothing. */
export const CouldNotLook = ({ children }: { children: Child }) => (
  <p class="warning" role="status">
    <strong>Could not read</strong> {children}
  </p>
);

/** Nothing is said where all shards answered. */
export const UnreadShards = ({ unread, shards }: { unread: number; shards: number }) =>
  unread === 0 ? null : (
    <CouldNotLook>
      {unread} of {shards} shards of the ledger: what they hold is missing from everything below.
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
