import { type ScoreName, scoreNames } from '../../../audit/core/check.ts';
import { Gauge } from '../../design/gauge.tsx';
import { percent } from '../../design/parts.tsx';
import { Section } from '../parts/layout.tsx';
import type { Score } from '../parts/shapes.ts';
import { Formula } from './formula.tsx';
import { SCORE_NAMES } from './words.ts';

/** Below this a score rests on so little that it must be said beside it. */
const THIN_COVERAGE = 0.5;

export type Scores = Readonly<Partial<Record<ScoreName, Score>>>;

/** The scores as gauges, and how each came to be. */
export const ScoresPart = ({ scores }: { scores: Scores }) => {
  const named = scoreNames.flatMap((name) => {
    const score = scores[name];
    return score === undefined ? [] : [{ name, score }];
  });
  return (
    <Section title={named.length === 1 ? 'Score' : 'Scores'}>
      <ul class="gauges">
        {named.map(({ name, score }) => (
          <li>
            <Gauge title={SCORE_NAMES[name]} score={score.score} grade={score.grade} />
            {score.coverage >= THIN_COVERAGE ? null : (
              <p class="small">Rests on {percent(score.coverage)} of its rubric only</p>
            )}
          </li>
        ))}
      </ul>
      {named.map(({ name, score }) => (
        <Formula name={name} score={score} />
      ))}
    </Section>
  );
};
