import { PROBLEMS } from '../../src/hybrid/core/problems-data.ts';
import { preconditions } from '../../src/hybrid/verify/verify.ts';
import { formatTable } from './markdown.ts';

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
