import { countOccurrences, sum } from '../../lib/numbers.ts';
import { getRegistrableDomain } from '../../net/registrable-domain.ts';
import { bootstrapRatio, type RateInterval, roundDecimals, roundRate } from '../metrics/statistics.ts';
import type { FirstPartyImport, PageCount } from './first-party.ts';
import type { ImportSource } from './formats-data.ts';
import { createPromptFinder, type NearPrompt } from './near-prompt.ts';
import type { OwnMeasurement } from './own-measurement.ts';
import { computeRankCorrelation, type RankCorrelation } from './rank-correlation.ts';

/** Fewer pages or answers are no sample: five pages in the same order are as likely as one throw of a die in twenty. */
export const MIN_COMPARED = 6;
/**
 * Pages and queries of a source that are compared and listed: those with the highest counts. Search Console exports no
 * more of them. Overlap is over all pages.
 */
export const MAX_COMPARED_LINES = 1_000;

/** A figure, or why there is none: `n` is what there was, `needs` the least that a figure takes. */
export type ComparedFigure<T> =
  | ({ kind: 'figure' } & T)
  | { kind: 'too_few'; n: number; needs: number }
  | { kind: 'not_given' };

export type ComparedPage = { page: string; count: number; answers: number };
export type ComparedQuery = { query: string; count: number; near: NearPrompt | null };

/** What one source and our own measurement say of the same pages and questions. */
export type SourceComparison = {
  source: ImportSource;
  /** Domains that the source's pages are of: "own" below. */
  own_domains: readonly string[];
  /** Answers of ours that are left out, because which page one of their sources is is not known. */
  hidden: number;
  /** Null: the source has no pages, or the measurement has no addresses. */
  pages: {
    both: readonly ComparedPage[];
    only_source: readonly { page: string; count: number }[];
    only_panel: readonly { page: string; answers: number }[];
    /** How many there are of each, shown or not. */
    of: { both: number; only_source: number; only_panel: number };
  } | null;
  /** Null: the source has no queries. `near` is null where what was asked is not known. */
  queries: { rows: readonly ComparedQuery[]; near: number | null; of: number } | null;
  disagreement: {
    /** Whether pages that both see have the same order. */
    order: ComparedFigure<RankCorrelation>;
    /** Own pages that both see, of those that either sees. */
    overlap: ComparedFigure<RateInterval>;
    /** Own share of citations: of the source, of our answers, and the first minus the second. */
    own_share: ComparedFigure<{ source: number; panel: RateInterval; difference: number }>;
  };
};

/** Sets each import beside a measurement of our own. Every figure follows from its arguments alone. */
export const compareFirstParty = (
  imports: readonly FirstPartyImport[],
  measurement: OwnMeasurement,
): readonly SourceComparison[] => imports.map((one) => compareSource(one, measurement));

function compareSource(one: FirstPartyImport, { cited, prompts, hidden }: OwnMeasurement): SourceComparison {
  const pages = one.pages?.filter(({ page }) => URL.canParse(page)) ?? [];
  const own = new Set(pages.map(({ page }) => findDomain(page)));
  const ofPanel = countOccurrences((cited ?? []).flat());
  const ownOfPanel = new Map([...ofPanel].filter(([page]) => own.has(findDomain(page))));
  const canCompare = cited !== null && cited.length > 0 && pages.length > 0;
  const split = splitPages(pages, ownOfPanel);
  return {
    source: one.source,
    own_domains: [...own],
    hidden,
    pages: canCompare ? cutPages(split) : null,
    queries: compareQueries(one, prompts),
    disagreement: {
      order: canCompare ? judgeOrder(split.both) : { kind: 'not_given' },
      overlap: canCompare ? judgeOverlap(split) : { kind: 'not_given' },
      own_share: judgeOwnShare(one, cited, own),
    },
  };
}

const findDomain = (page: string): string => getRegistrableDomain(new URL(page).hostname);

type SplitPages = {
  both: readonly ComparedPage[];
  onlySource: readonly PageCount[];
  onlyPanel: readonly { page: string; answers: number }[];
};

