import type * as z from 'zod';
import { getRegistrableDomain } from '../net/registrable-domain.ts';
import { readTypedAddress } from '../net/typed-address.ts';
import { analyseCitations, type CitationOptions } from '../visibility/citations/citations.ts';
import { type CitedAnswer, listRedirects } from '../visibility/citations/cited-answers.ts';
import type { CapabilityTools } from './capability.ts';
import type { CitationEvidence } from './citation-evidence.ts';
import type { citationsResult } from './citation-results.ts';
import { auditCitedPages, type ComparedPages, MAX_COMPARED_PAGES, resolveCitedRedirects } from './cited-page-audit.ts';
import { compareCitedPages } from './cited-page-comparison.ts';

export type CitationsResult = z.infer<typeof citationsResult>;

/** `url`: the buyer's site, as typed; absent where none was named. */
export type CitationAbout = Pick<CitationOptions, 'rivals' | 'rivalDomains' | 'seed'> & { url?: string | undefined };

/** Pages of one site that are compared at most, so that one site does not speak for all that is cited. */
const MAX_CITED_PAGES_A_SITE = 2;

/** Longest time that citations read the network, in milliseconds; with less than the second, nothing is read. */
export const MAX_EVIDENCE_MS = 60_000;
const MIN_EVIDENCE_MS = 4_000;
/** Parts of the time that is left: for redirects, and for the pages of one host, of which two may follow each other. */
const RESOLVING_PART = 0.25;
const HOST_PART = 0.35;

/** The registrable domain of the buyer's site; undefined where the text is no address. */
export function readOwnDomain(typed: string | undefined): string | undefined {
  const { url } = readTypedAddress(typed ?? '');
  return URL.canParse(url) ? getRegistrableDomain(new URL(url).hostname) : undefined;
}

/**
 * Reads what citations need of the network: where vendors' redirects lead, and, where the buyer's site is known, the pages that are
 * compared. Nothing is asked where no engine gives sources.
 * @param leftMs until the work must be done: what is not read by then is said to be so
 */
export async function collectCitationEvidence(
  answers: readonly CitedAnswer[],
  about: CitationAbout,
  tools: Pick<CapabilityTools, 'guardedFetch' | 'atTarget' | 'clockMs'>,
  leftMs: number = MAX_EVIDENCE_MS,
): Promise<CitationEvidence> {
  const redirects = listRedirects(answers);
  if (leftMs < MIN_EVIDENCE_MS) return { resolutions: redirects.map((one) => ({ url: one, reason: 'deadline' })) };
  const within = (part: number) => ({ ...tools, wallMs: Math.floor(Math.min(leftMs, MAX_EVIDENCE_MS) * part) });
  const resolutions = await resolveCitedRedirects(redirects, within(RESOLVING_PART));
  const found = presentCitations(answers, about, { resolutions });
  const chosen = found === null ? undefined : chooseComparedPages(found, about.url);
  return chosen === undefined
    ? { resolutions }
    : { resolutions, pages: await auditCitedPages(chosen, within(HOST_PART)) };
}

/** The result, from the answers and what was read of the network. Pure: the same input gives the same bytes. Null where nothing was measured. */
export function presentCitations(
  answers: readonly CitedAnswer[],
  { url, ...about }: CitationAbout,
  { resolutions, pages }: CitationEvidence,
): CitationsResult | null {
  const analysis = analyseCitations(answers, { ...about, own: readOwnDomain(url), resolutions });
  if (analysis === null) return null;
  // The lists are new ones, which nothing else holds.
  const page_checks = pages === undefined ? null : compareCitedPages(pages);
  return { ...analysis, page_checks } as CitationsResult;
}

/** The most cited pages that are not the buyer's, and the buyer's. Undefined where one side has none. */
function chooseComparedPages({ pages }: CitationsResult, typed: string | undefined): ComparedPages | undefined {
  const { url } = readTypedAddress(typed ?? '');
  const others = pages.filter(({ kind }) => kind !== 'own');
  const cited = others
    .filter(
      (page, at) => others.slice(0, at).filter(({ domain }) => domain === page.domain).length < MAX_CITED_PAGES_A_SITE,
    )
    .slice(0, MAX_COMPARED_PAGES);
  if (cited.length === 0 || !URL.canParse(url)) return undefined;
  const own = pages.filter(({ kind }) => kind === 'own').map((page) => page.url);
  return { cited: cited.map((page) => page.url), own, start: url };
}
