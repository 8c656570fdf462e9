import { type PlatformAccount, readSubdomain } from './account.ts';
import { computeSha256Hex } from '../lib/digest.ts';
import { BASE } from '../payment/terms/networks-data.ts';
import { formatCall, listGivenSettings, type PlannedStep } from './calls.ts';
import type { CheckReport, WorkerAddresses } from './checks/check.ts';
import {
  type DeployedWorker,
  deployedWorkers,
  type DeployEnvironment,
  parseConfigurations,
  type WorkerPlan,
} from './configuration.ts';
import { planDomains } from './domains.ts';
import { type AskPorts, askNeeded, refuseSettings } from './ask-settings.ts';
import { buildAddresses } from './addresses.ts';
import { planDeployment } from './plan.ts';
import { type DeployRefusal, refuseDeploy } from './refusal.ts';
import { type AskHeld, type DeployEvent, runSteps, type EndedStep, type StepPorts } from './run.ts';
import { type GivenSettings, listMissingSettings, type MakingPorts } from './secrets.ts';
import { runInSession, type SessionOrder, type SessionPorts } from './session.ts';
import { createSettingValues, type HandOverPorts } from './setting-values.ts';
import { deploySettings } from './settings-data.ts';
import { isOwnWorker, listSettingNames, type PlatformState, readPlatformState } from './state.ts';

const RELEASE_CHARS = 8;

export type DeployOrder = SessionOrder & {
  workers: readonly DeployedWorker[];
  /** Of --domain. */
  domains: ReadonlyMap<DeployedWorker, string>;
  /** Of the secrets file. */
  settings: ReadonlyMap<string, string>;
  replace: ReadonlySet<string>;
  /** Workers that are ours by the operator's word. */
  adopt: ReadonlySet<string>;
  version: string;
};

export type DeployPorts = Omit<StepPorts, 'readSetting' | 'askHeld'> &
  SessionPorts &
  HandOverPorts &
  MakingPorts &
  AskPorts & {
    /** What wrangler reads from the configuration files, by their names. */
    readConfigurations: (
      env: DeployEnvironment,
    ) => Promise<{ ok: true; files: Readonly<Record<string, unknown>> } | DeployRefusal>;
    hashSources: (
      workers: readonly DeployedWorker[],
    ) => Promise<{ ok: true; hashes: ReadonlyMap<DeployedWorker, string> } | DeployRefusal>;
    smoke: (order: {
      addresses: WorkerAddresses;
      env: DeployEnvironment;
      operatorSecret: string | undefined;
      payTo: string | undefined;
      /** CAIP-2; undefined where it is not known. */
      network: string | undefined;
      /** Settings that this run gave their values; of any other the platform may have another one. */
      set?: ReadonlySet<string>;
      /** Whether a new address may still be unknown to the network. */
      isNew: boolean;
    }) => Promise<CheckReport>;
  };

export type DeployEnd = {
  ok: true;
  env: DeployEnvironment;
  account: PlatformAccount;
  addresses: WorkerAddresses;
  steps: readonly EndedStep[];
  /** Whether anything was changed at the platform. */
  isChanged: boolean;
  /** Whether it went back to the previous code. */
  isReturn?: true;
  /** Of the smoke test; undefined for a dry run. */
  report: CheckReport | undefined;
  missing: readonly { name: string; without: string }[];
  /** The file with the secrets that were made. */
  handedOver: string | undefined;
};
export type DeployFailure = DeployRefusal & { ended?: readonly EndedStep[] };

/** Puts the service on the platform, or goes on with it, or finds that all is there. */
export const deployService = (order: DeployOrder, ports: DeployPorts): Promise<DeployEnd | DeployFailure> =>
  runInSession(order, ports, (account, askHeld) => prepareAndRun(order, ports, account, askHeld));

/** The end of a run that shows its steps and does none. */
export function endDryRun(
  end: Pick<DeployEnd, 'ok' | 'env' | 'account' | 'addresses' | 'missing'>,
  steps: readonly PlannedStep[],
  { say }: DeployPorts,
): DeployEnd {
  for (const step of steps) announcePlan(step, say);
  const shown = steps.map(({ id, title, found, calls }) => ({
    id,
    title,
    found,
    did: [],
    would: calls.map(({ call }) => formatCall(call)),
  }));
  return { ...end, steps: shown, isChanged: false, report: undefined, handedOver: undefined };
}

/** What the configurations of the clone say of an environment. */
export async function readPlans(
  env: DeployEnvironment,
  { readConfigurations }: DeployPorts,
): Promise<{ ok: true; plans: readonly WorkerPlan[] } | DeployRefusal> {
  const read = await readConfigurations(env);
  return read.ok ? parseConfigurations(read.files, env) : read;
}