function splitPages(pages: readonly PageCount[], ofPanel: ReadonlyMap<string, number>): SplitPages {
  const ofSource = new Set(pages.map(({ page }) => page));
  return {
    both: pages.flatMap(({ page, count }) => {
      const answers = ofPanel.get(page);
      return answers === undefined ? [] : [{ page, count, answers }];
    }),
    onlySource: pages.filter(({ page }) => !ofPanel.has(page)),
    onlyPanel: [...ofPanel]
      .filter(([page]) => !ofSource.has(page))
      .map(([page, answers]) => ({ page, answers }))
      .toSorted((left, right) => right.answers - left.answers),
  };
}

const cutPages = ({ both, onlySource, onlyPanel }: SplitPages): SourceComparison['pages'] => ({
  both: both.slice(0, MAX_COMPARED_LINES),
  only_source: onlySource.slice(0, MAX_COMPARED_LINES).map(({ page, count }) => ({ page, count })),
  only_panel: onlyPanel.slice(0, MAX_COMPARED_LINES),
  of: { both: both.length, only_source: onlySource.length, only_panel: onlyPanel.length },
});

function compareQueries(
  { queries }: FirstPartyImport,
  prompts: OwnMeasurement['prompts'],
): SourceComparison['queries'] {
  if (queries === null) return null;
  const find = createPromptFinder(prompts ?? []);
  const rows = queries.slice(0, MAX_COMPARED_LINES).map(({ query, count }) => ({ query, count, near: find(query) }));
  return {
    rows,
    near: prompts === null ? null : rows.filter(({ near }) => near !== null).length,
    of: rows.length,
  };
}

function judgeOrder(both: readonly ComparedPage[]): ComparedFigure<RankCorrelation> {
  if (both.length < MIN_COMPARED) return { kind: 'too_few', n: both.length, needs: MIN_COMPARED };
  const pairs = both.slice(0, MAX_COMPARED_LINES).map(({ count, answers }) => [count, answers] as const);
  const found = computeRankCorrelation(pairs, 'first-party-order');
  if (found === undefined) return { kind: 'not_given' };
  return { kind: 'figure', ...found, value: roundDecimals(found.value), p: roundDecimals(found.p) };
}

function judgeOverlap({ both, onlySource, onlyPanel }: SplitPages): ComparedFigure<RateInterval> {
  const n = both.length + onlySource.length + onlyPanel.length;
  if (n < MIN_COMPARED) return { kind: 'too_few', n, needs: MIN_COMPARED };
  const found = bootstrapRatio(
    Array.from({ length: n }, (_, at) => [Number(at < both.length), 1] as const),
    'first-party-overlap',
  );
  return found === undefined ? { kind: 'not_given' } : { kind: 'figure', ...roundRate(found) };
}

/** The source's own share, over the rows that have one, weighted by their counts; ours over answers with sources. */
function judgeOwnShare(
  { queries, pages }: FirstPartyImport,
  cited: OwnMeasurement['cited'],
  own: ReadonlySet<string>,
): SourceComparison['disagreement']['own_share'] {
  const shared = (queries ?? pages ?? []).filter(({ share, count }) => share !== null && count > 0);
  if (shared.length === 0 || cited === null || own.size === 0) return { kind: 'not_given' };
  const withSources = cited.filter((pagesOfAnswer) => pagesOfAnswer.length > 0);
  const n = Math.min(shared.length, withSources.length);
  if (n < MIN_COMPARED) return { kind: 'too_few', n, needs: MIN_COMPARED };
  // A share of each query is of its own whole: all citations of the query are its count over its share.
  const whole = sum(shared.map(({ share, count }) => (share === null || share === 0 ? 0 : count / share)));
  const ours = sum(shared.filter(({ share }) => share !== 0).map(({ count }) => count));
  const panel = bootstrapRatio(
    withSources.map((list) => [list.filter((page) => own.has(findDomain(page))).length, list.length] as const),
    'first-party-own-share',
  );
  if (panel === undefined || whole === 0) return { kind: 'not_given' };
  const source = ours / whole;
  return {
    kind: 'figure',
    source: roundDecimals(source),
    panel: roundRate(panel),
    difference: roundDecimals(source - panel.value),
  };
}
