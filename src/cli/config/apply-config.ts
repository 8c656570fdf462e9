import { resolve } from 'node:path';
import type { FoundConfig } from './read-config.ts';
import type { ProjectConfig } from './schema.ts';
import type { AuditValues } from '../audit/audit-command.ts';

/** The options of an audit with the settings of the file where an option is absent. Options win. */
export function applyConfig(values: AuditValues, found: FoundConfig | undefined): AuditValues {
  if (found === undefined) return values;
  const { config, folder } = found;
  const pages = config['max-pages'];
  const minimum = config['min-score'] === undefined ? undefined : formatMinimum(config['min-score']);
  return {
    ...(minimum === undefined ? {} : { 'min-score': minimum }),
    ...(config.profile === undefined ? {} : { profile: config.profile }),
    ...(pages === undefined || values.crawl !== undefined ? {} : { 'max-pages': String(pages) }),
    ...(config.baseline === undefined ? {} : { baseline: resolve(folder, config.baseline) }),
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