async function prepareAndRun(
  order: DeployOrder,
  ports: DeployPorts,
  account: PlatformAccount,
  askHeld: AskHeld,
): Promise<DeployEnd | DeployFailure> {
  const prepared = await prepare(order, ports, account);
  if (!prepared.ok) return prepared;
  const { steps, addresses, given, chosen, state, values } = prepared;
  const missing = listMissingSettings(
    chosen.map(({ worker, name }) => ({
      worker,
      existing: new Set([...listSettingNames(state.workers.get(name)), ...given.file, ...given.asked]),
    })),
  );
  const end = { ok: true, env: order.env, account, addresses, missing } as const;
  if (order.isDryRun) return endDryRun(end, steps, ports);
  const handed = await values.handOver(steps);
  if (!handed.ok) return handed;
  const ran = await runSteps(steps, { ...ports, readSetting: values.read, askHeld });
  if (!ran.ok) return ran;
  const isChanged = ran.ended.some(({ did }) => did.length > 0);
  const report = await ports.smoke({
    addresses,
    env: order.env,
    operatorSecret: values.read('OPERATOR_SECRET'),
    payTo: values.read('PAY_TO'),
    network: prepared.network,
    set: new Set(listGivenSettings(steps).map(({ name }) => name)),
    isNew: isChanged,
  });
  return { ...end, steps: ran.ended, isChanged, report, handedOver: handed.file };
}

function announcePlan(step: PlannedStep, say: (event: DeployEvent) => void): void {
  const said = { step: step.id, title: step.title };
  for (const text of step.found) say({ ...said, kind: 'found', text });
  for (const { call } of step.calls) say({ ...said, kind: 'would', text: formatCall(call) });
}

type Prepared = {
  ok: true;
  steps: readonly PlannedStep[];
  addresses: WorkerAddresses;
  given: GivenSettings;
  chosen: readonly WorkerPlan[];
  state: PlatformState;
  values: ReturnType<typeof createSettingValues>;
  /** That the api Worker sells on, where it is known. */
  network: string | undefined;
};

/** Reads and judges everything before anything is changed. */
async function prepare(
  order: DeployOrder,
  ports: DeployPorts,
  account: PlatformAccount,
): Promise<Prepared | DeployRefusal> {
  const faults = ports.judgeSettings(order.settings);
  if (faults.length > 0) return refuseSettings(faults);
  const configured = await readPlans(order.env, ports);
  if (!configured.ok) return configured;
  const { plans } = configured;
  const chosen = plans.filter(({ worker }) => order.workers.includes(worker));
  const read = await readPlatformState(ports.api, account.id, plans);
  if (!read.ok) return read;
  const { state } = read;
  const foreign = refuseForeign(chosen, plans, state, order);
  if (foreign !== undefined) return foreign;
  const subdomain = await readSubdomain(ports.api, account.id);
  if (!subdomain.ok) return subdomain;
  const located = await buildAddresses({ ...order, plans, chosen, state, subdomain: subdomain.subdomain });
  if (!located.ok) return located;
  const domains = await planDomains(ports.api, account.id, located.domains, state);
  if (!domains.ok) return domains;
  const asked = await askNeeded({ ...order, chosen, state }, ports);
  if (!asked.ok) return asked;
  const given: GivenSettings = {
    file: new Set(order.settings.keys()),
    asked: new Set(asked.values.keys()),
    replace: order.replace,
    addresses: located.settings,
  };
  const values = createSettingValues({ order, account, asked: asked.values, addresses: located.settings }, ports);
  const hashed = await ports.hashSources(deployedWorkers);
  if (!hashed.ok) return hashed;
  const steps = planDeployment({
    env: order.env,
    accountId: account.id,
    chosen,
    state,
    given,
    domains: domains.domains,
    hasGivenDomains: order.domains.size > 0,
    sources: hashed.hashes,
    addressHash: located.hash,
    release: (await computeSha256Hex([...hashed.hashes.values()].join('\n'))).slice(0, RELEASE_CHARS),
    version: order.version,
  });
  return {
    ok: true,
    steps,
    addresses: located.addresses,
    given,
    chosen,
    state,
    values,
    network: findNetwork(plans, state, values.read('PAYMENT_NETWORK')),
  };
}

/** The network that is asked for, or the usual one where the api Worker has no setting of it. Settings that exist cannot be read. */
function findNetwork(
  plans: readonly WorkerPlan[],
  { workers }: PlatformState,
  given: string | undefined,
): string | undefined {
  const api = workers.get(plans.find(({ worker }) => worker === 'api')?.name ?? '');
  return given ?? (listSettingNames(api).has('PAYMENT_NETWORK') ? undefined : BASE.id);
}

function refuseForeign(
  chosen: readonly WorkerPlan[],
  plans: readonly WorkerPlan[],
  state: PlatformState,
  { adopt }: DeployOrder,
): DeployRefusal | undefined {
  const foreign = chosen.filter((plan) => !adopt.has(plan.name) && !isOwnWorker(plan, plans, state));
  if (foreign.length === 0) return undefined;
  const names = foreign.map(({ name }) => name);
  return refuseDeploy(
    'name_taken',
    `${names.join(' and ')} ${names.length === 1 ? 'is a Worker' : 'are Workers'} of this account that this service did not deploy.`,
    `If it may be overwritten, run the same command with ${names.map((name) => `--adopt ${name}`).join(' ')}. Else choose another account (--account). Nothing was changed.`,
  );
}

/** Names of all settings that a secrets file may have. */
export const listDeploySettings = (): readonly string[] => deploySettings.map(({ name }) => name);
