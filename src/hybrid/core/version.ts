import { REMOVED_COMPONENTS, REMOVED_FROM_MART, RENAMED, SINCE_1_3, VERSION_1_1 } from './keys-data.ts';
import type { OverridesVersion } from './migration.ts';
import type { Overrides } from './overrides.ts';
import { entriesOf, type Entry, entryOf, mapIn, textIn } from './tree.ts';

/** Keys of 1.1 in the environments, which no later version has. */
export const keysOf11 = ({ source, environments }: Overrides): readonly Entry[] =>
  environments.flatMap(({ map }) => entriesOf(source, map).filter(({ key }) => isOneOf(VERSION_1_1, key)));

/** What a file is written for; `unknown` where nothing in it says so. */
export function versionOf(overrides: Overrides): OverridesVersion {
  if (keysOf11(overrides).length > 0) return '1.1';
  if (keysOf12(overrides).length > 0) return '1.2';
  return isMarkedAs13(overrides) ? '1.3' : 'unknown';
}

/** What a migration takes out. */
export function keysOf12({ source, entries, virtualHosts }: Overrides): readonly Entry[] {
  const inBlock = (block: string, keys: readonly string[]): readonly (Entry | undefined)[] =>
    keys.map((key) => entryOf(source, mapIn(entries.get(block)), key));
  return [
    ...[...REMOVED_COMPONENTS, ...RENAMED.map(({ old }) => old)].map((key) => entries.get(key)),
    ...inBlock('mart', REMOVED_FROM_MART),
    ...inBlock('connectAgent', ['enabled']),
    ...inBlock('cassandra', ['dnsPolicy']),
    ...virtualHosts.flatMap(({ hostAliases, routingRules }) => [hostAliases, routingRules]),
  ].filter((entry) => entry !== undefined);
}

const isMarkedAs13 = ({ entries }: Overrides): boolean => SINCE_1_3.some((key) => entries.has(key));

/** Whether host names and rules have left the file already: a 1.3 file, or one on the way. */
export const isRoutingMigrated = (overrides: Overrides): boolean =>
  textIn(overrides.source, overrides.entries.get('instanceID')) !== undefined &&
  mapIn(overrides.entries.get('watcher')) !== undefined &&
  overrides.virtualHosts.every(({ hosts, rules }) => hosts.length === 0 && rules.length === 0);

/** What is left of 1.2 in a file that was made a 1.3 one but for that. */
export const leftOver = (overrides: Overrides): readonly Entry[] =>
  isRoutingMigrated(overrides) ? keysOf12(overrides) : [];

const isOneOf = (keys: readonly string[], key: string): boolean => keys.includes(key);
