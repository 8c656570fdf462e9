import type { OutcomeStatus } from '../../src/audit/core/check.ts';
import { type Labels, readMeaning } from './labels.ts';

/** How a verdict stands to what two readers said: both agree, one does or it is near, none does, or none could tell. */
export type Judgement = 'right' | 'arguable' | 'wrong' | 'untold';

/** The verdict of a check on a labelled page. */
export type JudgedVerdict = { page: string; check: string; status: OutcomeStatus; judgement: Judgement };

export function judgeVerdict(
  check: string,
  status: OutcomeStatus,
  page: { id: string; a: Labels; b: Labels },
): Judgement {
  const meanings = [page.a, page.b].flatMap((labels) => {
    const answers = labels.get(page.id);
    const meaning = answers ? readMeaning(check, answers) : undefined;
    return meaning ? [meaning] : [];
  });
  if (meanings.length === 0 || status === 'unknown') return 'untold';
  const right = meanings.filter((one) => one.right.includes(status)).length;
  if (right === meanings.length) return 'right';
  return right > 0 || meanings.some((one) => one.near.includes(status)) ? 'arguable' : 'wrong';
}

/** Verdicts of one kind: how many, and how many of them are right, arguable and wrong. */
export type Tally = { n: number; right: number; arguable: number; wrong: number };

export const createTally = (): Tally => ({ n: 0, right: 0, arguable: 0, wrong: 0 });

export function countJudgement(tally: Tally, judgement: Judgement): void {
  if (judgement === 'untold') return;
  tally.n += 1;
  tally[judgement] += 1;
}

/** Share of wrong verdicts among the strata of a check, each weighed by how often it falls on all pages of the corpora. */
export type Weighed = { check: string; wrong: number; arguable: number; share: number };

const COSTING: ReadonlySet<OutcomeStatus> = new Set(['fail', 'partial']);

/**
 * Estimates of the share of wrong verdicts: per check, and over the checks of a score.
 * @param judged verdicts with labels; `frequencies` how often each status of each check falls on all pages.
 * @param only `costing`: of verdicts that cost points alone.
 */
export function weighVerdicts(
  judged: readonly JudgedVerdict[],
  frequencies: ReadonlyMap<string, ReadonlyMap<OutcomeStatus, number>>,
  only: 'all' | 'costing' = 'all',
): readonly Weighed[] {
  const strata = new Map<string, Map<OutcomeStatus, Tally>>();
  for (const { check, status, judgement } of judged) {
    const own = strata.get(check) ?? new Map<OutcomeStatus, Tally>();
    const tally = own.get(status) ?? createTally();
    countJudgement(tally, judgement);
    strata.set(check, own.set(status, tally));
  }
  return [...strata].map(([check, own]) => {
    let [wrong, arguable, share] = [0, 0, 0];
    for (const [status, { n, wrong: bad, arguable: unclear }] of own) {
      if (n === 0 || (only === 'costing' && !COSTING.has(status))) continue;
      const often = frequencies.get(check)?.get(status) ?? 0;
      wrong += (often * bad) / n;
      arguable += (often * unclear) / n;
      share += often;
    }
    return { check, wrong, arguable, share };
  });
}

/** Of all verdicts that the checks give, the share that is wrong. */
export function sumWrong(weighed: readonly Weighed[]): number {
  const all = weighed.reduce((sum, { share }) => sum + share, 0);
  return all === 0 ? 0 : weighed.reduce((sum, { wrong }) => sum + wrong, 0) / all;
}

/** How often two passes gave the same answer, and Cohen's kappa of it, per question. */
export type Agreement = { question: string; n: number; same: number; kappa: number };

export function computeAgreement(a: Labels, b: Labels): readonly Agreement[] {
  const pairs = new Map<string, (readonly [string, string])[]>();
  for (const [page, answers] of a) {
    for (const [question, { answer }] of answers) {
      const other = b.get(page)?.get(question)?.answer;
      if (other === undefined) continue;
      const own = pairs.get(question) ?? [];
      own.push([answer, other]);
      pairs.set(question, own);
    }
  }
  return [...pairs].map(([question, own]) => {
    const same = own.filter(([one, other]) => one === other).length;
    const values = [...new Set(own.flat())];
    const chance = values.reduce((sum, value) => {
      const first = own.filter(([one]) => one === value).length;
      const second = own.filter(([, other]) => other === value).length;
      return sum + (first / own.length) * (second / own.length);
    }, 0);
    const observed = same / own.length;
    return { question, n: own.length, same, kappa: chance === 1 ? 1 : (observed - chance) / (1 - chance) };
  });
}
