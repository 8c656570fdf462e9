import * as z from 'zod';
import { escapeControlsIn } from '../../lib/safe-text.ts';
import { type ResultName, resultNames } from '../../capabilities/capability-name.ts';
import { DEFAULT_LANGUAGE, type PageLanguage, type Translated } from '../language/language.ts';

const named = z.looseObject({ name: z.string() });

/** What every stored result says beside its own members. The bytes are ours; what is in them is not. */
const stored = z.looseObject({
  capability: z.enum(resultNames),
  url: z.string().optional(),
  brand: z.string().optional(),
  brands: z.object({ brand: named, competitor: named }).optional(),
  warnings: z.array(z.string()),
});

/** A stored result, its own members not yet judged. */
export type StoredResult = {
  capability: ResultName;
  /** The audited address, where a site was audited. */
  url?: string | undefined;
  /** The measured brand, or the two that were compared. */
  brand?: string | undefined;
  brands?: readonly [string, string] | undefined;
  warnings: readonly string[];
  /** The whole of it. */
  json: unknown;
};

/** Reads the text of a stored result. @throws when it is none: we wrote it */
export function readStored(text: string): StoredResult {
  const json: unknown = JSON.parse(text);
  const { capability, url, brand, brands, warnings } = stored.parse(json);
  const both = brands && ([brands.brand.name, brands.competitor.name] as const);
  return { capability, url, brand, brands: both, warnings, json };
}

/** The same for a page: controls in its texts are written out, so that they are seen and reach no terminal (rule X8). */
export function escapeForPage(result: StoredResult): StoredResult {
  return readStored(JSON.stringify(escapeControlsIn(result.json)));
}

/** Whom a report is about, for titles: the host of the site, or the brand. */
export function getSubject(
  { url, brand, brands }: Pick<StoredResult, 'url' | 'brand' | 'brands'>,
  language: PageLanguage = DEFAULT_LANGUAGE,
): string | undefined {
  if (url !== undefined) return URL.parse(url)?.host ?? url;
  return brands === undefined ? brand : brands.join(AND[language]);
}

const AND: Translated<string> = { en: ' and ', de: ' und ' };

const measured = z.object({
  brand: z.string(),
  niche: z.string(),
  competitor_brand: z.string().optional(),
  pooled: z.object({ competitors: z.array(named) }).optional(),
});

/** What a measurement of any kind is about: the brand, and the names that are measured on the same answers. */
export function findMeasuredNames(
  json: unknown,
): { brand: string; niche: string; others: readonly string[] } | undefined {
  const read = measured.safeParse(json);
  if (!read.success) return undefined;
  const { brand, niche, competitor_brand: competitor, pooled } = read.data;
  const others = pooled?.competitors.map(({ name }) => name) ?? (competitor === undefined ? [] : [competitor]);
  return { brand, niche, others };
}

const compared = z.object({
  sites: z.object({ competitor: z.object({ requests: z.array(z.object({ role: z.string(), url: z.string() })) }) }),
});

/** The other site of a comparison: the address of its start page. */
export function findCompetitor(json: unknown): string | undefined {
  const read = compared.safeParse(json);
  return read.success ? findStartAddress(read.data.sites.competitor.requests) : undefined;
}

/** Requests at the start page, the likeliest first: one that serves two roles is listed under the first of them only. */
const START_ROLES = ['page', 'page-head', 'markdown', 'user-agent:0'] as const;

/** The address of the start page of a site, by what was asked of it; undefined where no request names it. */
export function findStartAddress(requests: readonly { role: string; url: string }[]): string | undefined {
  const byRole = new Map(requests.map(({ role, url }) => [role, url]));
  return START_ROLES.map((role) => byRole.get(role)).find((url) => url !== undefined);
}
