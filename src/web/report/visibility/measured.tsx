import { Status } from '../../design/parts.tsx';
import { engineLabels, type FailureReason } from '../../../models/port.ts';
import { type Level, Notes, ReportSection } from '../parts/layout.tsx';
import {
  type ReportedBrand,
  formatQuantity,
  describeDemonstration,
  FAILURES,
  FINISHES,
  type Measurement,
} from '../parts/words.ts';

/** What must be known before any figure is read. */
export const Cautions = ({ engine, degraded, prompts }: Measurement) => {
  const demonstration = describeDemonstration(engine);
  return (
    <>
      {demonstration === undefined ? null : <p class="warning">{demonstration}</p>}
      {degraded ? (
        <p class="warning">
          Degraded: only {prompts.valid} of {prompts.total} prompts were answered, so the intervals are wide.
        </p>
      ) : null}
    </>
  );
};

type Counts = Pick<ReportedBrand, 'failures' | 'truncated'>;

/** How the answers were got, so that anyone can ask the same again and check each text against its hash. */
export const Measured = ({ measurement, counts }: { measurement: Measurement; counts: Counts }) => (
  <ReportSection title="How it was measured">
    <p class="prose">
      Every prompt was put to the engine once, with nothing else: no system text, no history and no brand in it. Names
      are counted in the text of the answers, at most once per answer. A rate is a share of the answers that came; its
      interval says where the rate of this engine lies with 95 % confidence.
    </p>
    <dl class="measure-facts">
      <Engine {...measurement.engine} />
      <Fact term="Market in the prompts" value={<bdi>{measurement.niche}</bdi>} />
      <Fact
        term="Prompts answered"
        value={`${measurement.prompts.valid} of ${measurement.prompts.total}${measurement.degraded ? ' (degraded)' : ''}`}
      />
      <Fact term="Prompts without an answer" value={<Failed {...counts.failures} />} />
      <Fact term="Answers cut off at the length limit" value={`${counts.truncated}`} />
      <Fact term="Prompt set" value={<code>{measurement.prompts.set}</code>} />
      <Fact term="SHA-256 of the prompt set" value={<code>{measurement.prompts.sha256}</code>} />
      <Fact term="SHA-256 of all transcripts" value={<code>{measurement.transcripts_sha256}</code>} />
      <Fact term="Run" value={<code>{measurement.run_id}</code>} />
    </dl>
    <Asked asked={measurement.prompts.asked} />
  </ReportSection>
);

const Fact = ({ term, value }: { term: string; value: unknown }) => (
  <div>
    <dt>{term}</dt>
    <dd>{value}</dd>
  </div>
);

const Engine = ({ kind, model, served_models: served, simulated }: Measurement['engine']) => (
  <>
    <Fact term="Engine" value={`${simulated ? 'No AI model: ' : ''}${engineLabels[kind]}`} />
    <Fact term="Model asked for" value={<code>{model}</code>} />
    <Fact
      term="Models that answered"
      value={
        served.length === 0
          ? 'the engine does not say'
          : served.map((name) => (
              <>
                <code>{name}</code>{' '}
              </>
            ))
      }
    />
  </>
);

const Failed = ({ total, by_reason: reasons }: ReportedBrand['failures']) => {
  const list = Object.entries(reasons) as [FailureReason, number][];
  if (total === 0) return <>none</>;
  return <>{`${total}: ${list.map(([reason, count]) => `${count} because ${FAILURES[reason]}`).join(', ')}`}</>;
};

/** How the brand's name was read: said where it could be mistaken for an ordinary word. */
export const NameReadingSection = ({ report, level }: { report: ReportedBrand; level?: Level | undefined }) => (
  <ReportSection title="How to read these figures" level={level}>
    <Notes notes={report.notes} />
    <p>{describeAmbiguity(report.ambiguity)}</p>
  </ReportSection>
);

/** A name whose capitals have to match is ambiguous, and the notes say so. */
function describeAmbiguity({ level, case_sensitive: exact, rejected }: ReportedBrand['ambiguity']): string {
  const uses = `${formatQuantity(rejected, 'use')} of the same letters ${rejected === 1 ? 'was' : 'were'} not counted.`;
  if (exact) return `Capitals have to match: ${uses}`;
  const risk = level === 'high' ? 'The name is easily mistaken for another.' : 'The name is distinct.';
  return `${risk} Capitals may differ; ${uses}`;
}

const Asked = ({ asked }: { asked: Measurement['prompts']['asked'] }) => (
  <details class="asked">
    <summary>The {asked.length} prompts, and what came of each</summary>
    <ol>
      {asked.map((one) => (
        <li>
          <p>{one.prompt}</p>
          <p class="small">
            <Status status={one.status === 'answered' ? 'pass' : 'unknown'} />{' '}
            {one.status === 'answered' ? <Answered {...one} /> : FAILURES[one.reason]} · <code>{one.id}</code>
          </p>
        </li>
      ))}
    </ol>
  </details>
);

type Answer = Extract<Measurement['prompts']['asked'][number], { status: 'answered' }>;

const Answered = ({ finish_reason: finish, served_model: model, sha256 }: Answer) => (
  <>
    {FINISHES[finish]}, by {model === null ? 'a model that the engine does not name' : <code>{model}</code>}, text has
    SHA-256 <code>{sha256}</code>
  </>
);
