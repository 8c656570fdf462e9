import { type OutcomeStatus, type ScoreName, scoreNames } from '../../audit/core/check.ts';
import type { FirstStep, Preview } from '../../audit/core/preview.ts';
import { THIN_COVERAGE } from '../../audit/core/scores.ts';
import { formatPercent, sum } from '../../lib/numbers.ts';
import { EnglishText, Gauge, type Grade, OutLink } from '../design/parts.tsx';
import type { PageLanguage } from '../language/language.ts';
import { getCheckAnchor } from './check-anchors.ts';
import { type Standing, summaryWords } from './summary-words.ts';

/** A score as far as the summary shows it. */
export type SummaryScore = {
  score: number;
  grade: Grade;
  coverage: number;
  applies?: boolean | undefined;
  reason?: string | undefined;
  interval?: { low: number; high: number; pages: number } | undefined;
  counts: Readonly<Partial<Record<OutcomeStatus, number>>>;
};

/** What a preview and a stored report both have: `summary-data.ts` takes it from either. */
export type AuditSummaryData = {
  scores: Readonly<Partial<Record<ScoreName, SummaryScore>>>;
  steps: readonly FirstStep[];
  counts: Readonly<Record<OutcomeStatus, number>>;
};

export const summarisePreview = ({ scores, first_steps: steps, counts }: Preview): AuditSummaryData => ({
  scores,
  steps,
  counts,
});

type AuditSummaryProps = AuditSummaryData & {
  language: PageLanguage;
  /** Depth of its headings: 2 in a page of its own, 3 within a section. */
  level?: 2 | 3;
  /** Whether the check of this id is in the same page, so that a step can lead to it. */
  hasCheck?: (id: string) => boolean;
};

/**
 * An audit at a glance: each score that applies with one sentence about what it means for this site, the things to do
 * first (what, where, effort, gain), and how the checks came out. Its styles are `styles/summary.css`.
 */
export const AuditSummary = ({ language, level = 2, hasCheck, scores, steps, counts }: AuditSummaryProps) => {
  const words = summaryWords[language];
  const open = counts.fail + counts.partial;
  return (
    <div class="audit-summary">
      <ScoreLines scores={scores} language={language} />
      {steps.length === 0 ? (
        <p class="lead">{open === 0 ? words.nothingOpen : words.nothingFirst}</p>
      ) : (
        <>
          <Heading level={level} text={words.first(steps.length)} />
          <ol class="first-steps">
            {steps.map((step) => (
              <Step
                step={step}
                language={language}
                isLinked={hasCheck?.(step.check_id) ?? false}
                isScored={Object.values(scores).some(isShown)}
              />
            ))}
          </ol>
        </>
      )}
      <p class="small">{describeCounts(counts, language)}</p>
    </div>
  );
};

type ScoreLinesProps = Pick<AuditSummaryProps, 'scores' | 'language'>;

/** Each score that applies, with what it means and how sure it is; those that do not apply are named, with the reason. */
export const ScoreLines = ({ scores, language }: ScoreLinesProps) => {
  const words = summaryWords[language];
  const named = scoreNames.flatMap((name) => {
    const score = scores[name];
    return score === undefined ? [] : [{ name, score }];
  });
  const shown = named.filter(({ score }) => isShown(score));
  return (
    <>
      {shown.length === 0 ? null : (
        <ul class="score-lines" aria-label={words.scores}>
          {shown.map(({ name, score }) => (
            <ScoreLine name={name} score={score} language={language} />
          ))}
        </ul>
      )}
      {named.map(({ name, score }) => (
        <LeftOut name={words.scoreNames[name]} score={score} language={language} />
      ))}
    </>
  );
};

const Heading = ({ level, text }: { level: 2 | 3; text: string }) => (level === 2 ? <h2>{text}</h2> : <h3>{text}</h3>);

const isShown = ({ applies, coverage }: SummaryScore): boolean => applies !== false && coverage > 0;

type ScoreLineProps = { name: ScoreName; score: SummaryScore; language: PageLanguage };

