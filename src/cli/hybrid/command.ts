import { isIP } from 'node:net';
import { MAX_ISSUES, formatMemberPointer } from '../../audit/structured-data/facts/json-document.ts';
import { parseRelaxedJson } from '../../audit/structured-data/facts/relaxed-json.ts';
import { checkOverrides, migrateOverrides } from '../../hybrid/core/migrate.ts';
import { issueText, type MigrateOptions } from '../../hybrid/core/options.ts';
import type { Migrated, MigrationRefusal, Report } from '../../hybrid/core/migration.ts';
import { hasErrors } from '../../hybrid/core/problem.ts';
import { SAMPLE_OVERRIDES } from '../../hybrid/core/sample-data.ts';
import { withSeedHost } from '../../hybrid/core/seed-host.ts';
import { type UpgradePlan, type PlanOptions, type PlanOutcome, planRequest } from '../../hybrid/plan/plan.ts';
import { planUpgrade } from '../../hybrid/plan/plan-upgrade.ts';
import { buildPlanFolder } from '../../hybrid/plan/folder/plan-folder.ts';
import { planMarkdown, planText } from '../../hybrid/plan/render.ts';
import { clusterFacts, type ClusterFacts } from '../../hybrid/verify/facts.ts';
import type { Precondition } from '../../hybrid/verify/conditions.ts';
import { isConditionRequired, verifyCluster } from '../../hybrid/verify/verify.ts';
import { EXIT } from '../core/usage.ts';
import { formatSafeJson, formatSafeLine } from '../core/terminal.ts';
import { describeFlagFault, flag, readMigrateOptions, parseFileArguments, readTextFlag, valueFlags } from './args.ts';
import { formatFileArgument, formatNewName, refuseNotUtf8, readInput, STDIN } from './input.ts';
import {
  type Io,
  createProcessIo,
  done,
  failFile,
  type HybridCommand,
  type CommandOutcome,
  refused,
  failUsage,
} from './io.ts';
import { migrateCommand } from './migrate.ts';
import { formatWrittenPlan, writePlanFolder } from './plan-folder.ts';
import { findOutNameFault, writeOut } from './write.ts';
import { formatPreconditions, formatProblems, formatSafeLines, formatSafePath, formatShellWord } from './print.ts';
import { HYBRID_COMMANDS, HYBRID_USAGE, formatHybridUsage } from './usage.ts';

type CommandArguments = {
  file: string;
  options: MigrateOptions;
  request: PlanOptions;
  /** The folder that the plan is written to. */
  out?: string;
  force: boolean;
  json: boolean;
  print: (plan: UpgradePlan) => string;
};

/** `sightline hybrid plan <file> --kubectl <version>`: the upgrade, step by step. */
async function planCommand(args: readonly string[], io: Io): Promise<CommandOutcome> {
  const given = readCommandArguments(args);
  if (typeof given === 'string') return failUsage(given);
  const { file, options, request, print } = given;
  const read = await readInput(file, io);
  if (!read.ok) return failFile(read.detail);
  const { text: content, bytes } = read.input;
  const outcome: PlanOutcome | MigrationRefusal =
    content === undefined ? refuseNotUtf8(bytes) : planUpgrade(content, options, request);
  if (!outcome.ok) return refuseOutcome(given, outcome, io);
  if (given.out !== undefined) {
    const wrote = writePlanFolder(given.out, buildPlanFolder(outcome.plan), read.input.stats, given.force);
    if (!wrote.ok) return failFile(wrote.detail);
    io.out(formatSafeLines(formatWrittenPlan(given.out)));
    return done;
  }
  io.out(`${print(outcome.plan).trimEnd()}\n`);
  return done;
}

