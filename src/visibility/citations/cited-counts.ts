import { sum } from '../../lib/numbers.ts';
import { compareTexts } from '../../lib/text.ts';
import { bootstrapRatio, computeWilson, type RateInterval, roundDecimals, roundRate } from '../metrics/statistics.ts';
import type { Cite, ReadAnswer } from './cited-answers.ts';
import type { Classified } from './source-kind.ts';
import { type SourceKind, sourceKinds } from './source-kinds-data.ts';

/** Which citations are counted. */
type Wanted = (cite: Cite) => boolean;

/** `worst_case` where sources could not be followed: the rates if none, or all, of these answers cited what is counted. */
export type CitedRate = RateInterval & { worst_case?: { low: number; high: number } };

/**
 * Answers that cite what is wanted / answers whose sources are all known. What could not be followed is no "no": such an
 * answer counts in neither, whatever else it cites, since to count only its hits would flatter. The interval is Wilson's; where
 * several engines answered the same prompt, a bootstrap over prompts. Null where nothing can be counted.
 */
export function computeCitedRate(answers: readonly ReadAnswer[], wanted: Wanted, seed: string): CitedRate | null {
  const known = answers.filter(({ unknown }) => unknown === 0);
  const isHit = ({ cites }: ReadAnswer): boolean => cites.some(wanted);
  const hits = known.filter(isHit).length;
  const pairs = sumByPrompt(known, (answer) => [Number(isHit(answer)), 1]);
  const rate =
    pairs.length === known.length ? computeWilson(hits, known.length) : withAnswers(bootstrapRatio(pairs, seed), known);
  if (!rate) return null;
  if (known.length === answers.length) return roundRate(rate);
  const sure = answers.filter(isHit).length;
  const open = answers.filter((answer) => answer.unknown > 0 && !isHit(answer)).length;
  const worst = { low: roundDecimals(sure / answers.length), high: roundDecimals((sure + open) / answers.length) };
  return { ...roundRate(rate), worst_case: worst };
}

const withAnswers = (rate: RateInterval | undefined, known: readonly unknown[]): RateInterval | undefined =>
  rate && { ...rate, n: known.length };

/**
 * Citations of what is wanted / all citations, each page once an answer, with a bootstrap interval over prompts: sources of
 * one answer depend on each other. `n` counts prompts. Null without citations.
 */
export function computeCitedShare(answers: readonly ReadAnswer[], wanted: Wanted, seed: string): RateInterval | null {
  const pairs = sumByPrompt(answers, ({ cites }) => [cites.filter(wanted).length, cites.length]);
  const rate = bootstrapRatio(pairs, seed);
  return rate ? roundRate(rate) : null;
}

type Pair = readonly [number, number];

/** One pair for each prompt, over all answers to it. */
function sumByPrompt(answers: readonly ReadAnswer[], toPair: (answer: ReadAnswer) => Pair): readonly Pair[] {
  const byPrompt = Map.groupBy(answers, ({ index }) => index);
  return [...byPrompt.values()].map((same): Pair => {
    const pairs = same.map(toPair);
    return [sum(pairs.map(([above]) => above)), sum(pairs.map(([, below]) => below))];
  });
}

/** What each citation is. */
export type CiteClassifier = (cite: Pick<Cite, 'domain' | 'host'>) => Classified;

/** `share` of all citations. */
export type KindCount = { kind: SourceKind; citations: number; answers: number; share: number };
export type SiteCount = { domain: string; answers: number; citations: number } & Classified;

/** One row for each kind, in their fixed order, also where nothing of it is cited. */
export function buildKinds(answers: readonly ReadAnswer[], classify: CiteClassifier): readonly KindCount[] {
  const kindsOf = answers.map(({ cites }) => cites.map((cite) => classify(cite).kind));
  const all = kindsOf.flat();
  return sourceKinds.map((kind) => {
    const citations = all.filter((one) => one === kind).length;
    return {
      kind,
      citations,
      answers: kindsOf.filter((kinds) => kinds.includes(kind)).length,
      share: all.length === 0 ? 0 : roundDecimals(citations / all.length),
    };
  });
}

/** By answers that cite the site, then by citations, then by name. */
export function buildSites(answers: readonly ReadAnswer[], classify: CiteClassifier): readonly SiteCount[] {
  const sites = new Map<string, { site: SiteCount; last: ReadAnswer | undefined }>();
  for (const answer of answers)
    for (const cite of answer.cites) {
      const known = sites.get(cite.domain);
      const before = known?.site ?? {
        domain: cite.domain,
        answers: 0,
        citations: 0,
        ...classify({ domain: cite.domain, host: cite.domain }),
      };
      const isNew = known?.last !== answer;
      const site = { ...before, answers: before.answers + Number(isNew), citations: before.citations + 1 };
      sites.set(cite.domain, { site, last: answer });
    }
  return [...sites.values()]
    .map(({ site }) => site)
    .toSorted(
      (one, other) =>
        other.answers - one.answers || other.citations - one.citations || compareTexts(one.domain, other.domain),
    );
}
