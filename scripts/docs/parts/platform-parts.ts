import { PROBLEMS } from '../../../src/hybrid/core/problems-data.ts';
import { preconditions } from '../../../src/hybrid/verify/verify.ts';
import { handlers } from '../../../src/management/core/interfaces.ts';
import { methods } from '../../../src/management/core/table/method-row.ts';
import { formatTable } from '../markdown.ts';

/** Rows that routes of the control Worker answer by themselves: they have no handler. */
const ROUTES = ['conventions.batch'];

/** How many methods of each management interface are served, for `docs/platform/index.md`. */
export function formatInterfacesTable(): string {
  const isServed = (id: string): boolean => Object.hasOwn(handlers, id) || ROUTES.includes(id);
  const names = [...new Set(methods.map((row) => row.interface))].toSorted();
  const counts = names.map((name) => {
    const rows = methods.filter((row) => row.interface === name);
    const seed = rows.filter((row) => row.inSeed);
    const served = seed.filter(({ id }) => isServed(id)).length;
    const beyond = rows.filter((row) => !row.inSeed && isServed(row.id)).length;
    return { name, versions: [...new Set(rows.map(({ version }) => version))], served, seed: seed.length, beyond };
  });
  const sum = (count: 'served' | 'seed' | 'beyond'): number => counts.reduce((total, row) => total + row[count], 0);
  const rows = counts.map(
    ({ name, versions, served, seed, beyond }) =>
      `| ${name} | ${versions.join(', ')} | ${served} / ${seed} | ${beyond === 0 ? '' : beyond} |`,
  );
  return [
    '| Interface | Versions | Rows served / in the seed | Rows beyond the seed |',
    '|---|---|---|---|',
    ...rows,
    `| all | | ${sum('served')} / ${sum('seed')} | ${sum('beyond')} |`,
  ].join('\n');
}

/** Every problem of an overrides file. */
export const formatHybridProblems = (): string =>
  formatTable(
    ['Code', 'Severity', 'Meaning'],
    Object.entries(PROBLEMS).map(([code, { severity, title }]) => [`\`${code}\``, severity, title]),
  );

/** Every condition of the upgrade, by the step of the plan. */
export const formatHybridConditions = (): string =>
  formatTable(
    ['Step', 'Condition', 'What holds', 'Needed'],
    preconditions.map(({ step, id, title, needed }) => [String(step), `\`${id}\``, title, needed]),
  );