/** Without errors in the file there can be no plan either: for a part of a file, or one of 1.3. */
function refuseOutcome(
  { file, json }: CommandArguments,
  outcome: Exclude<PlanOutcome | MigrationRefusal, { ok: true }>,
  io: Io,
): CommandOutcome {
  if ('problems' in outcome) {
    const { problems } = outcome;
    if (json) io.out(`${formatSafeJson({ file, ok: false, problems })}\n`);
    else io.err(formatProblems(file, problems));
    return refused;
  }
  const { reason, detail } = outcome;
  if (reason === 'kubectl_version') return failUsage(`--kubectl: ${formatSafeLine(detail)}`);
  if (reason === 'same_file_names') return failUsage(`--out-name: ${formatSafeLine(detail)}`);
  if (json) io.out(`${formatSafeJson({ file, ok: false, reason, detail })}\n`);
  else io.err(`${formatSafePath(file)}: ${formatSafeLine(detail)}\n`);
  return refused;
}

function readCommandArguments(args: readonly string[]): CommandArguments | string {
  const own = {
    kubectl: readTextFlag,
    platform: readTextFlag,
    'envs-one-by-one': flag,
    'out-name': readTextFlag,
    out: readTextFlag,
    force: flag,
  } as const;
  const given = parseFileArguments(args, { ...valueFlags, ...own, json: flag, markdown: flag });
  if (typeof given === 'string') return given;
  const { file, values } = given;
  if (values.kubectl === undefined) return '--kubectl <version> is missing: see kubectl version --client.';
  if (values.json && values.markdown) return '--json and --markdown exclude each other.';
  if (values.out !== undefined && (values.json || values.markdown))
    return '--out writes a folder: leave --json and --markdown out.';
  if (values.out === '') return '--out names no folder.';
  if (values.force && values.out === undefined) return '--force goes with --out.';
  const options = readMigrateOptions(values);
  if (typeof options === 'string') return options;
  const request = planRequest.safeParse({
    kubectl: values.kubectl,
    platform: values.platform,
    envsOneByOne: values['envs-one-by-one'],
    fileName: formatFileArgument(file),
    newFileName: values['out-name'] ?? formatNewName(file),
  });
  if (!request.success) return describeFlagFault(request.error.issues[0], FLAGS);
  const { json, force, out } = values;
  const print = selectPrinting(file, values);
  return { file, options, request: request.data, ...(out === undefined ? {} : { out }), force, json, print };
}

const FLAGS: Readonly<Record<string, string>> = {
  kubectl: '--kubectl',
  platform: '--platform',
  fileName: '<file>',
  newFileName: '--out-name',
};

function selectPrinting(
  file: string,
  { json, markdown }: { json: boolean; markdown: boolean },
): CommandArguments['print'] {
  if (json) return (plan) => formatSafeJson({ file, ok: true, ...plan });
  const render = markdown ? planMarkdown : planText;
  return (plan) => formatSafeLines(render(plan));
}

type FactsRead = { ok: true; facts: ClusterFacts } | { ok: false; detail: string };

/** Facts of a cluster from the text of a file; `text` is undefined where its bytes are no UTF-8. */
function readFacts(file: string, text: string | undefined): FactsRead {
  if (text === undefined) return { ok: false, detail: `${formatSafePath(file)}:1:1 is no UTF-8.` };
  const value = parseJson(text.replace(/^\uFEFF/, ''));
  if (!value.ok) return { ok: false, detail: `${formatSafePath(file)}:${value.place} is no JSON.` };
  const judged = clusterFacts.safeParse(value.value);
  if (judged.success) return { ok: true, facts: judged.data };
  const issues = judged.error.issues.slice(0, MAX_ISSUES);
  const lines = issues.map(
    (issue) =>
      `  ${formatSafeLine(formatMemberPointer(issue.path) || '(document)')}: ${formatSafeLine(issueText(issue))}`,
  );
  return { ok: false, detail: `${formatSafePath(file)} has no facts of a cluster:\n${lines.join('\n')}` };
}

function parseJson(text: string): { ok: true; value: unknown } | { ok: false; place: string } {
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch {
    const { fault } = parseRelaxedJson(text); // JSON.parse does not always say where.
    return { ok: false, place: `${fault?.line ?? 1}:${fault?.column ?? 1}` };
  }
}

type Migration = { ok: true; migrated: Migrated | undefined } | { ok: false; outcome: CommandOutcome };

