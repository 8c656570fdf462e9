import { LineCounter } from 'yaml';
import { type ProblemCode, PROBLEMS } from './problems-data.ts';

const BOM = '\uFEFF';

/** Returns a function that maps an offset to line and column. A byte order mark takes up no column. */
export function createPositionFinder(text: string): (offset: number) => FilePosition {
  const lines = new LineCounter();
  lines.addNewLine(0);
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines.addNewLine(at + 1);
  const shift = text.startsWith(BOM) ? 1 : 0;
  return (offset) => {
    const { line, col } = lines.linePos(offset);
    return { line, column: line === 1 ? Math.max(1, col - shift) : col };
  };
}

/** A position in a file. Line and column count from 1; columns are UTF-16 units, as in editors. */
export type FilePosition = { line: number; column: number };

/** What is wrong with an overrides file. An `error` stops a migration; a `warning` asks its reader to look. */
export type OverridesProblem = FilePosition & {
  /** Stable. */
  code: ProblemCode;
  severity: 'error' | 'warning';
  /** What was seen; never the value of a key or password. */
  message: string;
  /** What to do. */
  fix: string;
};

/** A problem of the table at a place. `fix` is the table's unless a better one is known. */
export function buildOverridesProblem(
  code: ProblemCode,
  { line, column }: FilePosition,
  message: string,
  fix?: string,
): OverridesProblem {
  return { line, column, code, severity: PROBLEMS[code].severity, message, fix: fix ?? PROBLEMS[code].fix };
}

/** By line, column and code. */
export const sortProblems = (problems: readonly OverridesProblem[]): readonly OverridesProblem[] =>
  problems.toSorted(
    (one, other) => one.line - other.line || one.column - other.column || one.code.localeCompare(other.code),
  );

export const hasErrors = (problems: readonly OverridesProblem[]): boolean =>
  problems.some(({ severity }) => severity === 'error');
