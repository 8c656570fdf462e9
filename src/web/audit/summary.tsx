import { type OutcomeStatus, type ScoreName, scoreNames } from '../../audit/core/check.ts';
import type { AssistantAccess } from '../../audit/crawlers/checks/assistants.ts';
import type { FirstStep, Preview } from '../../audit/core/preview.ts';
import { THIN_COVERAGE } from '../../audit/core/scores.ts';
import { formatPercent, sum } from '../../lib/numbers.ts';
import { EnglishText, Gauge, type Grade, OutLink } from '../design/parts.tsx';
import type { PageLanguage } from '../language/language.ts';
import { assistantsWords } from './assistants-words.ts';
import { AccessAnswer } from './assistants.tsx';
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
  /** Who can read the start page, where the audit judges that. */
  access?: AssistantAccess | undefined;
};

export const summarisePreview = ({ scores, first_steps: steps, counts, access }: Preview): AuditSummaryData => ({
  scores,
  steps,
  counts,
  ...(access === undefined ? {} : { access }),
});

type AuditSummaryProps = AuditSummaryData & {
  language: PageLanguage;
  /** Depth of its headings: 2 in a page of its own, 3 within a section. */
  level?: 2 | 3;
  /** Whether all checks are in the same page, so that a step can lead to its own. */
  hasChecks?: boolean;
};

/**
 * An audit at a glance: whether assistants can read the site, each score that applies with what it is about, the things
 * to do first (what, how, where, effort, gain), what the scores mean for this site, and how the checks came out. Its styles are `styles/summary.css`.
 */
export const AuditSummary = (props: AuditSummaryProps) => {
  const { language, level = 2, hasChecks = false, scores, steps, counts, access } = props;
  const words = summaryWords[language];
  const open = counts.fail + counts.partial;
  const isScored = Object.values(scores).some(isShown);
  return (
    <div class="audit-summary">
      {access === undefined ? null : <AccessAnswer access={access} language={language} />}
      <ScoreLines scores={scores} language={language} />
      {steps.length === 0 ? (
        <p class="lead">{open === 0 ? words.nothingOpen : words.nothingFirst}</p>
      ) : (
        <>
          <Heading level={level} text={words.first(steps.length)} />
          {isScored && steps.length > 1 ? <p class="small">{words.order}</p> : null}
          <ol class="first-steps">
            {steps.map((step) => (
              <Step step={step} language={language} isLinked={hasChecks} isScored={isScored} />
            ))}
          </ol>
        </>
      )}
      <ScoreMeanings scores={scores} language={language} />
      <p class="small">
        {describeCounts(counts, language)} {access === undefined ? '' : assistantsWords[language].basis}
      </p>
    </div>
  );
};

type ScoreLinesProps = Pick<AuditSummaryProps, 'scores' | 'language'>;

const listNamed = (scores: AuditSummaryData['scores']): readonly Pick<ScoreLineProps, 'name' | 'score'>[] =>
  scoreNames.flatMap((name) => {
    const score = scores[name];
    return score === undefined ? [] : [{ name, score }];
  });

/** Each score that applies, with what it is about. */
export const ScoreLines = ({ scores, language }: ScoreLinesProps) => {
  const shown = listNamed(scores).filter(({ score }) => isShown(score));
  return shown.length === 0 ? null : (
    <ul class="score-lines" aria-label={summaryWords[language].scores}>
      {shown.map(({ name, score }) => (
        <ScoreLine name={name} score={score} language={language} />
      ))}
    </ul>
  );
};

/** What each score means for this site and how sure it is; those that do not apply are named, with the reason. */
export const ScoreMeanings = ({ scores, language }: ScoreLinesProps) => {
  const named = listNamed(scores);
  return named.length === 0 ? null : (
    <ul class="score-meanings" aria-label={summaryWords[language].meanings}>
      {named.map(({ name, score }) => (
        <Meaning name={name} score={score} language={language} />
      ))}
    </ul>
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
        <p class="small">{words.about[name]}</p>
      </div>
    </li>
  );
};

/** What a score says of this site and how sure it is, or why there is none. */
const Meaning = ({ name, score, language }: ScoreLineProps) => {
  const words = summaryWords[language];
  const { coverage, interval } = score;
  if (!isShown(score)) return <LeftOut name={words.scoreNames[name]} score={score} language={language} />;
  return (
    <li>
      <strong>{words.scoreNames[name]}:</strong> {describeScoreMeaning(name, score, language)}{' '}
      {coverage >= THIN_COVERAGE ? '' : words.thin(formatPercent(coverage))}{' '}
      {interval === undefined || interval.low === interval.high
        ? ''
        : words.range(interval.low, interval.high, interval.pages)}
    </li>
  );
};

/** One sentence in plain words: what the number means for this site, and how many problems there are. */
export function describeScoreMeaning(
  name: ScoreName,
  { score, grade, counts }: SummaryScore,
  language: PageLanguage,
): string {
  const words = summaryWords[language];
  const standing = score >= NEARLY_ALL ? 'best' : STANDINGS[grade];
  return `${words.meaning[name][standing]}${words.problems((counts.fail ?? 0) + (counts.partial ?? 0), standing)}`;
}

/** Points from which nothing that matters is missing. */
const NEARLY_ALL = 95;

const STANDINGS: Readonly<Record<Grade, Standing>> = { A: 'good', B: 'good', C: 'fair', D: 'fair', F: 'poor' };

const LeftOut = ({ name, score, language }: { name: string; score: SummaryScore; language: PageLanguage }) => {
  const words = summaryWords[language];
  return (
    <li>
      {score.applies === false ? words.notApplying(name) : words.notAssessed(name)}
      {score.applies === false && score.reason !== undefined ? (
        <>
          {' '}
          <EnglishText text={score.reason} language={language} />
        </>
      ) : null}
    </li>
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
      {step.how === undefined ? null : (
        <p class="step-how" lang={step.how_lang}>
          {step.how}
        </p>
      )}
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
