import { resolve } from 'node:path';
import type { FoundConfig } from './read-config.ts';
import type { ProjectConfig } from './schema.ts';
import type { AuditValues } from '../audit/audit-command.ts';

/** Options about the site that is read. */
type SiteValues = Pick<AuditValues, 'profile' | 'max-pages'>;

/** The settings of the file about how a site is read. */
const readSiteSettings = ({ profile, 'max-pages': pages }: ProjectConfig): SiteValues => ({
  ...(profile === undefined ? {} : { profile }),
  ...(pages === undefined ? {} : { 'max-pages': String(pages) }),
});

const listDefined = <Values extends object>(values: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Values;

/** The options of a command that reads a site, with the settings of the file where an option is absent. Options win. */
export const applySiteConfig = <Values extends SiteValues>(values: Values, found: FoundConfig | undefined): Values =>
  found === undefined ? values : { ...readSiteSettings(found.config), ...listDefined(values) };

/** The same of an audit, which has gates too. */
export function applyConfig(values: AuditValues, found: FoundConfig | undefined): AuditValues {
  if (found === undefined) return values;
  const { config, folder } = found;
  const { 'max-pages': pages, ...site } = readSiteSettings(config);
  const minimum = config['min-score'] === undefined ? undefined : formatMinimum(config['min-score']);
  return {
    ...(minimum === undefined ? {} : { 'min-score': minimum }),
    ...site,
    ...(pages === undefined || values.crawl !== undefined ? {} : { 'max-pages': pages }),
    ...(config.baseline === undefined ? {} : { baseline: resolve(folder, config.baseline) }),
    ...listDefined(values),
  };
}

/** `aeo=80,mcp=50`, as the option takes it. */
const formatMinimum = (minimum: NonNullable<ProjectConfig['min-score']>): string =>
  typeof minimum === 'number'
    ? String(minimum)
    : Object.entries(minimum)
        .map(([name, points]) => `${name}=${points}`)
        .join(',');
