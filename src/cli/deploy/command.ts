import { spawn } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { service } from '../../capabilities/service.ts';
import {
  type DeployedWorker,
  deployedWorkers,
  type DeployEnvironment,
  deployEnvironments,
} from '../../deploy/configuration.ts';
import { deployService, type DeployEnd, listDeploySettings } from '../../deploy/deploy.ts';
import { parseDomains } from '../../deploy/domains.ts';
import type { DeployRefusal } from '../../deploy/refusal.ts';
import { undoDeployment } from '../../deploy/rollback.ts';
import { NEVER_REPLACED } from '../../deploy/settings-data.ts';
import { describeUnknownValue, type OptionValues, parseByRow, parseCommand } from '../commands/parse.ts';
import { serviceCommands } from '../commands/service-commands-data.ts';
import { type CommandEnd, type CommandFailure, isFailure, refuseUsage } from '../core/failure.ts';
import { findCloneNode, findFolderWith } from '../core/package-root.ts';
import { formatSafeJson, formatSafeLine } from '../core/terminal.ts';
import { EXIT } from '../core/usage.ts';
import { readApiBase, readResolve } from './api-base.ts';
import { readSecretsFile } from './files.ts';
import { readLogin } from './login.ts';
import { createDeployPorts } from './ports.ts';
import { formatDeployEnd, formatEvent } from './print.ts';
import { type CloneTools, stopTools } from './wrangler.ts';

/** wrangler asks for it. `npm run deploy`, which runs the sources, needs a Node that reads TypeScript: 22.18. */
const MIN_NODE_MAJOR = 22;
const CONFIGURATION = 'wrangler.webhook.toml';

/** `sightline deploy`, and `npm run deploy`: the service on Cloudflare, from a clone. */
export async function runDeployCommand(args: readonly string[]): Promise<CommandEnd> {
  const clone = findClone();
  if (clone === undefined) return refuseWithoutClone();
  if (!clone.isOwn) return runOtherClone(clone.root, args);
  const isReturn = args[0] === 'rollback';
  const given = isReturn
    ? parseByRow(args.slice(1), serviceCommands.deploy.actions.rollback)
    : parseCommand('deploy', args);
  if (isFailure(given)) return given;
  const values = given.values as DeployValues; // Those of the action are among them.
  const read = readDeployOrder(values);
  if (isFailure(read)) return read;
  const apiBase = readApiBase(values['api-base'], process.env);
  if (isFailure(apiBase)) return apiBase;
  const resolve = readResolve(values.resolve ?? [], values['api-base'] !== undefined);
  if (isFailure(resolve)) return resolve;
  const tools = findTools(clone.root, apiBase);
  if (isFailure(tools)) return tools;
  const login = await readLogin(tools);
  if (!login.ok) return failCommand(login);
  const isJson = values.json === true;
  const stop = watchSignals();
  const ports = createDeployPorts({
    login: login.login,
    tools,
    resolve,
    saveSecrets: values['save-secrets'],
    version: service.version,
    isStopped: stop.isAsked,
    say: (event) => {
      if (!isJson && event.kind !== 'doing') process.stdout.write(`${formatEvent(event)}\n`);
    },
  });
  const running = isReturn
    ? undoDeployment({ ...read, withOlderSecrets: values['with-older-secrets'] === true, past: values.past }, ports)
    : deployService({ ...read, version: service.version }, ports);
  const end = await running.finally(stop.release);
  if (!end.ok) return failCommand(end);
  process.stdout.write(isJson ? `${formatSafeJson(end)}\n` : formatDeployEnd(end));
  return judgeEnd(end);
}

function judgeEnd({ report }: DeployEnd): number {
  if (report?.status === 'fail') return EXIT.below;
  return report?.status === 'unknown' ? EXIT.unreachable : EXIT.done;
}

type DeployRow = typeof serviceCommands.deploy;
type DeployValues = OptionValues<DeployRow['options'] & DeployRow['actions']['rollback']['options']>;

