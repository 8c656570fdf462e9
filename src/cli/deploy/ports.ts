import { randomBytes } from 'node:crypto';
import { hostname, userInfo } from 'node:os';
import { createPlatformApi, type PlatformApi, type PlatformLogin } from '../../deploy/api.ts';
import { configurationFiles } from '../../deploy/configuration.ts';
import type { DeployPorts } from '../../deploy/deploy.ts';
import type { LockHolder } from '../../deploy/lock.ts';
import type { DeployEvent } from '../../deploy/run.ts';
import { getMadeSecretsFile, hashWorkerSources, readMadeSecrets, writeMadeSecrets } from './files.ts';
import { askForAccount, askForSetting, canAsk } from './prompt.ts';
import { checkDeployment } from './smoke.ts';
import { type CloneTools, runCloneScript, runCloneWrangler } from './wrangler.ts';

const RUN_BYTES = 8;

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
    readConfiguration: async (worker, environment) => {
      configurations ??= readConfigurations(clone, environment);
      return (await configurations)[configurationFiles[worker]];
    },
    hashSources: (worker) => Promise.resolve(hashWorkerSources(root, worker)),
    ask: canAsk() ? askForSetting : undefined,
    chooseAccount: canAsk() ? askForAccount : undefined,
    useAccount: (id) => {
      clone.accountId = id;
    },
    lock: { holder: describeThisRun(), isGone: isProcessGone },
    every: (ms, work) => {
      const timer = setInterval(() => void work(), ms);
      timer.unref();
      return () => clearInterval(timer);
    },
    smoke: ({ addresses, env: environment, operatorSecret, payTo, isNew }) => {
      const known = { addresses, payTo, network: undefined, version, isNew };
      const secret = env['SIGHTLINE_OPERATOR_SECRET'] ?? operatorSecret;
      const isBuying = environment === 'staging' && Boolean(env['SIGHTLINE_WALLET_KEY']);
      return checkDeployment({ ...known, operatorSecret: secret, isBuying }, resolve, env);
    },
    readHandedOver: (of) => Promise.resolve(readMadeSecrets(getMadeSecretsFile(saveSecrets, of, env))),
    writeHandedOver: (of, values) =>
      Promise.resolve(writeMadeSecrets(getMadeSecretsFile(saveSecrets, of, env), values)),
    randomBytes,
    nowMs: Date.now,
    wait,
    say,
    isStopped,
  };
}

let configurations: Promise<Record<string, unknown>> | undefined;

async function readConfigurations(tools: CloneTools, environment: string): Promise<Record<string, unknown>> {
  const words = ['scripts/read-configurations.js', environment, ...Object.values(configurationFiles)];
  const { code, output } = await runCloneScript(words, tools);
  if (code !== 0) throw new Error(`the configuration files cannot be read: ${output}`);
  return JSON.parse(output.slice(output.indexOf('{'))) as Record<string, unknown>; // Judged by the plan.
}

const describeThisRun = (): LockHolder => ({
  run: randomBytes(RUN_BYTES).toString('hex'),
  user: userInfo().username,
  host: hostname(),
  pid: process.pid,
});

/** Whether another run was of this machine and has ended. One of another machine is never known to be gone. */
function isProcessGone({ host, pid }: LockHolder): boolean {
  if (host !== hostname()) return false;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ESRCH';
  }
}