const ScoreLine = ({ name, score, language }: ScoreLineProps) => {
  const words = summaryWords[language];
  return (
    <li class="score-line">
      <Gauge title={words.scoreNames[name]} score={score.score} grade={score.grade} language={language} />
      <div>
        <p>
          <strong>{words.scoreNames[name]}</strong>
        </p>
        <p>{describeScoreMeaning(name, score, language)}</p>
        {score.coverage >= THIN_COVERAGE ? null : <p class="small">{words.thin(formatPercent(score.coverage))}</p>}
        {score.interval === undefined || score.interval.low === score.interval.high ? null : (
          <p class="small">{words.range(score.interval.low, score.interval.high, score.interval.pages)}</p>
        )}
      </div>
    </li>
  );
};

/** One sentence in plain words: what the number means for this site, and how many problems there are. */
function describeScoreMeaning(name: ScoreName, { grade, counts }: SummaryScore, language: PageLanguage): string {
  const words = summaryWords[language];
  return `${words.meaning[name][STANDINGS[grade]]}${words.problems((counts.fail ?? 0) + (counts.partial ?? 0))}`;
}

const STANDINGS: Readonly<Record<Grade, Standing>> = { A: 'good', B: 'good', C: 'fair', D: 'fair', F: 'poor' };

const LeftOut = ({ name, score, language }: { name: string; score: SummaryScore; language: PageLanguage }) => {
  if (isShown(score)) return null;
  const words = summaryWords[language];
  return (
    <p class="small">
      {score.applies === false ? words.notApplying(name) : words.notAssessed(name)}
      {score.applies === false && score.reason !== undefined ? (
        <>
          {' '}
          <EnglishText text={score.reason} language={language} />
        </>
      ) : null}
    </p>
  );
};

/** `isScored`: the audit has a score, which a fix can raise. */
type StepProps = { step: FirstStep; language: PageLanguage; isLinked: boolean; isScored: boolean };

const Step = ({ step, language, isLinked, isScored }: StepProps) => {
  const words = summaryWords[language];
  const anchor = isLinked ? getCheckAnchor(step.check_id) : undefined;
  return (
    <li>
      <p class="step-title">
        {anchor === undefined ? <strong>{step.title}</strong> : <a href={`#${anchor}`}>{step.title}</a>}
      </p>
      <dl class="step-facts">
        <div>
          <dt>{words.where}</dt>
          <dd>
            <Where step={step} language={language} />
          </dd>
        </div>
        <div>
          <dt>{words.effort}</dt>
          <dd>{words.efforts[step.effort]}</dd>
        </div>
        {isScored ? (
          <div>
            <dt>{words.gain}</dt>
            <dd>
              <strong class="gains">{describeGains(step.gains, language)}</strong>
            </dd>
          </div>
        ) : null}
      </dl>
    </li>
  );
};

const Where = ({ step: { where, pages }, language }: { step: FirstStep; language: PageLanguage }) => {
  const words = summaryWords[language];
  const place = pages?.worst ?? where;
  if (place === undefined) return <>{words.wholeSite}</>;
  return (
    <>
      {pages === undefined ? null : `${words.pages(pages.judged - pages.passed, pages.judged)} `}
      <OutLink href={place} />
    </>
  );
};

function describeGains(gains: FirstStep['gains'], language: PageLanguage): string {
  const words = summaryWords[language];
  const parts = scoreNames.flatMap((name) => {
    const points = gains[name];
    return points === undefined ? [] : [words.gains(points, words.pointsOf[name])];
  });
  return parts.length === 0 ? words.noPoints : parts.join(', ');
}

const COUNT_ORDER = [
  'fail',
  'partial',
  'unknown',
  'pass',
  'not_applicable',
] as const satisfies readonly OutcomeStatus[];

/** One line of counts; what there is none of is left out. */
function describeCounts(counts: AuditSummaryData['counts'], language: PageLanguage): string {
  const words = summaryWords[language];
  const parts = COUNT_ORDER.filter((status) => counts[status] > 0).map((status) =>
    words.counts[status](counts[status]),
  );
  return `${words.checks(sum(Object.values(counts)))}: ${parts.join(', ')}.`;
}
