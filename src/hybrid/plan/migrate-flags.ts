import type { MigrateOptions } from '../core/options.ts';
import { toScript, sh, type Script } from './shell.ts';

/** The flags that give the options of a migration again, each after a space. */
export function formatMigrateFlags(options: MigrateOptions): Script {
  const valued = [
    ...Object.entries(options.groups ?? {}).map(([old, name]) => ['--group', `${old}=${name}`] as const),
    ['--instance-id', options.instanceId] as const,
    ['--region', options.region] as const,
    ['--connect-agent-sa', options.connectAgentServiceAccountPath] as const,
    ['--metrics-sa', options.metricsServiceAccountPath] as const,
    ['--watcher-sa', options.watcherServiceAccountPath] as const,
  ];
  const words = valued.flatMap(([flag, value]) => (value === undefined ? [] : [withValue(flag, value)]));
  if (options.enableConnect === true) words.push('--enable-connect');
  if (options.production !== undefined) words.push(options.production ? '--production' : '--no-production');
  return toScript(words.map((word) => ` ${word}`).join(''));
}

/** A value that looks like an option itself is joined to its flag. */
const withValue = (flag: string, value: string): string =>
  value.startsWith('-') ? sh`${`${flag}=${value}`}` : sh`${toScript(flag)} ${value}`;
