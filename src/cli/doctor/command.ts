import { service } from '../../capabilities/service.ts';
import type { CheckReport, DeploymentCheck, DeploymentStatus, WorkerAddresses } from '../../deploy/checks/check.ts';
import { runChecks, runSmokeTest } from '../../deploy/checks/run.ts';
import { isLoopback, parseBaseUrl } from '../buy/service.ts';
import { readStack, STACK_FILE, type StackFile } from '../buy/wallet.ts';
import { type GivenWords, parseCommand } from '../commands/parse.ts';
import type { CommandTable } from '../commands/table.ts';
import { type CommandEnd, type CommandFailure, isFailure, refuseCommand, refuseUsage } from '../core/failure.ts';
import { writeResult } from '../core/output.ts';
import { formatSafeJson, formatSafeLine } from '../core/terminal.ts';
import { EXIT } from '../core/usage.ts';
import { readApiBase, readResolve } from '../deploy/api-base.ts';
import { createCheckPorts, type ResolvedHosts } from './check-ports.ts';

type Values = GivenWords<CommandTable['doctor']['options']>['values'];
type Environment = Readonly<Record<string, string | undefined>>;

const DEFAULT_SITE = 'https://example.com/';

/**
 * `sightline doctor`: checks a running deployment from outside, and as its operator where the secret is in the
 * environment. It ends with 1 where a check fails, and with 3 where a Worker could not be reached.
 */
export async function runDoctorCommand(args: readonly string[]): Promise<CommandEnd> {
  const given = parseCommand('doctor', args);
  if (isFailure(given)) return given;
  const { values } = given;
  const env = process.env;
  const resolve = readSubstitute(values, env);
  if (isFailure(resolve)) return resolve;
  const target = await findTarget(values, env);
  if (isFailure(target)) return target;
  const { addresses, operatorSecret, site } = target;
  const order = {
    addresses,
    expected: { network: values.network, payTo: values['pay-to'], version: service.version },
  };
  const ports = { ...createCheckPorts(resolve), operatorSecret };
  const buy = async () => (await import('./purchase.ts')).tryPurchase(addresses.api, site, env);
  const report = values.buy === true ? await runSmokeTest(order, { ...ports, buy }) : await runChecks(order, ports);
  const isJson = values.json === true || values.format === 'json';
  const printed = writeResult(isJson ? `${formatSafeJson(report)}\n` : formatCheckReport(report), values);
  return isFailure(printed) ? printed : judgeReport(report);
}

const judgeReport = ({ status }: CheckReport): number =>
  status === 'fail' ? EXIT.below : status === 'unknown' ? EXIT.unreachable : EXIT.done;

type Target = { addresses: WorkerAddresses; operatorSecret: string | undefined; site: string };

/** What is checked: the named service, or the local stack with its own operator. */
async function findTarget(values: Values, env: Environment): Promise<Target | CommandFailure> {
  const local = await readStack(STACK_FILE);
  const stack = local.ok && isLoopback(new URL(local.stack.api).hostname) ? local.stack : undefined;
  const named = values.base ?? env['SIGHTLINE_BASE_URL'] ?? stack?.api;
  if (named === undefined)
    return refuseUsage('Name the service with --base <url> or SIGHTLINE_BASE_URL, or run npm start.');
  const api = readOrigin('--base', named);
  const control = readOrigin('--control', values.control);
  const webhook = readOrigin('--webhook', values.webhook);
  const wrong = [api, control, webhook].find(isFailure);
  if (wrong !== undefined || typeof api !== 'string') return wrong ?? refuseUsage('--base is missing.');
  const isStack = stack?.api === api;
  const addresses = isStack ? fillFromStack({ api, control, webhook }, stack) : { api, control, webhook };
  return {
    addresses: addresses as WorkerAddresses, // Failures were returned.
    operatorSecret: findSecret(isStack ? stack : undefined, env),
    site: isStack ? stack.sites.good : DEFAULT_SITE,
  };
}

/** The secret of the local stack goes to the stack alone, and that of the environment anywhere else. It is never an argument, which every process can read. */
function findSecret(stack: StackFile | undefined, env: Environment): string | undefined {
  if (stack !== undefined) return stack.operator?.secret;
  const given = env['SIGHTLINE_OPERATOR_SECRET'] ?? '';
  return given === '' ? undefined : given;
}

type Named = {
  api: string;
  control: string | CommandFailure | undefined;
  webhook: string | CommandFailure | undefined;
};

const fillFromStack = ({ api, control, webhook }: Named, stack: StackFile) => ({
  api,
  control: control ?? stack.control,
  webhook: webhook ?? stack.webhook,
});

function readOrigin(option: string, text: string | undefined): string | CommandFailure | undefined {
  if (text === undefined) return undefined;
  const read = parseBaseUrl(text);
  if (read.ok) return read.origin;
  return refuseCommand(read.reason, `${option}: ${read.detail}.`, EXIT.usage);
}

/** Where hosts answer that are a substitute's. The environment alone can choose none: what is asked as an operator would go there. */
function readSubstitute(values: Values, env: Environment): ResolvedHosts | CommandFailure {
  const base = readApiBase(values['api-base'], env);
  return isFailure(base) ? base : readResolve(values.resolve ?? [], values['api-base'] !== undefined);
}

const marks: Readonly<Record<DeploymentStatus, string>> = { pass: '✓', warn: '~', fail: '✗', unknown: '?' };

/** The report for a person: one line each, what to do below those that need something, and the sum. */
function formatCheckReport({ addresses, results, counts, status }: CheckReport): string {
  const places = Object.entries(addresses).flatMap(([worker, origin]) =>
    origin === undefined ? [] : [`${worker}: ${formatSafeLine(origin)}`],
  );
  const groups = Map.groupBy(results, ({ id }) => id.split('.')[0] ?? id);
  const lines = [...groups].flatMap(([, rows]) => [...rows.flatMap(formatResult), '']);
  return [...places, '', ...lines, formatSum(counts), ends[status], ''].join('\n');
}

function formatResult({ title, status, detail, next }: DeploymentCheck): readonly string[] {
  const line = `${marks[status]} ${formatSafeLine(title)}: ${formatSafeLine(detail)}`;
  return next === undefined ? [line] : [line, `    ${formatSafeLine(next)}`];
}

function formatSum({ pass, warn, fail, unknown }: CheckReport['counts']): string {
  const words = [
    `${pass} passed`,
    `${warn} ${warn === 1 ? 'warning' : 'warnings'}`,
    `${fail} failed`,
    `${unknown} could not be checked`,
  ];
  return words.join(', ');
}

const ends: Readonly<Record<CheckReport['status'], string>> = {
  pass: 'The deployment is in order, as far as it was checked.',
  fail: 'The deployment is not in order.',
  unknown: 'A Worker could not be reached: that says nothing about it.',
};
