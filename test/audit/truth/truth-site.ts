import type { OutcomeStatus } from '../../../src/audit/core/check.ts';
import type { Rendered } from '../../../src/audit/rendered/facts/rendered-look.ts';
import type { ProfileName } from '../../../src/audit/core/site.ts';
import { redirect, SITE, type SiteAnswer, type SiteMap } from '../../support/audit/site-fetch.ts';

/** What one check must say of a site, and the fact that was planted there for it. */
export type TruthRow = { id: string; status: OutcomeStatus; fact: string };

/** A fixture site with planted facts. The audit starts at `path` of `SITE` ('/' when absent). */
export type TruthSite = {
  name: string;
  path?: string;
  map: SiteMap;
  /** Answer for every path that the map does not list; a plain 404 when absent. */
  catchAll?: SiteAnswer;
  profile?: ProfileName;
  /** What a browser showed of the start page. Nothing was rendered when absent. */
  rendered?: Rendered;
  truth: readonly TruthRow[];
};

/** Rows by expected status: check id to planted fact. The ids come from the catalogue, the expectations from its rules. */
export type Planted = Partial<Record<OutcomeStatus, Readonly<Record<string, string>>>>;

export const planted = (facts: Planted): readonly TruthRow[] =>
  Object.entries(facts).flatMap(([status, rows]) =>
    Object.entries(rows).map(([id, fact]) => ({ id, status: status as OutcomeStatus, fact })),
  );

/** What a host with working https answers over plain http. */
export const httpsUpgrade: SiteMap = { 'http://acme.example/': redirect(`${SITE}/`, 308) };

/** Marks a path of `catchAll` functions: everything below a folder. */
export const isBelow = (url: string, folder: string): boolean => new URL(url).pathname.startsWith(folder);