/** `sightline hybrid verify <facts.json>`: which preconditions of the upgrade hold, by facts of the cluster. */
async function verifyCommand(args: readonly string[], io: Io): Promise<CommandOutcome> {
  const given = parseFileArguments(args, { ...valueFlags, overrides: readTextFlag, step: readTextFlag, json: flag });
  if (typeof given === 'string') return failUsage(given);
  const { file, values } = given;
  const options = readMigrateOptions(values);
  if (typeof options === 'string') return failUsage(options);
  const step = parseStep(values.step);
  if (typeof step === 'string') return failUsage(step);
  if (file === STDIN && values.overrides === STDIN) return failUsage('Only one of the files can be standard input.');
  const read = await readInput(file, io);
  if (!read.ok) return failFile(read.detail);
  const facts = readFacts(file, read.input.text);
  if (!facts.ok) return failFile(facts.detail);
  const migration = await migrateFile(values.overrides, options, io);
  if (!migration.ok) return migration.outcome;
  const isTrial = options.production === false;
  const rows = verifyCluster(facts.facts, migration.migrated, { isTrial });
  const preconditions = rows.map((row) => ({ ...row, counts: isConditionRequired(row, step.after) }));
  const ok = preconditions.every((row) => !row.counts || row.state === 'holds');
  io.out(
    values.json ? `${formatSafeJson({ file, ok, preconditions })}\n` : formatPreconditions(preconditions.map(withStep)),
  );
  return ok ? done : refused;
}

const LAST_STEP = 12;

/** The step of the plan that is done; without one every condition counts. */
function parseStep(given: string | undefined): { after: number | undefined } | string {
  if (given === undefined) return { after: undefined };
  const after = /^\d{1,2}$/.test(given) ? Number(given) : Infinity;
  return after <= LAST_STEP
    ? { after }
    : `--step takes the number of a step, 0 to ${LAST_STEP}, not ${formatSafeLine(given)}.`;
}

/** A row of the table, with its step. */
const withStep = (row: Precondition & { counts: boolean }): Precondition => ({
  ...row,
  title: `step ${row.step}: ${row.title}${row.counts ? '' : ' (not counted)'}`,
});

/** Of the overrides file, if one is named. */
async function migrateFile(file: string | undefined, options: MigrateOptions, io: Io): Promise<Migration> {
  if (file === undefined) return { ok: true, migrated: undefined };
  const read = await readInput(file, io);
  if (!read.ok) return { ok: false, outcome: failFile(read.detail) };
  const migration =
    read.input.text === undefined ? refuseNotUtf8(read.input.bytes) : migrateOverrides(read.input.text, options);
  if (migration.ok) return { ok: true, migrated: migration };
  io.err(formatProblems(file, migration.problems));
  return { ok: false, outcome: refused };
}

/** `sightline hybrid seed-host <file> --set <address> -o <file>`: the copy for the step in which two rings become one. */
async function seedHostCommand(args: readonly string[], io: Io): Promise<CommandOutcome> {
  const given = parseFileArguments(args, { set: readTextFlag, out: { ...readTextFlag, short: 'o' }, force: flag });
  if (typeof given === 'string') return failUsage(given);
  const { file, values } = given;
  const { set: host, out, force } = values;
  if (host === undefined || !isAddress(host))
    return failUsage(
      `--set takes the IPv4 or IPv6 address of a node of the old ring${host === undefined ? '' : `, not ${formatSafeLine(host)}`}.`,
    );
  const wrong = findOutNameFault(out);
  if (out === undefined || wrong !== undefined) return failUsage(wrong ?? '-o <file> is missing.');
  const read = await readInput(file, io);
  if (!read.ok) return failFile(read.detail);
  const made = read.input.text === undefined ? refuseNotUtf8(read.input.bytes) : withSeedHost(read.input.text, host);
  if (!made.ok) {
    io.err(formatProblems(file, made.problems));
    return refused;
  }
  const draft = { path: out, content: made.text, like: read.input.stats };
  const wrote = writeOut([draft], { stats: read.input.stats, force, hint: 'Name another file with -o.' });
  if (!wrote.ok) return failFile(wrote.detail);
  io.err(
    `${wrote.paths.length === 0 ? `${formatSafePath(out)} has this content already.` : `Wrote ${formatSafePath(out)}.`}\n` +
      `It is for the time of the join only. After it, apply the file without the seed host again: apigeectl apply -f ${formatShellWord(file)} --datastore\n`,
  );
  return done;
}

