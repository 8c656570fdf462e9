import {
  REMOVED_COMPONENTS,
  REMOVED_FROM_MART,
  REMOVED_FROM_VIRTUAL_HOSTS,
  RENAMED,
  SINCE_1_3,
  VERSION_1_1,
} from './keys-data.ts';
import type { OverridesVersion } from './migration.ts';
import type { Overrides } from './overrides.ts';
import { entriesOf, type Entry, entryOf, mapIn } from './tree.ts';

/** Keys of 1.1 in the environments, which no later version has. */
export const keysOf11 = ({ source, environments }: Overrides): readonly Entry[] =>
  environments.flatMap(({ map }) => entriesOf(source, map).filter(({ key }) => isOneOf(VERSION_1_1, key)));

/** What a file is written for; `unknown` where nothing in it says so. */
export function versionOf(overrides: Overrides): OverridesVersion {
  if (keysOf11(overrides).length > 0) return '1.1';
  if (hasKeysOf12(overrides)) return '1.2';
  return SINCE_1_3.some((key) => overrides.entries.has(key)) ? '1.3' : 'unknown';
}

/** Whether a migration has something to take out. */
function hasKeysOf12({ source, entries, virtualHosts }: Overrides): boolean {
  const hasIn = (block: string, keys: readonly string[]): boolean =>
    keys.some((key) => entryOf(source, mapIn(entries.get(block)), key) !== undefined);
  return (
    [...REMOVED_COMPONENTS, ...RENAMED.map(({ old }) => old)].some((key) => entries.has(key)) ||
    hasIn('mart', REMOVED_FROM_MART) ||
    hasIn('connectAgent', ['enabled']) ||
    hasIn('cassandra', ['dnsPolicy']) ||
    virtualHosts.some(({ map }) => REMOVED_FROM_VIRTUAL_HOSTS.some((key) => entryOf(source, map, key) !== undefined))
  );
}

const isOneOf = (keys: readonly string[], key: string): boolean => keys.includes(key);
