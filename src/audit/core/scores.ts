import type { AnyCheck, CheckOutcome, ScoreName } from './check.ts';
import type { PageView } from './page-views.ts';

/** How one check judged one page. */
export type PageOutcome = Pick<PageView, 'url' | 'pattern' | 'isStart'> & { outcome: CheckOutcome };

/** `pages`: the outcomes that were joined, of a check that is judged on every page, where several pages were read. */
export type CheckResult = { check: AnyCheck; outcome: CheckOutcome; pages?: readonly PageOutcome[] };

export type FiredGate = { id: string; cap: number };

/** A score from 0 to 100 and everything needed to recompute it by hand. */
export type AuditScore = {
  score: number;
  grade: 'A' | 'B' | 'C' | 'D' | 'F';
  /** Assessed weight / nominal weight, 0 to 1: how much of the rubric this number rests on. */
  coverage: number;
  /** `false` when the site has nothing that this score is about: number and coverage are 0 then, and not shown. Absent otherwise. */
  applies?: false;
  /** Why it does not apply, in our words. */
  reason?: string;
  gates: readonly FiredGate[];
  counts: Readonly<Record<CheckOutcome['status'], number>>;
};

const GRADES = [
  [90, 'A'],
  [75, 'B'],
  [60, 'C'],
  [40, 'D'],
] as const;

/** Below this coverage a score rests on too little to be read without saying so, and no fix is ranked by it. */
export const THIN_COVERAGE = 0.5;

/**
 * `score = round_half_up(100 * sum(w*v) / sum(w))` over pass, partial and fail, then the lowest gate that fired.
 * Not applicable and unknown count in neither sum. Nothing assessed gives 0 with coverage 0, as does a score that does
 * not apply: one of whose own checks none is applicable, those that it shares with other scores left aside.
 */
export function computeScore(name: ScoreName, judged: readonly CheckResult[]): AuditScore {
  const mine = judged.filter(({ check }) => check.scores.includes(name));
  const counts = { pass: 0, partial: 0, fail: 0, not_applicable: 0, unknown: 0 };
  for (const { outcome } of mine) counts[outcome.status] += 1;
  const reason = explainNotApplying(name, mine);
  if (reason !== undefined) return { score: 0, grade: 'F', coverage: 0, applies: false, reason, gates: [], counts };
  let nominal = 0;
  let assessed = 0;
  let earned = 0;
  const gates: FiredGate[] = [];
  for (const { check, outcome } of mine) {
    nominal += check.weight;
    const cap = findFiredCap(check, outcome, name);
    if (cap !== undefined) gates.push({ id: check.id, cap });
    if (!isAssessed(outcome)) continue;
    assessed += check.weight;
    earned += check.weight * outcome.value;
  }
  const raw = assessed === 0 ? 0 : roundHalfUp((100 * earned) / assessed);
  const score = Math.min(raw, ...gates.map((gate) => gate.cap));
  const coverage = nominal === 0 ? 0 : roundHalfUp((1000 * assessed) / nominal) / 1000;
  const grade = GRADES.find(([from]) => score >= from)?.[1] ?? 'F';
  return { score, grade, coverage, gates, counts };
}

/** Whether an outcome counts: what does not apply, or could not be looked at, does not. */
export const isAssessed = ({ status }: Pick<CheckOutcome, 'status'>): boolean =>
  status === 'pass' || status === 'partial' || status === 'fail';

/** What the heaviest of a score's own checks says, when none of them is applicable; undefined when the score applies. */
function explainNotApplying(name: ScoreName, mine: readonly CheckResult[]): string | undefined {
  const own = mine.filter(({ check }) => check.weight > 0 && check.id.startsWith(`${name}.`));
  if (own.some(({ outcome }) => outcome.status !== 'not_applicable')) return undefined;
  const [first, ...others] = own;
  return first && others.reduce((best, one) => (one.check.weight > best.check.weight ? one : best), first).outcome.note;
}

/** The cap that a check's gate puts on a score; undefined when it has no gate or the gate did not fire. */
export function findFiredCap(check: AnyCheck, outcome: CheckOutcome, name: ScoreName): number | undefined {
  if (!check.gate) return undefined;
  const when = check.gate.when ?? ((o: CheckOutcome) => o.status === 'fail');
  const cap = check.gate.caps[name];
  if (cap === undefined || !when(outcome)) return undefined;
  return check.gate.inProportion === true ? roundHalfUp(cap + (100 - cap) * outcome.value) : cap;
}

/** Rounds .5 up; the small term absorbs binary fractions such as 0.285 * 100 that fall just below the half. */
export const roundHalfUp = (value: number): number => Math.floor(value + 0.5 + 1e-9);
