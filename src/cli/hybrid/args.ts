import type * as z from 'zod';
import { issueText, migrateOptions, type MigrateOptions, OPTION_FLAGS } from '../../hybrid/core/options.ts';
import { formatSafeLine } from '../core/terminal.ts';
import { type Options, parseArguments, type ParsedArguments } from '../core/usage.ts';

export const readTextFlag = { type: 'string' } as const;
export const flag = { type: 'boolean', default: false } as const;

/** Everything that migrates, and `check`, so that it can judge what a migration would do. */
export const valueFlags = {
  production: flag,
  'no-production': flag,
  group: { type: 'string', multiple: true },
  'instance-id': readTextFlag,
  region: readTextFlag,
  'connect-agent-sa': readTextFlag,
  'metrics-sa': readTextFlag,
  'watcher-sa': readTextFlag,
  'enable-connect': flag,
} as const;

/** Arguments of a command that takes one file, or what is wrong with them. */
export function parseFileArguments<O extends Options>(
  args: readonly string[],
  options: O,
): { file: string; values: ParsedArguments<O>['values'] } | string {
  const parsed = parseArguments(args, options);
  // Of an unknown flag the parser goes on about arguments that begin with a hyphen.
  if (typeof parsed === 'string') return formatSafeLine(parsed.replace(/ To specify a positional.*$/s, ''));
  const { values, positionals } = parsed;
  const [file, ...rest] = positionals;
  if (file === undefined || file === '') return 'The file is missing.';
  return rest.length === 0 ? { file, values } : `One file at a time: ${formatSafeLine(rest[0] ?? '')} is too many.`;
}

type Production = { production: boolean; 'no-production': boolean };

/** Whether the file is of a production installation, if that was said; or what is wrong. */
function readProductionFlag({ production, 'no-production': isTrial }: Production): { production?: boolean } | string {
  if (production && isTrial) return '--production and --no-production exclude each other.';
  return production || isTrial ? { production } : {};
}

type MigrationArguments = Production & {
  group?: string[] | undefined;
  'instance-id'?: string | undefined;
  region?: string | undefined;
  'connect-agent-sa'?: string | undefined;
  'metrics-sa'?: string | undefined;
  'watcher-sa'?: string | undefined;
  'enable-connect': boolean;
};

/** What a migration is given, or what is wrong with it. */
export function readMigrateOptions(given: MigrationArguments): MigrateOptions | string {
  const production = readProductionFlag(given);
  if (typeof production === 'string') return production;
  const groups = parseGroups(given.group ?? []);
  if (typeof groups === 'string') return groups;
  const options = {
    groups,
    instanceId: given['instance-id'],
    region: given.region,
    connectAgentServiceAccountPath: given['connect-agent-sa'],
    metricsServiceAccountPath: given['metrics-sa'],
    watcherServiceAccountPath: given['watcher-sa'],
    enableConnect: given['enable-connect'] ? true : undefined,
    ...production,
  };
  const said = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  const judged = migrateOptions.safeParse(said);
  if (judged.success) return judged.data;
  return describeFlagFault(judged.error.issues[0], OPTION_FLAGS);
}

/** What is wrong with a value that a flag gave, by the flags of the members of a schema. */
export function describeFlagFault(
  issue: z.core.$ZodIssue | undefined,
  flags: Readonly<Record<string, string>>,
): string {
  if (issue === undefined) throw new Error('What is refused has a reason');
  return `${flags[String(issue.path[0])] ?? 'An option'}: ${formatSafeLine(issueText(issue))}.`;
}

function parseGroups(pairs: readonly string[]): Record<string, string> | undefined | string {
  const groups = new Map<string, string>();
  for (const pair of pairs) {
    const at = pair.indexOf('=');
    if (at < 1 || at === pair.length - 1) return `--group takes OLD=NEW, not ${formatSafeLine(pair)}.`;
    const old = pair.slice(0, at);
    if (groups.has(old)) return `--group names ${formatSafeLine(old)} twice.`;
    groups.set(old, pair.slice(at + 1));
  }
  return groups.size === 0 ? undefined : Object.fromEntries(groups);
}
