import type { Refused } from '../../hybrid/core/migration.ts';
import type { MigrateOptions } from '../../hybrid/core/options.ts';
import { planRequest } from '../../hybrid/plan/options.ts';
import type { Plan, PlanOptions, PlanOutcome } from '../../hybrid/plan/plan.ts';
import { planUpgrade } from '../../hybrid/plan/plan-upgrade.ts';
import { planMarkdown, planText } from '../../hybrid/plan/render.ts';
import { faultOf, flag, migrateOptionsOf, parsed, text, valueFlags } from './args.ts';
import { readInput } from './input.ts';
import type { Io } from './io.ts';
import { namedFile, newNameOf } from './names.ts';
import { done, fileFault, type Outcome, refused, wrongUsage } from './outcome.ts';
import { problemLines, safeLines, safePath } from './print.ts';
import { notUtf8 } from './utf8.ts';
import { safeJson, safeLine } from '../core/safe-text.ts';

type Given = {
  file: string;
  options: MigrateOptions;
  request: PlanOptions;
  json: boolean;
  print: (plan: Plan) => string;
};

/** `sightline hybrid plan <file> --kubectl <version>`: the upgrade, step by step. */
export async function planCommand(args: readonly string[], io: Io): Promise<Outcome> {
  const given = givenBy(args);
  if (typeof given === 'string') return wrongUsage(given);
  const { file, options, request, print } = given;
  const read = await readInput(file, io);
  if (!read.ok) return fileFault(read.detail);
  const { text: content, bytes } = read.input;
  const outcome: PlanOutcome | Refused =
    content === undefined ? notUtf8(bytes) : planUpgrade(content, options, request);
  if (!outcome.ok) return refusal(given, outcome, io);
  io.out(`${print(outcome.plan).trimEnd()}\n`);
  return done;
}

/** Without errors in the file there can be no plan either: for a part of a file, or one of 1.3. */
function refusal({ file, json }: Given, outcome: Exclude<PlanOutcome | Refused, { ok: true }>, io: Io): Outcome {
  if ('problems' in outcome) {
    const { problems } = outcome;
    if (json) io.out(`${safeJson({ file, ok: false, problems })}\n`);
    else io.err(problemLines(file, problems));
    return refused;
  }
  const { reason, detail } = outcome;
  if (reason === 'kubectl_version') return wrongUsage(`--kubectl: ${safeLine(detail)}`);
  if (reason === 'same_file_names') return wrongUsage(`--out-name: ${safeLine(detail)}`);
  if (json) io.out(`${safeJson({ file, ok: false, reason, detail })}\n`);
  else io.err(`${safePath(file)}: ${safeLine(detail)}\n`);
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
  if (!request.success) return faultOf(request.error.issues[0], FLAGS);
  return { file, options, request: request.data, json: values.json, print: printed(file, values) };
}

const FLAGS: Readonly<Record<string, string>> = {
  kubectl: '--kubectl',
  platform: '--platform',
  fileName: '<file>',
  newFileName: '--out-name',
};

function printed(file: string, { json, markdown }: { json: boolean; markdown: boolean }): Given['print'] {
  if (json) return (plan) => safeJson({ file, ok: true, ...plan });
  const render = markdown ? planMarkdown : planText;
  return (plan) => safeLines(render(plan));
}
