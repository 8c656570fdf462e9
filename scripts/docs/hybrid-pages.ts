import { readFileSync, writeFileSync } from 'node:fs';
import { PROBLEMS } from '../../src/hybrid/core/problems-data.ts';
import { preconditions } from '../../src/hybrid/verify/verify.ts';

const folder = new URL('../../docs/platform/hybrid/', import.meta.url);

/** Every problem of an overrides file. */
export const formatHybridProblems = (): string =>
  formatTable(
    ['Code', 'Severity', 'Meaning'],
    Object.entries(PROBLEMS).map(([code, { severity, title }]) => [`\`${code}\``, severity, title]),
  );

/** Every condition of the upgrade, by the step of the plan. */
const formatHybridConditions = (): string =>
  formatTable(
    ['Step', 'Condition', 'What holds', 'Needed'],
    preconditions.map(({ step, id, title, needed }) => [String(step), `\`${id}\``, title, needed]),
  );

const formatTable = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

/** Pages with a generated part. */
export const hybridPages = [
  { file: 'check.md', name: 'problems', make: formatHybridProblems },
  { file: 'verify.md', name: 'conditions', make: formatHybridConditions },
] as const;

export const readHybridPage = (file: string): string => readFileSync(new URL(file, folder), 'utf8');

/** A page with its table made anew. @throws Error when it has no place in it */
export function withHybridTable(
  text: string,
  { name, make }: Pick<(typeof hybridPages)[number], 'name' | 'make'>,
): string {
  const [start, end] = [`<!-- ${name}:start -->`, `<!-- ${name}:end -->`];
  const [from, to] = [text.indexOf(start), text.indexOf(end)];
  if (from === -1 || to < from) throw new Error(`There is no place for what is between ${start} and ${end}`);
  return `${text.slice(0, from + start.length)}\n\n${make()}\n\n${text.slice(to)}`;
}

export function writeHybridPages(): void {
  for (const page of hybridPages)
    writeFileSync(new URL(page.file, folder), withHybridTable(readHybridPage(page.file), page));
}
