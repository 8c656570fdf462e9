import type { Note, Proposal } from '../../hybrid/core/migration.ts';
import type { OverridesProblem } from '../../hybrid/core/problem.ts';
import type { Precondition } from '../../hybrid/verify/conditions.ts';
import { formatSafeLine } from '../core/terminal.ts';

/** The longest path of Linux. */
const MAX_PATH_CHARS = 4_096;
/** Of a message or a sentence about it. */
const MAX_SENTENCE_CHARS = 1_000;
/** A line of a diff or plan can be as long as the line of the file. */
const MAX_LINE_CHARS = 1_100_000;

/** A path for a terminal, whole. */
export const formatSafePath = (path: string): string => formatSafeLine(path, MAX_PATH_CHARS);

const formatSentence = (text: string): string => formatSafeLine(text, MAX_SENTENCE_CHARS);

/** Several lines for a terminal, each made harmless. */
export const formatSafeLines = (text: string): string =>
  text
    .split('\n')
    .map((line) => formatSafeLine(line, MAX_LINE_CHARS))
    .join('\n');

/** `FILE:LINE:COL CODE MESSAGE; FIX`. */
export const formatProblems = (file: string, problems: readonly OverridesProblem[]): string =>
  problems
    .map(({ line, column, code, severity, message, fix }) => {
      const what = formatSentence(`${severity === 'warning' ? 'warning: ' : ''}${message}`).replace(/\.$/, '');
      return `${formatSafePath(file)}:${line}:${column} ${code} ${what}; ${formatClause(formatSentence(fix))}\n`;
    })
    .join('');

/** A sentence as the end of another. Names keep their capital, and so does what has more than one, such as MART. */
function formatClause(text: string): string {
  const [word = ''] = /^[A-Z][a-z]*(?![A-Za-z])/.exec(text) ?? [];
  return word === '' || NAMES.has(word) ? text : text.slice(0, 1).toLowerCase() + text.slice(1);
}

const NAMES: ReadonlySet<string> = new Set(['Apigee', 'Cassandra', 'Connect', 'Istio', 'Kubernetes']);

/** What the migration adds, with the flags that give other values. */
export function formatProposals(proposals: readonly Proposal[]): string {
  if (proposals.length === 0) return '';
  const lines = proposals.map(({ key, value, flag, reason, isGiven }) => {
    const why = isGiven ? `given by ${flag}` : `${formatSentence(reason).replace(/\.$/, '')}; ${flag} gives another`;
    return `  ${formatSentence(key)}: ${formatSentence(value)}  (${why})\n`;
  });
  return `Added values:\n${lines.join('')}`;
}

/** What left the file, and where it lives now. */
export function formatNotesText(notes: readonly Note[]): string {
  if (notes.length === 0) return '';
  const lines = notes.map(({ line, key, message }) => `  ${line}: ${formatSentence(key)} ${formatSentence(message)}\n`);
  return `Removed from the file:\n${lines.join('')}`;
}

/** A word of a command to copy. */
export const formatShellWord = (word: string): string => {
  const shown = formatSafePath(word);
  return /^[\w@%+=:,./-]+$/.test(shown) ? shown : `'${shown.replaceAll("'", String.raw`'\''`)}'`;
};

/** A table: whether each precondition holds, what was seen and what is needed. */
export function formatPreconditions(preconditions: readonly Precondition[]): string {
  const rows = preconditions.map(({ state, title, seen, needed }) => [state, title, seen, needed].map(formatSentence));
  const widths = [0, 1, 2].map((column) => Math.max(0, ...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map(
      (row) =>
        `${row
          .map((cell, column) => cell.padEnd(widths[column] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}
