import type { Child } from 'hono/jsx';
import { type ScoreName, scoreNames } from '../../../audit/core/check.ts';
import { roundHalfUp } from '../../../audit/core/scores.ts';
import { formatPercent, sum } from '../../../lib/numbers.ts';
import { getCheckAnchor } from '../../audit/check-anchors.ts';
import type { ReportedScores } from '../../audit/summary-data.ts';
import { summaryWords } from '../../audit/summary-words.ts';
import { formatDecimal } from '../../language/amounts.ts';
import type { PageLanguage } from '../../language/language.ts';
import type { Check, Score } from '../parts/words.ts';
import { formulaWords } from './formula-words.ts';

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

type FormulaProps = { name: ScoreName; score: Score; language: PageLanguage };

/** How a score came to be, opened by hand: the formula with the numbers of this report. */
const Formula = ({ name, score, language }: FormulaProps) => {
  const words = formulaWords[language];
  const sums = sumScore(score);
  return (
    <details class="formula">
      <summary>{words.title(summaryWords[language].scoreNames[name], score.score)}</summary>
      <div class="inside">
        <Calculation score={score} sums={sums} language={language} />
        <p>
          <strong>{words.coverage(formatPercent(score.coverage))}</strong>{' '}
          {words.coverageMeans(formatDecimal(sums.assessed, language), formatDecimal(sums.nominal, language))}
        </p>
      </div>
    </details>
  );
};

type CalculationProps = { score: Score; sums: Sums; language: PageLanguage };

const Calculation = ({ score, sums, language }: CalculationProps) => {
  const words = formulaWords[language];
  const { earned, assessed, exact, rounded, cap } = sums;
  return (
    <ol class="steps">
      <li>
        <Term>{words.formula}</Term>
      </li>
      <li>
        <Term>
          100 × {formatDecimal(earned, language)} ÷ {formatDecimal(assessed, language)} ={' '}
          {formatDecimal(exact, language)}
        </Term>
      </li>
      <li>
        {words.rounded} <strong>{rounded}</strong>
      </li>
      {cap === undefined ? (
        <li>{score.gates.length === 0 ? words.noCap : words.capNotLower}</li>
      ) : (
        <li>
          {words.capped} <strong>{cap.cap}</strong> {words.by} <CheckLink id={cap.id} checks={score.checks} />
        </li>
      )}
      {score.gates.length < 2 ? null : (
        <li>
          {words.allCaps}
          <ul>
            {score.gates.map(({ id, cap: at }) => (
              <li>
                {at} {words.by} <CheckLink id={id} checks={score.checks} />
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

/** How each score came to be; one that does not apply, or rests on nothing, has no formula. */
export const Formulas = ({ scores, language }: { scores: ReportedScores; language: PageLanguage }) => (
  <>
    {scoreNames.map((name) => {
      const score = scores[name];
      const isNumber = score !== undefined && score.applies !== false && score.coverage > 0;
      return isNumber ? <Formula name={name} score={score} language={language} /> : null;
    })}
  </>
);
