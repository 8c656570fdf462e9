import { countOccurrences, sum } from '../../lib/numbers.ts';
import { compareTexts } from '../../lib/text.ts';
import type { RateInterval } from '../metrics/statistics.ts';
import { type Cite, type CitedAnswer, readCitedAnswers, type ReadAnswer, type SourceCounts } from './cited-answers.ts';
import { type CitedPage, listCitedPages } from './cited-pages.ts';
import {
  buildKinds,
  buildSites,
  type CitedRate,
  type CiteClassifier,
  computeCitedRate,
  computeCitedShare,
  type KindCount,
  type SiteCount,
} from './cited-counts.ts';
import type { CitationResolution } from './resolve-citations.ts';
import { type Classified, createKindClassifier, type SourceOwners } from './source-kind.ts';

/** Rivals and sites that are listed. */
export const MAX_CITED_RIVALS = 10;
export const MAX_CITED_SITES = 20;
/** Domains of one rival that are listed. */
const MAX_RIVAL_DOMAINS = 5;

export type CitationOptions = SourceOwners & {
  /** Where vendors' redirects lead: see `resolveCitations`. */
  resolutions?: readonly CitationResolution[] | undefined;
  /** Of the bootstrap: the id of the run. */
  seed: string;
};

type Figures = { rate: CitedRate | null; share: RateInterval | null };

/** What answers cite, as it goes on the wire. A citation is a page that an answer names among its sources, once an answer. */
export type CitationAnalysis = {
  /** Answers of engines that give sources, of `answers`. */
  measured: number;
  answers: number;
  citations: number;
  sources: SourceCounts;
  /** Why vendors' redirects could not be followed, and how many of them. */
  unresolved_because: Readonly<Record<string, number>>;
  /** Null where the buyer named no site. */
  own: ({ domain: string; pages: number } & Figures) | null;
  /** Rivals whose domain is known, by answers that cite it. The domain of any other is not known, which is not 0. */
  rivals: readonly ({ name: string; domains: readonly string[] } & Figures)[];
  kinds: readonly KindCount[];
  sites: readonly SiteCount[];
  pages: readonly CitedPage[];
  /** Cited pages and sites beyond those listed. */
  further_pages: number;
  further_sites: number;
  notes: readonly string[];
};

/**
 * What a set of answers cites: pages, sites, kinds of source, and how often the buyer's site and those of its rivals are among them.
 * Pure: the same answers give the same bytes. Null when no engine gave a list of sources: not measured.
 */
export function analyseCitations(given: readonly CitedAnswer[], options: CitationOptions): CitationAnalysis | null {
  const { answers, counts } = readCitedAnswers(given, options.resolutions);
  if (answers.length === 0) return null;
  const classify = createCiteClassifier(options);
  const cites = answers.flatMap((answer) => answer.cites);
  const { pages, further } = listCitedPages(answers, classify);
  const sites = buildSites(answers, classify);
  return {
    measured: answers.length,
    answers: given.length,
    citations: cites.length,
    sources: counts,
    unresolved_because: countReasons(options.resolutions ?? []),
    own: options.own === undefined ? null : buildOwn(answers, options.own, options.seed),
    rivals: buildRivals(answers, classify, options),
    kinds: buildKinds(answers, classify),
    sites: sites.slice(0, MAX_CITED_SITES),
    pages,
    further_pages: further,
    further_sites: Math.max(0, sites.length - MAX_CITED_SITES),
    notes: buildNotes(given.length - answers.length, counts, options),
  };
}

const countReasons = (resolutions: readonly CitationResolution[]): Readonly<Record<string, number>> =>
  Object.fromEntries(countOccurrences(resolutions.flatMap((one) => ('reason' in one ? [one.reason] : []))));

/** What a reader must know of the sources. Our words and numbers: no text of an answer or a caller. */
function buildNotes(unmeasured: number, counts: SourceCounts, { own }: CitationOptions): readonly string[] {
  const notes: readonly (readonly [holds: boolean, text: string])[] = [
    [
      unmeasured > 0,
      `Answers of engines that give no sources: ${unmeasured}. They are in no figure here: not measured is not 0 %.`,
    ],
    [own === undefined, 'No site of the brand was named, so the share of its own pages was not measured.'],
    [
      counts.unresolved > 0,
      `Sources behind a vendor's redirect that could not be followed: ${counts.unresolved}. Where the vendor names their site, they count for it; answers with any other are left out of the rates of answers.`,
    ],
    [counts.unreadable > 0, `Sources that are no web address: ${counts.unreadable}. They count nowhere.`],
    [
      counts.private > 0,
      `Sources that lead into a private network: ${counts.private}. They count nowhere, and were not fetched.`,
    ],
    [counts.left_out > 0, `Sources beyond the limit of what is read: ${counts.left_out}.`],
  ];
  return notes.flatMap(([holds, text]) => (holds ? [text] : []));
}

/** A host is judged once. */
function createCiteClassifier(owners: SourceOwners): CiteClassifier {
  const judge = createKindClassifier(owners);
  const known = new Map<string, Classified>();
  return ({ domain, host }) => {
    const found = known.get(host) ?? judge(domain, host);
    known.set(host, found);
    return found;
  };
}

function buildOwn(answers: readonly ReadAnswer[], domain: string, seed: string): CitationAnalysis['own'] {
  const isOwn = (cite: Cite): boolean => cite.domain === domain;
  const keys = answers.flatMap(({ cites }) => cites.filter((cite) => isOwn(cite) && cite.page !== undefined));
  return { domain, pages: new Set(keys.map(({ key }) => key)).size, ...buildFigures(answers, isOwn, seed) };
}

const buildFigures = (answers: readonly ReadAnswer[], wanted: (cite: Cite) => boolean, seed: string): Figures => ({
  rate: computeCitedRate(answers, wanted, seed),
  share: computeCitedShare(answers, wanted, seed),
});

function buildRivals(
  answers: readonly ReadAnswer[],
  classify: CiteClassifier,
  { rivalDomains, own, seed }: CitationOptions,
): CitationAnalysis['rivals'] {
  const domains = new Map<string, Map<string, number>>();
  const add = (name: string, domain: string, count: number): void => {
    const known = domains.get(name) ?? new Map<string, number>();
    domains.set(name, known.set(domain, (known.get(domain) ?? 0) + count));
  };
  for (const [domain, name] of rivalDomains ?? []) if (domain !== own) add(name, domain, 0);
  for (const cite of answers.flatMap(({ cites }) => cites)) {
    const { rival } = classify(cite);
    if (rival !== undefined) add(rival, cite.domain, 1);
  }
  const cited = (name: string): number => sum([...(domains.get(name)?.values() ?? [])]);
  return [...domains.keys()]
    .toSorted((one, other) => cited(other) - cited(one) || compareTexts(one, other))
    .slice(0, MAX_CITED_RIVALS)
    .map((name) => ({
      name,
      domains: [...(domains.get(name) ?? [])]
        .toSorted(([one, few], [other, many]) => many - few || compareTexts(one, other))
        .slice(0, MAX_RIVAL_DOMAINS)
        .map(([domain]) => domain),
      ...buildFigures(answers, (cite) => classify(cite).rival === name, seed),
    }));
}
