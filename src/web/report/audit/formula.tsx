import type { Child } from 'hono/jsx';
import type { ScoreName } from '../../../audit/core/check.ts';
import { percent } from '../../design/parts.tsx';
import { Status } from '../../design/status.tsx';
import type { Check, Score } from '../parts/shapes.ts';
import { type Sums, sumsOf } from './sums.ts';
import { anchorOf, decimal, SCORE_NAMES, STATUS_ORDER } from './words.ts';

/** How a score came to be, opened by hand: the formula with the numbers of this report. */
export const Formula = ({ name, score }: { name: ScoreName; score: Score }) => {
  const sums = sumsOf(score);
  return (
    <details class="formula">
      <summary>
        {SCORE_NAMES[name]}: how {score.score} came to be
      </summary>
      <div class="inside">
        <Calculation score={score} sums={sums} />
        <p>
          <strong>Coverage {percent(score.coverage)}:</strong> checks with a weight of {decimal(sums.assessed)} out of{' '}
          {decimal(sums.nominal)} could be assessed. What does not apply and what could not be looked at counts neither
          for nor against the site.
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
  if (sums.assessed === 0) return <p>Nothing of this score could be assessed, so it is 0 with a coverage of 0 %.</p>;
  const { earned, assessed, exact, rounded, cap } = sums;
  return (
    <ol class="steps">
      <li>
        <Term>100 × sum(weight × value) ÷ sum(weight)</Term>
      </li>
      <li>
        <Term>
          100 × {decimal(earned)} ÷ {decimal(assessed)} = {decimal(exact)}
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
export const CheckLink = ({ id, checks }: { id: string; checks: readonly Pick<Check, 'id' | 'title'>[] }) => {
  const title = checks.find((check) => check.id === id)?.title ?? id;
  const anchor = anchorOf(id);
  return anchor === undefined ? <span>{title}</span> : <a href={`#${anchor}`}>{title}</a>;
};