function readDeployOrder(values: DeployValues) {
  const env = deployEnvironments.find((one) => one === values.env);
  if (env === undefined) return refuseUsage('--env is missing: staging or production.');
  const words = values.workers?.split(',').map((word) => word.trim()) ?? deployedWorkers;
  const unknown = words.find((word) => !deployedWorkers.includes(word as DeployedWorker));
  if (unknown !== undefined) return refuseUsage(describeUnknownValue('--workers', unknown, deployedWorkers));
  const replace = values.replace ?? [];
  const unread = replace.find((name) => !listDeploySettings().includes(name));
  if (unread !== undefined) return refuseUsage(describeUnknownValue('--replace', unread, listDeploySettings()));
  if (replace.includes(NEVER_REPLACED))
    return refuseUsage(
      `${NEVER_REPLACED} is never replaced: every stored payment would be unknown.`,
      'docs/operate/secrets-and-rotation.md says how to rotate it.',
    );
  const domains = parseDomains(values.domain ?? []);
  if (!domains.ok) return refuseUsage(domains.message, domains.next);
  const file = values['secrets-file'];
  const secrets = file === undefined ? undefined : readSecretsFile(file);
  if (secrets?.ok === false) return failCommand(secrets);
  const settings = secrets?.values ?? new Map<string, string>();
  const valueless = replace.find((name) => !settings.has(name));
  if (valueless !== undefined)
    return refuseUsage(
      `--replace ${valueless} takes its value from the secrets file, ${file === undefined ? 'and none is given' : 'which does not have it'}.`,
      `Write ${valueless}=... into a file that only you can read (chmod 600), and give it as --secrets-file.`,
    );
  return {
    env: env satisfies DeployEnvironment,
    workers: words as readonly DeployedWorker[], // Each was looked up.
    domains: domains.domains,
    account: values.account ?? process.env['CLOUDFLARE_ACCOUNT_ID'],
    settings,
    replace: new Set(replace),
    adopt: new Set(values.adopt),
    isDryRun: values['dry-run'] === true,
  };
}

/** A refusal of the deployment, as the command line says it. Words of the platform are foreign. */
function failCommand({ reason, message, detail = [], next, isUnreachable }: DeployRefusal): CommandFailure {
  return {
    reason,
    message: formatSafeLine(message, 1_000),
    detail: detail.map((line) => formatSafeLine(line, 1_000)),
    next,
    exit: isUnreachable === true ? EXIT.unreachable : reason === 'usage' ? EXIT.usage : EXIT.below,
  };
}

/** The clone around the working folder, or the one that this program is of. */
function findClone(): { root: string; isOwn: boolean } | undefined {
  const own = findFolderWith(CONFIGURATION, dirname(fileURLToPath(import.meta.url)));
  const here = findFolderWith(CONFIGURATION, process.cwd());
  const root = here ?? own;
  if (root === undefined) return undefined;
  return { root, isOwn: own !== undefined && realpathSync(own) === realpathSync(root) };
}

const refuseWithoutClone = (): CommandFailure => ({
  reason: 'checkout_missing',
  message: 'sightline deploy uploads the Workers of a checkout of the repository, and this is none.',
  next: 'Clone the repository, run npm ci there, then the same command in that folder.',
  exit: EXIT.usage,
});

/** An installed command line hands over to the one of the clone: what is uploaded and what uploads are of one version. */
function runOtherClone(root: string, args: readonly string[]): Promise<CommandEnd> {
  const program = join(root, 'dist', 'cli.js');
  if (!existsSync(program))
    return Promise.resolve({
      reason: 'checkout_not_built',
      message: `The command line of ${root} is not built.`,
      next: `Run npm ci in ${root}, then the same command again.`,
      exit: EXIT.usage,
    });
  const child = spawn(findCloneNode(root), [program, 'deploy', ...args], { stdio: 'inherit', cwd: root });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code) => resolve(code ?? EXIT.below));
  });
}

function findTools(root: string, apiBase: string): CloneTools | CommandFailure {
  const node = findCloneNode(root);
  const isOwnNode = node === process.execPath;
  if (isOwnNode && Number(process.versions.node.split('.')[0]) < MIN_NODE_MAJOR)
    return refuseUsage(
      `wrangler needs Node ${MIN_NODE_MAJOR} or newer; this is ${process.versions.node}.`,
      'Install Node 22.18 or newer, run npm ci, then the same command again.',
    );
  if (!existsSync(join(root, 'node_modules', 'wrangler')))
    return refuseUsage('wrangler is not installed in this clone.', 'Run npm ci, then the same command again.');
  return { root, node, apiBase, env: process.env };
}

/** Ctrl-C ends what runs; the run then stops, gives its lock back, and can be continued. A second one ends it at once. */
function watchSignals(): { isAsked: () => boolean; release: () => void } {
  let isAsked = false;
  const stop = (): void => {
    stopTools();
    if (isAsked) process.exit(EXIT.below);
    isAsked = true;
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  return {
    isAsked: () => isAsked,
    release: () => {
      process.off('SIGINT', stop);
      process.off('SIGTERM', stop);
    },
  };
}
