import { type OutcomeStatus, type ScoreName, scoreNames } from '../../../src/audit/core/check.ts';
import type { TruthRow } from './truth-site.ts';

const statuses = ['pass', 'partial', 'fail', 'not_applicable', 'unknown'] as const satisfies readonly OutcomeStatus[];

/** A planted fact beside what a tool said of it; `missing` when the tool has no verdict for the check. */
export type Judgement = { row: Pick<TruthRow, 'id' | 'status'>; got: OutcomeStatus | 'missing' };

/**
 * How verdicts compare with planted facts. `confusion[expected][got]` counts them. A planted defect is an expected `fail`
 * or `partial`: `precision` is the share of reported defects that were planted, `recall` the share of planted ones that
 * were reported; null where there is nothing to divide by. `exact` is the share of rows with the very status.
 */
export type Matrix = {
  rows: number;
  confusion: Readonly<Record<OutcomeStatus, Readonly<Record<OutcomeStatus | 'missing', number>>>>;
  exact: number | null;
  precision: number | null;
  recall: number | null;
};

const isDefect = (status: OutcomeStatus | 'missing'): boolean => status === 'fail' || status === 'partial';

/** Compares rows with verdicts. Pure; shares are from 0 to 1, not rounded. */
export function matrixOf(judgements: readonly Judgement[]): Matrix {
  const count = (test: (judgement: Judgement) => boolean): number => judgements.filter(test).length;
  const planted = count(({ row }) => isDefect(row.status));
  const reported = count(({ got }) => isDefect(got));
  const found = count(({ row, got }) => isDefect(row.status) && isDefect(got));
  return {
    rows: judgements.length,
    confusion: confusionOf(judgements),
    exact: share(
      count(({ row, got }) => row.status === got),
      judgements.length,
    ),
    precision: share(found, reported),
    recall: share(found, planted),
  };
}

/** The same for the rows of each score, by the first part of their ids. */
export function matrixByScore(judgements: readonly Judgement[]): Readonly<Record<ScoreName, Matrix>> {
  const of = (name: ScoreName): Matrix => matrixOf(judgements.filter(({ row }) => row.id.startsWith(`${name}.`)));
  const entries = scoreNames.map((name) => [name, of(name)] as const);
  return Object.fromEntries(entries) as Record<ScoreName, Matrix>; // Holds because every name was put there.
}

function confusionOf(judgements: readonly Judgement[]): Matrix['confusion'] {
  const rowOf = (expected: OutcomeStatus): Record<OutcomeStatus | 'missing', number> => {
    const counts = { pass: 0, partial: 0, fail: 0, not_applicable: 0, unknown: 0, missing: 0 };
    for (const { row, got } of judgements) if (row.status === expected) counts[got] += 1;
    return counts;
  };
  const entries = statuses.map((status) => [status, rowOf(status)] as const);
  return Object.fromEntries(entries) as Record<OutcomeStatus, Record<OutcomeStatus | 'missing', number>>; // As above.
}

const share = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole);
