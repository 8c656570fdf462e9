import { parseScriptFile } from '../commands.ts';
import type { UpgradePlan, UpgradeStep } from '../plan.ts';
import { SHELL_SETUP_COMMANDS } from '../steps/prepare.ts';
import { formatLibScript } from './lib-script.ts';
import { formatStepNumber } from './step-number.ts';
import { formatStepScript, formatUndoScript } from './step-script.ts';
import { formatPlanDetails, formatPlanSummary } from './summary.ts';

/** A file of the folder; `path` is relative to it. */
export type PlanFile = { path: string; content: string };

/** The folders that the files lie in. */
export const PLAN_FOLDERS = ['steps', 'undo'] as const;

/** `02-connect.sh` */
export const formatStepFileName = ({ number, id }: Pick<UpgradeStep, 'number' | 'id'>): string =>
  `${formatStepNumber(number)}-${id}.sh`;

/** The plan as files: to be read in a meeting, and run step by step from the folder of the overrides file. */
export function buildPlanFolder(plan: UpgradePlan): readonly PlanFile[] {
  const [first, ...later] = plan.steps;
  if (first === undefined) throw new Error('a plan has steps');
  const setup = first.commands.slice(0, SHELL_SETUP_COMMANDS).flatMap(({ command }) => command ?? []);
  const scripts = plan.steps.flatMap(({ commands }) =>
    commands.flatMap(({ command }) => (command === undefined ? undefined : parseScriptFile(command)) ?? []),
  );
  return [
    { path: 'plan.md', content: formatPlanSummary(plan) },
    { path: 'details.md', content: formatPlanDetails(plan) },
    { path: 'lib.sh', content: formatLibScript(plan, setup) },
    ...scripts.map(({ name, content }) => ({ path: name, content })),
    {
      path: `steps/${formatStepFileName(first)}`,
      content: formatStepScript(first, first.commands.slice(setup.length)),
    },
    ...later.map((step) => ({
      path: `steps/${formatStepFileName(step)}`,
      content: formatStepScript(step, step.commands),
    })),
    ...plan.steps.map((step) => ({ path: `undo/${formatStepFileName(step)}`, content: formatUndoScript(step) })),
  ];
}
