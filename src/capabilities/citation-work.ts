import type * as z from 'zod';
import { computeCurrentRubric } from '../audit/core/report.ts';
import { getRegistrableDomain } from '../net/registrable-domain.ts';
import { readTypedAddress } from '../net/typed-address.ts';
import { analyseCitations, type CitationOptions } from '../visibility/citations/citations.ts';
import { type CitedAnswer, listRedirects } from '../visibility/citations/cited-answers.ts';
import type { CapabilityTools } from './capability.ts';
import type { CitationEvidence, UncheckedReason } from './citation-evidence.ts';
import type { citationsResult } from './citation-results.ts';
import {
  auditCitedPages,
  type ComparedPages,
  MAX_COMPARED_PAGES,
  resolveCitedRedirects,
} from './cited-pages/cited-page-audit.ts';
import { compareCitedPages } from './cited-pages/cited-page-comparison.ts';

export type CitationsResult = z.infer<typeof citationsResult>;

/** `url`: the buyer's site, as typed; absent where none was named. */
export type CitationAbout = Pick<CitationOptions, 'rivals' | 'rivalDomains' | 'seed'> & { url?: string | undefined };

/** Pages of one site that are compared at most, so that one site does not speak for all that is cited. */
const MAX_CITED_PAGES_A_SITE = 2;

/** Longest time that citations read the network, in milliseconds; with less than the second, nothing is read. */
export const MAX_EVIDENCE_MS = 60_000;
const MIN_EVIDENCE_MS = 4_000;
/** What is left for presenting and storing what was read. */
const FINISHING_MS = 5_000;
/** Part of the time that is for redirects; pages have the rest. */
const RESOLVING_PART = 0.25;

/** The registrable domain of the buyer's site; undefined where the text is no address. */
export function readOwnDomain(typed: string | undefined): string | undefined {
  const { url } = readTypedAddress(typed ?? '');
  return URL.canParse(url) ? getRegistrableDomain(new URL(url).hostname) : undefined;
}

type EvidenceTools = Pick<CapabilityTools, 'guardedFetch' | 'atTarget' | 'clockMs' | 'bareTargets'> & {
  /** Unix milliseconds, now; of this machine when absent. */
  nowMs?: () => number;
};

/**
 * Reads what citations need of the network: where vendors' redirects lead, and, where the buyer's site is known, the pages that are
 * compared. Nothing is asked where no engine gives sources.
 * @param leftMs until the work must be done: all that is read ends before that, and what is not read by then is said to be so
 */
export async function collectCitationEvidence(
  answers: readonly CitedAnswer[],
  about: CitationAbout,
  { nowMs = Date.now, ...tools }: EvidenceTools,
  leftMs: number = MAX_EVIDENCE_MS,
): Promise<CitationEvidence> {
  const redirects = listRedirects(answers);
  const mostMs = Math.min(leftMs - FINISHING_MS, MAX_EVIDENCE_MS);
  const endMs = nowMs() + mostMs;
  const isLate = (): boolean => endMs - nowMs() < MIN_EVIDENCE_MS;
  const resolutions: CitationEvidence['resolutions'] = isLate()
    ? redirects.map((one) => ({ url: one, reason: 'deadline' }))
    : await resolveCitedRedirects(redirects, { ...tools, partMs: Math.floor(mostMs * RESOLVING_PART) });
  const found = presentCitations(answers, about, { resolutions });
  if (found === null) return { resolutions };
  const chosen = chooseComparedPages(found, about.url, isLate());
  if (typeof chosen === 'string') return { resolutions, unchecked: chosen };
  const pages = await auditCitedPages(chosen, { ...tools, nowMs, leftMs: endMs - nowMs() });
  return { resolutions, pages, rubric: await computeCurrentRubric() };
}

/** The result, from the answers and what was read of the network. Pure: the same input gives the same bytes. Null where nothing was measured. */
export function presentCitations(
  answers: readonly CitedAnswer[],
  { url, ...about }: CitationAbout,
  { resolutions, pages, unchecked }: CitationEvidence,
): CitationsResult | null {
  const analysis = analyseCitations(answers, { ...about, own: readOwnDomain(url), resolutions });
  if (analysis === null) return null;
  // The lists are new ones, which nothing else holds.
  const page_checks = pages === undefined ? null : compareCitedPages(pages);
  return {
    ...analysis,
    page_checks,
    ...(unchecked === undefined ? {} : { page_checks_reason: unchecked }),
  } as CitationsResult;
}

/** The most cited pages that are not the buyer's, and the buyer's; or why there is nothing to compare. */
function chooseComparedPages(
  { pages, sources }: CitationsResult,
  typed: string | undefined,
  isLate: boolean,
): ComparedPages | UncheckedReason {
  const { url } = readTypedAddress(typed ?? '');
  if (!URL.canParse(url)) return 'no_site';
  const others = pages.filter(({ kind }) => kind !== 'own');
  const cited = others
    .filter(
      (page, at) => others.slice(0, at).filter(({ domain }) => domain === page.domain).length < MAX_CITED_PAGES_A_SITE,
    )
    .slice(0, MAX_COMPARED_PAGES);
  // Where a redirect was not followed for lack of time, a page may be behind it.
  if (cited.length === 0) return isLate && sources.unresolved > 0 ? 'deadline' : 'no_cited_page';
  if (isLate) return 'deadline';
  const own = pages.filter(({ kind }) => kind === 'own').map((page) => page.url);
  return { cited: cited.map((page) => page.url), own, start: url };
}
