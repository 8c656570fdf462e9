import { BASE, BASE_SEPOLIA, PAYMENT_NETWORKS, type PaymentNetwork } from '../payment/terms/networks-data.ts';
import type { WorkerPlan } from './configuration.ts';
import { type DeployRefusal, refuseDeploy } from './refusal.ts';
import { listNeeded } from './secrets.ts';
import type { DeploySetting } from './settings-data.ts';
import { listSettingNames, type PlatformState } from './state.ts';

/** So often a setting is asked for until its value can be used. */
const MAX_ANSWERS = 3;

const REAL_MONEY = `That is real money: to sell on ${BASE_SEPOLIA.name}, press Ctrl-C and give PAYMENT_NETWORK=${BASE_SEPOLIA.id} in --secrets-file.`;

export type AskPorts = {
  /** What is wrong with values, a sentence each that has none of them. */
  judgeSettings: (values: ReadonlyMap<string, string>) => readonly string[];
  /** Asks a person for a setting; undefined where no one can be asked. `faults`: what is wrong with the last answer. */
  ask: ((setting: DeploySetting, faults: readonly string[]) => Promise<string | undefined>) | undefined;
};

export type NeededFacts = {
  chosen: readonly WorkerPlan[];
  state: PlatformState;
  /** Of the secrets file. */
  settings: ReadonlyMap<string, string>;
  isDryRun: boolean;
};

export const refuseSettings = (faults: readonly string[]): DeployRefusal =>
  refuseDeploy(
    'settings_unusable',
    faults.length === 1 ? 'A setting cannot be used.' : `${faults.length} settings cannot be used.`,
    'Correct them, and run the same command again: docs/reference/settings.md lists every one. Nothing was changed.',
    faults,
  );

/** Asks for the settings that neither the Workers nor the file have, and without which nothing is sold. */
export async function askNeeded(
  { chosen, state, settings, isDryRun }: NeededFacts,
  ports: AskPorts,
): Promise<{ ok: true; values: ReadonlyMap<string, string> } | DeployRefusal> {
  const file = new Set(settings.keys());
  const of = chosen.map(({ worker, name }) => ({ worker, existing: listSettingNames(state.workers.get(name)) }));
  const network = describeNetwork(
    settings.get('PAYMENT_NETWORK'),
    of.some(({ existing }) => existing.has('PAYMENT_NETWORK')),
  );
  const needed = new Set(of.flatMap((one) => listNeeded(one, file)));
  if (isDryRun) return { ok: true, values: new Map([...needed].map(({ name }) => [name, ''])) };
  const values = new Map<string, string>();
  const named = [...needed].map((setting) => formatQuestion(setting, network));
  for (const setting of named) {
    const answer = await askForUsable(setting, ports);
    if (!answer.ok) return answer;
    if (answer.value === undefined) break;
    values.set(setting.name, answer.value);
  }
  const open = named.filter(({ name }) => !values.has(name));
  if (open.length === 0) return { ok: true, values };
  return refuseDeploy(
    'settings_missing',
    `${open.length === 1 ? 'A setting is' : `${open.length} settings are`} missing, without which nothing is sold.`,
    'Write them into a file that only you can read (chmod 600), and give it as --secrets-file; or run the command in a terminal.',
    open.map(({ name, ask: what }) => `${name}: ${what ?? ''}`),
  );
}

/** A value that can be used; undefined where none is given. */
async function askForUsable(
  setting: DeploySetting,
  { ask, judgeSettings }: AskPorts,
): Promise<{ ok: true; value: string | undefined } | DeployRefusal> {
  let faults: readonly string[] = [];
  for (let answers = 0; answers < MAX_ANSWERS; answers += 1) {
    const value = await ask?.(setting, faults);
    if (value === undefined || value === '') return { ok: true, value: undefined };
    faults = judgeSettings(new Map([[setting.name, value]]));
    if (faults.length === 0) return { ok: true, value };
  }
  return refuseSettings(faults);
}

type NamedNetwork = { name: string; isUsual: boolean };

/** The network of the file, or Base; what a Worker has of it cannot be read. */
function describeNetwork(given: string | undefined, isSet: boolean): NamedNetwork {
  const known: Readonly<Record<string, PaymentNetwork>> = PAYMENT_NETWORKS;
  if (isSet) return { name: 'the network of this deployment', isUsual: false };
  return given === undefined
    ? { name: BASE.name, isUsual: true }
    : { name: known[given]?.name ?? given, isUsual: false };
}

function formatQuestion(setting: DeploySetting, { name, isUsual }: NamedNetwork): DeploySetting {
  const ask = (setting.ask ?? '').replace('{network}', name);
  return { ...setting, ask: setting.name === 'PAY_TO' && isUsual ? `${ask}. ${REAL_MONEY}` : ask };
}
