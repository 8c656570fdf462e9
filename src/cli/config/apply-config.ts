import { join } from 'node:path';
import type { FoundConfig } from './read-config.ts';
import type { ProjectConfig } from './schema.ts';
import { type CommandFailure, refuseUsage } from '../core/failure.ts';
import type { AuditValues } from '../audit/audit-command.ts';

/** The options of an audit with the settings of the file where an option is absent. Options win. */
export function applyConfig(
  values: AuditValues,
  found: FoundConfig | undefined,
  words: readonly string[],
): AuditValues | CommandFailure {
  if (found === undefined) return values;
  const { config, folder } = found;
  const pages = config['max-pages'];
  const minimum = config['min-score'] === undefined ? undefined : formatMinimum(config['min-score']);
  const baseline = selectBaseline(values, config, words);
  if (typeof baseline === 'object') return baseline;
  return {
    ...(minimum === undefined ? {} : { 'min-score': minimum }),
    ...(config.profile === undefined ? {} : { profile: config.profile }),
    ...(pages === undefined || values.crawl !== undefined ? {} : { 'max-pages': String(pages) }),
    ...(baseline === undefined ? {} : { baseline: join(folder, baseline) }),
    ...Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)),
  };
}

/** `aeo=80,mcp=50`, as the option takes it. */
const formatMinimum = (minimum: NonNullable<ProjectConfig['min-score']>): string =>
  typeof minimum === 'number'
    ? String(minimum)
    : Object.entries(minimum)
        .map(([name, points]) => `${name}=${points}`)
        .join(',');

/** A baseline is a report of one site: that of the file is for the one site of the file. */
function selectBaseline(
  values: AuditValues,
  { baseline, urls = [] }: ProjectConfig,
  words: readonly string[],
): string | undefined | CommandFailure {
  if (baseline === undefined || values.baseline !== undefined) return undefined;
  if (words.length > 0 && !urls.includes(words[0] ?? '')) return undefined;
  return urls.length > 1 && words.length === 0
    ? refuseUsage('The configuration has several urls and one baseline, which is a report of one site.')
    : baseline;
}
