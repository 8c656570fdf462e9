import { sum } from '../../lib/numbers.ts';
import { type CheckOutcome, formatCount, type PageJoin, verdict } from './check.ts';
import type { CheckEvidence } from './evidence.ts';
import { type CheckResult, isAssessed, type PageOutcome } from './scores.ts';

/** Pieces of evidence: some of the worst page, and of each further one the first. */
const MAX_WORST_EVIDENCE = 4;
const MAX_JOINED_EVIDENCE = 10;

/**
 * The verdict of a check over all pages that it was judged on. `share`: the mean of their values, so that each page
 * weighs alike; `worst`: that of the worst page, for what must be nowhere. Pages to which it does not apply, and those
 * that could not be looked at, count in neither. The note says how many pages pass and what is wrong on the worst;
 * addresses are in the evidence only (rule X3).
 */
export function joinPageOutcomes(pages: readonly PageOutcome[], join: PageJoin): CheckOutcome {
  const [start] = pages;
  const assessed = pages.filter(({ outcome }) => isAssessed(outcome));
  const [first] = assessed;
  if (!first) {
    const unseen = pages.find(({ outcome }) => outcome.status === 'unknown') ?? start;
    return unseen?.outcome ?? verdict.notApplicable('No page was read.');
  }
  if (pages.length === 1) return first.outcome;
  const passed = assessed.filter(({ outcome }) => outcome.status === 'pass').length;
  const of = `${passed} of ${formatCount(assessed.length, 'page')} ${passed === 1 ? 'passes' : 'pass'}.`;
  if (passed === assessed.length)
    return verdict.pass(`${of} On the first: ${first.outcome.note}`, first.outcome.evidence);
  const [worst = first, ...others] = assessed
    .filter(({ outcome }) => outcome.status !== 'pass')
    .toSorted((a, b) => a.outcome.value - b.outcome.value);
  const note = `${of} On the worst: ${worst.outcome.note}`;
  const evidence = joinEvidence(worst, others);
  const value =
    join === 'worst' ? worst.outcome.value : sum(assessed.map(({ outcome }) => outcome.value)) / assessed.length;
  if (value === 0) return verdict.fail(note, evidence);
  return verdict.partial(Math.min(MAX_PARTIAL, Math.round(value * 1000) / 1000), note, evidence);
}

/** What is not quite right on one of many pages is not rounded up to right. */
const MAX_PARTIAL = 0.999;

function joinEvidence(worst: PageOutcome, others: readonly PageOutcome[]): readonly CheckEvidence[] {
  const more = others.map(({ url, outcome }) => outcome.evidence[0] ?? { url });
  return [...worst.outcome.evidence.slice(0, MAX_WORST_EVIDENCE), ...more].slice(0, MAX_JOINED_EVIDENCE);
}

/** How a check judged the start page; its only outcome where one page was read, or where it is about the whole site. */
export const getStartOutcome = ({ outcome, pages }: CheckResult): CheckOutcome =>
  pages?.find(({ isStart }) => isStart)?.outcome ?? outcome;

/** Whether the start page itself falls short: files and diffs are made for it, another page needs words only. */
export function isOpenOnStart(one: CheckResult): boolean {
  const { status } = getStartOutcome(one);
  return status === 'fail' || status === 'partial';
}

/** What a report says of the pages of a verdict: how many were judged and passed, and which is the worst. */
export type PageCounts = { judged: number; passed: number; worst?: string };

/** The counts; undefined where the check was judged on fewer than two pages. */
export function countPages(pages: readonly PageOutcome[] | undefined): PageCounts | undefined {
  const assessed = (pages ?? []).filter(({ outcome }) => isAssessed(outcome));
  if (assessed.length < 2) return undefined;
  const failing = assessed.filter(({ outcome }) => outcome.status !== 'pass');
  const [worst] = failing.toSorted((a, b) => a.outcome.value - b.outcome.value);
  const passed = assessed.length - failing.length;
  return { judged: assessed.length, passed, ...(worst === undefined ? {} : { worst: worst.url }) };
}
