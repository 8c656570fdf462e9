import { randomBytes } from 'node:crypto';
import { createPlatformApi, type PlatformApi, type PlatformLogin } from '../../deploy/api.ts';
import {
  configurationFiles,
  type DeployedWorker,
  type DeployEnvironment,
  refuseConfigurations,
} from '../../deploy/configuration.ts';
import type { DeployPorts } from '../../deploy/deploy.ts';
import { type DeployRefusal, refuseDeploy } from '../../deploy/refusal.ts';
import type { DeployEvent } from '../../deploy/run.ts';
import { isObject, parseJson } from '../../lib/json.ts';
import { judgeSettingValues } from '../../settings/judge-values.ts';
import { describeThisRun, isRunGone } from './holder.ts';
import { getMadeSecretsFile, hashWorkerSources, readMadeSecrets, writeMadeSecrets } from './files.ts';
import { askForAccount, askForSetting, canAsk } from './prompt.ts';
import { checkDeployment } from './smoke.ts';
import { type CloneTools, runCloneScript, runCloneWrangler } from './wrangler.ts';

export type PortOptions = {
  login: PlatformLogin;
  tools: CloneTools;
  /** Of --resolve. */
  resolve: ReadonlyMap<string, string>;
  saveSecrets: string | undefined;
  say: (event: DeployEvent) => void;
  version: string;
  isStopped: () => boolean;
};

/** Settings whose values can be seen from outside. */
const EXPECTED_SETTINGS = ['PAY_TO', 'PAYMENT_NETWORK'] as const;

const wait = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

export const createNodePlatformApi = (apiBase: string, login: PlatformLogin): PlatformApi =>
  createPlatformApi(apiBase, login, { fetch, wait });

/** Everything that a deployment needs of this machine. */
export function createDeployPorts({
  login,
  tools,
  resolve,
  saveSecrets,
  say,
  version,
  isStopped,
}: PortOptions): DeployPorts {
  const { root, env } = tools;
  const clone: CloneTools = { ...tools };
  return {
    api: createNodePlatformApi(tools.apiBase, login),
    apiBase: tools.apiBase,
    runWrangler: (run) => runCloneWrangler(run, clone),
    runScript: (script) => runCloneScript([script], clone),
    readConfigurations: (environment) => readConfigurations(clone, environment),
    hashSources: (workers) => Promise.resolve(hashSources(root, workers)),
    judgeSettings: (values) => judgeSettingValues(values, Date.now()),
    ask: canAsk() ? askForSetting : undefined,
    chooseAccount: canAsk() ? askForAccount : undefined,
    useAccount: (id) => {
      clone.accountId = id;
    },
    lock: { holder: describeThisRun(), isGone: isRunGone },
    every: (ms, work) => {
      const timer = setInterval(() => void work(), ms);
      timer.unref();
      return () => clearInterval(timer);
    },
    smoke: ({ addresses, env: environment, operatorSecret, payTo, network, set = new Set<string>(), isNew }) => {
      const kept = new Set(EXPECTED_SETTINGS.filter((name) => !set.has(name)));
      const known = { addresses, payTo, network, kept, version, isNew };
      const typed = env['SIGHTLINE_OPERATOR_SECRET'];
      const secret = typed ?? operatorSecret;
      const isSecretKept = typed === undefined && !set.has('OPERATOR_SECRET');
      const isBuying = environment === 'staging' && Boolean(env['SIGHTLINE_WALLET_KEY']);
      return checkDeployment({ ...known, operatorSecret: secret, isSecretKept, isBuying }, resolve, env);
    },
    readHandedOver: (of) => Promise.resolve(readMadeSecrets(getMadeSecretsFile(saveSecrets, of, env), of)),
    writeHandedOver: (of, values) =>
      Promise.resolve(writeMadeSecrets(getMadeSecretsFile(saveSecrets, of, env), of, values)),
    randomBytes,
    nowMs: Date.now,
    wait,
    say,
    isStopped,
  };
}

const MAX_LINES = 12;
/** A stack of calls is for no one who deploys. */
const TRACE = /^ *(?:at |node:|Node\.js v)/;

async function readConfigurations(
  tools: CloneTools,
  environment: DeployEnvironment,
): Promise<{ ok: true; files: Readonly<Record<string, unknown>> } | DeployRefusal> {
  const words = ['scripts/read-configurations.js', environment, ...Object.values(configurationFiles)];
  const { code, output } = await runCloneScript(words, tools);
  const files = parseJson(output.slice(output.indexOf('{')));
  if (code === 0 && isObject(files)) return { ok: true, files };
  const lines = output.split('\n').filter((line) => line.trim() !== '' && !TRACE.test(line));
  return refuseConfigurations('wrangler cannot read the configuration files of this clone.', lines.slice(-MAX_LINES));
}

function hashSources(root: string, workers: readonly DeployedWorker[]) {
  try {
    return { ok: true as const, hashes: new Map(workers.map((one) => [one, hashWorkerSources(root, one)])) };
  } catch (error) {
    const name = error instanceof Error && 'path' in error ? String(error.path) : root;
    return refuseDeploy(
      'clone_unreadable',
      `${name} cannot be read.`,
      'Restore it from git, or clone again. Nothing was changed.',
    );
  }
}
