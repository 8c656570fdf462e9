import { MAX_PANEL_RIVALS } from '../../../visibility/panel/pooled-rivals.ts';
import { TableHead } from '../../design/parts.tsx';
import type { PageLanguage } from '../../language/language.ts';
import { RateBar, ReportSection, Scroll } from '../parts/layout.tsx';
import { formatProbability } from '../parts/words.ts';
import { enginePanelWords } from './panel-words.ts';
import { computePoints, countOwnAnswers, type PanelReport, rankPooled, summarisePanel } from './panel-report.ts';

type PartProps = { result: PanelReport; language: PageLanguage };

/** The brands that the buyer named, each with its verdict; nothing where none was named. */
export const PanelCompetitors = ({ result: { pooled }, language }: PartProps) => {
  const words = enginePanelWords[language];
  if (pooled.competitors.length === 0) return null;
  const [name, named, recommended, difference, verdict] = words.competitorColumns;
  return (
    <ReportSection title={words.competitors}>
      <Scroll label={words.competitors}>
        <table class="wide">
          <caption>{words.competitorsCaption}</caption>
          <TableHead columns={[name, named, recommended, { number: difference }, verdict]} />
          <tbody>
            {pooled.competitors.map((one) => (
              <tr>
                <th scope="row">
                  <bdi>{one.name}</bdi>
                </th>
                <td class="drawn">
                  <RateBar rate={one.mention_rate} series={2} language={language} />
                </td>
                <td class="drawn">
                  <RateBar rate={one.recommendation_rate} series={2} language={language} />
                </td>
                <td class="number">{words.points(computePoints(one.difference))}</td>
                <td>
                  {words.verdicts[one.verdict]}{' '}
                  <span class="small">(p = {formatProbability(one.adjusted_p_value, language)})</span>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </ReportSection>
  );
};

/** Everyone that the answers name over all engines, with the brand as the row to compare with. */
export const PooledRivals = ({ result, language }: PartProps) => {
  const words = enginePanelWords[language];
  const [name, named, engines, answers, recommended] = words.rivalColumns;
  const { pooled } = result;
  return (
    <ReportSection title={words.rivals}>
      {pooled.rivals.length === 0 ? <p>{words.noRivals}</p> : null}
      <Scroll label={words.rivals}>
        <table class="wide">
          <caption>{words.rivalsCaption}</caption>
          <TableHead columns={[name, named, { number: engines }, { number: answers }, { number: recommended }]} />
          <tbody>
            {rankPooled(result).map((rival) =>
              rival === 'own' ? (
                <OwnRow result={result} language={language} />
              ) : (
                <tr>
                  <th scope="row">
                    <bdi>{rival.name}</bdi>
                  </th>
                  <td class="drawn">
                    <RateBar rate={rival.mention_rate} series={2} language={language} />
                  </td>
                  <td class="number">{words.ofEngines(rival.engines, pooled.engines)}</td>
                  <td class="number">{rival.mentioned}</td>
                  <td class="number">{rival.recommended}</td>
                </tr>
              ),
            )}
          </tbody>
        </table>
      </Scroll>
      {pooled.rivals.length < MAX_PANEL_RIVALS ? null : <p class="small">{words.rivalsCut(pooled.rivals.length)}</p>}
    </ReportSection>
  );
};

const OwnRow = ({ result, language }: PartProps) => {
  const words = enginePanelWords[language];
  const { namedBy, engines } = summarisePanel(result);
  const { mentioned, recommended } = countOwnAnswers(result);
  return (
    <tr class="own">
      <th scope="row">
        <bdi>{result.brand}</bdi> <span class="small">{words.thisBrand}</span>
      </th>
      <td class="drawn">
        <RateBar rate={result.pooled.mention_rate} series={1} language={language} />
      </td>
      <td class="number">{words.ofEngines(namedBy, engines)}</td>
      <td class="number">{mentioned}</td>
      <td class="number">{recommended}</td>
    </tr>
  );
};
