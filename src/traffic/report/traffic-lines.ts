import { escapeMarkdownText, formatCodeCell, formatPlainLine } from '../../lib/safe-text.ts';
import type { TrafficReport } from '../tally/traffic-report.ts';
import { listTrafficSections, type TrafficCell, type TrafficSection, type TrafficTable } from './sections.ts';

/** Rows of a list at a terminal, and in Markdown. The JSON has more. */
const TEXT_ROWS = 10;
const MARKDOWN_ROWS = 50;
const MAX_CHARS = 500;
const CELL_CHARS = 90;

/** A report in lines for a terminal; text of a log is one harmless line each (rule X8). */
export const formatTrafficLines = (report: TrafficReport): readonly string[] =>
  listTrafficSections(report, TEXT_ROWS).flatMap((section, at) => [
    ...(at === 0 ? [] : ['']),
    ...formatSectionLines(section),
  ]);

/** One part in lines for a terminal. */
export const formatSectionLines = ({ title, texts, tables }: TrafficSection): readonly string[] => [
  `-- ${title}`,
  ...texts.map((text) => formatPlainLine(text, MAX_CHARS)),
  ...tables.flatMap(formatTable),
];

const NUMBER = /^(?:over )?[\d,.]+(?: (?:%|[kMGTP]?B))?$|^-$/;

function formatTable({ caption, columns, rows }: TrafficTable): readonly string[] {
  const cells = rows.map((row) =>
    row.map((cell) => formatPlainLine(typeof cell === 'string' ? cell : cell.code, CELL_CHARS)),
  );
  const widths = columns.map((column, at) => Math.max(column.length, ...cells.map((row) => row[at]?.length ?? 0)));
  const isNumeric = columns.map((_column, at) => cells.length > 0 && cells.every((row) => NUMBER.test(row[at] ?? '')));
  const line = (row: readonly string[]): string =>
    `  ${row.map((cell, at) => (isNumeric[at] === true ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0))).join('  ')}`.trimEnd();
  return ['', `${caption}:`, line(columns), ...cells.map(line)];
}

/** A report as Markdown. Text of a log is in code spans alone (rule X7). */
export function formatTrafficMarkdown(report: TrafficReport): string {
  const parts = listTrafficSections(report, MARKDOWN_ROWS).map((section, at) =>
    formatTrafficSectionMarkdown(section, at === 0 ? '#' : '##'),
  );
  return `${parts.join('\n\n')}\n`;
}

/** One part as Markdown. */
export const formatTrafficSectionMarkdown = (
  { title, texts, tables }: TrafficSection,
  level: '#' | '##' = '##',
): string =>
  [
    `${level} ${title}`,
    ...texts.map((text) => escapeMarkdownText(text, MAX_CHARS)),
    ...tables.map(formatMarkdownTable),
  ].join('\n\n');

const formatMarkdownCell = (cell: TrafficCell): string =>
  typeof cell === 'string' ? escapeMarkdownText(cell, MAX_CHARS) : formatCodeCell(cell.code);

const formatMarkdownTable = ({ caption, columns, rows }: TrafficTable): string =>
  [
    `### ${escapeMarkdownText(caption, MAX_CHARS)}`,
    '',
    `| ${columns.join(' | ')} |`,
    `|${columns.map(() => ' --- |').join('')}`,
    ...rows.map((row) => `| ${row.map(formatMarkdownCell).join(' | ')} |`),
  ].join('\n');
