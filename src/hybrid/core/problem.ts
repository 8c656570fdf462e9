import { LineCounter } from 'yaml';
import { type ProblemCode, PROBLEMS } from './problems-data.ts';

const BOM = '\uFEFF';

/** Tells line and column of offsets in a text. A byte order mark has no column of its own. */
export function placesOf(text: string): (offset: number) => Place {
  const lines = new LineCounter();
  lines.addNewLine(0);
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines.addNewLine(at + 1);
  const shift = text.startsWith(BOM) ? 1 : 0;
  return (offset) => {
    const { line, col } = lines.linePos(offset);
    return { line, column: line === 1 ? Math.max(1, col - shift) : col };
  };
}

/** Where something stands in a file, both counted from 1; columns in UTF-16 units, as editors count them. */
export type Place = { line: number; column: number };

/** What is wrong with an overrides file. An `error` stops a migration; a `warning` asks its reader to look. */
export type Problem = Place & {
  /** Stable. */
  code: ProblemCode;
  severity: 'error' | 'warning';
  /** What was seen; never the value of a key or password. */
  message: string;
  /** What to do. */
  fix: string;
};

/** A problem of the table at a place. `fix` is the table's unless a better one is known. */
export function problem(code: ProblemCode, { line, column }: Place, message: string, fix?: string): Problem {
  return { line, column, code, severity: PROBLEMS[code].severity, message, fix: fix ?? PROBLEMS[code].fix };
}

/** By line, column and code. */
export const sorted = (problems: readonly Problem[]): readonly Problem[] =>
  problems.toSorted(
    (one, other) => one.line - other.line || one.column - other.column || one.code.localeCompare(other.code),
  );

export const hasErrors = (problems: readonly Problem[]): boolean =>
  problems.some(({ severity }) => severity === 'error');