/** Of a node that others can reach: no zone, which means something on one machine only, and not this machine itself. */
const isAddress = (host: string): boolean =>
  isIP(host) !== 0 && !host.includes('%') && !/^(?:0\.|127\.)/.test(host) && !SELF.has(host);

const SELF: ReadonlySet<string> = new Set(['::', '::1']);

/** `sightline hybrid check <file>`: every problem on a line of its own. */
async function checkCommand(args: readonly string[], io: Io): Promise<CommandOutcome> {
  const given = parseFileArguments(args, { ...valueFlags, json: flag, strict: flag });
  if (typeof given === 'string') return failUsage(given);
  const { file, values } = given;
  const options = readMigrateOptions(values);
  if (typeof options === 'string') return failUsage(options);
  const read = await readInput(file, io);
  if (!read.ok) return failFile(read.detail);
  const { text, bytes } = read.input;
  const report: Report = text === undefined ? refuseNotUtf8(bytes) : checkOverrides(text, options);
  const { version, isFragment, problems } = report;
  const ok = values.strict ? problems.length === 0 : !hasErrors(problems);
  if (values.json) io.out(`${formatSafeJson({ file, version, isFragment, ok, problems })}\n`);
  else {
    io.out(formatProblems(file, problems));
    if (!hasErrors(problems)) io.err(`${formatSafePath(file)}: ${describeVersion(report)}, no errors.\n`);
  }
  return ok ? done : refused;
}

const describeVersion = ({ version, isFragment }: Report): string =>
  `${isFragment ? 'a part of a file' : 'a file'} of ${version === 'unknown' ? 'an unknown version' : `version ${version}`}`;

/** `sightline hybrid sample`: a file to try the others with. */
function sampleCommand(args: readonly string[], io: Io): Promise<CommandOutcome> {
  if (args.length > 0)
    return Promise.resolve(failUsage(`sample takes no arguments, not ${formatSafeLine(args[0] ?? '')}.`));
  io.out(SAMPLE_OVERRIDES);
  return Promise.resolve(done);
}

const commands: Readonly<Record<keyof typeof HYBRID_COMMANDS, HybridCommand>> = {
  sample: sampleCommand,
  check: checkCommand,
  migrate: migrateCommand,
  plan: planCommand,
  verify: verifyCommand,
  'seed-host': seedHostCommand,
};

/**
 * `sightline hybrid sample|check|migrate|plan|verify|seed-host`: takes an overrides file of the hybrid runtime from 1.2 to 1.3.6.
 * Touches files only, never a cluster.
 */
export async function runHybridCommand(
  [name = '', ...args]: readonly string[],
  io: Io = createProcessIo(),
): Promise<number> {
  if (isHelp(name) || name === 'help') {
    io.out(HYBRID_USAGE);
    return EXIT.done;
  }
  if (!isCommand(name)) {
    io.err(`sightline hybrid takes one of ${Object.keys(commands).join(', ')}.\n\n${HYBRID_USAGE}`);
    return EXIT.usage;
  }
  const end = args.indexOf('--');
  if (args.slice(0, end === -1 ? args.length : end).some(isHelp)) {
    io.out(formatHybridUsage(name));
    return EXIT.done;
  }
  return endCommand(name, await commands[name](args, io), io);
}

const isHelp = (word: string): boolean => word === '--help' || word === '-h';

const isCommand = (name: string): name is keyof typeof commands => Object.hasOwn(commands, name);

function endCommand(name: keyof typeof commands, outcome: CommandOutcome, io: Io): number {
  if (outcome.kind === 'done') return outcome.exitStatus;
  io.err(outcome.kind === 'usage' ? `${outcome.detail}\n\n${formatHybridUsage(name)}` : `${outcome.detail}\n`);
  return EXIT.usage;
}
