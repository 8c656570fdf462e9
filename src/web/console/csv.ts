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
