import { expect } from 'vitest';
import type { CheckOutcome, OutcomeStatus } from '../../../src/audit/core/check.ts';
import { checks } from '../../../src/audit/core/catalogue.ts';
import { gatherSite } from '../../../src/audit/core/gather.ts';
import type { GathererName } from '../../../src/audit/core/artifacts.ts';
import { judgeSnapshot } from '../../../src/audit/core/run.ts';
import type { ProfileName, Site } from '../../../src/audit/core/site.ts';
import type { Snapshot } from '../../../src/audit/core/snapshot.ts';
import { html, SITE, siteFetch, type SiteMap } from './site-fetch.ts';

const CLOCK_MS = Date.UTC(2026, 10, 21);

export type PageOptions = {
  profile?: ProfileName;
  path?: string;
  lang?: string;
  only?: readonly GathererName[];
  more?: SiteMap;
};

/** A whole page around the given parts. */
export const pageOf = (body: string, head = '', lang = 'en'): string =>
  `<!doctype html><html lang="${lang}"><head><title>Lamps explained | Acme</title>${head}</head><body>${body}</body></html>`;

export const jsonLd = (value: unknown): string =>
  `<script type="application/ld+json">${JSON.stringify(value).replaceAll('<', '\\u003c')}</script>`;

/** `words` words of plain prose in paragraphs of `perParagraph`, sentences of twelve words, no two pairs alike. */
export function prose(words: number, perParagraph = 60): string {
  const all = Array.from({ length: words }, (_, index) => `${nonsense(index)}${index % 12 === 11 ? '.' : ''}`);
  const starts = all.map((_, index) => index).filter((index) => index % perParagraph === 0);
  return starts.map((from) => `<p>${all.slice(from, from + perParagraph).join(' ')}.</p>`).join('\n');
}

const nonsense = (index: number): string => {
  const letters = 'bdfgklmnprst';
  const vowels = 'aeiou';
  const syllable = (part: number): string => `${letters[part % 12] ?? ''}${vowels[Math.floor(part / 12) % 5] ?? ''}`;
  return syllable(index) + syllable(Math.floor(index / 7) + 3) + syllable(Math.floor(index / 60) + 5);
};

/** Gathers a fixture site at `path` of `SITE`. */
export function gatherPages(map: SiteMap, options: PageOptions = {}): Promise<Snapshot> {
  const only = options.only ?? ['page'];
  return gatherSite(`${SITE}${options.path ?? '/'}`, { fetch: siteFetch(map), clockMs: CLOCK_MS, only });
}

/** Judges one check on a page (HTML, or a map of a whole site), the way an audit does. */
export async function judgePage(id: string, page: string | SiteMap, options: PageOptions = {}): Promise<CheckOutcome> {
  const path = options.path ?? '/';
  const map = typeof page === 'string' ? { [path]: html(page), ...options.more } : page;
  const snapshot = await gatherPages(map, options);
  const site: Site = {
    start: new URL(`${SITE}${path}`),
    local: false,
    profile: { name: options.profile ?? 'content', rests_on: [], given: true },
    clockMs: CLOCK_MS,
  };
  const [judged] = judgeSnapshot(
    snapshot,
    site,
    checks.filter((check) => check.id === id),
  );
  if (!judged) throw new Error(`no check ${id}`);
  return judged.outcome;
}

export type ExpectedOutcome = { gives: OutcomeStatus; value?: number; note?: RegExp };

/** What an outcome must be like: a verdict has evidence from an answer, "not applicable" has none. */
export const outcomeOf = ({ gives, value, note }: ExpectedOutcome): object => ({
  status: gives,
  value: value ?? expect.any(Number),
  note: expect.stringMatching(note ?? /./),
  evidence: gives === 'not_applicable' ? [] : expect.arrayContaining([expect.objectContaining({ status: 200 })]),
});
