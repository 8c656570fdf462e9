import { createHash } from 'node:crypto';
import type { ProfileName } from '../../audit/core/site.ts';
import { formatCanonicalJson } from '../../lib/json.ts';
import type { AlertRules } from '../../monitors/core/monitor.ts';
import { parseTypedTarget, type TypedTarget } from '../audit/typed-target.ts';
import type { FoundConfig } from '../config/read-config.ts';
import type { ConfiguredBrand, ConfiguredSite } from '../config/schema.ts';
import { type CommandFailure, isFailure, refuseUsage } from '../core/failure.ts';
import { formatSafeLine } from '../core/terminal.ts';
import { type AskedEngines, selectAskedEngines } from '../visibility/asked-engines.ts';
import { judgeMeasurement, type TypedMeasurement } from '../visibility/typed-measurement.ts';

type ReadTarget = Extract<TypedTarget, { ok: true }>;

/** `id`: as a monitor's, made of what is watched: the same entry has the same one. `folder`: its own in the history. */
type EntryNames = { id: string; name: string; folder: string; rules: AlertRules };

export type SiteEntry = EntryNames & {
  kind: 'site';
  target: ReadTarget;
  options: { profile?: ProfileName | undefined; max_pages?: number | undefined };
  competitors: readonly ReadTarget[];
};
export type BrandEntry = EntryNames & { kind: 'brand'; input: TypedMeasurement; asked: AskedEngines };
export type WatchedEntry = SiteEntry | BrandEntry;

/** Hex digits of an id, and of a folder's name. */
const ID_DIGITS = 24;
const FOLDER_DIGITS = 8;
const MAX_SLUG_CHARS = 60;

/** What the configuration has watched, each entry judged before any runs: the sites of `urls` where it has no `watch`. */
export async function listEntries(found: FoundConfig): Promise<readonly WatchedEntry[] | CommandFailure> {
  const { profile, 'max-pages': pages, urls = [], watch } = found.config;
  const given = watch ?? urls.map((url): ConfiguredSite => ({ url, profile, max_pages: pages }));
  if (given.length === 0)
    return refuseUsage(
      'There is nothing to watch: the configuration has neither watch nor urls.',
      'List sites and brands in sightline.config.json; docs/guides/watch-in-ci.md shows how.',
    );
  const entries: WatchedEntry[] = [];
  for (const [at, one] of given.entries()) {
    const place = watch === undefined ? `urls.${at}` : `watch.${at}`;
    const entry = 'url' in one ? readSite(one) : await readBrand(one, found, place);
    if (isFailure(entry)) return { ...entry, message: `${place}: ${entry.message}` };
    const twin = entries.findIndex(({ id }) => id === entry.id);
    if (twin >= 0) return refuseUsage(`${place} watches the same as entry ${twin}.`);
    entries.push(entry);
  }
  return entries;
}

function readSite({
  name,
  url,
  profile,
  max_pages,
  competitors = [],
  rules,
}: ConfiguredSite): SiteEntry | CommandFailure {
  const target = parseTypedTarget(url);
  if (!target.ok) return target.failure;
  const rivals: ReadTarget[] = [];
  for (const one of competitors) {
    const rival = parseTypedTarget(one);
    if (!rival.ok) return rival.failure;
    rivals.push(rival);
  }
  const options = { profile, max_pages };
  return {
    kind: 'site',
    ...identifyEntry({ kind: 'site', url: target.url, ...options }, new URL(target.url).host),
    name: name ?? target.url,
    rules: rules ?? {},
    target,
    options,
    competitors: rivals,
  };
}

async function readBrand(
  { name, competitor, engines, rules, ...body }: ConfiguredBrand,
  found: FoundConfig,
  place: string,
): Promise<BrandEntry | CommandFailure> {
  const input = await judgeMeasurement({ ...body, competitor_brand: competitor }, (path) =>
    [place, ...path].map(String).join('.').replace('competitor_brand', 'competitor'),
  );
  if (isFailure(input)) return input;
  const asked = selectAskedEngines({ engines: engines?.join(',') }, found, process.env);
  if (isFailure(asked)) return asked;
  return {
    kind: 'brand',
    ...identifyEntry({ kind: 'brand', ...input }, input.brand),
    name: name ?? input.brand,
    rules: rules ?? {},
    input,
    asked,
  };
}

function identifyEntry(subject: Readonly<Record<string, unknown>>, word: string): Pick<EntryNames, 'id' | 'folder'> {
  const hash = createHash('sha256')
    .update(formatCanonicalJson(JSON.parse(JSON.stringify(subject))))
    .digest('hex');
  const words = formatSafeLine(word.toLowerCase(), MAX_SLUG_CHARS).match(/[a-z0-9]+(?:\.[a-z0-9]+)*/g) ?? [];
  const slug = words.join('-');
  return { id: `mon_${hash.slice(0, ID_DIGITS)}`, folder: `${slug || 'entry'}-${hash.slice(0, FOLDER_DIGITS)}` };
}
