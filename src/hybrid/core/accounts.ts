import { capitalise } from '../../lib/text.ts';
import { ACCOUNT_KEYS, type AccountKey } from './keys-data.ts';
import type { MigrateOptions } from './options.ts';
import { findBlockEntry, type Overrides } from './overrides.ts';
import { readRawScalar, type Text, readEntryText, formatYamlScalar } from './tree.ts';

/** Blocks that 1.3 requires an account of, in the order in which they are appended. */
export const ACCOUNT_BLOCKS = ['connectAgent', 'metrics', 'watcher'] as const;
export type AccountBlock = (typeof ACCOUNT_BLOCKS)[number];

/** An account that the file lacks. `raw` is how it is written; undefined where nothing can be proposed. */
export type MissingAccount = {
  block: AccountBlock;
  flag: string;
  key: AccountKey;
  proposal?: { value: string; raw: string; isGiven: boolean; isDerived: boolean };
};

export const ACCOUNT_FLAGS = {
  connectAgent: { flag: '--connect-agent-sa', option: 'connectAgentServiceAccountPath' },
  metrics: { flag: '--metrics-sa', option: 'metricsServiceAccountPath' },
  watcher: { flag: '--watcher-sa', option: 'watcherServiceAccountPath' },
} as const satisfies Record<AccountBlock, { flag: string; option: keyof MigrateOptions }>;

/** The account of a block, by path or by secret. */
export function findBlockServiceAccount(
  overrides: Overrides,
  block: string,
): { key: AccountKey; text: Text } | undefined {
  for (const key of ACCOUNT_KEYS) {
    const text = readEntryText(overrides.source, findBlockEntry(overrides, block, key));
    if (text) return { key: key === 'serviceAccountPath' ? key : 'serviceAccountRef', text };
  }
  return undefined;
}

/** The accounts that 1.3 requires and the file does not have. Metrics that are switched off need none. */
export function listMissingAccounts(overrides: Overrides, options: MigrateOptions): readonly MissingAccount[] {
  const missing = ACCOUNT_BLOCKS.filter((block) => findBlockServiceAccount(overrides, block) === undefined);
  return missing
    .filter((block) => block !== 'metrics' || !isOff(overrides, block))
    .map((block) => ({ block, flag: ACCOUNT_FLAGS[block].flag, ...proposeAccount(overrides, block, options) }));
}

const isOff = (overrides: Overrides, block: string): boolean =>
  readEntryText(overrides.source, findBlockEntry(overrides, block, 'enabled'))?.value.toLowerCase() === 'false';

function proposeAccount(
  overrides: Overrides,
  block: AccountBlock,
  options: MigrateOptions,
): Pick<MissingAccount, 'key' | 'proposal'> {
  const given = options[ACCOUNT_FLAGS[block].option];
  if (given !== undefined)
    return {
      key: 'serviceAccountPath',
      proposal: { value: given, raw: formatYamlScalar(given), isGiven: true, isDerived: true },
    };
  const mart = findBlockServiceAccount(overrides, 'mart');
  if (mart === undefined) return { key: 'serviceAccountPath' };
  const { key, text } = mart;
  const raw = readRawScalar(overrides.source.text, text);
  if (block === 'connectAgent') return { key, proposal: { value: text.value, raw, isGiven: false, isDerived: true } };
  const value = withRole(text.value, block);
  const isDerived = value !== undefined;
  return {
    key,
    proposal: { value: value ?? text.value, raw: withRole(raw, block) ?? raw, isGiven: false, isDerived },
  };
}

const MART = /(?<![A-Za-z0-9])mart(?![A-Za-z0-9])/gi;
const VENDORS = /apigee[-_]mart(?![A-Za-z0-9])/gi;
const FOLDER = /(?<=^|\/)mart(?=\/)/gi;
const ROLE_CHARS = 'mart'.length;

/**
 * Replaces the role in the path or secret name of the MART account. It looks where the vendor's tool writes the role,
 * then for the last word `mart` of the file name, then for the last folder of that name. Undefined when the name shows
 * no role.
 */
export function withRole(path: string, role: string): string | undefined {
  const file = path.lastIndexOf('/') + 1;
  const vendors = [...path.matchAll(VENDORS)].filter(({ index }) => index >= file).at(-1);
  const at =
    vendors === undefined
      ? ([...path.matchAll(MART)].filter(({ index }) => index >= file).at(-1) ?? [...path.matchAll(FOLDER)].at(-1))
          ?.index
      : vendors.index + vendors[0].length - ROLE_CHARS;
  if (at === undefined) return undefined;
  const word = path.slice(at, at + ROLE_CHARS);
  const written = word === word.toUpperCase() ? role.toUpperCase() : word.startsWith('M') ? capitalise(role) : role;
  return path.slice(0, at) + written + path.slice(at + ROLE_CHARS);
}
