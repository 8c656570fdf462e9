import { TableHead } from '../../design/parts.tsx';
import { formatCountry } from '../../language/countries.ts';
import type { PageLanguage } from '../../language/language.ts';
import { RateBar, ReportSection, Scroll } from '../parts/layout.tsx';
import type { ReportedRate } from '../parts/words.ts';
import { enginePanelWords } from './panel-words.ts';
import type { PanelReport } from './panel-report.ts';

type PartProps = { result: PanelReport; language: PageLanguage };
type EngineReport = PanelReport['engines'][number];
type EngineProps = { engine: EngineReport; language: PageLanguage };

/** The figures of each engine, with their intervals, above those of all together. */
export const EngineRates = ({ result: { engines, pooled }, language }: PartProps) => {
  const words = enginePanelWords[language];
  return (
    <ReportSection title={words.engines}>
      <Scroll label={words.engines}>
        <table class="wide">
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

/** What each engine is, and what came of it. */
export const EngineFacts = ({ result: { engines, prompts }, language }: PartProps) => {
  const words = enginePanelWords[language];
  const [engine, model, served, search, country, answers] = words.factColumns;
  return (
    <Scroll label={words.asked}>
      <table class="wide">
        <TableHead columns={[engine, model, served, search, country, { number: answers }]} />
        <tbody>
          {engines.map((one) => (
            <tr>
              <th scope="row">
                <bdi>{one.name}</bdi>
              </th>
              <td>
                <code>{one.model}</code>
              </td>
              <td>
                {one.served_models.map((name) => (
                  <>
                    <code>{name}</code>{' '}
                  </>
                ))}
              </td>
              <td>{one.web_search ? words.yes : words.no}</td>
              <td>{one.country === null ? words.noCountry : formatCountry(one.country, language)}</td>
              <td class="number">
                {words.ofEngines(one.valid, prompts.total)}
                {countEngineRefusals(one) === 0 ? '' : `, ${words.refused(countEngineRefusals(one))}`}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
};

/** Texts of a measured engine that are no answer. */
export const countEngineRefusals = (engine: EngineReport): number =>
  engine.status === 'measured' ? (engine.refused?.total ?? 0) : 0;

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
