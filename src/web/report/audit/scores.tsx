import type { Child } from 'hono/jsx';
import { type ScoreName, scoreNames } from '../../../audit/core/check.ts';
import { roundHalfUp, THIN_COVERAGE } from '../../../audit/core/scores.ts';
import { formatPercent, sum } from '../../../lib/numbers.ts';
import { Gauge, ScoreLeftOut, Status } from '../../design/parts.tsx';
import { ReportSection } from '../parts/layout.tsx';
import type { Check, Score } from '../parts/words.ts';
import { formatDecimal, SCORE_NAMES, STATUS_ORDER } from './words.ts';
import { getCheckAnchor } from '../../audit/check-anchors.ts';

type Sums = {
  /** Sum of weight times value over what was assessed. */
  earned: number;
  /** Sum of weights over what was assessed: passed, partly passed and failed. */
  assessed: number;
  /** Sum of all weights. */
  nominal: number;
  /** 100 times earned by assessed, before rounding; 0 where nothing was assessed. */
  exact: number;
  /** `exact` rounded, before any cap. */
  rounded: number;
  /** The lowest cap, where one is in force. */
  cap?: { id: string; cap: number };
};

/** The sums that a score came from, made again from its checks: a reader can follow each number. */
export function sumScore({ checks, gates }: Pick<Score, 'checks' | 'gates'>): Sums {
  const counted = checks.filter(({ status }) => status === 'pass' || status === 'partial' || status === 'fail');
  const earned = sum(counted.map(({ weight, value }) => weight * value));
  const assessed = sum(counted.map(({ weight }) => weight));
  const exact = assessed === 0 ? 0 : (100 * earned) / assessed;
  const rounded = roundHalfUp(exact);
  const [lowest] = gates.toSorted((a, b) => a.cap - b.cap);
  return {
    earned,
    assessed,
    nominal: sum(checks.map(({ weight }) => weight)),
    exact,
    rounded,
    ...(lowest !== undefined && lowest.cap < rounded ? { cap: lowest } : {}),
  };
}

/** How a score came to be, opened by hand: the formula with the numbers of this report. */
const Formula = ({ name, score }: { name: ScoreName; score: Score }) => {
  const sums = sumScore(score);
  return (
    <details class="formula">
      <summary>
        {SCORE_NAMES[name]}: how {score.score} came to be
      </summary>
      <div class="inside">
        <Calculation score={score} sums={sums} />
        <p>
          <strong>Coverage {formatPercent(score.coverage)}:</strong> checks with a weight of{' '}
          {formatDecimal(sums.assessed)} out of {formatDecimal(sums.nominal)} could be assessed. What does not apply and
          what could not be checked counts neither for nor against the site.
        </p>
        <ul class="counts">
          {STATUS_ORDER.map((status) => (
            <li>
              <Status status={status} /> {score.counts[status] ?? 0}
            </li>
          ))}
        </ul>
        <p class="small">
          Weights say how much a check counts; values run from 0 (failed) to 1 (passed). Grades: A from 90, B from 75, C
          from 60, D from 40, F below.
        </p>
      </div>
    </details>
  );
};

const Calculation = ({ score, sums }: { score: Score; sums: Sums }) => {
  const { earned, assessed, exact, rounded, cap } = sums;
  return (
    <ol class="steps">
      <li>
        <Term>100 × sum(weight × value) ÷ sum(weight)</Term>
      </li>
      <li>
        <Term>
          100 × {formatDecimal(earned)} ÷ {formatDecimal(assessed)} = {formatDecimal(exact)}
        </Term>
      </li>
      <li>
        rounded: <strong>{rounded}</strong>
      </li>
      {cap === undefined ? (
        <li>{score.gates.length === 0 ? 'No cap is in force.' : 'A cap is in force, but it is not lower.'}</li>
      ) : (
        <li>
          capped at <strong>{cap.cap}</strong> by <CheckLink id={cap.id} checks={score.checks} />
        </li>
      )}
      {score.gates.length < 2 ? null : (
        <li>
          All caps in force:
          <ul>
            {score.gates.map(({ id, cap: at }) => (
              <li>
                {at} by <CheckLink id={id} checks={score.checks} />
              </li>
            ))}
          </ul>
        </li>
      )}
    </ol>
  );
};

const Term = ({ children }: { children?: Child }) => <code class="term">{children}</code>;

/** The check of an id, by its title. */
const CheckLink = ({ id, checks }: { id: string; checks: readonly Pick<Check, 'id' | 'title'>[] }) => {
  const title = checks.find((check) => check.id === id)?.title ?? id;
  const anchor = getCheckAnchor(id);
  return anchor === undefined ? <span>{title}</span> : <a href={`#${anchor}`}>{title}</a>;
};

const Sureness = ({ low, high, pages, patterns }: NonNullable<Score['interval']>) => (
  <p class="small">
    {low} to {high} if other pages had been read (95 %; {pages} pages of {patterns} kinds of address)
  </p>
);

export type Scores = Readonly<Partial<Record<ScoreName, Score>>>;

/** The scores as gauges, and how each came to be. */
export const ScoresPart = ({ scores }: { scores: Scores }) => {
  const named = scoreNames.flatMap((name) => {
    const score = scores[name];
    return score === undefined ? [] : [{ name, score }];
  });
  const shown = named.filter(({ score }) => score.applies !== false && score.coverage > 0);
  return (
    <ReportSection title={named.length === 1 ? 'Score' : 'Scores'}>
      <ul class="gauges">
        {shown.map(({ name, score }) => (
          <li>
            <Gauge title={SCORE_NAMES[name]} score={score.score} grade={score.grade} />
            {score.coverage >= THIN_COVERAGE ? null : (
              <p class="small">Only {formatPercent(score.coverage)} of the checks, by weight, could be assessed</p>
            )}
            {score.interval === undefined ? null : <Sureness {...score.interval} />}
          </li>
        ))}
      </ul>
      {named.map(({ name, score }) => (
        <ScoreLeftOut title={SCORE_NAMES[name]} score={score} />
      ))}
      {shown.map(({ name, score }) => (
        <Formula name={name} score={score} />
      ))}
    </ReportSection>
  );
};
