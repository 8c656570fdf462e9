import type { Refused } from '../hybrid/migration.ts';
import type { MigrateOptions } from '../hybrid/options.ts';
import { planRequest } from '../hybrid/plan/options.ts';
import type { Plan, PlanOptions, PlanOutcome } from '../hybrid/plan/plan.ts';
import { planUpgrade } from '../hybrid/plan/plan-upgrade.ts';
import { planMarkdown, planText } from '../hybrid/plan/render.ts';
import { flag, migrateOptionsOf, parsed, text, valueFlags } from './hybrid-args.ts';
import { NOT_UTF8, readInput } from './hybrid-input.ts';
import type { Io } from './hybrid-io.ts';
import { namedFile, newNameOf } from './hybrid-names.ts';
import { done, fileFault, type Outcome, refused, wrongUsage } from './hybrid-outcome.ts';
import { problemLines, safeLines, safePath } from './hybrid-print.ts';
import { safeJson, safeLine } from './safe-text.ts';

type Given = { file: string; options: MigrateOptions; request: PlanOptions; print: (plan: Plan) => string };

/** `sightline hybrid plan <file> --kubectl <version>`: the upgrade, step by step. */
export async function planCommand(args: readonly string[], io: Io): Promise<Outcome> {
  const given = givenBy(args);
  if (typeof given === 'string') return wrongUsage(given);
  const { file, options, request, print } = given;
  const read = await readInput(file, io);
  if (!read.ok) return fileFault(read.detail);
  const { text: content } = read.input;
  const outcome: PlanOutcome | Refused = content === undefined ? NOT_UTF8 : planUpgrade(content, options, request);
  if (!outcome.ok) return refusal(file, outcome, io);
  io.out(`${print(outcome.plan).trimEnd()}\n`);
  return done;
}

/** Without errors in the file there can be no plan either: for a part of a file, or one of 1.3. */
function refusal(file: string, outcome: Exclude<PlanOutcome | Refused, { ok: true }>, io: Io): Outcome {
  if ('problems' in outcome) io.err(problemLines(file, outcome.problems));
  else if (outcome.reason === 'kubectl_version') return wrongUsage(`--kubectl: ${safeLine(outcome.detail)}`);
  else io.err(`${safePath(file)}: ${safeLine(outcome.detail)}\n`);
  return refused;
}

function givenBy(args: readonly string[]): Given | string {
  const own = { kubectl: text, platform: text, 'envs-one-by-one': flag, 'out-name': text } as const;
  const given = parsed(args, { ...valueFlags, ...own, json: flag, markdown: flag });
  if (typeof given === 'string') return given;
  const { file, values } = given;
  if (values.kubectl === undefined) return '--kubectl <version> is missing: see kubectl version --client.';
  if (values.json && values.markdown) return '--json and --markdown exclude each other.';
  const options = migrateOptionsOf(values);
  if (typeof options === 'string') return options;
  const request = planRequest.safeParse({
    kubectl: values.kubectl,
    platform: values.platform,
    envsOneByOne: values['envs-one-by-one'],
    fileName: namedFile(file),
    newFileName: values['out-name'] ?? newNameOf(file),
  });
  if (!request.success) return requestFault(request.error.issues[0]);
  return { file, options, request: request.data, print: printed(values) };
}

const FLAGS: Readonly<Record<string, string>> = {
  kubectl: '--kubectl',
  platform: '--platform',
  fileName: '<file>',
  newFileName: '--out-name',
};

const requestFault = (issue: { path: readonly PropertyKey[]; message: string } | undefined): string =>
  `${FLAGS[String(issue?.path[0])] ?? 'An option'}: ${safeLine(issue?.message ?? 'cannot be taken')}.`;

function printed({ json, markdown }: { json: boolean; markdown: boolean }): Given['print'] {
  if (json) return safeJson;
  const render = markdown ? planMarkdown : planText;
  return (plan) => safeLines(render(plan));
}
