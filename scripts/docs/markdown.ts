/** Markdown of the pages that `npm run docs` writes: text of our tables, and never text of an audited site. */

/** Text that renders as itself, in a table cell too: no markup comes of it but code between backticks. */
export function escapeProse(text: string): string {
  const parts = text.split('`');
  if (parts.length % 2 === 0) return escapeMarks(text);
  return parts.map((part, index) => (index % 2 === 0 ? escapeMarks(part) : formatCellCode(part))).join('');
}

const escapeMarks = (text: string): string => text.replaceAll(/[\\`*_[\]<>|]/g, String.raw`\$&`);

/** A code span, for text without backticks. */
export const formatCode = (text: string): string => `\`${text}\``;

/** A code span in a table, where a bar would end the cell. */
export const formatCellCode = (text: string): string => formatCode(text.replaceAll('|', String.raw`\|`));

/** A table; the cells are Markdown already. */
export const formatTable = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [formatRow(head), formatRow(head.map(() => '---')), ...rows.map(formatRow)].join('\n');

const formatRow = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

export const formatFence = (language: string, text: string): string => `\`\`\`${language}\n${text}\n\`\`\``;

/** A page of parts, each a block; empty ones are left out. `npm run docs` writes it from `from`. */
export const formatGeneratedPage = (title: string, from: string, blocks: readonly string[]): string =>
  `${[`# ${title}`, ...blocks, `Written by \`npm run docs\` from ${from}. Change it there.`]
    .filter((block) => block !== '')
    .join('\n\n')}\n`;
