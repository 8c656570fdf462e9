import { compareTexts } from '../lib/text.ts';
import { type DeployedWorker } from './configuration.ts';
import { type DeploySetting, deploySettings, NEVER_REPLACED } from './settings-data.ts';
import { type DeployRefusal, refuseDeploy } from './refusal.ts';

/** Lines of a secrets file. */
const MAX_LINES = 500;
const LINE = /^(?:export\s+)?([A-Za-z_]\w*)\s*=(.*)$/;

/**
 * Reads a secrets file: `NAME=value` a line, comments with `#`, quotes around a value are taken off. Names that no Worker
 * reads, names without a value and names that come twice are refused: each would be a setting that is missing unseen.
 */
export function parseSecretsFile(text: string): { ok: true; values: ReadonlyMap<string, string> } | DeployRefusal {
  const values = new Map<string, string>();
  const faults: string[] = [];
  const lines = text.split('\n');
  if (lines.length > MAX_LINES) faults.push(`it has more than ${MAX_LINES} lines`);
  for (const [at, line] of lines.slice(0, MAX_LINES).entries()) {
    const trimmed = line.trim();
    if (trimmed === '' || trimmed.startsWith('#')) continue;
    const [, name, value = ''] = LINE.exec(trimmed) ?? [];
    const bare = unquote(value.trim());
    if (name === undefined) faults.push(`line ${at + 1} is not NAME=value`);
    else if (!deploySettings.some((one) => one.name === name)) faults.push(`line ${at + 1}: no Worker reads ${name}`);
    else if (bare === '') faults.push(`line ${at + 1}: ${name} is empty; give a value, or remove the line`);
    else if (values.has(name)) faults.push(`line ${at + 1}: ${name} is there twice`);
    else values.set(name, bare);
  }
  if (faults.length === 0) return { ok: true, values };
  const next = 'Correct the file. docs/reference/settings.md lists every name.';
  return refuseDeploy('secrets_file_unusable', 'The secrets file cannot be used.', next, faults);
}

function unquote(value: string): string {
  const [, inner] = /^(["'])(.*)\1$/.exec(value)?.slice(1) ?? [];
  return inner ?? value;
}

/** A setting that a Worker gets in this run, and where its value comes from. */
export type SettingChange = { name: string; from: 'file' | 'asked' | 'made' | 'address' };

/** What a Worker has, for the choice of its settings. */
export type SettingFacts = {
  worker: DeployedWorker;
  /** Names of secrets and variables that it has. */
  existing: ReadonlySet<string>;
  /** Whether its addresses are known to be those of this run. */
  hasAddresses: boolean;
};

export type GivenSettings = {
  /** Names in the secrets file. */
  file: ReadonlySet<string>;
  /** Names that were typed in. */
  asked: ReadonlySet<string>;
  /** Names of the file that replace what exists. */
  replace: ReadonlySet<string>;
  /** Addresses that are known, by the name of their setting. */
  addresses: ReadonlyMap<string, string>;
};

/** Which settings a Worker gets. What exists stays, unless it is to be replaced by name, or is an address that changed. */
export const chooseSettings = (facts: SettingFacts, given: GivenSettings): readonly SettingChange[] =>
  listWorkerSettings(facts.worker).flatMap((setting) => {
    const from = chooseSource(setting, facts, given);
    return from === undefined ? [] : [{ name: setting.name, from }];
  });

/** Settings of the file that a Worker has already, whatever their values: they stay. */
export const listKeptSettings = (
  { worker, existing }: SettingFacts,
  { file, replace }: GivenSettings,
): readonly string[] =>
  listWorkerSettings(worker).flatMap(({ name }) =>
    file.has(name) && existing.has(name) && (!replace.has(name) || name === NEVER_REPLACED) ? [name] : [],
  );

function chooseSource(
  { name, made, address }: DeploySetting,
  { existing, hasAddresses }: SettingFacts,
  { file, asked, replace, addresses }: GivenSettings,
): SettingChange['from'] | undefined {
  const isThere = existing.has(name);
  if (file.has(name)) return isThere && (!replace.has(name) || name === NEVER_REPLACED) ? undefined : 'file';
  if (address !== undefined) return addresses.has(name) && !(isThere && hasAddresses) ? 'address' : undefined;
  if (isThere) return undefined;
  if (asked.has(name)) return 'asked';
  return made === undefined ? undefined : 'made';
}

const listWorkerSettings = (worker: DeployedWorker): readonly DeploySetting[] =>
  deploySettings.filter(({ workers }) => workers.includes(worker));

/** Settings that a Worker needs, and that neither it nor the file has. */
export const listNeeded = (
  { worker, existing }: Pick<SettingFacts, 'worker' | 'existing'>,
  file: ReadonlySet<string>,
): readonly DeploySetting[] =>
  listWorkerSettings(worker).filter(({ name, ask }) => ask !== undefined && !existing.has(name) && !file.has(name));

/** What does not work for want of a setting, for the end of a run. */
export const listMissingSettings = (
  workers: readonly Pick<SettingFacts, 'worker' | 'existing'>[],
): readonly { name: string; without: string }[] =>
  deploySettings
    .flatMap(({ name, without, workers: readers }) => {
      const lacking = workers.some(({ worker, existing }) => readers.includes(worker) && !existing.has(name));
      return without !== undefined && lacking ? [{ name, without }] : [];
    })
    .toSorted((a, b) => compareTexts(a.name, b.name));

export type MakingPorts = { randomBytes: (count: number) => Uint8Array; nowMs: () => number };

const encodeBase64 = (bytes: Uint8Array): string => btoa(String.fromCodePoint(...bytes));

const KEY_BYTES = 32;
const LEDGER_KEY_BYTES = 48;
/** Ours to choose: it exists nowhere else. */
const TENANT = 'C0operator';
const PROJECT = 'sightline';

/** Makes the value of a setting that a deployment makes. */
export function makeSetting(made: NonNullable<DeploySetting['made']>, { randomBytes, nowMs }: MakingPorts): string {
  switch (made) {
    case 'secret':
      return encodeBase64(randomBytes(LEDGER_KEY_BYTES));
    case 'operator':
    case 'signer':
      return encodeBase64(randomBytes(KEY_BYTES)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
    case 'channels':
      return `1:${encodeBase64(randomBytes(KEY_BYTES))}`;
    case 'now':
      return String(Math.floor(nowMs() / 1000));
    case 'tenant':
      return TENANT;
    case 'project':
      return PROJECT;
  }
}

/** Settings that are made and that a person must store: the platform never shows them again. */
export const isHandedOver = ({ made }: DeploySetting): boolean =>
  made === 'secret' || made === 'operator' || made === 'channels';
