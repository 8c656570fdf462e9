import { escapeMarkdownText, formatCodeCell, formatPlainLine } from '../../lib/safe-text.ts';
import type { PageLanguage } from '../language/language.ts';
import type { FirstPartyReport } from './first-party-report.ts';
import { firstPartyWords } from './first-party-words.ts';
import { type FirstPartySection, listFirstPartySections, type SectionCell, type SectionTable } from './sections.ts';

/** Rows of a table at a terminal, and in Markdown. The JSON has all of them. */
const TEXT_ROWS = 10;
const MARKDOWN_ROWS = 50;
const MAX_CHARS = 500;
const CELL_CHARS = 90;

const readCell = (cell: SectionCell): string => (typeof cell === 'string' ? cell : cell.foreign);

/** A report in lines for a terminal; text of files is one harmless line each. */
export function formatFirstPartyLines(report: FirstPartyReport, language: PageLanguage = 'en'): readonly string[] {
  const sections = listFirstPartySections(report, { language, maxRows: TEXT_ROWS });
  return sections.flatMap((section, at) => [...(at === 0 ? [] : ['']), ...formatSectionLines(section, language)]);
}

function formatSectionLines(
  { title, texts, lists, tables }: FirstPartySection,
  language: PageLanguage,
): readonly string[] {
  return [
    `-- ${formatPlainLine(readCell(title), MAX_CHARS)}`,
    ...texts.map((text) => formatPlainLine(readCell(text), MAX_CHARS)),
    ...lists.map(({ label, text }) => `${label}: ${text}`),
    ...tables.flatMap((table) => formatTableLines(table, language)),
  ];
}

function formatTableLines({ caption, columns, rows, of }: SectionTable, language: PageLanguage): readonly string[] {
  const cells = rows.map((row) => row.map((cell) => formatPlainLine(readCell(cell), CELL_CHARS)));
  const widths = columns.map((column, at) => Math.max(column.length, ...cells.map((row) => row[at]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    `  ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  ')}`.trimEnd();
  return [
    '',
    `${caption}:`,
    line(columns),
    ...cells.map(line),
    ...listCut(rows.length, of, language).map((text) => `  ${text}`),
  ];
}

const listCut = (shown: number, of: number, language: PageLanguage): readonly string[] =>
  of > shown ? [firstPartyWords[language].shown(shown, of)] : [];

/** A report as Markdown. Text of files is in code spans alone (rule X7). */
export function formatFirstPartyMarkdown(report: FirstPartyReport, language: PageLanguage = 'en'): string {
  const sections = listFirstPartySections(report, { language, maxRows: MARKDOWN_ROWS });
  const parts = sections.flatMap(({ title, texts, lists, tables }) => [
    `## ${escapeMarkdownText(readCell(title), MAX_CHARS)}`,
    ...texts.map((text) => escapeMarkdownText(readCell(text), MAX_CHARS)),
    lists.map(({ label, text }) => `- **${label}:** ${escapeMarkdownText(text, MAX_CHARS)}`).join('\n'),
    ...tables.map((table) => formatMarkdownTable(table, language)),
  ]);
  return `${[`# ${firstPartyWords[language].title}`, ...parts.filter((part) => part !== '')].join('\n\n')}\n`;
}

function formatMarkdownTable({ caption, columns, rows, of }: SectionTable, language: PageLanguage): string {
  const cell = (one: SectionCell): string =>
    typeof one === 'string' ? escapeMarkdownText(one, MAX_CHARS) : formatCodeCell(one.foreign);
  const lines = [
    `### ${caption}`,
    '',
    `| ${columns.join(' | ')} |`,
    `|${columns.map(() => ' --- |').join('')}`,
    ...rows.map((row) => `| ${row.map(cell).join(' | ')} |`),
    ...listCut(rows.length, of, language).flatMap((text) => ['', text]),
  ];
  return lines.join('\n');
}
