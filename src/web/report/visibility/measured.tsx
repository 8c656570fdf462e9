import { engineWords } from '../../design/engine-words.ts';
import type { PageLanguage } from '../../language/language.ts';
import type { FailureReason } from '../../../models/port.ts';
import type { RefusalKind } from '../../../visibility/refusals/refusal-kinds.ts';
import { type Level, Notes, ReportSection } from '../parts/layout.tsx';
import { failureWords } from '../parts/failure-words.ts';
import { type ReportedBrand, describeDemonstration, type Measurement } from '../parts/words.ts';
import { visibilityWords } from './visibility-words.ts';

/** What must be known before any figure is read. */
export const Cautions = ({ language, measurement }: { language: PageLanguage; measurement: Measurement }) => {
  const { engine, degraded, prompts } = measurement;
  const words = visibilityWords[language];
  const kind = engine.kind === 'recorded' ? 'recorded' : 'simulated';
  return (
    <>
      {describeDemonstration(engine) === undefined ? null : <p class="warning">{words.demonstration[kind]}</p>}
      {degraded ? <p class="warning">{words.degraded(prompts.valid, prompts.total)}</p> : null}
    </>
  );
};

type Counts = Pick<ReportedBrand, 'failures' | 'refused' | 'truncated'>;
type MeasuredProps = { language: PageLanguage; measurement: Measurement; counts: Counts };

/** How the answers were got, so that anyone can ask the same again and check each text against its hash. */
export const Measured = ({ language, measurement, counts }: MeasuredProps) => {
  const words = visibilityWords[language];
  const { prompts, degraded } = measurement;
  return (
    <ReportSection title={words.howMeasured}>
      <p class="prose">{words.method}</p>
      <dl class="measure-facts">
        <Engine language={language} engine={measurement.engine} />
        <Fact term={words.facts.niche} value={<bdi>{measurement.niche}</bdi>} />
        <Fact term={words.facts.answered} value={words.answeredOf(prompts.valid, prompts.total, degraded)} />
        <Fact term={words.facts.unanswered} value={<Failed language={language} failures={counts.failures} />} />
        {counts.refused === undefined ? null : (
          <Fact term={words.facts.refused} value={<Refused language={language} refused={counts.refused} />} />
        )}
        <Fact term={words.facts.truncated} value={`${counts.truncated}`} />
      </dl>
      <details class="asked">
        <summary>{words.proofs}</summary>
        <dl class="measure-facts">
          <Fact term={words.facts.set} value={<code>{prompts.set}</code>} />
          <Fact term={words.facts.setHash} value={<code>{prompts.sha256}</code>} />
          <Fact term={words.facts.transcriptsHash} value={<code>{measurement.transcripts_sha256}</code>} />
          <Fact term={words.facts.run} value={<code>{measurement.run_id}</code>} />
        </dl>
      </details>
    </ReportSection>
  );
};

const Fact = ({ term, value }: { term: string; value: unknown }) => (
  <div>
    <dt>{term}</dt>
    <dd>{value}</dd>
  </div>
);

const Engine = ({ language, engine }: { language: PageLanguage; engine: Measurement['engine'] }) => {
  const { kind, model, served_models: served, simulated } = engine;
  const words = visibilityWords[language];
  return (
    <>
      <Fact term={words.facts.engine} value={`${simulated ? words.noModel : ''}${engineWords[language][kind]}`} />
      <Fact term={words.facts.model} value={<code>{model}</code>} />
      <Fact
        term={words.facts.served}
        value={
          served.length === 0
            ? words.servedUnknown
            : served.map((name) => (
                <>
                  <code>{name}</code>{' '}
                </>
              ))
        }
      />
    </>
  );
};

const Failed = ({ language, failures }: { language: PageLanguage; failures: ReportedBrand['failures'] }) => {
  const { total, by_reason: reasons } = failures;
  const words = visibilityWords[language];
  const list = Object.entries(reasons) as [FailureReason, number][];
  if (total === 0) return <>{words.none}</>;
  const said = list.map(([reason, count]) => `${count} ${words.because} ${failureWords[language].failures[reason]}`);
  return <>{`${total}: ${said.join(', ')}`}</>;
};

type RefusedProps = { language: PageLanguage; refused: NonNullable<ReportedBrand['refused']> };

const Refused = ({ language, refused }: RefusedProps) => {
  const kinds = Object.entries(refused.by_kind) as [RefusalKind, number][];
  const said = kinds.map(([kind, count]) => `${count} × ${failureWords[language].refusals[kind]}`);
  return <>{visibilityWords[language].refusedOf(refused.total, said)}</>;
};

type ReadingProps = { language: PageLanguage; report: ReportedBrand; level?: Level | undefined };

/** How the brand's name was read: said where it could be mistaken for an ordinary word. */
export const NameReadingSection = ({ language, report, level }: ReadingProps) => {
  const { level: risk, case_sensitive: exact, rejected } = report.ambiguity;
  const words = visibilityWords[language];
  return (
    <ReportSection title={words.howToRead} level={level}>
      <Notes notes={report.notes} language={language} />
      <p>{words.ambiguity(risk, exact, rejected)}</p>
    </ReportSection>
  );
};
