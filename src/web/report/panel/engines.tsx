import { engineWords } from '../../design/engine-words.ts';
import { TableHead } from '../../design/parts.tsx';
import { formatCountry } from '../../language/countries.ts';
import type { PageLanguage } from '../../language/language.ts';
import { RateBar, ReportSection, Scroll } from '../parts/layout.tsx';
import type { ReportedRate } from '../parts/words.ts';
import { BrandFigures } from '../visibility/brand-figures.tsx';
import { visibilityWords } from '../visibility/visibility-words.ts';
import { describeWithoutAnswer } from './outcomes.tsx';
import { enginePanelWords } from './panel-words.ts';
import { type EngineReport, isMeasuredEngine, type PanelReport } from './panel-report.ts';

type PartProps = { result: PanelReport; language: PageLanguage };
type EngineProps = { engine: EngineReport; language: PageLanguage };

/** The figures of each engine, with their intervals, above those of all together. */
export const EngineRates = ({ result: { engines, pooled }, language }: PartProps) => {
  const words = enginePanelWords[language];
  return (
    <ReportSection title={words.engines}>
      <Scroll label={words.engines}>
        <table class="wide">
          <caption>{words.enginesCaption}</caption>
          <TableHead columns={words.columns} />
          <tbody>
            {engines.map((engine) => (
              <EngineRow engine={engine} language={language} />
            ))}
            <tr class="own">
              <th scope="row">{words.pooled}</th>
              <EngineRateCells {...pooled} language={language} />
            </tr>
          </tbody>
        </table>
      </Scroll>
    </ReportSection>
  );
};

const EngineRow = ({ engine, language }: EngineProps) => {
  const words = enginePanelWords[language];
  return (
    <tr>
      <th scope="row">
        <bdi>{engine.name}</bdi>
        {engine.status === 'measured' && engine.degraded ? <span class="small"> ({words.few})</span> : null}
      </th>
      {engine.status === 'measured' ? (
        <EngineRateCells {...engine} language={language} />
      ) : (
        <td colspan={3}>
          <strong>{words.unavailable}</strong>: {words.tooFew(engine.valid)}
        </td>
      )}
    </tr>
  );
};

type RateCells = {
  mention_rate: ReportedRate;
  recommendation_rate: ReportedRate;
  share_of_voice: ReportedRate | null;
  language: PageLanguage;
};

const EngineRateCells = ({
  mention_rate: named,
  recommendation_rate: liked,
  share_of_voice: voice,
  language,
}: RateCells) => (
  <>
    {[named, liked, voice].map((rate) => (
      <td class="drawn">{rate === null ? '–' : <RateBar rate={rate} series={1} language={language} />}</td>
    ))}
  </>
);

/** All that a single measurement of each engine would say, one below the other. */
export const EachEngine = ({ result: { brand, engines }, language }: PartProps) => {
  const words = enginePanelWords[language];
  return (
    <ReportSection title={words.each}>
      <p class="prose">{words.eachLead}</p>
      {engines.filter(isMeasuredEngine).map((engine) => (
        <BrandFigures
          {...{ language, name: brand, report: engine }}
          summary={
            <>
              {words.eachOf} <bdi>{engine.name}</bdi>
            </>
          }
        />
      ))}
    </ReportSection>
  );
};

/** What each engine is, and what came of it. */
export const EngineFacts = ({ result, language }: PartProps) => {
  const words = enginePanelWords[language];
  const [engine, kind, model, served, search, country, answers, without] = words.factColumns;
  return (
    <Scroll label={words.asked}>
      <table class="wide">
        <caption>{words.factsCaption}</caption>
        <TableHead columns={[engine, kind, model, served, search, country, { number: answers }, without]} />
        <tbody>
          {result.engines.map((one) => (
            <EngineFactsRow engine={one} result={result} language={language} />
          ))}
        </tbody>
      </table>
    </Scroll>
  );
};

const EngineFactsRow = ({ engine, result, language }: EngineProps & PartProps) => {
  const words = enginePanelWords[language];
  const { noModel, servedUnknown } = visibilityWords[language];
  return (
    <tr>
      <th scope="row">
        <bdi>{engine.name}</bdi>
      </th>
      <td>
        {engine.simulated ? noModel : ''}
        {engineWords[language][engine.kind]}
      </td>
      <td>
        <code>{engine.model}</code>
      </td>
      <td>
        {engine.served_models.length === 0
          ? servedUnknown
          : engine.served_models.map((name) => (
              <>
                <code>{name}</code>{' '}
              </>
            ))}
      </td>
      <td>{engine.web_search ? words.yes : words.no}</td>
      <td>{engine.country === null ? words.noCountry : formatCountry(engine.country, language)}</td>
      <td class="number">{words.ofEngines(engine.valid, result.prompts.total)}</td>
      <td>{describeWithoutAnswer(result, engine, language) || visibilityWords[language].none}</td>
    </tr>
  );
};

/** For those who check: what was asked, and the hash of everything that came. */
export const PanelProofs = ({ result: { engines, prompts }, language }: PartProps) => {
  const words = enginePanelWords[language];
  return (
    <details class="asked">
      <summary>{words.proofs}</summary>
      <p class="small">
        {words.promptSet} <code>{prompts.set}</code>, SHA-256 <code>{prompts.sha256}</code>
      </p>
      <Scroll label={words.proofs}>
        <table class="wide">
          <caption>{words.proofsCaption}</caption>
          <TableHead columns={words.proofColumns} />
          <tbody>
            {engines.map(({ name, run_id: run, transcripts_sha256: hash }) => (
              <tr>
                <th scope="row">
                  <bdi>{name}</bdi>
                </th>
                <td>
                  <code>{run}</code>
                </td>
                <td>
                  <code>{hash}</code>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </details>
  );
};
